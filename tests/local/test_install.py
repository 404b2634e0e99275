"""Fetching Neo4j from a repository that cuts downloads short, and mending what is damaged."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from graphmem.config import Settings
from graphmem.errors import LocalServerError
from graphmem.store import install as installing
from graphmem.store.install import fetch_jar, install, jars_folder, require_space
from graphmem.store.jars import Jar, all_jars, is_complete

MakeSettings = Callable[..., Settings]
JAR = next(jar for jar in all_jars() if jar.filename.startswith("parquet-floor"))


class Repository:
    """A Maven repository over HTTP that serves the installed jars, each as `faults` says, one a request."""

    def __init__(self, jars: Path) -> None:
        self.jars = jars
        self.faults: list[str] = []
        self.asked: list[str] = []

    def answer(self, path: str) -> tuple[int, bytes, int]:
        """Status, body and announced length."""
        name = path.rpartition("/")[2]
        if not name.endswith(".jar"):
            return 404, b"", 0
        self.asked.append(name)
        body = (self.jars / name).read_bytes()
        match self.faults.pop(0) if self.faults else "":
            case "cut":
                return 200, body[: len(body) // 2], len(body)
            case "changed":
                return 200, body[:-1] + b"!", len(body)
            case "missing":
                return 404, b"", 0
        return 200, body, len(body)


@pytest.fixture
def repository(jars: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """The only place to fetch from, while the test runs."""
    repository = Repository(jars)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, length = repository.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    config = tmp_path / "jgo.conf"
    config.write_text(f"[repositories]\ncentral = http://127.0.0.1:{server.server_port}\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(config))
    monkeypatch.setenv("M2_REPO", str(tmp_path / "m2"))
    yield repository
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def installed(jars: Path, tmp_path: Path, make_settings: MakeSettings) -> Settings:
    """An installation of its own, linked from the real one where the disk allows it."""
    settings = make_settings(cache_dir=tmp_path / "cache")
    folder = jars_folder(settings)
    folder.mkdir(parents=True)
    for path in jars.iterdir():
        if path.suffix in (".jar", ".json"):
            try:
                os.link(path, folder / path.name)
            except OSError:
                shutil.copyfile(path, folder / path.name)
    return settings


def damage(path: Path, content: bytes) -> None:
    path.unlink()  # the file itself is shared with the real installation
    path.write_bytes(content)


@pytest.mark.parametrize("fault", ["cut", "changed"])
def test_a_bad_download_is_fetched_again(
    fault: str, repository: Repository, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    repository.faults = [fault]
    fetch_jar(JAR, tmp_path)
    assert JAR.is_file(tmp_path / JAR.filename)
    assert repository.asked == [JAR.filename] * 2
    assert JAR.coordinate in caplog.text


@pytest.mark.parametrize(
    ("fault", "problem"),
    [("cut", "cut short|ends early"), ("changed", "changed"), ("missing", "no repository has it")],
)
def test_a_jar_that_stays_bad_is_named_and_not_kept(
    fault: str, problem: str, repository: Repository, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    repository.faults = [fault] * 3
    with pytest.raises(LocalServerError, match=f"(?s){JAR.coordinate}.*({problem}).*run it again"):
        fetch_jar(JAR, target)
    assert not list(target.iterdir())


def test_a_bad_jar_in_the_maven_repository_of_the_user_is_passed_over(repository: Repository, tmp_path: Path) -> None:
    group, artifact, version, _ = JAR.parts
    own = tmp_path / "m2" / group.replace(".", "/") / artifact / version / JAR.filename
    own.parent.mkdir(parents=True)
    own.write_bytes(b"half a ja")
    fetch_jar(JAR, tmp_path)
    assert JAR.is_file(tmp_path / JAR.filename)
    assert own.read_bytes() == b"half a ja"


@pytest.mark.parametrize("content", [b"", b"PK truncated"])
async def test_a_truncated_jar_of_an_installation_is_mended(
    content: bytes, repository: Repository, installed: Settings
) -> None:
    folder = jars_folder(installed)
    damage(folder / JAR.filename, content)
    assert not is_complete(folder)
    assert await install(installed) == folder
    assert repository.asked == [JAR.filename]
    assert is_complete(folder)


async def test_an_interrupted_installation_goes_on_where_it_stopped(
    repository: Repository, installed: Settings
) -> None:
    folder = jars_folder(installed)
    part = folder.rename(folder.with_name(f"{folder.name}.part"))
    (part / "complete.json").unlink()
    changed = (part / JAR.filename).read_bytes()[:-1] + b"!"
    damage(part / JAR.filename, changed)  # a wrong jar of the right size: only its hash tells
    (part / ".fetch-old").mkdir()
    steps: list[tuple[str, float | None]] = []
    repository.faults = ["changed"] * 3
    with pytest.raises(LocalServerError, match=JAR.coordinate):
        await install(installed)
    assert not folder.exists()
    await install(installed, lambda step, done: steps.append((step, done)))
    assert repository.asked == [JAR.filename] * 4
    assert JAR.is_file(folder / JAR.filename)
    assert not part.exists()
    assert not list(folder.glob(".fetch-*"))
    assert steps[-1] == ("fetching Neo4j", 1.0)


async def test_a_complete_installation_needs_no_network(repository: Repository, installed: Settings) -> None:
    assert await install(installed) == jars_folder(installed)
    assert not repository.asked


async def test_too_little_space_is_said_before_the_fetch(
    repository: Repository, make_settings: MakeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "INSTALL_BYTES", 10**18)
    with pytest.raises(LocalServerError, match=r"too full to install Neo4j: .* MB are needed"):
        await install(make_settings(cache_dir=tmp_path / "cache"))
    assert not repository.asked
    require_space(tmp_path, 1, "start Neo4j")


def test_the_list_is_of_coordinates_and_hashes_alone() -> None:
    assert len({jar.filename for jar in all_jars()}) == len(all_jars()) == 242
    assert all(len(jar.sha256) == 64 and "/" not in jar.coordinate for jar in all_jars())
    jar = Jar("io.netty:netty-transport-native-epoll:4.2.18.Final:linux-x86_64", "")
    assert jar.filename == "netty-transport-native-epoll-4.2.18.Final-linux-x86_64.jar"
