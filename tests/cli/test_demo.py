"""`graphmem demo`: the shipped conversations and files, end to end on a real Neo4j."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graphmem.cli.demo import LANGUAGES, load_story
from graphmem.cli.output import clean, interval, pad, shorten
from graphmem.errors import AlreadyExists
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import StoreIn

from .conftest import Run

if TYPE_CHECKING:
    from graphmem import Memory


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shipped_conversation_is_dated_over_a_year_and_asked_about(language: str) -> None:
    story = load_story(language)
    messages = story.document.messages
    times = [m.occurred_at for m in messages]
    assert len(messages) == 30
    assert times == sorted(times)
    assert times[-1] - times[0] > timedelta(days=330)
    assert len({m.id for m in messages}) == 30
    assert len(story.questions) == 3
    assert any(q.as_of for q in story.questions)


async def test_the_demo_starts_over_and_answers_its_questions(
    cli: Run, neo4j_env: dict[str, str], memory: Memory
) -> None:
    with contextlib.suppress(AlreadyExists):
        await memory.create_store(StoreIn(id="demo-en"))
    left = {"subject": "user", "predicate": "lives_in", "object": "Atlantis", "valid_at": "2026-06-01"}
    said = {"scope": {"actor_id": "maya"}, "text": "I live in Atlantis.", "facts": [left]}
    await memory.remember("demo-en", RememberRequest.model_validate(said))

    done = await asyncio.to_thread(cli, "demo", **neo4j_env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓") == 6
    assert "✗" not in done.stdout
    assert "6 of 6 answers are right" in done.stdout
    assert "Atlantis" not in done.stdout
    for language in LANGUAGES:
        assert re.search(rf"source {language}-\d\d · 202\d-\d\d-\d\d", done.stdout)
    assert re.search(r"\n   superseded: .+ — .+\n", done.stdout)
    assert "API docs" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_file_is_remembered_and_asked_about(cli: Run, neo4j_env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / f"tagebuch-{time.time_ns()}.md"
    path.write_text(
        "---\ndate: 2025-06-01\n---\n# Home\nI live in Lisbon.\n\n# 食べ物\n私は寿司が好きです。\n",
        encoding="utf-8",
    )
    for _ in range(2):
        done = cli(
            "demo",
            "--file",
            str(path),
            "--question",
            "Where do I live?",
            "--question",
            "寿司は好き？",
            **neo4j_env,
        )
        assert done.returncode == 0, done.stderr
        assert "markdown, 2 messages" in done.stdout
        lisbon, sushi = re.findall(r"^A  (.*)$", done.stdout, re.MULTILINE)
        assert "Lisbon" in lisbon
        assert "寿司" in sushi
        assert f"source {path.name}#1 · 2025-06-01" in done.stdout


def test_a_locomo_conversation_is_answered_with_turn_ids(
    cli: Run, neo4j_env: dict[str, str], tmp_path: Path, shared_dir: Path
) -> None:
    whole = json.loads((shared_dir / "data/locomo/conv-26.json").read_text(encoding="utf-8"))
    talk = whole["conversation"]
    keys = ("speaker_a", "speaker_b", "session_1", "session_1_date_time")
    part = {"conversation": {key: talk[key] for key in keys}, "qa": whole["qa"][:1]}
    path = tmp_path / f"locomo-{time.time_ns()}.json"
    path.write_text(json.dumps(part), encoding="utf-8")
    done = cli("demo", "--file", str(path), **neo4j_env)
    assert done.returncode == 0, done.stderr
    assert f"locomo, {len(talk['session_1'])} messages, 1 session" in done.stdout
    assert "evidence D1:3; found " in done.stdout
    assert "turns/s" in done.stderr


def test_serving_answers_until_interrupted(neo4j_env: dict[str, str], tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "graphmem.cli", "serve", "--port", str(port)]
    environment = {**os.environ, "GRAPHMEM_DATA_DIR": str(tmp_path), **neo4j_env}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
        cwd=tmp_path,
    ) as process:
        assert _answers(f"http://127.0.0.1:{port}/healthz")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"http://127.0.0.1:{port}/docs" in out
    assert "Traceback" not in err


def _answers(url: str, patience: float = 60) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                return reply.status == 200
        except OSError:
            time.sleep(0.2)
    return False


def test_text_is_shown_on_one_line_and_in_columns() -> None:
    assert clean("a\x1b[31m\nb\u202ec") == "a[31m bc"
    assert shorten("日本語の長い文章です", 11) == "日本語の長…"
    assert pad("日本", 6) == "日本  "
    assert interval(None, None) == "always → now"
