"""What is shipped: one top-level name, the whole tree, working beside a user's own `api` and `cypher`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.support.tree import PACKAGES, ROOT

from .conftest import Installed


def tree_names() -> set[str]:
    """Every file under the package folders, by its path in the wheel."""
    names = set()
    for package, folder in PACKAGES.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                names.add(f"{package.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}")
    return names


def test_the_wheel_has_one_top_level_name(wheel_names: frozenset[str]) -> None:
    assert {Path(name).parts[0] for name in wheel_names} == {"graphmem"}


def test_the_wheel_holds_the_tree(wheel_names: frozenset[str]) -> None:
    """A folder forgotten in `packages`, or a kind of file forgotten in `package-data`, is missing here."""
    assert wheel_names == tree_names()


def test_every_listed_package_is_there() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    have = {name.rpartition("/")[0].replace("/", ".") for name in tree_names()}
    assert have == set(listed), "pyproject's package list and the folders that hold files differ"


def test_the_wheel_is_what_runs(installed: Installed) -> None:
    where = installed.run(installed.python, "-c", "import graphmem; print(graphmem.__file__)").strip()
    assert Path(where).is_relative_to(installed.python.parent.parent)


def test_queries_are_found_in_the_wheel(installed: Installed) -> None:
    code = "from graphmem.store.catalog import catalog; print(len(catalog()))"
    assert int(installed.run(installed.python, "-c", code)) == len(list((ROOT / "cypher").rglob("*.cypher"))) > 0


def test_the_command_runs_beside_the_users_own_folders(installed: Installed) -> None:
    assert "graphmem" in installed.run(installed.script, "--help")
    assert "graphmem" in installed.run(installed.script, "--help", PYTHONPATH=".")


def test_the_api_runs_beside_the_users_own_folders(installed: Installed) -> None:
    code = "from graphmem.api.app import create_app; print(create_app.__module__)"
    assert installed.run(installed.python, "-c", code) == "graphmem.api.app\n"
    assert installed.run(installed.python, "-c", code, PYTHONPATH=".") == "graphmem.api.app\n"


def test_versions_agree(installed: Installed) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert installed.run(installed.python, "-c", "import graphmem; print(graphmem.__version__)").strip() == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
