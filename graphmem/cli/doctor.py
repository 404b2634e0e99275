"""`graphmem doctor`: one line a check, and what to do where it is not good. It starts and changes nothing."""

from __future__ import annotations

import asyncio
import platform
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import GraphMemError

from .common import NO_OPTIONS, Common, load_settings
from .doctor_neo4j import neo4j
from .findings import Finding, State
from .output import clean, stdout

if TYPE_CHECKING:
    from graphmem.config import Settings

STYLES: dict[State, str] = {"ok": "green", "warn": "yellow", "fail": "red"}
LOW_SPACE, LITTLE_SPACE = 300_000_000, 2_000_000_000
"""Free bytes under which the disk is a fault, and a warning."""
REACH_SECONDS = 5.0
OPENAI = "https://api.openai.com/v1"
SENTENCES = {"English": "I live in Oslo.", "Japanese": "私は京都に住んでいます。"}
"""What the offline extractor must be able to read."""
RERANKED = ("Where does she live?", list(SENTENCES.values()))
"""What a reranker is asked, to see whether it answers."""
NEWEST_PYTHON = (3, 14)
"""First Python release that is not supported."""


Check = Callable[["Settings"], Awaitable[list[Finding]]]


async def doctor(*, common: Common = NO_OPTIONS) -> int:
    """Say what is configured, reachable and wrong; exit code 1 when something must be mended."""
    settings = load_settings(common)
    console = stdout()
    failed = 0
    for check in (python, disk, neo4j, extractor, languages, embedder, model_endpoint, reranker):
        for finding in await _run(check, settings):
            failed += finding.state == "fail"
            console.print(f"{finding.state:<5}", style=STYLES[finding.state], end="")
            console.print(f"{finding.name:<16} {clean(finding.detail)}")
            if finding.fix and finding.state != "ok":
                console.print(f"     {'':<16} → {finding.fix}")
    return int(failed > 0)


async def _run(check: Check, settings: Settings) -> list[Finding]:
    """The findings of a check; one that breaks is itself a finding, so that the others still run."""
    try:
        return await check(settings)
    except GraphMemError as error:
        return [Finding(check.__name__, "fail", error.message)]
    except (ImportError, OSError) as error:
        fix = "install graphmem again; `graphmem doctor --debug` shows the log"
        return [Finding(check.__name__, "fail", f"{type(error).__name__}: {error}", fix)]


async def python(_: Settings) -> list[Finding]:
    """Whether this Python is one that graphmem supports."""
    good = (3, 11) <= sys.version_info[:2] < NEWEST_PYTHON
    detail = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return [Finding("Python", "ok" if good else "fail", detail, "use Python 3.11, 3.12 or 3.13")]


async def disk(settings: Settings) -> list[Finding]:
    """Whether the data folder's disk has room."""
    folder = _existing(settings.data_dir)
    free = shutil.disk_usage(folder).free
    state: State = "fail" if free < LOW_SPACE else "warn" if free < LITTLE_SPACE else "ok"
    detail = f"{free / 1e9:.1f} GB free for {settings.data_dir}"
    return [Finding("Disk", state, detail, "free some space, or choose another folder with --data-dir")]


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())


# --- models -----------------------------------------------------------------------------------------------


async def extractor(settings: Settings) -> list[Finding]:
    """What reads facts from text."""
    name = settings.extractor
    if name == "auto":
        name = "llm" if settings.has_model else "offline"
    if name == "llm" and not settings.has_model:
        fix = "set OPENAI_API_KEY or OPENAI_BASE_URL, or GRAPHMEM_EXTRACTOR=offline"
        return [Finding("Extractor", "fail", "llm, but no model is configured", fix)]
    return [Finding("Extractor", "ok", f"{name}, {settings.llm_model}" if name == "llm" else name)]


async def languages(settings: Settings) -> list[Finding]:
    """Whether the offline extractor reads a sentence of each language."""
    return [await _reads(settings, language, sentence) for language, sentence in SENTENCES.items()]


async def _reads(settings: Settings, language: str, sentence: str) -> Finding:
    from graphmem.ports import Turn
    from graphmem.providers import make_extractor

    reader = make_extractor("offline", settings)
    try:
        found = await reader.extract([Turn(0, "user", "Ada", sentence, datetime.now(UTC))])
    except (ImportError, OSError, GraphMemError) as error:
        detail = f"its packages do not load ({type(error).__name__})"
        return Finding(language, "fail", detail, "install graphmem again")
    finally:
        await reader.close()
    if not found.candidates:
        return Finding(language, "warn", "no fact was found in a simple sentence", "install graphmem again")
    return Finding(language, "ok", "the offline extractor reads it")


async def embedder(settings: Settings) -> list[Finding]:
    """Whether it is known from where on this embedder's scores answer a query."""
    if settings.embedder == "local":
        return [Finding("Least scores", "ok", "known for the local embedder")]
    fix = "run `graphmem calibrate --apply` for each store; until then recall says `gate_uncalibrated`"
    return [Finding("Least scores", "warn", f"those of {settings.embedding_model} are not known to graphmem", fix)]


async def reranker(settings: Settings) -> list[Finding]:
    """What orders the answers of mode `semantic`, and whether it does; a language model is not asked, it costs."""
    name, fix = "Reranker", "correct GRAPHMEM_RERANKER_BASE_URL, GRAPHMEM_RERANKER_MODEL or GRAPHMEM_RERANKER_API_KEY"
    if settings.reranker == "none":
        return [Finding(name, "ok", "none configured: mode semantic answers as hybrid")]
    if settings.reranker == "llm":
        fix = "set OPENAI_API_KEY or OPENAI_BASE_URL, or GRAPHMEM_RERANKER=none"
        state: State = "ok" if settings.has_model else "fail"
        detail = f"llm, {settings.llm_model}" if settings.has_model else "llm, but no model is configured"
        return [Finding(name, state, detail, fix)]
    from graphmem.providers.openai_reranker import EndpointReranker

    try:
        endpoint = EndpointReranker(settings)
        try:
            await endpoint.rerank(*RERANKED)
        finally:
            await endpoint.close()
    except GraphMemError as error:
        return [Finding(name, "fail", error.message, fix)]
    return [Finding(name, "ok", f"{endpoint.name} answers")]


async def model_endpoint(settings: Settings) -> list[Finding]:
    """Whether the configured model endpoints answer."""
    if not settings.has_model:
        return [Finding("Model endpoint", "ok", "none configured, none needed")]
    urls = dict.fromkeys(url for url in (settings.openai_base_url or OPENAI, settings.embedding_base_url) if url)
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    return [await asyncio.to_thread(_reach, url, key) for url in urls]


def _reach(base_url: str, key: str) -> Finding:
    """Ask for the list of models; any answer but a refusal of the key is good."""
    name, fix = "Model endpoint", "start it, or correct OPENAI_BASE_URL"
    if not base_url.startswith(("http://", "https://")):
        return Finding(name, "fail", f"{base_url} is not an http address", fix)
    request = urllib.request.Request(f"{base_url.rstrip('/')}/models")  # noqa: S310 -- http(s) only, see above
    request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=REACH_SECONDS):  # noqa: S310 -- as above
            return Finding(name, "ok", base_url)
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            return Finding(name, "fail", f"{base_url} refuses the key ({error.code})", "correct OPENAI_API_KEY")
        return Finding(name, "warn", f"{base_url} answers {error.code} to /models", "check OPENAI_BASE_URL")
    except (OSError, ValueError, HTTPException) as error:
        return Finding(name, "fail", f"{base_url} cannot be reached ({type(error).__name__})", fix)
