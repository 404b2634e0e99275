"""What the commands share: the options every command has, settings, the open memory, times."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from .failures import UsageError

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory

DEFAULT_ACTOR = "me"
DEFAULT_STORE = "default"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Common:
    """Options of every command."""

    data_dir: Annotated[Path | None, Parameter(help="Folder of the local Neo4j [GRAPHMEM_DATA_DIR].")] = None
    debug: Annotated[bool, Parameter(negative=(), help="Show the log, and where an error arose.")] = False


NO_OPTIONS = Common()
"""Default of the parameter that carries the common options."""

Actor = Annotated[str, Parameter(help="Whose memory it is.")]
Store = Annotated[str, Parameter(help="The memory store.")]
Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print the answer as JSON.")]


def load_settings(common: Common, **given: Any) -> Settings:
    """The settings from the environment, with the options that were given on top."""
    from graphmem.config import Settings

    # what goes wrong is told in one line by `report`; the log is for those who ask for it
    logging.basicConfig(level=logging.DEBUG if common.debug else logging.CRITICAL)
    if common.data_dir is not None:
        given["data_dir"] = common.data_dir.expanduser().absolute()
    return Settings(**{name: value for name, value in given.items() if value is not None})


@asynccontextmanager
async def open_memory(settings: Settings) -> AsyncIterator[Memory]:
    """The memory, opened with its long steps shown on standard error."""
    from graphmem.memory import Memory

    from .output import Stages

    with Stages() as stages:
        context = Memory.open(settings, progress=stages)
        memory = await context.__aenter__()
    try:
        yield memory
    finally:
        await context.__aexit__(None, None, None)


def parse_time(option: str, value: str | None) -> datetime | None:
    """A date or time given on the command line. Errors: UsageError that names the option."""
    if value is None:
        return None
    from pydantic import TypeAdapter, ValidationError

    from graphmem.models.times import ValidTimeIn

    adapter: TypeAdapter[ValidTimeIn] = TypeAdapter(ValidTimeIn)
    try:
        return adapter.validate_python(value).at
    except ValidationError as error:
        raise UsageError(f"{option}: give a date such as 2025-06-18 or a time with its offset") from error
