"""The OpenAPI document: Litestar gives the operations, pydantic the schemas with every limit."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, cast

from litestar import Litestar
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Schema, Tag
from litestar.plugins import OpenAPISchemaPlugin
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler
from litestar.typing import FieldDefinition
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from graphmem import __version__
from graphmem.models.base import Id, StoreId, check_id, check_text

from .dependencies import HEADERS
from .examples import EXAMPLES, NOT_NULL, SHAPES
from .guards import OPEN, QUERY
from .problems import MEDIA_TYPE
from .schemas import NoQuery, Problem

VERB = "/:"
"""How the router writes a verb on a record: `/{id}/:retry` stands for the address `/{id}:retry`."""

_TAGS = {
    "episodes": "What was said or read; remembering starts here.",
    "recall": "The memories that answer a question, and the audit of what was given.",
    "facts": "Statements with validity, sources and history.",
    "entities": "Who and what facts are about.",
    "contradictions": "Facts that cannot all hold, and what was decided.",
    "predicates": "Relations of a store: one value or many, opposites, how fast they fade.",
    "notes": "Zettelkasten notes, their links and what took their place.",
    "entries": "Notes by actor, session and path.",
    "forget": "Hiding and erasing.",
    "sessions": "Conversations: what each came to and what it left open.",
    "maintenance": "Upkeep of a store: fading, expiry, summaries and themes, erasing what was archived long ago.",
    "stores": "The security boundary: everything lives in one store.",
    "health": "Alive and ready.",
}
_TEMPLATE = "#/components/schemas/{model}"
_SCHEME = {"type": "http", "scheme": "bearer", "description": "The key in GRAPHMEM_API_KEY."}
_ETAGGED = (
    *("getFact", "getStore", "createStore", "getNote", "createNote", "getEntry", "createEntry", "putEntry"),
    *("confirmFact", "rejectFact", "approveFact", "restoreFact", "pinFact", "getPredicate"),
)
_ETAG_HEADER = {"ETag": {"description": "The version of the record.", "schema": {"type": "string"}}}


@cache
def _not_blank() -> str:
    """A pattern that text passes when it has a character other than white space, controls and formats."""
    blank = [c for c in range(0x10000) if unicodedata.category(chr(c)) in ("Cc", "Cf", "Zs", "Zl", "Zp")]
    ranges: list[list[int]] = []
    for code in blank:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[^" + "".join(f"\\u{low:04x}-\\u{high:04x}" for low, high in ranges) + "]"


class _Limits(GenerateJsonSchema):
    """JSON Schema that also says what our text checks refuse."""

    def function_after_schema(self, schema: core_schema.AfterValidatorFunctionSchema) -> JsonSchemaValue:
        """The schema of checked text, with a pattern."""
        result = super().function_after_schema(schema)
        check = schema["function"]["function"]
        if check in (check_text, check_id) and result.get("type") == "string":
            result["pattern"] = _ID_PATTERN if check is check_id else _not_blank()
        return result


_EDGE = r"[^\s\u0000-\u001f\u007f-\u009f]"
_ID_PATTERN = rf"^{_EDGE}([^\u0000-\u001f\u007f-\u009f\u2028\u2029]*{_EDGE})?$"


class _References(OpenAPISchemaPlugin):
    """Has Litestar refer to the models by name and notes which are used."""

    def __init__(self) -> None:
        self.used: set[type[BaseModel]] = set()

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Every model is ours."""
        return isinstance(value, type) and issubclass(value, BaseModel)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """A schema that holds only the model's name; `describe` puts the reference in its place."""
        model: type[BaseModel] = field_definition.annotation
        self.used.add(model)
        return Schema(title=_TEMPLATE.format(model=model.__name__))


