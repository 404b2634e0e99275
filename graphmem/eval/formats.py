"""Reading data sets: LoCoMo conversations, passages with questions as in SQuAD, lines of documents and queries.

A line is a JSON object with a `type`: `document` (`id`, `text`, and perhaps `actor`, `name`, `occurred_at`,
`session`) or `query` (`query`, `expected`, and perhaps `category`, `actor`, `answer`, `unanswerable`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import read_file
from graphmem.models.base import Id, Model, Name, Text, ZonedTime
from graphmem.models.recall import Query as QueryText

from .dataset import Dataset, Document, Query, joined

Format = Literal["auto", "locomo", "jsonl", "jsquad"]
ACTOR = "eval"
"""Whose memory it is where the data names nobody."""
LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_ADVERSARIAL = 5
_TURN = re.compile(r"D:?(\d+):(\d+)")
_SEPARATOR = " [SEP] "
_LINES = (".jsonl", ".ndjson")


class DocumentLine(Model):
    """A document as it stands in a file."""

    type: Literal["document"]
    id: Id
    text: Text
    actor: Id = ACTOR
    name: Name | None = None
    occurred_at: ZonedTime | None = None
    session: Id | None = None


class QueryLine(Model):
    """A query as it stands in a file."""

    type: Literal["query"]
    query: QueryText
    expected: tuple[Id, ...] = ()
    category: Name = "all"
    actor: Id | None = None
    answer: Text | None = None
    unanswerable: bool = False

    @model_validator(mode="after")
    def _of_use(self) -> QueryLine:
        if self.unanswerable and self.answer is not None:
            raise ValueError("answer and unanswerable exclude each other")
        if not self.expected and self.answer is None and not self.unanswerable:
            raise ValueError("one of expected, answer and unanswerable is required")
        return self


_LINE: TypeAdapter[DocumentLine | QueryLine] = TypeAdapter(
    Annotated[DocumentLine | QueryLine, Field(discriminator="type")]
)


def read(path: Path, kind: Format = "auto") -> Dataset:
    """The data of a file, or of all `.json` and `.jsonl` files of a folder. Errors: InvalidInput (file and line)."""
    if not path.exists():
        raise InvalidInput(f"there is no file or folder {path}", field="data")
    files = [path]
    if path.is_dir():
        files = sorted(f for f in path.iterdir() if f.suffix.lower() in (".json", *_LINES))
        if not files:
            raise InvalidInput(f"{path} holds no .json or .jsonl file", field="data")
    return joined(path.name or str(path), [_read_one(file, kind) for file in files])


def _read_one(path: Path, kind: Format) -> Dataset:
    text = _text(path)
    if kind == "jsonl" or (kind == "auto" and path.suffix.lower() in _LINES):
        return _lines(path, text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"{path.name}{line}: not JSON", field="data") from error
    shape = data if isinstance(data, dict) else {}
    if kind == "locomo" or (kind == "auto" and "qa" in shape):
        return _locomo(path, shape)
    if kind == "jsquad" or (kind == "auto" and "data" in shape):
        return _passages(path, shape)
    raise InvalidInput(f"{path.name} is no LoCoMo conversation and no passages with questions", field="data")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 text", field="data") from error
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", field="data") from error


# --- lines ------------------------------------------------------------------------------------------------

_Known = dict[tuple[str, str], Document]


def _lines(path: Path, text: str) -> Dataset:
    documents: _Known = {}
    asked: list[tuple[str, QueryLine]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{path.name}, line {number}"
        row = _line(place, line)
        if isinstance(row, QueryLine):
            asked.append((place, row))
            continue
        if (row.actor, row.id) in documents:
            raise InvalidInput(f"{place}: id: another document of this actor has it", field="data")
        documents[row.actor, row.id] = Document(row.id, row.text, row.actor, row.name, row.session, row.occurred_at)
    actors = list(dict.fromkeys(actor for actor, _ in documents))
    queries = tuple(_query(place, row, actors, documents) for place, row in asked)
    return Dataset(path.stem, tuple(documents.values()), queries)


def _line(place: str, line: str) -> DocumentLine | QueryLine:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise InvalidInput(f"{place}: not JSON ({reason})", field="data") from error
    try:
        return _LINE.validate_python(row)
    except ValidationError as error:
        raise InvalidInput(f"{place}: {_problem(error)}", field="data") from error


def _problem(error: ValidationError) -> str:
    """The first field that is wrong, and why; never its value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(part)[:80] for part in first["loc"][1:])
    if first["type"] == "extra_forbidden":
        return f"{name}: there is no such field"
    if not first["loc"]:
        return "type: must be document or query"
    message = first["msg"].removeprefix("Value error, ")
    return f"{name}: {message}" if name else message


