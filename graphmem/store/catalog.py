"""Query files: loaded once, headers checked, never formatted. See `graphmem.cypher` for the grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, LiteralString, cast

from ..errors import ConfigurationError

Mode = Literal["read", "write", "schema"]

_HEADER = re.compile(r"^//\s*(does|mode|scope|param|returns):\s*(.*)$")
_CONTINUED = re.compile(r"^//\s{2,}(.*)$")
# string literals, quoted names and comments, in which a dollar sign is not a parameter
_OPAQUE = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.S)
_PARAMETER = re.compile(r"\$(\w+)")
_OPAQUE_OR_PARAMETER = re.compile(rf"(?:{_OPAQUE.pattern})|\$(?P<name>\w+)", re.S)
_SCOPED_BY = {"owner": ("owner_key", "owner_keys"), "store": ("store_id",)}


@dataclass(frozen=True, slots=True)
class Query:
    """One checked query; the driver runs nothing else."""

    name: str
    does: str
    mode: Mode
    scope: str
    parameters: frozenset[str]
    text: LiteralString


def parse(name: str, source: str) -> Query:
    """Check one file's header against its body; ConfigurationError with file and line."""
    header: dict[str, str] = {}
    parameters: dict[str, int] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if not line.startswith("//") or line.strip() == "//":
            break  # a bare comment line ends the header; what follows explains the query
        match = _HEADER.match(line)
        if match is None:
            if _CONTINUED.match(line):
                continue
            raise ConfigurationError(f"{name}.cypher:{number}: not a header line")
        key, value = match.groups()
        if key == "param":
            parameters[value.split()[0]] = number
        elif key != "returns":
            header[key] = value.strip()
    return _checked(name, source, header, parameters)


def _checked(name: str, source: str, header: dict[str, str], parameters: dict[str, int]) -> Query:
    for key in ("does", "mode", "scope"):
        if not header.get(key):
            raise ConfigurationError(f"{name}.cypher:1: the header lacks '{key}:'")
    if header["mode"] not in ("read", "write", "schema"):
        raise ConfigurationError(f"{name}.cypher:1: mode must be read, write or schema")
    used = set(_PARAMETER.findall(_OPAQUE.sub(" ", source)))
    for parameter in sorted(used - parameters.keys()):
        raise ConfigurationError(f"{name}.cypher: ${parameter} is used but not declared")
    for parameter, number in parameters.items():
        if parameter not in used:
            raise ConfigurationError(f"{name}.cypher:{number}: ${parameter} is declared but not used")
    _check_scope(name, header, used)
    return Query(
        name,
        header["does"],
        cast(Mode, header["mode"]),
        header["scope"],
        frozenset(parameters),
        source if header["mode"] == "schema" else _with_one_parameter(source),
    )


def _without_header(source: str) -> str:
    lines = source.splitlines()
    while lines and _is_header(lines[0]):
        lines.pop(0)
    return "\n".join(lines).strip()


def _is_header(line: str) -> bool:
    return bool(_HEADER.match(line) or _CONTINUED.match(line))


def _with_one_parameter(source: str) -> str:
    """The query with all its parameters in one map, `$given` (decision 0006).

    Neo4j keeps a plan for each combination of the parameters' types and sizes, null among them, and planning is
    slower than running: with a map there is one plan a query.
    """
    return _OPAQUE_OR_PARAMETER.sub(lambda m: f"$given.{m['name']}" if m["name"] else m[0], source)


def _check_scope(name: str, header: dict[str, str], used: set[str]) -> None:
    kind, _, reason = header["scope"].partition(" ")
    if header["mode"] == "schema":
        return
    if kind == "none":
        if not reason.strip():
            raise ConfigurationError(f"{name}.cypher: 'scope: none' needs a reason")
        return
    if kind not in _SCOPED_BY:
        raise ConfigurationError(f"{name}.cypher: scope must be owner, store or none with a reason")
    if not used.intersection(_SCOPED_BY[kind]):
        raise ConfigurationError(f"{name}.cypher: scope is {kind} but no query parameter binds it")


def _walk(folder: Traversable, prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            found[prefix + entry.name.removesuffix(".cypher")] = entry.read_text(encoding="utf-8")
    return found


@cache
def _sources() -> dict[str, str]:
    return dict(sorted(_walk(files("graphmem.cypher"), "").items()))


@cache
def catalog() -> dict[str, Query]:
    """Every query of the package by name, such as `ingest/save_episodes`."""
    return {name: parse(name, text) for name, text in _sources().items()}


def query(name: str) -> Query:
    """The query of that name; KeyError when there is none (a programming error)."""
    return catalog()[name]


def pasteable(name: str) -> str:
    """The query for people who run it themselves: as its file has it, without the header; parameters one by one."""
    return _without_header(_sources()[name])
