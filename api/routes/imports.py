"""Import: files become notes, and their text facts; memories of another server become facts."""

from __future__ import annotations

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.imports import ImportedFile, ImportRequest, ImportResult

from ..dependencies import HEADERS, IDEMPOTENCY_KEY
from ..problems import problems

_PENDING = ResponseSpec(
    ImportResult, generate_examples=False, description="Notes and texts are saved; facts are looked for later."
)


@post(
    "/v1/stores/{store:str}/import",
    operation_id="importFiles",
    summary="Import files",
    tags=["notes"],
    status_code=200,
    responses={**problems(404, 409, 413, 415), 202: _PENDING},
    opt={HEADERS: (IDEMPOTENCY_KEY,)},
    response_description="What became of each file; one that failed says why, and stops no other.",
)
async def import_files(
    store: FromPath[str],
    data: JSONBody[ImportRequest],
    idempotency_key: NamedDependency[str | None],
    memory: NamedDependency[Memory],
) -> Response[ImportResult]:
    """Writes each file as the note of its path, and remembers its text as a document with that path as `source_id`.

    With `format` `mcp-memory`, each observation and relation of a file becomes a fact.
    """
    result = await memory.imports.files(store, data, idempotency_key=idempotency_key)
    pending = any(_is_pending(file, wait=data.wait) for file in result.files)
    return Response(result, status_code=202 if pending else 200)


def _is_pending(file: ImportedFile, *, wait: bool) -> bool:
    """Whether its facts are still looked for; a file of many episodes tells of none."""
    if file.episode is not None:
        return file.episode.status == "pending"
    return not wait and file.note_id is None and file.outcome in ("made", "changed")
