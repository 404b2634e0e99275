"""The OpenAPI document and a page that shows it, with every asset served from here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ..guards import ANY_MEDIA

_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "docs.js": "text/javascript",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>graphmem API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/docs.js"></script>
</body>
</html>
"""


@get("/openapi.json", include_in_schema=False)
async def openapi_document(state: State) -> dict[str, Any]:
    """The OpenAPI 3.1 document of what is served."""
    document: dict[str, Any] = state.openapi()
    return document


@get(["/docs", "/docs/{name:str}"], include_in_schema=False, opt={ANY_MEDIA: True})
async def docs_page(name: FromPath[str] = "") -> Response[bytes]:
    """The documentation page, or one of its assets."""
    if not name:
        headers = {"Content-Security-Policy": _POLICY}
        return Response(_PAGE.encode(), media_type="text/html", headers=headers)
    if name not in _ASSETS:
        raise NotFoundException
    return Response(_asset(name), media_type=_ASSETS[name], headers={"Cache-Control": "max-age=3600"})


@cache
def _asset(name: str) -> bytes:
    return files("graphmem.api").joinpath("assets", name).read_bytes()
