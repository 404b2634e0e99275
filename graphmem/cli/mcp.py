"""`graphmem mcp`: the MCP server over standard input and output, and ready configuration for hosts."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from graphmem.errors import ConfigurationError

from .common import NO_OPTIONS, Common, load_settings
from .output import print_json, stderr

if TYPE_CHECKING:
    from graphmem.config import Settings

mcp = App(name="mcp", help="Serve the memory to an AI host over MCP (stdio), or print its configuration.")

Host = Literal[
    "claude-desktop", "claude-code", "cursor", "vscode", "visual-studio", "windsurf", "zed", "cline", "gemini-cli",
    "copilot-cli", "opencode", "lm-studio", "kiro", "antigravity",
]  # fmt: skip
Actor = Annotated[str | None, Parameter(help="Whose memory it is [GRAPHMEM_MCP_ACTOR].")]
Store = Annotated[str | None, Parameter(help="The memory store [GRAPHMEM_MCP_STORE].")]
Agent = Annotated[str | None, Parameter(help="The agent that what is saved comes from [GRAPHMEM_MCP_AGENT].")]
Session = Annotated[str | None, Parameter(help="The session of what is saved [GRAPHMEM_MCP_SESSION].")]


@mcp.default
async def serve(
    *,
    actor: Actor = None,
    store: Store = None,
    agent: Agent = None,
    session: Session = None,
    common: Common = NO_OPTIONS,
) -> None:
    """Serve one host over standard input and output until it closes; the memory opens beside it."""
    settings = load_settings(common, mcp_actor=actor, mcp_store=store, mcp_agent=agent, mcp_session=session)
    need_extra()
    if settings.mcp_actor is None:
        raise ConfigurationError("whose memory is it? Give --actor NAME, or set GRAPHMEM_MCP_ACTOR", field="actor")
    from graphmem.models.scope import Scope
    from graphmem.plugins.mcp_stdio import serve_stdio

    scope = Scope(actor_id=settings.mcp_actor, agent_id=settings.mcp_agent, session_id=settings.mcp_session)
    # hosts keep what is written to standard error: drivers and clients log what they send, so only we are heard
    logging.getLogger().setLevel(logging.CRITICAL)
    logging.getLogger("graphmem").setLevel(logging.DEBUG if common.debug else logging.CRITICAL)
    await serve_stdio(settings, settings.mcp_store, scope)


def need_extra() -> None:
    """ConfigurationError where the SDK is not installed."""
    from graphmem.plugins.extras import has_mcp

    if not has_mcp():
        raise ConfigurationError("the MCP server is an extra: pip install 'graphmem[mcp]'")


@mcp.command
def config(
    host: Annotated[Host, Parameter(help="The program that the memory is for.")],
    /,
    *,
    actor: Actor = None,
    store: Store = None,
    agent: Agent = None,
    url: Annotated[
        str | None, Parameter(help="Address of a running API, such as http://127.0.0.1:8080/mcp, in place of stdio.")
    ] = None,
    api_key: Annotated[
        bool, Parameter(negative=(), help="With --url: send the key from the host's variable GRAPHMEM_API_KEY.")
    ] = False,
    common: Common = NO_OPTIONS,
) -> None:
    """Print configuration for a host as JSON, ready to paste; where it belongs is told on standard error."""
    from graphmem.models.scope import Scope

    from .mcp_hosts import HOSTS, Remote, Started, configuration

    settings = load_settings(common, mcp_actor=actor, mcp_store=store, mcp_agent=agent)
    scope = Scope(actor_id=settings.mcp_actor or "me", agent_id=settings.mcp_agent)
    if url is None:
        command, leading = executable()
        options = ["--actor", scope.actor_id, "--store", settings.mcp_store]
        options += ["--agent", scope.agent_id] if scope.agent_id else []
        server: Started | Remote = Started(command, (*leading, "mcp", *options), environment_of(settings))
    else:
        server = Remote(url, scope, settings.mcp_store, api_key=api_key)
    answer = configuration(host, server)
    stderr().print(f"put this into {HOSTS[host].file}")
    if url is None and settings.neo4j_password.get_secret_value():
        stderr().print("and add NEO4J_PASSWORD to its env: passwords are not printed")
    print_json(answer)


def executable() -> tuple[str, tuple[str, ...]]:
    """The command that starts graphmem as it is installed here; hosts have another PATH than a shell."""
    script = Path(sys.executable).with_name("graphmem.exe" if sys.platform == "win32" else "graphmem")
    return (str(script), ()) if script.is_file() else (sys.executable, ("-m", "graphmem.cli"))


def environment_of(settings: Settings) -> dict[str, str]:
    """What the host has to set, since it has neither this shell's variables nor a `.env` of this folder."""
    names = {
        "data_dir": "GRAPHMEM_DATA_DIR",
        "neo4j_uri": "NEO4J_URI",
        "neo4j_username": "NEO4J_USERNAME",
        "neo4j_database": "NEO4J_DATABASE",
    }
    return {
        variable: str(getattr(settings, field))
        for field, variable in names.items()
        if field in settings.model_fields_set
    }
