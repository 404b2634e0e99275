"""The texts that the driver sends: one parameter each, so that Neo4j keeps one plan a query (decision 0006)."""

from __future__ import annotations

import pytest

from graphmem.store.catalog import Query, catalog, parse

HEADER = "// does: Nothing.\n// mode: read\n// scope: owner\n// param: owner_key string\n// param: text string\n"


@pytest.mark.parametrize("query", [q for q in catalog().values() if q.mode != "schema"], ids=lambda q: q.name)
def test_every_parameter_is_in_the_map(query: Query) -> None:
    assert "$given.$" not in query.text
    for name in query.parameters:
        assert f"$given.{name}" in query.text


def test_a_dollar_sign_in_a_string_a_name_or_a_comment_stays() -> None:
    body = "MATCH (n {owner_key: $owner_key}) // $text\nWHERE n.`$text` = '$text' + $text /* $text */ RETURN \"$text\""
    text = parse("some/query", HEADER + body).text
    assert text.removeprefix(HEADER) == body.replace("$owner_key", "$given.owner_key").replace(
        "+ $text", "+ $given.text"
    )