def _query(place: str, row: QueryLine, actors: list[str], documents: _Known) -> Query:
    actor = row.actor or (actors[0] if len(actors) == 1 else ACTOR)
    if actor not in actors:
        raise InvalidInput(f"{place}: actor: no document has {'it' if row.actor else 'none'}", field="data")
    for index, expected in enumerate(row.expected):
        if (actor, expected) not in documents:
            raise InvalidInput(f"{place}: expected.{index}: its actor has no such document", field="data")
    return Query(row.query, frozenset(row.expected), actor, row.category, row.answer, row.unanswerable)


# --- LoCoMo -----------------------------------------------------------------------------------------------


def _locomo(path: Path, data: dict[str, Any]) -> Dataset:
    content = read_file(path)
    if content.kind != "locomo" or not isinstance(data.get("qa", []), list):
        raise InvalidInput(f"{path.name} is no LoCoMo conversation", field="data")
    actor = str(data.get("sample_id") or path.stem)
    documents = tuple(
        Document(message.id or "", message.content, actor, message.name, session.id, message.occurred_at)
        for session in content.sessions
        for message in session.messages
    )
    known = {document.id for document in documents}
    asked = data.get("qa", [])
    queries = tuple(q for row in asked if isinstance(row, dict) and (q := _question(row, actor, known)) is not None)
    return Dataset(path.stem, documents, queries, len(asked) - len(queries))


def _question(row: dict[str, Any], actor: str, known: set[str]) -> Query | None:
    """A question with those of its turns that are there; None when it has none."""
    evidence, text = row.get("evidence"), row.get("question")
    expected = frozenset(turn_ids(evidence if isinstance(evidence, list) else ())) & known
    if not expected or not isinstance(text, str):
        return None
    category, answer = row.get("category"), row.get("answer")
    adversarial = category == _ADVERSARIAL
    name = LOCOMO_CATEGORIES.get(category, "other") if isinstance(category, int) else "other"
    words = None if adversarial or answer is None else str(answer)
    return Query(text, expected, actor, name, words, unanswerable=adversarial)


def turn_ids(evidence: Iterable[Any]) -> Iterator[str]:
    """Ids of turns as the conversation writes them: `D8:6; D9:17` names two, `D30:05` and `D:30:5` mean `D30:5`."""
    for written in evidence:
        for session, turn in _TURN.findall(str(written)):
            yield f"D{int(session)}:{int(turn)}"


# --- passages with questions (SQuAD, JSQuAD) --------------------------------------------------------------


def _passages(path: Path, data: dict[str, Any]) -> Dataset:
    """Each paragraph as `title: text`, the one right answer of its own questions."""
    documents: list[Document] = []
    queries: list[Query] = []
    try:
        for number, article in enumerate(data["data"], 1):
            title = str(article.get("title") or "").strip()
            for place, paragraph in enumerate(article["paragraphs"], 1):
                document = Document(f"p{number}-{place}", _passage(title, paragraph["context"]), path.stem)
                documents.append(document)
                queries += [_asked(qa, document) for qa in paragraph["qas"] if qa["question"].strip()]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        where = f"{path.name}, paragraph {len(documents) or 1}"
        raise InvalidInput(f"{where}: not as in SQuAD ({type(error).__name__})", field="data") from error
    return Dataset(path.stem, tuple(documents), tuple(queries))


def _passage(title: str, context: str) -> str:
    text = context.split(_SEPARATOR, 1)[1] if _SEPARATOR in context else context
    return f"{title}: {text}" if title else text


def _asked(qa: dict[str, Any], document: Document) -> Query:
    answers = qa.get("answers") or []
    impossible = bool(qa.get("is_impossible"))
    words = str(answers[0]["text"]) if answers and not impossible else None
    return Query(qa["question"], frozenset([document.id]), document.actor, "all", words, impossible)
