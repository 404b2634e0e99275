"""Wrong usage, errors and exit codes; nothing here needs a database."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem import cli as command
from graphmem.cli.failures import explain
from graphmem.errors import NotFound

from .conftest import Run

MAX_CPU_SECONDS = 0.6
"""For `graphmem --help`; measured 0.08 on an idle core."""


def one_line(text: str) -> bool:
    return text.startswith("graphmem: ") and text.count("\n") == 1


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["nope"], "nope"),
        (["--nope"], "--nope"),
        (["recall"], "QUERY"),
        (["recall", "x", "--mode", "magic"], "--mode"),
        (["recall", "x", "--limit", "0"], "--limit"),
        (["recall", "x", "--limit", "many"], "--limit"),
        (["recall", "x", "--as-of", "yesterday"], "--as-of"),
        (["recall", "x", "--filter", "category=plan"], "--filter is not JSON"),
        (["recall", "x", "--filter", "[" * 100_000], "--filter is not JSON"),
        (["recall", "x", "--filter", '{"field": "tags", "op": "eq", "value": "a"}'], "op must be one of contains"),
        (
            ["recall", "x", "--filter", '{"and": [{"not": {"field": "pinned", "op": "eq", "value": 3}}]}'],
            "and.0.not.value must be true or false",
        ),
        (["recall", "x", "--context", "xml"], "--context"),
        (["recall", "x", "--max-tokens", "0"], "--max-tokens"),
        (["remember", "x", "--at", "2025-02-30"], "--at"),
        (["serve", "--port", "70000"], "--port"),
        (["facts", "--unknown"], "--unknown"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(tokens) == 2
    captured = capsys.readouterr()
    assert one_line(captured.err)
    assert named in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["remember", " "], "text"),
        (["recall", "\x00"], "query"),
        (["recall", "x", "--actor", ""], "actor_id"),
        (["demo", "--file", "absent.txt"], "absent.txt"),
        (["serve", "--host", "0.0.0.0"], "GRAPHMEM_API_KEY"),
        (["serve", "--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_a_refused_value_is_one_line_and_exit_1(
    tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.run(tokens) == 1
    captured = capsys.readouterr()
    assert one_line(captured.err)
    assert named in captured.err


def test_a_wrong_setting_is_called_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_PORT", "eighty")
    assert command.run(["facts"]) == 1
    assert capsys.readouterr().err.startswith("graphmem: GRAPHMEM_PORT: ")


def test_a_taken_port_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert command.run(["serve", "--port", str(port)]) == 1
    assert f"port {port} is in use: choose another with --port" in capsys.readouterr().err


def test_a_bad_line_of_a_chat_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"role": "user", "content": "秘密の話"}\n{"role": "user", "content": 5}\n', encoding="utf-8")
    assert command.run(["demo", "--file", str(chat)]) == 1
    error = capsys.readouterr().err
    assert one_line(error)
    assert "chat.jsonl, line 2: content" in error


def test_an_unreachable_database_says_what_to_do(cli: Run) -> None:
    done = cli("facts", NEO4J_URI="bolt://127.0.0.1:9", NEO4J_PASSWORD="x")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("graphmem: ")
    assert "Neo4j cannot be reached" in last
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_errors_never_show_what_was_remembered() -> None:
    assert "secret" not in explain(ValueError("secret"))
    assert explain(ValueError("secret")).endswith("run it again with --debug to see where")
    assert explain(ExceptionGroup("several", [NotFound("no such store")])) == "no such store"


def test_debug_shows_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(["recall", "x", "--as-of", "never", "--debug"]) == 2
    error = capsys.readouterr().err
    assert "Traceback" in error
    assert error.splitlines()[-1].startswith("graphmem: --as-of")


def test_the_overview_names_every_command_and_is_fast(cli: Run) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = cli("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0
    assert all(f"\n  {name} " in done.stdout for name in ("demo", "serve", "remember", "recall", "facts", "doctor"))
    assert (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime) < MAX_CPU_SECONDS


@pytest.mark.parametrize("name", ["demo", "serve", "remember", "ingest", "recall", "facts", "reembed", "doctor", "db"])
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run([name, "--help"]) == 0
    assert f"Usage: graphmem {name}" in capsys.readouterr().out


def test_the_version_is_the_installed_one(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert command.run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == version("graphmem")


def test_a_closed_pipe_is_no_error_on_screen(tmp_path: Path) -> None:
    script = f"{sys.executable} -m graphmem.cli recall --help | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert done.stderr == ""


def test_a_file_in_the_place_of_the_data_folder_is_named(cli: Run) -> None:
    for tokens in (("db", "status"), ("db", "stop"), ("db", "logs"), ("facts",)):
        done = cli(*tokens, "--data-dir", "/dev/null")
        assert done.returncode == 1
        assert "/dev/null" in done.stdout + done.stderr
        assert "unexpected" not in done.stderr
    done = cli("doctor", "--data-dir", "/dev/null")
    assert done.returncode == 1
    assert "fail Neo4j            the data folder /dev/null cannot be used" in done.stdout


def test_an_argument_in_another_encoding_is_told_plainly(cli: Run) -> None:
    ascii_only = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    for tokens, field in ((("recall", "x", "--actor", "みお"), "actor_id"), (("recall", "お茶"), "query")):
        done = cli(*tokens, **ascii_only, PYTHONCOERCECLOCALE="0")
        assert done.returncode == 1
        assert done.stderr.startswith(f"graphmem: {field}: is not text in the encoding of this terminal")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_that_is_full_is_not_taken_for_the_data_folder(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        arguments = [sys.executable, "-m", "graphmem.cli", "--help"]
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr == "graphmem: the output cannot be written: No space left on device\n"
