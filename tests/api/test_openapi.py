"""The document says what is served, and its page needs nothing from outside."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from litestar.testing import AsyncTestClient

from graphmem import Memory
from graphmem.api import create_app
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest
from tests.support.neo4j import settings_for_tests

from .conftest import Client, problem

CONTRACT = {
    "/v1/stores": {"get", "post"},
    "/v1/stores/{store}": {"get", "patch", "delete"},
    "/v1/stores/{store}/usage": {"get"},
    "/v1/stores/{store}/episodes": {"get", "post"},
    "/v1/stores/{store}/episodes:bulk": {"post"},
    "/v1/stores/{store}/episodes:counts": {"get"},
    "/v1/stores/{store}/import": {"post"},
    "/v1/stores/{store}/episodes/{id}": {"get", "delete"},
    "/v1/stores/{store}/episodes/{id}:retry": {"post"},
    "/v1/stores/{store}/recall": {"post"},
    "/v1/stores/{store}/recalls": {"get"},
    "/v1/stores/{store}/recalls/{id}": {"get"},
    "/v1/stores/{store}/facts": {"get"},
    "/v1/stores/{store}/facts/{id}": {"get", "patch", "delete"},
    "/v1/stores/{store}/facts/{id}/history": {"get"},
    "/v1/stores/{store}/facts/{id}:confirm": {"post"},
    "/v1/stores/{store}/facts/{id}:reject": {"post"},
    "/v1/stores/{store}/facts/{id}:approve": {"post"},
    "/v1/stores/{store}/facts/{id}:restore": {"post"},
    "/v1/stores/{store}/facts/{id}:pin": {"post"},
    "/v1/stores/{store}/contradictions": {"get"},
    "/v1/stores/{store}/contradictions/{id}": {"get"},
    "/v1/stores/{store}/contradictions/{id}:resolve": {"post"},
    "/v1/stores/{store}/predicates": {"get"},
    "/v1/stores/{store}/predicates/{name}": {"get", "patch"},
    "/v1/stores/{store}/profile": {"get"},
    "/v1/stores/{store}/entities/{id}/timeline": {"get"},
    "/v1/stores/{store}/entities": {"get"},
    "/v1/stores/{store}/entities/{id}": {"get"},
    "/v1/stores/{store}/entities/{id}/graph": {"get"},
    "/v1/stores/{store}/entities/{id}:split": {"post"},
    "/v1/stores/{store}/entities:merge": {"post"},
    "/v1/stores/{store}/notes": {"get", "post"},
    "/v1/stores/{store}/notes/{id}": {"get", "patch", "delete"},
    "/v1/stores/{store}/notes/{id}/links": {"get"},
    "/v1/stores/{store}/notes/{id}/history": {"get"},
    "/v1/stores/{store}/entries": {"get", "post", "put"},
    "/v1/stores/{store}/entries/{id}": {"get", "patch", "delete"},
    "/v1/stores/{store}/entries:search": {"post"},
    "/v1/stores/{store}/forget": {"post"},
    "/v1/stores/{store}/maintenance:decay": {"post"},
    "/v1/stores/{store}/maintenance:consolidate": {"post"},
    "/v1/stores/{store}/maintenance:purge": {"post"},
    "/v1/stores/{store}/sessions": {"get"},
    "/v1/stores/{store}/sessions/{id}:close": {"post"},
    "/v1/stores/{store}/sessions/{id}/messages": {"get", "post", "delete"},
    "/v1/stores/{store}/open-items": {"get"},
    "/healthz": {"get"},
    "/readyz": {"get"},
}


@pytest.fixture
async def document(client: Client) -> dict[str, Any]:
    answer = await client.get("/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


def test_the_document_has_the_routes_of_the_contract(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert {path: set(methods) for path, methods in document["paths"].items()} == CONTRACT
    names = [operation["operationId"] for operation in operations(document)]
    assert len(names) == len(set(names))


def test_every_operation_describes_its_problems(document: dict[str, Any]) -> None:
    for operation in operations(document):
        assert {"400", "403", "406", "500", "503"} <= operation["responses"].keys()
        for status, answer in operation["responses"].items():
            ready = operation["operationId"] == "getReadiness" and status == "503"
            kind = "application/json" if status < "400" or ready else "application/problem+json"
            assert status == "204" or list(answer["content"]) == [kind]


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    names = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document)))

    assert names <= document["components"]["schemas"].keys()
    assert "Problem" in names


def test_limits_are_in_the_schema(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    assert schemas["Message"]["properties"]["content"]["maxLength"] == 50_000
    assert schemas["RecallRequest"]["properties"]["limit"]["maximum"] == 100
    assert schemas["RecallRequest"]["additionalProperties"] is False
    listing = document["paths"]["/v1/stores/{store}/facts"]["get"]["parameters"]
    by_name = {parameter["name"]: parameter for parameter in listing}
    assert by_name["page_size"]["schema"]["maximum"] == 200
    assert by_name["actor_id"]["required"]
    assert by_name["store"]["schema"]["pattern"]


@pytest.mark.parametrize(("name", "model"), [("remember", RememberRequest), ("recall", RecallRequest)])
def test_the_examples_are_valid(document: dict[str, Any], name: str, model: type[Any]) -> None:
    operation = next(o for o in operations(document) if o["operationId"] == name)
    examples = operation["requestBody"]["content"]["application/json"]["examples"]

    assert len(examples) >= 2
    for example in examples.values():
        model.model_validate(example["value"])


async def test_a_key_shows_as_a_security_scheme(memory: Memory, document: dict[str, Any]) -> None:
    app = create_app(settings_for_tests(api_key="k"), memory=memory)
    async with AsyncTestClient(app) as client:
        secured = (await client.get("/openapi.json", headers={"authorization": "Bearer k"})).json()

    assert secured["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert secured["security"] == [{"key": []}]
    assert secured["paths"]["/healthz"]["get"]["security"] == []
    assert "401" in secured["paths"]["/v1/stores"]["get"]["responses"]
    assert "security" not in document


async def test_the_page_and_its_assets_come_from_here(client: Client) -> None:
    page = await client.get("/docs", headers={"accept": "text/html"})

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.findall(r"https?://|src=\"//|href=\"//", page.text)
    for address in re.findall(r'(?:src|href)="(/[^"]+)"', page.text):
        asset = await client.get(address)
        assert asset.status_code == 200, address
        assert len(asset.content) > 100
        assert not re.search(r"@import|sourceMappingURL|url\(['\"]?https?:", asset.text)
    problem(await client.get("/docs/../app.py"), 404)
    problem(await client.get("/docs/swagger-ui.LICENSE.txt"), 404)
