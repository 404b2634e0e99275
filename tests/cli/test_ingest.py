"""`graphmem ingest` as people run it: summaries, exit codes, bad files, and runs that are killed or interrupted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem import cli as command
from graphmem.ingest.files import IngestOptions
from graphmem.ingest.find_files import find_files
from graphmem.models.fact import FactQuery
from graphmem.models.manage import StoreIn
from tests.support.pdf import pdf

from .conftest import Run

THINGS = ("bicycle", "camera", "piano", "lamp", "kettle", "tent", "desk", "clock")
CITIES = ("Osaka", "Kobe", "Nara", "Kyoto", "Sapporo")
FILES, PARTS = 5, 40


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def corpus(folder: Path) -> set[str]:
    """Files with many short paragraphs, and a chat; every text of them."""
    texts = set()
    for number in range(FILES):
        parts = [_bought(number, n) for n in range(PARTS)]
        texts.update(parts)
        write(folder / f"2025-0{number + 1}-01.txt", "\n\n".join(parts))
    lines = [f"I visited {CITIES[n % 5]} for the {n}th time." for n in range(PARTS)]
    texts.update(lines)
    turn = {"role": "user", "session_id": "s", "occurred_at": "2025-09-01T09:00:00+09:00"}
    write(folder / "z.jsonl", "\n".join(json.dumps(turn | {"content": line}) for line in lines))
    return texts


def _bought(number: int, n: int) -> str:
    city = CITIES[n % 5]
    return (
        f"I bought {THINGS[n % 8]} {number}-{n} in {city}." if n % 2 else f"{city}で{number}の{n}番目の本を買いました。"
    )


async def rows(memory: Memory, query: str, store: str) -> list[dict[str, Any]]:
    result = await memory.database.driver.execute_query(
        query, parameters_={"store": store}, database_=memory.database.database
    )
    return [dict(record) for record in result.records]


async def stored(memory: Memory, store: str) -> list[tuple[str, str]]:
    found = await rows(
        memory, "MATCH (e:Episode {store_id: $store}) RETURN e.content AS text, e.status AS status", store
    )
    return sorted((row["text"], row["status"]) for row in found)


async def facts(memory: Memory, store: str) -> set[tuple[str, datetime, bool]]:
    query, token, found = FactQuery(actor_id="me", validity="any"), None, set()
    while True:
        page = await memory.list_facts(store, query, page_size=200, page_token=token)
        found |= {(f.text, f.valid_at, f.expired_at is None) for f in page.items}
        if (token := page.next_page_token) is None:
            return found


def start(folder: Path, store: str, environment: dict[str, str], *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "graphmem.cli", "ingest", str(folder), "--store", store, *options],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a run of the tests in the background of a shell has it ignored, and children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


async def reached(memory: Memory, store: str, process: subprocess.Popen[str], wanted: int) -> None:
    """Return when so many episodes are processed and others are saved, but not processed: in the middle of a call."""
    query = "MATCH (e:Episode {store_id: $store}) RETURN e.status AS status, count(*) AS number"
    async with asyncio.timeout(200):
        while True:
            counts = {row["status"]: row["number"] for row in await rows(memory, query, store)}
            if counts.get("processed", 0) >= wanted and "pending" in counts:
                break
            assert process.poll() is None, process.communicate()
            await asyncio.sleep(0.01)
    assert process.poll() is None


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
async def test_after_a_kill_the_next_run_goes_on(
    kill: signal.Signals, cli: Run, memory: Memory, store_id: str, neo4j_env: dict[str, str], tmp_path: Path
) -> None:
    texts = corpus(tmp_path / "notes")
    process = start(tmp_path / "notes", store_id, neo4j_env, "--extraction", "offline")
    await reached(memory, store_id, process, PARTS + 10)
    process.send_signal(kill)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGKILL if kill == signal.SIGKILL else 130)
    assert ("interrupted after 1 of 6 files" in said) == (kill == signal.SIGINT)
    assert ("pending" in {status for _, status in await stored(memory, store_id)}) or kill == signal.SIGINT

    again = await asyncio.to_thread(
        cli, "ingest", "notes", "--store", store_id, "--extraction", "offline", "--json", **neo4j_env
    )
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("Traceback") == 0
    summary = json.loads(again.stdout)
    assert summary["files"]["failed"] == 0
    assert await stored(memory, store_id) == sorted((text, "processed") for text in texts)

    control = f"{store_id}-c"
    await memory.create_store(StoreIn(id=control))
    options = IngestOptions(control, "me", extraction="offline")
    async for report in memory.files.ingest(find_files([tmp_path / "notes"]), options):
        assert report.outcome == "new"
    assert await facts(memory, store_id) == await facts(memory, control)
    await memory.delete_store(control)


def test_folders_and_files_are_summed_up(cli: Run, neo4j_env: dict[str, str], store_id: str, tmp_path: Path) -> None:
    write(tmp_path / "notes/a.md", "---\ndate: 2025-06-18\n---\n# Home\n\nI live in Osaka.\n")
    write(tmp_path / "notes/sub/ページ.html", "<!DOCTYPE html><title>日記</title><p>猫を飼っています。")
    write(tmp_path / "notes/letter.pdf", pdf([["I like green tea."]], "D:20250618090000+09'00'"))
    write(tmp_path / "notes/picture.png", b"\x89PNG\x00")
    write(tmp_path / "notes/.hidden/secret.md", "hidden")
    write(tmp_path / "notes/drafts/draft.md", "A draft.")
    write(tmp_path / "outside.txt", "I live elsewhere.")
    (tmp_path / "notes/link.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "notes/loop").symlink_to(tmp_path / "notes")
    write(tmp_path / "bad.jsonl", '{"role": "user", "content": "秘密"}\n{"role": "user", "content": \n')
    tokens = ("ingest", "notes", "bad.jsonl", "--store", store_id, "--exclude", "drafts")
    done = cli(*tokens, **neo4j_env)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "files     3 new, 0 changed, 0 same, 0 moved, 3 skipped, 1 failed"
    assert done.stdout.splitlines()[1] == "episodes  3 new, 0 known, 0 pending, 0 failed, 0 gone"
    assert done.stdout.splitlines()[2].startswith("facts     3 added")
    assert "1 files state no date" in done.stdout
    assert "bad.jsonl, line 2: not JSON" in done.stderr
    assert "秘密" not in done.stderr + done.stdout
    assert "picture.png: .png is not read" in done.stderr
    assert done.stderr.count("a link") == 2
    assert "Traceback" not in done.stderr
    again = cli(*tokens, "--json", **neo4j_env)
    assert again.returncode == 1
    summary = json.loads(again.stdout)
    assert summary["files"] == {"new": 0, "changed": 0, "same": 3, "moved": 0, "skipped": 3, "failed": 1}
    assert summary["episodes"]["known"] == 3
    assert again.stderr == ""
    kinds = {Path(r["path"]).name: r.get("kind") for r in summary["results"]}
    assert kinds | {"bad.jsonl": None} == kinds
    assert (kinds["a.md"], kinds["ページ.html"], kinds["letter.pdf"]) == ("markdown", "html", "pdf")
    only = cli("ingest", "notes", "--store", store_id, "--include", "*.md", "--json", "--dry-run", **neo4j_env)
    assert only.returncode == 0
    assert {r["outcome"] for r in json.loads(only.stdout)["results"]} == {"same", "new"}


def test_episodes_have_the_times_that_files_state(
    cli: Run, neo4j_env: dict[str, str], store_id: str, tmp_path: Path
) -> None:
    write(tmp_path / "2025-06-18 trip.txt", "I went to Nara today.")
    old = write(tmp_path / "undated.jsonl", '{"role": "user", "content": "I moved to Kobe today."}')
    os.utime(old, (1_600_000_000, 1_600_000_000))
    given = write(tmp_path / "given.txt", "I went to Sapporo today.")
    scope = ("--store", store_id, "--json")
    assert cli("ingest", "2025-06-18 trip.txt", "undated.jsonl", *scope, **neo4j_env).returncode == 0
    assert cli("ingest", str(given), "--date", "2024-02-03", *scope, **neo4j_env).returncode == 0
    found = json.loads(cli("facts", "--all", *scope, **neo4j_env).stdout)["items"]
    days = {city: f["valid_at"][:10] for f in found for city in ("Nara", "Kobe", "Sapporo") if city in f["text"]}
    assert days == {"Nara": "2025-06-18", "Kobe": "2020-09-13", "Sapporo": "2024-02-03"}


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["ingest"], "PATHS"),
        (["ingest", "absent"], "absent"),
        (["ingest", ".", "--extraction", "magic"], "--extraction"),
        (["ingest", ".", "--date", "long ago"], "--date"),
        (["ingest", ".", "--nope"], "--nope"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(tokens) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("graphmem: ")
    assert captured.err.count("\n") == 1
    assert named in captured.err


def test_a_store_that_is_not_there_is_named(cli: Run, neo4j_env: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "I live in Osaka.")
    for options in ((), ("--dry-run",)):
        done = cli("ingest", "a.txt", "--store", "no-such-store", *options, **neo4j_env)
        assert done.returncode == 1
        assert "no-such-store" in done.stderr.splitlines()[-1]
