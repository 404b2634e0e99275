"""Settings: the only reader of the environment.

Names that everyone uses stay as they are (`NEO4J_*`, `OPENAI_*`); the rest begins with `GRAPHMEM_`.
An empty variable counts as not set. A `.env` file in the working folder is read, never overriding.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from .models.base import Id, StoreId

_NO_DOTENV = "PYTHON_DOTENV_DISABLED"


def default_data_dir() -> Path:
    """The user's data folder for graphmem, by the custom of the operating system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "graphmem"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "graphmem"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "graphmem"


def default_cache_dir() -> Path:
    """Where the Neo4j jars are kept once fetched; shared by all data folders."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphmem"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "graphmem" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphmem"


def child_environment(**extra: str) -> dict[str, str]:
    """A copy of the environment for a child process, with `extra` set."""
    return {**os.environ, **extra}


@contextmanager
def quiet_graphiti() -> Iterator[None]:
    """For the import of graphiti-core: no telemetry, then or later, and no `.env` read into the environment."""
    os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")
    with _set_meanwhile(_NO_DOTENV, "1"):
        yield


@contextmanager
def quiet_mem0(folder: Path) -> Iterator[None]:
    """For the import of mem0: no telemetry, then or later, and its own settings in `folder` instead of the home."""
    os.environ["MEM0_TELEMETRY"] = "False"
    with _set_meanwhile("MEM0_DIR", str(folder)):
        yield


@contextmanager
def _set_meanwhile(name: str, value: str) -> Iterator[None]:
    """A variable of the environment, which gets its former value back."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _Base(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="GRAPHMEM_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        validate_by_name=True,
        validate_by_alias=True,
        frozen=True,
    )


class Settings(_Base):
    """Everything that can be set; each field names its variable."""

    # --- graph database -------------------------------------------------------------------------------
    neo4j_uri: str | None = Field(None, validation_alias=AliasChoices("NEO4J_URI"))
    """`NEO4J_URI`: use this server; unset means the managed local one."""
    neo4j_username: str = Field("neo4j", validation_alias=AliasChoices("NEO4J_USERNAME", "NEO4J_USER"))
    """`NEO4J_USERNAME`."""
    neo4j_password: SecretStr = Field(SecretStr(""), validation_alias=AliasChoices("NEO4J_PASSWORD"))
    """`NEO4J_PASSWORD`."""
    neo4j_database: str = Field("neo4j", validation_alias=AliasChoices("NEO4J_DATABASE"))
    """`NEO4J_DATABASE`."""
    data_dir: Path = Field(default_factory=default_data_dir)
    """`GRAPHMEM_DATA_DIR`: data of the managed local Neo4j."""
    cache_dir: Path = Field(default_factory=default_cache_dir)
    """`GRAPHMEM_CACHE_DIR`: the installed Neo4j jars, shared by all data folders."""
    heap: str = "1g"
    """`GRAPHMEM_HEAP`: largest heap of the managed local Neo4j."""
    page_cache: str = "256m"
    """`GRAPHMEM_PAGE_CACHE`: page cache of the managed local Neo4j."""
    java: Path | None = None
    """`GRAPHMEM_JAVA`: the `java` to run the managed Neo4j with; unset picks one."""

    # --- service --------------------------------------------------------------------------------------
    host: str = "127.0.0.1"
    """`GRAPHMEM_HOST`."""
    port: int = Field(8080, ge=1, le=65535)
    """`GRAPHMEM_PORT`."""
    api_key: SecretStr | None = None
    """`GRAPHMEM_API_KEY`: when set every request needs `Authorization: Bearer …`; needed off loopback."""
    max_body_bytes: int = Field(16_000_000, ge=1_000)
    """`GRAPHMEM_MAX_BODY_BYTES`: larger requests are answered 413."""
    maintenance_interval: float | None = Field(None, gt=0, le=100_000)
    """`GRAPHMEM_MAINTENANCE_INTERVAL`: hours between the passes of `graphmem serve`; unset: only when called."""

    mcp_actor: Id | None = None
    """`GRAPHMEM_MCP_ACTOR`: whose memory the MCP server serves; `/mcp` is then bound to it."""
    mcp_store: StoreId = "default"
    """`GRAPHMEM_MCP_STORE`: the store that it serves."""
    mcp_agent: Id | None = None
    """`GRAPHMEM_MCP_AGENT`: the agent that what is saved over MCP comes from."""
    mcp_session: Id | None = None
    """`GRAPHMEM_MCP_SESSION`: the session of what is saved over MCP."""

    job_lease: float = Field(180.0, ge=1)
    """`GRAPHMEM_JOB_LEASE`: seconds after which the work of a process that died is taken up by another one."""
    job_retry: float = Field(10.0, gt=0)
    """`GRAPHMEM_JOB_RETRY`: seconds before work whose model is away is tried again; four times longer each time."""

    secrets: Literal["redact", "refuse"] = "redact"
    """`GRAPHMEM_SECRETS`: keys, passwords, cards in what is sent: `redact` stores a marker, `refuse` gives 400."""

    # --- models ---------------------------------------------------------------------------------------
    openai_api_key: SecretStr | None = Field(None, validation_alias=AliasChoices("OPENAI_API_KEY"))
    """`OPENAI_API_KEY`: with it, or with the base URL, facts are extracted by a model."""
    openai_base_url: str | None = Field(None, validation_alias=AliasChoices("OPENAI_BASE_URL"))
    """`OPENAI_BASE_URL`: any OpenAI-compatible endpoint."""
    extractor: Literal["auto", "llm", "offline", "none"] = "auto"
    """`GRAPHMEM_EXTRACTOR`: `auto` is the model when one is configured, else the offline extractor."""
    llm_model: str = Field("gpt-5-mini", validation_alias=AliasChoices("GRAPHMEM_LLM_MODEL", "OPENAI_MODEL"))
    """`GRAPHMEM_LLM_MODEL` or `OPENAI_MODEL`."""
    llm_timeout: float = Field(60.0, gt=0)
    """`GRAPHMEM_LLM_TIMEOUT`: seconds for one model call."""
    embedder: Literal["local", "openai"] = "local"
    """`GRAPHMEM_EMBEDDER`: `local` needs no service."""
    embedding_model: str = "text-embedding-3-small"
    """`GRAPHMEM_EMBEDDING_MODEL`: for `openai`."""
    embedding_dimension: int | None = Field(None, ge=1, le=4096)
    """`GRAPHMEM_EMBEDDING_DIMENSION`: asked of the endpoint; unset takes what it gives."""
    embedding_base_url: str | None = None
    """`GRAPHMEM_EMBEDDING_BASE_URL`: default: `OPENAI_BASE_URL`."""
    reranker: Literal["none", "endpoint", "llm"] = "none"
    """`GRAPHMEM_RERANKER`: what orders the answers of mode `semantic`: a `/rerank` endpoint, or the language model."""
    reranker_model: str | None = None
    """`GRAPHMEM_RERANKER_MODEL`: for `endpoint`; unset sends no name."""
    reranker_base_url: str | None = None
    """`GRAPHMEM_RERANKER_BASE_URL`: what comes before `/rerank`; default: `OPENAI_BASE_URL`."""
    reranker_api_key: SecretStr | None = None
    """`GRAPHMEM_RERANKER_API_KEY`: default: `OPENAI_API_KEY` at `OPENAI_BASE_URL`, else none."""
    reranker_timeout: float = Field(10.0, gt=0)
    """`GRAPHMEM_RERANKER_TIMEOUT`: seconds for all that one recall asks of it."""

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured."""
        return self.openai_api_key is not None or self.openai_base_url is not None
