"""Reading data sets: LoCoMo conversations, SQuAD-like passages with questions, and lines of documents and queries.

A line is a JSON object with a `type`: `document` (`id`, `text`, and perhaps `actor`, `name`, `occurred_at`,
`session`) or `query` (`query`, `expected`, and perhaps `category`, `actor`, `answer`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import read_file
from graphmem.models.base import Id, Model, Name, Text, ZonedTime
from graphmem.models.recall import Query as QueryText

from .dataset import Dataset, Document, Query, joined

Format = Literal["auto", "locomo", "jsonl", "jsquad"]
ACTOR = "eval"
"""Whose memory it is where the data names nobody."""
LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
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
    expected: Annotated[tuple[Id, ...], Field(min_length=1)]
    category: Name = "all"
    actor: Id | None = None
    answer: Name | None = None


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
    if kind == "locomo" or (kind == "auto" and isinstance(data, dict) and "qa" in data):
        return _locomo(path, data)
    if kind == "jsquad" or (kind == "auto" and isinstance(data, dict) and isinstance(data.get("data"), list)):
        return _passages(path, data)
    raise InvalidInput(
        f"{path.name} is neither a LoCoMo conversation nor passages with questions; name its --format", field="data"
    )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 text", field="data") from error
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", field="data") from error


# --- lines ------------------------------------------------------------------------------------------------


def _lines(path: Path, text: str) -> Dataset:
    documents: dict[tuple[str, str], Document] = {}
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
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        name = ".".join(str(part) for part in first["loc"][1:]) or "type"
        if first["type"] == "extra_forbidden":
            raise InvalidInput(f"{place}: {name[:80]}: there is no such field", field="data") from error
        if first["type"].startswith(("union_tag", "model_", "dict_")):
            raise InvalidInput(f"{place}: type: must be document or query", field="data") from error
        message = first["msg"].removeprefix("Value error, ")
        raise InvalidInput(f"{place}: {name}: {message}", field="data") from error


def _query(place: str, row: QueryLine, actors: list[str], documents: dict[tuple[str, str], Document]) -> Query:
    actor = row.actor or (actors[0] if len(actors) == 1 else ACTOR)
    if actor not in actors:
        raise InvalidInput(f"{place}: actor: no document has it", field="data")
    for index, expected in enumerate(row.expected):
        if (actor, expected) not in documents:
            raise InvalidInput(f"{place}: expected.{index}: its actor has no such document", field="data")
    return Query(row.query, frozenset(row.expected), actor, row.category, row.answer)


# --- LoCoMo -----------------------------------------------------------------------------------------------


def _locomo(path: Path, data: dict[str, Any]) -> Dataset:
    content = read_file(path)
    if content.kind != "locomo":
        raise InvalidInput(f"{path.name} is no LoCoMo conversation", field="data")
    actor = str(data.get("sample_id") or path.stem)
    documents = tuple(
        Document(message.id or "", message.content, actor, message.name, session.id, message.occurred_at)
        for session in content.sessions
        for message in session.messages
    )
    known = {document.id for document in documents}
    asked = data.get("qa", [])
    queries = tuple(q for row in asked if (q := _question(row, actor, known)) is not None)
    return Dataset(path.stem, documents, queries, len(asked) - len(queries))


def _question(row: dict[str, Any], actor: str, known: set[str]) -> Query | None:
    """A question with those of its turns that are there; None when it has none."""
    expected = frozenset(turn_ids(row.get("evidence") or ())) & known
    category = LOCOMO_CATEGORIES.get(row.get("category", 0), "other")
    answer = row.get("answer")
    if not expected or not isinstance(row.get("question"), str):
        return None
    return Query(row["question"], expected, actor, category, None if answer is None else str(answer))


def turn_ids(evidence: Iterable[Any]) -> Iterator[str]:
    """Ids of turns as the conversation writes them: `D8:6; D9:17` names two, `D30:05` and `D:30:5` mean `D30:5`."""
    for written in evidence:
        for session, turn in _TURN.findall(str(written)):
            yield f"D{int(session)}:{int(turn)}"


# --- passages with questions (SQuAD, JSQuAD) --------------------------------------------------------------


def _passages(path: Path, data: Any) -> Dataset:
    try:
        found = list(_articles(data))
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"{path.name}: data.paragraphs.qas are not as in SQuAD ({type(error).__name__})", field="data"
        ) from error
    documents = tuple(document for document, _ in found)
    queries = tuple(
        Query(qa["question"], frozenset([document.id]), path.stem, "all", _answer(qa))
        for document, asked in found
        for qa in asked
    )
    return Dataset(path.stem, tuple(Document(d.id, d.text, path.stem) for d in documents), queries)


def _articles(data: dict[str, Any]) -> Iterator[tuple[Document, list[dict[str, Any]]]]:
    """Each paragraph as `title: text`, with its questions."""
    for number, article in enumerate(data["data"], 1):
        for place, paragraph in enumerate(article["paragraphs"], 1):
            context = paragraph["context"]
            text = context.split(_SEPARATOR, 1)[1] if _SEPARATOR in context else context
            title = str(article.get("title") or "").strip()
            yield (
                Document(f"p{number}-{place}", f"{title}: {text}" if title else text, ACTOR),
                [qa for qa in paragraph["qas"] if qa["question"].strip()],
            )


def _answer(qa: dict[str, Any]) -> str | None:
    answers = qa.get("answers") or []
    return str(answers[0]["text"]) if answers else None
