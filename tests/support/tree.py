"""The source tree as the architecture and packaging tests see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {"graphmem": "graphmem", "graphmem.api": "api", "graphmem.cypher": "cypher"}
"""Import name to folder; the same mapping as `package-dir` in pyproject.toml."""


@dataclass(frozen=True)
class Source:
    """One Python file of the package."""

    module: str
    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        """Path relative to the repository, for messages."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def unit(self) -> str:
        """The part of the design it belongs to: `ingest`, `store`, `memory`, `api`, …"""
        return unit_of(self.module)

    @property
    def package(self) -> str:
        """What a relative import starts from."""
        return self.module if self.path.name == "__init__.py" else self.module.rpartition(".")[0]

    def imports(self) -> Iterator[tuple[str, int]]:
        """Absolute names that are imported, with their lines; lazy ones and those for types too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)
            elif isinstance(node, ast.Call) and _is_import_call(node.func):
                names = (a.value for a in node.args[:1] if isinstance(a, ast.Constant))
                yield from ((str(name), node.lineno) for name in names)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        base = self.package.split(".")[: len(self.package.split(".")) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])


def _is_import_call(function: ast.expr) -> bool:
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in ("import_module", "__import__")


def unit_of(module: str) -> str:
    """`graphmem.ingest.resolve` belongs to `ingest`, `graphmem` itself to `graphmem`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


@cache
def sources() -> tuple[Source, ...]:
    """Every Python file that is shipped."""
    found = []
    for package, folder in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = [package, *path.relative_to(ROOT / folder).with_suffix("").parts]
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Source(module, path, ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(found)


def query_files() -> dict[str, Path]:
    """Query name (`ingest/save_episodes`) to file."""
    folder = ROOT / "cypher"
    return {p.relative_to(folder).with_suffix("").as_posix(): p for p in sorted(folder.rglob("*.cypher"))}


def strings(source: Source) -> Iterator[tuple[str, int]]:
    """String constants with their lines, f-strings joined with `{}`; docstrings left out."""
    skip = {id(node) for doc in _docstrings(source.tree) for node in ast.walk(doc)}
    for node in ast.walk(source.tree):
        if id(node) in skip:
            continue
        if isinstance(node, ast.JoinedStr):
            skip.update(id(part) for part in node.values)
            yield "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in node.values), node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, node.lineno


def _docstrings(tree: ast.Module) -> Iterator[ast.Expr]:
    """Strings that stand alone as a statement: docstrings, also those under a field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.JoinedStr):
            yield node
