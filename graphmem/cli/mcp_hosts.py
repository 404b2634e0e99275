"""How AI hosts want an MCP server to be written down: one entry a host, made from the same server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from graphmem.errors import ConfigurationError
from graphmem.models.scope import Scope

KEY = "GRAPHMEM_API_KEY"
NAME = "graphmem"
ACTOR, STORE, AGENT = "X-Graphmem-Actor", "X-Graphmem-Store", "X-Graphmem-Agent"
_YOURS = "YOUR-API-KEY"
_CHOSEN = "graphmem-api-key"


@dataclass(frozen=True, slots=True)
class Started:
    """A server that the host starts."""

    command: str
    args: tuple[str, ...]
    env: dict[str, str]


@dataclass(frozen=True, slots=True)
class Remote:
    """A server at an address."""

    url: str
    scope: Scope
    store: str
    api_key: bool


@dataclass(frozen=True, slots=True)
class Host:
    """What a host calls things, and where it looks for them."""

    file: str
    servers: str = "mcpServers"
    """The object that holds the servers."""
    local: dict[str, Any] | None = None
    """What it wants beside command, args and env."""
    url: str | None = "url"
    """What it calls an address; None where it takes none from a file."""
    remote: dict[str, Any] | None = None
    """What it wants beside the address and headers."""
    variable: str = _YOURS
    """How it writes the value of the variable with the key; else a place to fill in."""


_STDIO, _HTTP, _ALL = {"type": "stdio"}, {"type": "http"}, {"tools": ["*"]}
HOSTS: dict[str, Host] = {
    "claude-desktop": Host(
        "claude_desktop_config.json (Settings, Developer, Edit Config)",
        url=None,
    ),
    "claude-code": Host(
        ".mcp.json of a project, or ~/.claude.json", local=_STDIO, remote=_HTTP, variable=f"${{{KEY}}}"
    ),
    "cursor": Host("~/.cursor/mcp.json, or .cursor/mcp.json of a project", variable=f"${{env:{KEY}}}"),
    "vscode": Host(
        ".vscode/mcp.json, or the user's mcp.json (MCP: Open User Configuration)",
        servers="servers",
        local=_STDIO,
        remote=_HTTP,
        variable=f"${{input:{_CHOSEN}}}",
    ),
    "visual-studio": Host(
        ".mcp.json beside the solution, or %USERPROFILE%\\.mcp.json",
        servers="servers",
        local=_STDIO,
        remote=_HTTP,
        variable=f"${{input:{_CHOSEN}}}",
    ),
    "windsurf": Host("~/.codeium/windsurf/mcp_config.json", url="serverUrl", variable=f"${{env:{KEY}}}"),
    "zed": Host("settings.json (zed: open settings file)", servers="context_servers"),
    "cline": Host("cline_mcp_settings.json (MCP Servers, Configure)", remote={"type": "streamableHttp"}),
    "gemini-cli": Host(
        "~/.gemini/settings.json, or .gemini/settings.json of a project", url="httpUrl", variable=f"${KEY}"
    ),
    "copilot-cli": Host(
        "~/.copilot/mcp-config.json",
        local={"type": "local", **_ALL},
        remote={**_HTTP, **_ALL},
        variable=f"${{{KEY}}}",
    ),
    "opencode": Host("opencode.json", servers="mcp", variable=f"{{env:{KEY}}}"),
    "lm-studio": Host("mcp.json (Program, Install, Edit mcp.json)"),
    "kiro": Host("~/.kiro/settings/mcp.json, or .kiro/settings/mcp.json of a project", variable=f"${{{KEY}}}"),
    "antigravity": Host("~/.gemini/config/mcp_config.json", url="serverUrl"),
}


def configuration(name: str, server: Started | Remote) -> dict[str, Any]:
    """The document to paste. Errors: ConfigurationError where the host takes no address from a file."""
    host = HOSTS[name]
    entry = _started(name, host, server) if isinstance(server, Started) else _remote(name, host, server)
    document: dict[str, Any] = {host.servers: {NAME: entry}}
    if isinstance(server, Remote) and server.api_key and _CHOSEN in host.variable:
        asked = {"type": "promptString", "id": _CHOSEN, "description": "API key of graphmem", "password": True}
        document["inputs"] = [asked]
    return document


def _started(name: str, host: Host, server: Started) -> dict[str, Any]:
    if name == "opencode":
        entry: dict[str, Any] = {"type": "local", "command": [server.command, *server.args], "enabled": True}
        return {**entry, "environment": server.env} if server.env else entry
    entry = {**(host.local or {}), "command": server.command, "args": list(server.args)}
    return {**entry, "env": server.env} if server.env else entry


def _remote(name: str, host: Host, server: Remote) -> dict[str, Any]:
    if host.url is None:
        raise ConfigurationError(f"{name} takes no address from its file: leave --url out, so that it starts graphmem")
    extra = {"type": "remote", "enabled": True} if name == "opencode" else host.remote or {}
    return {**extra, host.url: server.url, "headers": _headers(host, server)}


def _headers(host: Host, server: Remote) -> dict[str, str]:
    headers = {ACTOR: quote(server.scope.actor_id, safe=" "), STORE: server.store}
    if server.scope.agent_id is not None:
        headers[AGENT] = quote(server.scope.agent_id, safe=" ")
    if server.api_key:
        headers["Authorization"] = f"Bearer {host.variable}"
    return headers
