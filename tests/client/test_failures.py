"""What a client does when the way to the service, or the service, fails."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from graphmem import AsyncGraphMem, GraphMem, errors
from graphmem.client import Timeout, routes
from graphmem.client.wire import call_of
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import ForgetRequest, ForgetTarget, StoreIn
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope, Scope

from .scripted import Scripted, answer, problem, scripted

SECRET = "the password of the safe is swordfish"
SAID = RememberRequest(scope=Scope(actor_id="mio"), text=SECRET, extraction="none")
ASKED = RecallRequest(scope=ReadScope(actor_id="mio"), query=SECRET)
ERASE = ForgetRequest(scope=Scope(actor_id="mio"), target=ForgetTarget(all=True), mode="erase")
ALIVE = {"status": "ok", "version": "1"}
HTML = f"<html><body>502 Bad Gateway {SECRET}</body></html>"


@pytest.fixture(scope="module")
async def server(address: str) -> AsyncIterator[Scripted]:
    async with scripted(address) as opened:
        yield opened


@pytest.fixture
async def client(server: Scripted) -> AsyncIterator[AsyncGraphMem]:
    async with AsyncGraphMem(server.url, api_key="k-1", backoff=0.001) as opened:
        yield opened


Call = Callable[[AsyncGraphMem, str], Awaitable[Any]]
REMEMBER: Call = lambda client, store: client.remember(store, SAID)  # noqa: E731
FORGET: Call = lambda client, store: client.forget(store, ERASE)  # noqa: E731
RECALL: Call = lambda client, store: client.recall(store, ASKED)  # noqa: E731


@pytest.mark.parametrize(
    "step", [answer(503, HTML), answer(502, HTML), answer(504, HTML), problem(429, "BUSY"), "drop"]
)
@pytest.mark.parametrize("call", [REMEMBER, RECALL], ids=["remember", "recall"])
async def test_what_passes_is_tried_again(
    server: Scripted, client: AsyncGraphMem, store_id: str, step: Any, call: Call
) -> None:
    server.script(step, step)
    await call(client, store_id)
    assert len(server.received) == 3
    assert len({(one.body, one.headers.get("idempotency-key")) for one in server.received}) == 1


@pytest.mark.parametrize("step", ["lose", "leave"])
async def test_a_write_whose_answer_is_lost_is_done_once(
    server: Scripted, client: AsyncGraphMem, store_id: str, step: Any
) -> None:
    server.script(step)
    said = RememberRequest(scope=Scope(actor_id="mio"), text="I moved to Osaka in March 2025.")
    result = await client.remember(store_id, said)
    assert [episode.status for episode in result.episodes] == ["processed"]
    assert [decision.event for decision in result.facts] == ["ADD"]
    assert len((await client.list_episodes(store_id, "mio")).items) == 1
    assert len(server.keys - {None}) == 1


async def test_two_calls_have_two_keys_and_a_given_key_is_kept(
    server: Scripted, client: AsyncGraphMem, store_id: str
) -> None:
    server.script()
    await client.remember(store_id, SAID)
    await client.remember(store_id, SAID)
    assert len(server.keys) == 2
    server.script("drop")
    await client.remember(store_id, SAID, idempotency_key="mine")
    assert server.keys == {"mine"}


@pytest.mark.parametrize("step", [answer(503, HTML), "drop"])
async def test_a_write_without_a_key_is_sent_once(
    server: Scripted, client: AsyncGraphMem, store_id: str, step: Any
) -> None:
    server.script(step)
    with pytest.raises(errors.ServiceUnavailable) as caught:
        await client.forget(store_id, ERASE)
    assert len(server.received) == 1
    assert step != "drop" or "may have been done: look" in caught.value.message
    server.script(step)
    await client.forget(store_id, ERASE.model_copy(update={"dry_run": True}))
    server.script(problem(429, "BUSY"))
    await client.forget(store_id, ERASE)


async def test_a_write_that_stays_unanswered_names_its_key(
    server: Scripted, client: AsyncGraphMem, store_id: str
) -> None:
    server.script("lose", "drop", "drop")
    with pytest.raises(errors.ServiceUnavailable, match="send it again with the idempotency_key") as caught:
        await client.remember(store_id, SAID)
    assert server.keys == {caught.value.idempotency_key}
    await client.remember(store_id, SAID, idempotency_key=caught.value.idempotency_key)
    assert len((await client.list_episodes(store_id, "mio")).items) == 1
    server.script(*[problem(503, "DATABASE_UNAVAILABLE")] * 3)
    with pytest.raises(errors.DatabaseUnavailable) as refused:
        await client.remember(store_id, SAID)
    assert server.keys == {refused.value.idempotency_key}


async def test_nobody_listens() -> None:
    async with AsyncGraphMem("http://127.0.0.1:9", backoff=0.001) as client:
        with pytest.raises(errors.ServiceUnavailable, match=r"No connection to .*graphmem serve") as caught:
            await client.forget("default", ERASE)
    assert (caught.value.code, caught.value.idempotency_key) == ("SERVICE_UNAVAILABLE", None)
    assert "may have been done" not in caught.value.message


async def test_a_read_limit(server: Scripted, client: AsyncGraphMem) -> None:
    server.script("hang", "hang", "hang")
    with pytest.raises(errors.ServiceTimeout, match="longer timeout"):
        await client.with_options(timeout=Timeout(read=0.05)).recall("default", ASKED)
    assert len(server.received) == 3


async def test_a_total_limit(server: Scripted, client: AsyncGraphMem) -> None:
    server.script(*["hang"] * 9)
    with pytest.raises(errors.ServiceTimeout, match=r"within 0\.1 seconds.*idempotency_key") as caught:
        await client.with_options(timeout=0.1).remember("default", SAID)
    assert server.keys == {caught.value.idempotency_key}


async def test_an_answer_that_never_ends(server: Scripted, client: AsyncGraphMem) -> None:
    server.script("drip")
    with pytest.raises(errors.ServiceTimeout, match=r"within 0\.1 seconds"):
        await client.with_options(timeout=0.1).alive()


async def test_retry_after_is_waited_or_told(server: Scripted, client: AsyncGraphMem) -> None:
    server.script(answer(503, HTML, {"Retry-After": "1"}), answer(200, ALIVE))
    began = time.monotonic()
    await client.alive()
    assert time.monotonic() - began >= 1.0
    for wait in ("3600", formatdate(time.time() + 3600, usegmt=True)):
        server.script(problem(503, "DATABASE_UNAVAILABLE", headers={"Retry-After": wait}))
        with pytest.raises(errors.DatabaseUnavailable) as caught:
            await client.alive()
        assert caught.value.retry_after == pytest.approx(3600, abs=60)
    server.script(answer(503, HTML, {"Retry-After": "2"}))
    with pytest.raises(errors.ServiceUnavailable):
        await client.with_options(timeout=1).alive()
    assert len(server.received) == 1


async def test_problems_are_the_errors_of_the_library(server: Scripted, client: AsyncGraphMem, store_id: str) -> None:
    server.script()
    with pytest.raises(errors.NotFound) as unknown:
        await client.get_fact(store_id, "mio", "nothing")
    assert (unknown.value.status, unknown.value.code) == (404, "NOT_FOUND")
    with pytest.raises(errors.InvalidInput) as invalid:
        await client.list_episodes(store_id, "mio", status="lost")
    assert invalid.value.field == "query.status"
    assert [fault.field for fault in invalid.value.faults] == ["query.status"]
    with pytest.raises(errors.AlreadyExists):
        await client.create_store(StoreIn(id=store_id))


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "NOT_AUTHENTICATED", errors.NotAuthenticated),
        (403, "NOT_PERMITTED", errors.NotPermitted),
        (409, "EMBEDDER_MISMATCH", errors.EmbedderMismatch),
        (413, "TOO_LARGE", errors.TooLarge),
        (500, "INTERNAL", errors.ServiceError),
        (502, "PROVIDER_FAILED", errors.ProviderError),
        (409, "OF_A_LATER_RELEASE", errors.Conflict),
        (418, "OF_A_LATER_RELEASE", errors.ServiceError),
    ],
)
async def test_a_code_is_an_error(
    server: Scripted, client: AsyncGraphMem, status: int, code: str, kind: type[errors.GraphMemError]
) -> None:
    server.script(*[problem(status, code, headers={"X-Request-ID": "r-7"})] * 3)
    with pytest.raises(kind) as caught:
        await client.alive()
    error = caught.value
    assert (type(error), error.status, error.code, error.request_id) == (kind, status, code, "r-7")
    assert str(error) == "Why."


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (answer(404, HTML), "404 .text/html. does not come from graphmem: base_url"),
        (answer(200, HTML), "200 .text/html. does not come from graphmem"),
        (answer(403, {"message": "blocked"}), "403 .application/json. does not come from graphmem"),
        (answer(200, ALIVE, {"Content-Length": "10"}), "not whole JSON"),
        (answer(200, {"status": "ok"}), r"not understood at version \(missing\)"),
        (
            answer(302, HTML, {"Location": "https://sso.example.org/login?next=x"}),
            "to https://sso.example.org. Redirects",
        ),
        (b"no HTTP at all\r\n\r\n", "broke before"),
    ],
)
async def test_what_is_no_answer_of_graphmem(server: Scripted, client: AsyncGraphMem, step: bytes, says: str) -> None:
    server.script(step, step, step)
    with pytest.raises(errors.ServiceError, match=says) as caught:
        await client.alive()
    assert not isinstance(caught.value, errors.NotFound)
    assert "swordfish" not in str(caught.value)


async def test_an_answer_that_is_cut_short_is_asked_for_again(server: Scripted, client: AsyncGraphMem) -> None:
    server.script(answer(200, ALIVE, cut=9), answer(200, ALIVE | {"new_in_a_later_release": 1}))
    assert (await client.alive()).version == "1"
    server.script(*[answer(200, ALIVE, cut=9)] * 3)
    with pytest.raises(errors.ServiceUnavailable, match="broke before the answer was whole"):
        await client.alive()


async def test_no_answer_of_the_proxy_is_a_gone_record(server: Scripted, client: AsyncGraphMem) -> None:
    server.script(*[answer(503, HTML)] * 3)
    with pytest.raises(errors.ServiceUnavailable, match="proxy or gateway") as caught:
        await client.health()
    assert caught.value.status == 503
    server.script(answer(503, {"ready": False, "version": "1", "checks": []}))
    assert not (await client.health()).ready


async def test_redirects_are_not_followed(server: Scripted, address: str) -> None:
    async with (
        scripted(address, [answer(200, ALIVE)]) as other,
        httpx.AsyncClient(follow_redirects=True) as following,
    ):
        client = AsyncGraphMem(server.url, api_key="k-1", http_client=following)
        server.script(answer(307, HTML, {"Location": f"{other.url}/healthz"}))
        with pytest.raises(errors.UnexpectedAnswer, match="set base_url"):
            await client.alive()
        assert not other.received
        await client.close()
        assert not following.is_closed


async def test_the_key_is_sent_and_not_shown(server: Scripted, client: AsyncGraphMem) -> None:
    server.script(answer(200, ALIVE))
    await client.alive()
    assert server.received[0].headers["authorization"] == "Bearer k-1"
    assert "k-1" not in repr(client) + repr(client._http.options)
    call = call_of(routes.REMEMBER, client._http.options, {"store": "default"}, body=SAID)
    assert not {"k-1", "swordfish"} & set(re.findall(r"[\w-]+", repr(call)))
    for key in ("", "k\n", "schlüssel"):
        with pytest.raises(errors.ConfigurationError, match="printable ASCII"):
            AsyncGraphMem(api_key=key)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://x",
        "http://",
        "http://u:p@h",
        "http://h?x=1",
        "http://h:x",
        "http://h?",
        "http://h/#",
        *("http://h h", "http://h\n", "http://h\u200b", "http://a..b", "http://h/\ud800", f"http://{'h' * 70}", 8080),
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    if url:
        with pytest.raises(errors.ConfigurationError):
            GraphMem(url)
    else:
        assert repr(GraphMem(url)) == "GraphMem('http://127.0.0.1:8080')"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"headers": {"X-Gateway": "swordfish\n"}}, "headers"),
        ({"headers": {"X-Gateway": "合言葉"}}, "headers"),
        ({"headers": {"X Gateway": "swordfish"}}, "headers"),
        ({"headers": {"X-Gateway": 1}}, "headers"),
        ({"headers": {"idempotency-key": "swordfish"}}, "headers"),
        ({"headers": {"authorization": "swordfish"}, "api_key": "k-1"}, "headers"),
        ({"api_key": 1}, "api_key"),
        ({"backoff": -1.0}, "backoff"),
        ({"max_retries": "2"}, "max_retries"),
        ({"timeout": "5"}, "timeout"),
        ({"timeout": Timeout(read=float("inf"))}, "timeout"),
    ],
)
def test_options_that_cannot_be_are_told_at_once(options: Any, field: str) -> None:
    with pytest.raises(errors.ConfigurationError) as caught:
        GraphMem(**options)
    assert caught.value.field == field
    assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize("wrong", ["", ".", "..", "a/b", "\ud800", "x" * 30_000, None])
async def test_an_id_cannot_lead_elsewhere(server: Scripted, client: AsyncGraphMem, wrong: Any) -> None:
    server.script()
    with pytest.raises(errors.InvalidInput) as caught:
        await client.delete_fact("default", "mio", wrong)
    assert caught.value.field == "path.id"
    assert not server.received


async def test_nothing_of_memories_is_logged(
    server: Scripted, client: AsyncGraphMem, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(*["drop"] * 3)
    with pytest.raises(errors.ServiceError) as caught:
        await client.remember("default", SAID)
    assert "swordfish" not in caplog.text + repr(caught.value) + str(caught.value.__cause__)


@pytest.fixture
def apart(server: Scripted) -> Iterator[Scripted]:
    """Such a server in a loop of its own, so that the loop of a test may be blocked."""
    started, opened, loop = threading.Event(), [], asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with scripted(server.upstream) as one:
            opened.append(one)
            started.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait()
    yield opened[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


async def test_the_sync_side_within_a_running_loop(apart: Scripted) -> None:
    with GraphMem(apart.url, backoff=0.001) as client:
        apart.script(answer(503, HTML), "drop", answer(200, ALIVE))
        assert client.alive().version == "1"
        assert len(apart.received) == 3
        apart.script(*["hang"] * 3)
        with pytest.raises(errors.ServiceTimeout, match="idempotency_key"):
            client.with_options(timeout=0.5).remember("default", SAID)
        apart.script(*["drip"] * 3)
        with pytest.raises(errors.ServiceTimeout, match=r"within 0\.5 seconds"):
            client.with_options(timeout=0.5).alive()


def test_a_given_sync_client_stays_open(apart: Scripted) -> None:
    given = httpx.Client()
    with GraphMem(apart.url, http_client=given) as client:
        apart.script(answer(200, ALIVE))
        client.alive()
    assert not given.is_closed
    given.close()
