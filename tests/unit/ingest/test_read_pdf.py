"""PDF files: passages without the paper's line ends, the date of making, and errors that say what to do."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import parse_file
from tests.support.pdf import pdf


def test_line_ends_of_the_paper_are_not_those_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(
        pdf([["I live in Osaka and work", "for a pub-", "lisher."], ["Page two."]], "D:20250618090000+09'00'")
    )
    document = parse_file(path)
    assert document.kind == "pdf"
    assert [m.content for m in document.messages] == ["I live in Osaka and work for a publisher.", "Page two."]
    assert document.date == datetime(2025, 6, 18, 9, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.7\n1 0 obj", "letter.pdf: the PDF is broken"),
        (b"", "letter.pdf: the PDF is broken"),
        (pdf([[]], None), "holds no text: the pages of a scan"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=problem):
        parse_file(path)


def test_an_encrypted_file_is_named(tmp_path: Path) -> None:
    from pypdf import PdfReader, PdfWriter

    plain, locked = tmp_path / "plain.pdf", tmp_path / "locked.pdf"
    plain.write_bytes(pdf([["I live in Osaka."]], None))
    writer = PdfWriter(PdfReader(plain))
    writer.encrypt("open sesame", algorithm="RC4-128")
    writer.write(locked)
    with pytest.raises(InvalidInput, match=r"locked\.pdf is encrypted"):
        parse_file(locked)


def test_without_the_extra_the_command_that_installs_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(pdf([["I live in Osaka."]], None))
    script = (
        "import sys; sys.modules['pypdf'] = None\n"
        "from pathlib import Path\n"
        "from graphmem.errors import InvalidInput\n"
        "from graphmem.ingest.readers import parse_file\n"
        "try:\n    parse_file(Path(sys.argv[1]))\n"
        "except InvalidInput as error:\n    print(error.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == 'letter.pdf: reading PDF needs an extra: pip install "graphmem[pdf]"\n'