def describe(
    handlers: Sequence[ControllerRouterHandler], dependencies: dict[str, Provide], *, secured: bool
) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the handlers; `secured` when an API key is asked for."""
    references = _References()
    config = OpenAPIConfig(
        title="graphmem",
        version=__version__,
        description="Memory for AI agents: facts that know when they were true and where they came from.",
        use_handler_docstrings=True,
        tags=[Tag(name=name, description=text) for name, text in _TAGS.items()],
        render_plugins=[JsonRenderPlugin()],
    )
    app = Litestar(
        handlers, dependencies=dependencies, openapi_config=config, plugins=[references], logging_config=None
    )
    document: dict[str, Any] = deepcopy(app.openapi_schema.to_schema())
    _add_schemas(document, references.used, app)
    for path, handler in _operations(app):
        _finish_operation(document["paths"], path, handler, secured=secured)
    document["paths"] = dict(sorted(document["paths"].items()))
    if secured:
        document["components"]["securitySchemes"] = {"key": _SCHEME}
        document["security"] = [{"key": []}]
    return document


def _operations(app: Litestar) -> Iterator[tuple[str, HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.operation_id:
                    yield route.path_format, handler


def _add_schemas(document: dict[str, Any], used: set[type[BaseModel]], app: Litestar) -> None:
    """Fill `components.schemas`: bodies as they are read, answers as they are written."""
    bodies = {h.parsed_data_field.annotation for _, h in _operations(app) if h.parsed_data_field}
    models = sorted(used | {Problem}, key=lambda model: model.__name__)
    inputs = [(model, "validation" if model in bodies else "serialization") for model in models]
    names, schemas = models_json_schema(cast("Any", inputs), ref_template=_TEMPLATE, schema_generator=_Limits)
    definitions = schemas["$defs"]
    for name, shape in SHAPES.items():
        definitions[name].update(shape)
    for name, fields in NOT_NULL.items():
        described = definitions[name]["properties"]
        described.update({field: _without_null(described[field]) for field in fields})
    document["components"] = {"schemas": definitions}
    renamed = {_TEMPLATE.format(model=model.__name__): ref["$ref"] for (model, _), ref in names.items()}
    _refer(document["paths"], renamed)


def _refer(node: Any, renamed: dict[str, str]) -> None:
    """Put references to the schemas in the place of the names."""
    if isinstance(node, dict):
        if (title := node.get("title")) in renamed:
            node.clear()
            node["$ref"] = renamed[title]
        for inner in node.values():
            _refer(inner, renamed)
    elif isinstance(node, list):
        for inner in node:
            _refer(inner, renamed)


def _finish_operation(paths: dict[str, Any], path: str, handler: HTTPRouteHandler, *, secured: bool) -> None:
    method = next(iter(handler.http_methods)).lower()
    operation = paths[path][method]
    operation["parameters"] = [
        *_path_parameters(path),
        *_query_parameters(handler.opt.get(QUERY, NoQuery)),
        *handler.opt.get(HEADERS, ()),
    ]
    _finish_responses(operation, handler, secured=secured)
    if example := EXAMPLES.get(operation["operationId"]):
        operation["requestBody"]["content"]["application/json"]["examples"] = example
    if VERB in path:
        paths[path.replace(VERB, ":")] = paths.pop(path)


def _path_parameters(path: str) -> Iterator[dict[str, Any]]:
    types: dict[str, Any] = {"store": StoreId, "id": Id, "name": Id}
    for name, kind in types.items():
        if f"{{{name}}}" in path:
            schema = TypeAdapter(kind).json_schema(schema_generator=_Limits)
            yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(model: type[BaseModel]) -> Iterator[dict[str, Any]]:
    schema = model.model_json_schema(schema_generator=_Limits)
    for name, inner in schema.get("properties", {}).items():
        yield {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": _without_null(inner),
        }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query string cannot say null: absence does."""
    kept = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "title")}
    if rest.get("default", ...) is None:
        del rest["default"]
    return {**rest, **kept[0]} if kept else rest


def _finish_responses(operation: dict[str, Any], handler: HTTPRouteHandler, *, secured: bool) -> None:
    responses = operation["responses"]
    problem = {"schema": {"$ref": _TEMPLATE.format(model=Problem.__name__)}}
    refused = "401" if secured else "403"
    if not (secured and handler.opt.get(OPEN)):
        responses[refused] = {"description": "Not permitted.", "content": {MEDIA_TYPE: problem}}
    else:
        operation["security"] = []
    if any(h.get("name") == "If-Match" for h in handler.opt.get(HEADERS, ())) or operation["operationId"] in _ETAGGED:
        responses[str(handler.status_code)]["headers"] = _ETAG_HEADER
