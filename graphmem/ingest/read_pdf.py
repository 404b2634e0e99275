"""PDF files to passages, with the library of the extra `graphmem[pdf]`."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphmem.errors import InvalidInput

from . import read_text

if TYPE_CHECKING:
    from pypdf import PdfReader

INSTALL = 'pip install "graphmem[pdf]"'
"""What makes PDF files readable."""

_WORD_BREAK = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_WIDE = r"[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WIDE_BREAK = re.compile(rf"(?<={_WIDE})\n(?={_WIDE})")


@dataclass(frozen=True, slots=True)
class Pdf:
    """The passages of a PDF and when it says it was made."""

    passages: tuple[str, ...]
    date: datetime | None


def read_pdf(name: str, data: bytes) -> Pdf:
    """The text of a PDF. Errors: InvalidInput (library missing, encrypted, broken, no text on its pages)."""
    reader = _open(name, data)
    try:
        passages = tuple(p for page in reader.pages for p in _passages(page.extract_text()))
        date = _date(reader)
    except Exception as error:
        raise InvalidInput(f"{name}: the PDF is broken ({type(error).__name__})", field="file") from error
    if not passages:
        raise InvalidInput(f"{name} holds no text: the pages of a scan must go through text recognition", field="file")
    return Pdf(passages, date)


def _open(name: str, data: bytes) -> PdfReader:
    try:
        from pypdf import PdfReader
    except ModuleNotFoundError as error:
        raise InvalidInput(f"{name}: reading PDF needs an extra: {INSTALL}", field="file") from error
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it quotes what it cannot read
    try:
        reader = PdfReader(io.BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
    except Exception as error:
        raise InvalidInput(f"{name}: the PDF is broken ({type(error).__name__})", field="file") from error
    if locked:
        raise InvalidInput(f"{name} is encrypted: save it without its password", field="file")
    return reader


def _passages(text: str) -> Iterator[str]:
    """A page's paragraphs; line ends inside one are those of the paper, not of the text."""
    clean = text.replace("\r\n", "\n").replace("\x00", "")
    clean = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in clean)
    for paragraph in read_text.paragraphs(_WORD_BREAK.sub("", clean)):
        yield _WIDE_BREAK.sub("", paragraph).replace("\n", " ")


def _date(reader: PdfReader) -> datetime | None:
    try:
        made = reader.metadata.creation_date if reader.metadata else None
    except ValueError:
        return None
    return made.replace(tzinfo=UTC) if made and made.tzinfo is None else made
