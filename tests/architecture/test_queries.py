"""Cypher lives in files: none in Python, every file used, labels and relationship types a closed set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tree import Source, query_files, sources, strings

LABELS = {
    *("Store", "Predicate", "Session", "Message", "Episode", "Entity", "Fact", "Note", "Contradiction", "Change"),
    *("Recall", "Tombstone", "Receipt", "ApiKey", "Alias"),
    # upkeep of the database itself
    *("Migration", "EmbedderIdentity", "Idempotency", "OwnerLock", "Lease", "ModelUse"),
}
RELATIONSHIPS = {
    "SUBJECT", "OBJECT", "DERIVED_FROM", "SUPERSEDES", "CONTRADICTS", "LINKS", "ABOUT", "IN_SESSION", "NEXT",
    "SAME_AS", "NAMES", "USED", "CHANGED",
}  # fmt: skip
KEYWORDS = {"CASE", "NULL", "TRUE", "FALSE", "NOT", "COUNT", "COLLECT", "EXISTS", "ANY", "ALL", "NONE"}

RUN_BY_FOLDER = re.compile(r"schema/\d{4}_|browser/")
"""Run without being named: migrations in their order, and what people run in Neo4j Browser."""

LOOKS_LIKE_CYPHER = re.compile(
    r"""\b(?:MATCH|MERGE|CREATE|CALL|FOREACH|DELETE)\s*[({]      # a clause with its pattern
      | ^\s*(?:OPTIONAL\s+)?(?:MATCH|MERGE|UNWIND|CYPHER)\b      # a query that opens with one
      | \bUNWIND\s+\S+\s+AS\b
      | \b(?:DETACH\s+)DELETE\b
      | \bRETURN\s+(?:\d|\*|DISTINCT\b|\w+\.\w|\w+\s+AS\b|\w+\()
      | \bCALL\s+(?:db|dbms|apoc)\.
      | \b(?:CREATE|DROP)\s+(?:\w+\s+)?(?:INDEX|CONSTRAINT)\b
      | \bSHOW\s+(?:\w+\s+)?(?:INDEX(?:ES)?|CONSTRAINTS?|DATABASES?)\b
      | \bSET\s+\w+\s*(?:\.\s*\w+\s*)?\+?=\s
      | \)\s*<?-\[[^\]]*\]->?\s*\(                               # an arrow between two nodes
    """,
    re.VERBOSE | re.MULTILINE,
)

ALL = [pytest.param(source, id=source.module) for source in sources()]
FILES = [pytest.param(name, path, id=name) for name, path in query_files().items()]


@pytest.mark.parametrize("source", ALL)
def test_python_holds_no_cypher(source: Source) -> None:
    found = [f"{source.name}:{line} {text[:60]!r}" for text, line in strings(source) if LOOKS_LIKE_CYPHER.search(text)]
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n", "RETURN 1", "UNWIND $rows AS row", "CALL db.awaitIndexes(300)", "SHOW INDEXES",
        "CREATE VECTOR INDEX x IF NOT EXISTS", "DROP CONSTRAINT x", "WHERE x DETACH DELETE n",
        "SET n.name = $name",
        "MERGE (e:Entity {id: $id})", "(a)-[:KNOWS]->(b)", "CYPHER 25\nMATCH", "\n  OPTIONAL MATCH (n:{})",
    ],
)  # fmt: skip
def test_cypher_is_recognised(text: str) -> None:
    assert LOOKS_LIKE_CYPHER.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "If-Match names an older version", "Return what is stored (all of it)", "ingest/save_episodes",
        "no match (yet)", "CALL us", "DELETE /v1/stores/{}", "a set of facts = many", "CREATE a store first",
        "[bold]graphmem[/bold] -> done",
    ],
)  # fmt: skip
def test_other_text_is_not_taken_for_cypher(text: str) -> None:
    assert not LOOKS_LIKE_CYPHER.search(text)


@pytest.fixture(scope="module")
def names_in_python() -> set[str]:
    return {text for source in sources() for text, _ in strings(source)}


@pytest.mark.parametrize(("name", "path"), FILES)
def test_every_query_file_is_used(name: str, path: Path, names_in_python: set[str]) -> None:
    assert RUN_BY_FOLDER.match(name) or name in names_in_python, f"{path} is run by nothing"


def test_every_query_named_in_python_exists(names_in_python: set[str]) -> None:
    files = query_files()
    folders = {name.split("/")[0] for name in files}
    pattern = re.compile(rf"^(?:{'|'.join(sorted(folders)) or '-'})/\w+$")
    assert not [text for text in names_in_python if pattern.match(text) and text not in files]


def code_of(query: str) -> str:
    """A query without its strings and comments."""
    return re.sub(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|/\*.*?\*/|//[^\n]*", " ", query, flags=re.DOTALL)


def types_in(query: str) -> tuple[set[str], set[str]]:
    """Labels (written CamelCase) and relationship types (written UPPER_CASE) that a query names."""
    code = code_of(query).replace("`", "")
    groups = re.findall(r":\s*!?([A-Za-z_]\w*(?:\s*[|&:]\s*!?:?[A-Za-z_]\w*)*)", code)
    names = {name for group in groups for name in re.findall(r"\w+", group)}
    upper = {name for name in names if re.fullmatch(r"[A-Z][A-Z_]+", name)} - KEYWORDS
    return {name for name in names - upper if name[0].isupper()} - KEYWORDS, upper


@pytest.mark.parametrize(("name", "path"), FILES)
def test_labels_and_relationship_types_are_a_closed_set(name: str, path: Path) -> None:
    query = path.read_text(encoding="utf-8")
    labels, relationships = types_in(query)
    assert labels <= LABELS, f"{name}: labels outside the design"
    assert relationships <= RELATIONSHIPS, f"{name}: relationship types outside the design"
    assert "$(" not in code_of(query), f"{name}: a label or type comes from a parameter"


def test_labels_and_types_are_found() -> None:
    query = """// :Ghost
    MATCH (f:Fact|Note {kind: 'x:Hidden', at: CASE WHEN true THEN 1 END})
    MATCH (f)-[:SUBJECT|OBJECT]->(:Entity)<-[r:ABOUT]-(n)
    WHERE n:Stranger SET n:`Odd`"""
    assert types_in(query) == ({"Fact", "Note", "Entity", "Stranger", "Odd"}, {"SUBJECT", "OBJECT", "ABOUT"})
