"""A real HTTP server that speaks the OpenAI protocol and answers as told: the only stand-in for a model.

    with OpenAIServer() as server:
        server.script_facts({"I live in Osaka": [{"s": "user", "p": "lives_in", "o": "Osaka"}]})
        server.inject("llm", "code_fence", times=1)
        Settings(openai_base_url=server.url, openai_api_key="test")

`script_facts` gives what an ideal extractor finds in each text; texts that are not known have no facts.
Everything is deterministic; `calls` counts requests, `requests` keeps their bodies.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
import struct
import threading
import time
from collections import Counter
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

from .openai_replies import (
    LLM_MODES,
    RERANKER_MODES,
    asked_data,
    asked_memories,
    asked_pairs,
    chat_reply,
    hashed_vector,
    ideal_answer,
    ideal_grade,
    ideal_items,
    ideal_verdicts,
    relevance_of,
    rerank_reply,
    true_or_false,
)

Target = Literal["llm", "judge", "embedder", "reranker"]
"""`judge`: questions about pairs of statements, which count as `llm` too and are spoiled with it."""
EMBEDDER_MODES = ("dimension", "zero_vector", "nan_vector")
SHARED_MODES = ("delay", "refuse_connection")
"""Besides `http_NNN`: any status, for either target."""


@dataclass
class _Injection:
    mode: str
    value: Any
    left: int | None
    """Calls it still spoils; None means always."""


class OpenAIServer:
    """The server, in its own threads on a free loopback port; a context manager.

    `formats` are the response formats that it takes (others are answered 400, or `unsupported_status`);
    `vectors="local"` embeds by meaning with the shipped encoder, `"hashed"` by character pairs.
    """

    def __init__(
        self,
        *,
        dimension: int = 64,
        vectors: Literal["hashed", "local"] = "hashed",
        dimensions_parameter: bool = True,
    ) -> None:
        self.formats = {"json_schema", "json_object", "text"}
        self.unsupported_status = 400
        self.temperature_allowed = True
        self.base64_allowed = False
        """Whether vectors are also given as base64, which is what the client asks for by itself."""
        self.dimension = 512 if vectors == "local" else dimension
        self.dimensions_parameter = dimensions_parameter
        self.calls: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.facts: dict[str, list[dict[str, Any]]] = {}
        self.relations: dict[str, str] = {}
        """What a judge says of a new statement; `unrelated` where nothing is scripted."""
        self.answers: dict[str, str] = {}
        """Of questions about memories; given where the memories hold its words."""
        self.relevance: dict[str, float] = {}
        """Scores of a reranker, by a part of the text; the share of the query's words where nothing is scripted."""
        self.rerank_form = "documents"
        """The key that `/rerank` takes texts under; others are answered 422."""
        self.keys: list[str | None] = []
        """The header of each request that holds its key."""
        self.script: list[dict[str, Any]] = []
        """Whole answers of a model, for as long as there are any: of chat completions or responses, as it is asked."""
        self.retry_after: str | None = None
        """Seconds, as a header of the answers 429 and 5xx."""
        self._local = vectors == "local"
        self._embedder: Any = None
        self._injected: dict[str, _Injection] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        """What `OPENAI_BASE_URL` is set to."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script_facts(self, facts: dict[str, list[dict[str, Any]]]) -> None:
        """Add texts and the facts in them: `s`, `p`, `o` and perhaps `valid_from`, `valid_to`, `correction`.

        Any key of the answer's schema may be given too (`polarity`, `quote`, …) and stands as it is.
        """
        self.facts |= facts

    def inject(self, target: Target, mode: str, value: Any = None, *, times: int | Literal["always"] = 1) -> None:
        """Spoil the next `times` answers; mode `none` ends it."""
        known = {"embedder": EMBEDDER_MODES, "reranker": RERANKER_MODES}.get(target, LLM_MODES)
        if mode not in (*known, *SHARED_MODES, "none") and not mode.startswith("http_"):
            raise ValueError(f"unknown mode {mode}")
        with self._lock:
            self._injected.pop(target, None)
            if mode != "none":
                self._injected[target] = _Injection(mode, value, None if times == "always" else times)

    def reset(self) -> None:
        """Forget facts, injections, counts and requests."""
        with self._lock:
            self._injected.clear()
        self.facts, self.relations, self.answers, self.calls, self.requests = {}, {}, {}, Counter(), []
        self.relevance, self.rerank_form, self.keys = {}, "documents", []
        self.script, self.retry_after = [], None

    def take(self, target: str) -> tuple[str, Any]:
        """Count a call and return the mode it is answered in."""
        with self._lock:
            self.calls[target] += 1
            injected = self._injected.get(target)
            if injected is None or injected.left == 0:
                return "none", None
            if injected.left is not None:
                injected.left -= 1
            return injected.mode, injected.value

    def embed(self, texts: list[str]) -> list[list[float]]:
        """The vectors of a well-behaved endpoint."""
        if not self._local:
            return [hashed_vector(text, self.dimension) for text in texts]
        with self._lock:
            if self._embedder is None:
                from graphmem.providers.local_embedder import LocalEmbedder

                self._embedder = LocalEmbedder()
        vectors: list[list[float]] = asyncio.run(self._embedder.embed_passages(texts)).tolist()
        return vectors


def _ideal(owner: OpenAIServer, body: dict[str, Any], mode: str) -> dict[str, Any]:
    """What an ideal model answers, spoiled as the mode says."""
    asked = body["messages"][-1]["content"]
    if data := asked_data(asked):
        owner.take("grade" if "given" in data else "answer")
        whole = ideal_grade(data) if "given" in data else ideal_answer(data, owner.answers)
        return chat_reply(body, [], mode, whole=whole)
    if body.get("logprobs"):
        passage, query = (re.findall(rf"<{part}>(.*?)</{part}>", asked, re.DOTALL) for part in ("PASSAGE", "QUERY"))
        return true_or_false(body, relevance_of(query[0].strip(), passage[0], owner.relevance))
    query, memories = asked_memories(asked)
    if memories:
        owner.take("grades")
        grades = [relevance_of(query, memory["text"], owner.relevance) for memory in memories]
        items = [{"memory": m["memory"], "grade": round(10 * g)} for m, g in zip(memories, grades, strict=True)]
        return chat_reply(body, items, mode, key="grades")
    pairs = asked_pairs(asked)
    items = ideal_verdicts(pairs, owner.relations) if pairs else ideal_items(asked, owner.facts)
    return chat_reply(body, items, mode, key="verdicts" if pairs else "facts")


def _base64(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


_TARGETS = {"/v1/chat/completions": "llm", "/v1/embeddings": "embedder", "/v1/rerank": "reranker"}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: OpenAIServer

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        for request in list(self._open):
            super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *args: Any) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            self.server.owner.take("models")
            self._answer(
                200,
                {
                    "object": "list",
                    "data": [{"id": "test", "object": "model", "created": 0, "owned_by": "t"}],
                },
            )
        else:
            self._error(404, "no such path")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))) or b"{}")
        owner = self.server.owner
        target = _TARGETS.get(self.path)
        if owner.script and self.path in ("/v1/chat/completions", "/v1/responses"):
            owner.requests.append(body)
            self._answer(200, owner.script.pop(0))
            return
        if target is None:
            self._error(404, "no such path")
            return
        owner.requests.append(body)
        owner.keys.append(self.headers.get("Authorization"))
        mode, value = owner.take(target)
        if target == "llm" and asked_pairs(body["messages"][-1]["content"]):
            own, own_value = owner.take("judge")
            mode, value = (own, own_value) if own != "none" else (mode, value)
        if mode == "delay":
            time.sleep(float(value))
        if mode == "refuse_connection":
            self._reset()
        elif mode.startswith("http_"):
            self._error(int(mode.removeprefix("http_")), "injected failure")
        elif target == "llm":
            self._chat(owner, body, mode)
        elif target == "reranker":
            self._rerank(owner, body, mode)
        else:
            self._embeddings(owner, body, mode, value)

    def _chat(self, owner: OpenAIServer, body: dict[str, Any], mode: str) -> None:
        asked = (body.get("response_format") or {}).get("type", "text")
        if asked not in owner.formats:
            self._error(owner.unsupported_status, f"response_format {asked} is not supported")
        elif "temperature" in body and not owner.temperature_allowed:
            self._error(400, "Unsupported value: 'temperature' does not support 0 with this model.")
        else:
            self._answer(200, _ideal(owner, body, mode))

    def _rerank(self, owner: OpenAIServer, body: dict[str, Any], mode: str) -> None:
        texts = body.get(owner.rerank_form)
        if texts is None:
            self._error(422, f"missing field {owner.rerank_form}")
        else:
            scores = [relevance_of(body["query"], text, owner.relevance) for text in texts]
            self._answer(200, rerank_reply(body, scores, mode))

    def _embeddings(self, owner: OpenAIServer, body: dict[str, Any], mode: str, value: Any) -> None:
        if body.get("encoding_format") != "float" and not owner.base64_allowed:
            self._error(400, "encoding_format must be float")
            return
        if "dimensions" in body and not owner.dimensions_parameter:
            self._error(400, "unknown parameter: dimensions")
            return
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors = owner.embed(texts)
        if "dimensions" in body:
            vectors = [hashed_vector(text, body["dimensions"]) for text in texts]
        if mode == "dimension":
            vectors = [hashed_vector(text, int(value)) for text in texts]
        elif mode == "zero_vector":
            vectors[0] = [0.0] * len(vectors[0])
        elif mode == "nan_vector":
            vectors[0] = [float("nan"), *vectors[0][1:]]
        written = vectors if body.get("encoding_format") == "float" else [_base64(vector) for vector in vectors]
        data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(written)]
        usage = {"prompt_tokens": sum(map(len, texts)), "total_tokens": sum(map(len, texts))}
        self._answer(200, {"object": "list", "model": body["model"], "data": data, "usage": usage})

    def _reset(self) -> None:
        """Break the connection off without an answer."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _error(self, status: int, message: str) -> None:
        self._answer(status, {"error": {"message": message, "type": "injected", "code": None, "param": None}})

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        if status == 429 or status >= 500:
            if self.server.owner.retry_after is None:
                self.send_header("retry-after-ms", "20")
            else:
                self.send_header("Retry-After", self.server.owner.retry_after)
        self.end_headers()
        self.wfile.write(payload)
