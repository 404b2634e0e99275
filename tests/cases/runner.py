"""Runs the steps of one case against the service and keeps what came back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import httpx

from . import steps as build
from .checks import verify
from .edits import edited
from .generators import CaseError, expand
from .judgement import judged
from .matching import moment
from .replies import CheckFailed, Reply, fold, items_of, need, record_id, returned_text
from .steps import Hints, NotAvailable, Request, Step
from .view import View
from .world import World

Facts = list[dict[str, Any]]
_MOST_PAGES = 100
_OF_STATUS = ("status", "status_not", "statuses", "field", "same", "tool_error")


class Service(Protocol):
    """The running service: a client on it, its scripted model, and what no REST call does."""

    hints: Hints

    @property
    def client(self) -> httpx.AsyncClient: ...
    async def call_tool(
        self, store_id: str, actor_id: str, name: str, arguments: Mapping[str, Any]
    ) -> tuple[bool | None, Any, str]: ...
    def script(self, facts: Mapping[str, Facts]) -> None: ...
    def inject(self, target: str, mode: str, value: Any, times: Any) -> None: ...
    async def wait_idle(self, store_id: str, actor_ids: Iterable[str], seconds: float) -> None: ...
    async def restart(self) -> None: ...


class Runner:
    """One case in one store: runs its steps in order, then its checks."""

    def __init__(self, service: Service, store_id: str) -> None:
        self.service = service
        self.store_id = store_id
        self.replies: dict[str, Reply] = {}
        self.last: Reply | None = None
        self.scope = ""
        self.scopes: set[str] = set()
        self.said: list[str] = []
        self.records: dict[str, str] = {}
        """Step to the id of the fact that it wrote or read, in cases that change a record."""
        self.edits_records = False
        self.faulty = False
        self.watched: set[str | None] = set()
        """Steps whose status a check looks at; the others have to succeed, else their case proves nothing."""
        self.together: list[Step] = []
        self.watched_last: Step | None = None
        self.log: list[str] = []

    async def run(self, case: Mapping[str, Any]) -> None:
        """CheckFailed with the requests and replies where a check does not hold."""
        self.edits_records = any(step["op"] == "update" for step in case["steps"])
        self.faulty = any(step["op"] == "inject" for step in case["steps"])
        self.watched = set(_watched(case["expect"]))
        if None in self.watched:  # a check without a step looks at the last one
            self.watched_last = case["steps"][-1]
            self.watched.discard(None)
        try:
            for step in case["steps"]:
                await self.step(step)
        except CheckFailed as failure:
            raise CheckFailed(f"a step could not be done: {failure}\n{self.report()}") from None
        if self.last is None:
            raise CaseError("a case without steps")
        world = World(self.replies, self.last, self.scope, View(self.send))
        world.said = self.said
        for check in case["expect"]:
            try:
                await verify(check, world)
            except CheckFailed as failure:
                raise CheckFailed(f"{json.dumps(check, ensure_ascii=False)}\n  {failure}\n{self.report()}") from None

    def report(self) -> str:
        """The requests and replies of the case in short."""
        return "\n".join(self.log)

    async def step(self, step: Step) -> Reply:
        """Carry out one step and keep its reply."""
        build.available(step)
        if "scope" in step:
            self._enter(step["scope"])
        # what stands inside another step is expanded when that step runs
        nested = {key: step[key] for key in ("steps", "between_pages", "base", "edit") if key in step}
        named = step is self.watched_last or step.get("as") in self.watched
        looked_at = named or any(step is one for one in self.together)
        step = {**expand({k: v for k, v in step.items() if k not in nested}, self._lookup), **nested}
        began = time.perf_counter()
        if step.get("via") == "mcp" and step["op"] != "raw":
            reply = await self.tool(build.tool(step), step["op"])
        else:
            reply = await _OPERATIONS[step["op"]](self, step)
        reply.seconds = time.perf_counter() - began
        self.log.append(f"  {step.get('as', '-')} {reply.brief()}")
        self.last = reply
        if "as" in step:
            self.replies[step["as"]] = reply
        if not self.faulty and not looked_at:
            _require_success(step, reply)
        return reply

    async def send(self, request: Request, op: str) -> Reply:
        """One HTTP call."""
        headers = {"Content-Type": "application/json", **request.headers} if request.body is not None else {}
        response = await self.service.client.request(
            request.method,
            request.url(self.store_id),
            content=request.payload(),
            headers=headers or request.headers,
        )
        body = None
        with contextlib.suppress(ValueError):
            body = response.json()
        return Reply(op, response.status_code, body, response.text, dict(response.headers), request=request.brief())

    async def tool(self, request: Request, op: str) -> Reply:
        """One call of a tool through the MCP surface, for the actor of the step."""
        arguments = json.loads(request.payload() or b"{}")
        error, body, text = await self.service.call_tool(self.store_id, self.scope, request.path, arguments)
        status = {None: 500, True: 400, False: 200}[error]
        brief = f"{request.path} {json.dumps(arguments, ensure_ascii=False)[:400]}"
        return Reply(op, status, body, text, request=brief, tool_error=error)

    def _enter(self, scope: str) -> None:
        self.scope = scope
        self.scopes.add(scope)

    def _lookup(self, kind: str, name: str) -> str:
        reply = self.replies[name]
        if kind == "step":
            return returned_text(reply)
        if "etag" not in reply.headers:
            raise NotAvailable(f"the record that {name} read has no version mark")
        return reply.headers["etag"]

    # --- writing ---------------------------------------------------------------------------------------

    async def remember(self, step: Step) -> Reply:
        self._script([step])
        reply = await self.send(build.remember(step, self.service.hints), "remember")
        if self.edits_records and "as" in step:
            self.records[step["as"]] = _first_fact(reply)
        return reply

    async def remember_batch(self, step: Step) -> Reply:
        self._script(step["items"])
        return await self.send(build.remember_batch(step, self.service.hints), "remember_batch")

    async def import_notes(self, step: Step) -> Reply:
        reply = await self.send(build.import_notes(step), "import_notes")
        if reply.ok and (failed := [file for file in need(reply.body, "files") if file["outcome"] == "failed"]):
            raise CheckFailed(f"a note could not be taken in: {failed}")
        return reply

    async def relate(self, step: Step) -> Reply:
        return await self.send(build.relate(step), "relate")

    async def update(self, step: Step) -> Reply:
        fields = {"text", "importance", "tags", "pinned"}
        if unknown := set(step["set"]) - fields:
            raise CaseError(f"unknown fields to set: {sorted(unknown)}")
        request = build.one_record("PATCH", "facts", self._record(step["ref"]), step["scope"])
        headers = {"If-Match": step["if_match"]} if "if_match" in step else {}
        patch = Request(request.method, request.path, dict(step["set"]), request.query, headers)
        reply = await self.send(patch, "update")
        if reply.ok:  # a changed text is a new fact: whoever reads the record now reads that one
            self.records[f"{step['ref']}/changed"] = str(need(reply.body, "id"))
        return reply

    def _record(self, ref: str, *, changed: bool = False) -> str:
        name = f"{ref}/changed" if changed and f"{ref}/changed" in self.records else ref
        if name not in self.records:
            raise CaseError(f"no record of step {ref}")
        return self.records[name]

    def _script(self, items: list[Step]) -> None:
        self.said += [item["at"] for item in items if "at" in item and _is_time(item["at"])]
        hints = {item["text"]: judged(item["facts"], item["text"]) for item in items if "facts" in item}
        if hints and self.service.hints == "scripted":
            self.service.script(hints)

    # --- reading ---------------------------------------------------------------------------------------

    async def recall(self, step: Step) -> Reply:
        return await self.send(build.recall(step), step["op"])

    async def list_one(self, step: Step) -> Reply:
        return await self.send(build.listing(step), "list")

    async def list_all(self, step: Step) -> Reply:
        calls: list[Reply] = []
        token: str | None = None
        while len(calls) < _MOST_PAGES:
            reply = await self.send(build.listing(step, token), "list")
            calls.append(reply)
            if len(calls) == 1:
                for between in step.get("between_pages", []):
                    await self.step(between)
            token = need(reply.body, "next_page_token") if reply.ok else None
            if not token:
                return _together("list_all", calls)
        raise CheckFailed(f"the list has no end after {_MOST_PAGES} pages")

    async def get(self, step: Step) -> Reply:
        if "source_id" in step:
            query = {"actor_id": step["scope"], "source_id": step["source_id"]}
            found = await self.send(Request("GET", "/episodes", query=query), "get")
            return await self._first_of(found, "episodes", step["scope"])
        if self.edits_records:
            kind, record = "facts", self._record(step["ref"], changed=True)
        else:
            kind, record = "episodes", record_id(self.replies[step["ref"]])
        return await self.send(build.one_record("GET", kind, record, step["scope"]), "get")

    async def get_entity(self, step: Step) -> Reply:
        query = {"actor_id": step["scope"], "name": step["name"]}
        found = await self.send(Request("GET", "/entities", query=query), "get")
        return await self._first_of(found, "entities", step["scope"], "/graph")

    async def _first_of(self, found: Reply, kind: str, actor_id: str, part: str = "") -> Reply:
        if not found.ok or not items_of(found):
            return Reply("get", found.status if not found.ok else 404, text=found.text, request=found.request)
        record = need(items_of(found)[0], "id")
        return await self.send(build.one_record("GET", kind, record, actor_id, part), "get")

    async def history(self, step: Step) -> Reply:
        wanted, entries = fold(step["query"]).strip(), []
        calls = []
        for fact in await View(self.send).facts(step["scope"]):
            if wanted in fold(need(fact, "text")):
                request = build.one_record("GET", "facts", need(fact, "id"), step["scope"], "/history")
                calls.append(await self.send(request, "history"))
        if not calls:
            raise CheckFailed(f"no fact holds {step['query']}, so there is no history to read")
        for call in calls:
            entries += call.body if isinstance(call.body, list) else items_of(call)
        return Reply("history", max(call.status for call in calls), {"items": entries}, calls=calls)

    # --- forgetting and the rest -----------------------------------------------------------------------

    async def forget(self, step: Step) -> Reply:
        by, scope = step["by"], step["scope"]
        if "ref" in by:
            record = record_id(self.replies[by["ref"]])
            return await self.send(build.one_record("DELETE", "episodes", record, scope), "forget")
        if "fact_text" in by:
            return await self._forget_fact(by["fact_text"], scope)
        return await self.send(build.forget(step, _target(by)), "forget")

    async def _forget_fact(self, text: str, scope: str) -> Reply:
        calls = []
        for fact in await View(self.send).facts(scope):
            if fold(text).strip() in fold(need(fact, "text")):
                request = build.one_record("DELETE", "facts", need(fact, "id"), scope)
                calls.append(await self.send(request, "forget"))
        if not calls:
            raise CheckFailed(f"no fact holds {text}, so there is nothing to forget")
        return _together("forget", calls)

    async def maintain(self, step: Step) -> Reply:
        if step["task"] == "backfill":
            return await self._backfill(step["scope"])
        reply = await self.send(build.maintain(step), "maintain")
        if reply.status in (404, 405):
            raise NotAvailable(f"no maintenance pass {step['task']} in this version")
        return reply

    async def _backfill(self, scope: str) -> Reply:
        """What could not be processed is tried again, one episode after the other."""
        found = await self.send(Request("GET", "/episodes", query={"actor_id": scope, "status": "failed"}), "maintain")
        calls = [found]
        for episode in items_of(found):
            request = build.one_record("POST", "episodes", need(episode, "id"), scope, "/:retry")
            calls.append(await self.send(request, "maintain"))
        return _together("maintain", calls)

    async def wait(self, step: Step) -> Reply:
        await self.service.wait_idle(self.store_id, sorted(self.scopes), step.get("max_seconds", 45))
        return Reply("wait", 200)

    async def health(self, step: Step) -> Reply:
        return await self.send(Request("GET", "//readyz"), "health")

    async def restart(self, step: Step) -> Reply:
        if step.get("set"):
            raise NotAvailable("no restart with changed settings in this runner")
        await self.service.restart()
        return Reply("restart", 200)

    async def inject(self, step: Step) -> Reply:
        self.service.inject(step["target"], step["mode"], step.get("value"), step.get("times", 1))
        return Reply("inject", 200)

    async def parallel(self, step: Step) -> Reply:
        for one in step["steps"]:
            self._enter(one.get("scope", self.scope))
        if step.get("as") in self.watched:  # the check looks at every call of it
            self.together = step["steps"]
        return _together("parallel", await asyncio.gather(*(self.step(one) for one in step["steps"])))

    async def raw(self, step: Step) -> Reply:
        base = expand(step["base"], self._lookup)
        build.available({"op": base["op"], "via": step.get("via", "rest")})
        build.check_fields(base)
        self._enter(base.get("scope", self.scope))
        if step.get("via") == "mcp":
            return await self.tool(edited(build.tool(base), base["op"], step["edit"]), base["op"])
        if base["op"] == "remember":
            request = build.remember(base, self.service.hints)
        elif base["op"] in _PLAIN:
            request = _PLAIN[base["op"]](base)
        else:
            raise CaseError(f"no raw form of {base['op']}")
        return await self.send(edited(request, base["op"], step["edit"]), base["op"])


def _together(op: str, calls: list[Reply]) -> Reply:
    """Several calls as one reply; its own status is the worst of them."""
    worst = max(calls, key=lambda call: call.status)
    return Reply(op, worst.status, worst.body, calls=calls)


def _watched(checks: Iterable[Mapping[str, Any]]) -> Iterator[str | None]:
    for check in checks:
        if check["check"] == "any":
            for way in check["of"]:
                yield from _watched(way)
        elif check["check"] in _OF_STATUS:
            yield from check.get("steps", [check.get("step")])


def _require_success(step: Step, reply: Reply) -> None:
    """CheckFailed where a step that only prepares the case did not work, or its facts came to nothing."""
    if not reply.ok:
        raise CheckFailed(f"{step['op']} answered {reply.status}")
    hinted = [item for item in step.get("items", [step]) if item.get("facts")]
    if step["op"] not in ("remember", "remember_batch") or not hinted:
        return
    repeated = all(episode.get("duplicate") for episode in need(reply.body, "episodes"))
    if not need(reply.body, "facts") and not repeated:
        raise CheckFailed("no fact came of a text that states one")


def _first_fact(reply: Reply) -> str:
    if not reply.ok or not (decisions := need(reply.body, "facts")):
        raise NotAvailable("an episode cannot be changed, and this text has no fact that could be")
    return str(need(need(decisions[0], "fact"), "id"))


def _is_time(value: str) -> bool:
    with contextlib.suppress(CheckFailed):
        return bool(moment(value))
    return False


def _target(by: Mapping[str, Any]) -> dict[str, Any]:
    if "id" in by:
        return {"ids": [by["id"]]}
    if by.get("scope") is True:
        return {"all": True}
    if unknown := set(by) - {"source_id", "entity"}:
        raise CaseError(f"unknown selectors {sorted(unknown)}")
    return dict(by)


_PLAIN: dict[str, Callable[[Step], Request]] = {
    "recall": build.recall,
    "context": build.recall,
    "list": build.listing,
}
_OPERATIONS: dict[str, Callable[[Runner, Step], Awaitable[Reply]]] = {
    "remember": Runner.remember,
    "remember_batch": Runner.remember_batch,
    "import_notes": Runner.import_notes,
    "relate": Runner.relate,
    "update": Runner.update,
    "recall": Runner.recall,
    "context": Runner.recall,
    "list": Runner.list_one,
    "list_all": Runner.list_all,
    "get": Runner.get,
    "get_entity": Runner.get_entity,
    "history": Runner.history,
    "forget": Runner.forget,
    "maintain": Runner.maintain,
    "wait": Runner.wait,
    "health": Runner.health,
    "restart": Runner.restart,
    "inject": Runner.inject,
    "parallel": Runner.parallel,
    "raw": Runner.raw,
}
