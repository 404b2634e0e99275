"""Recall: scope → candidates → fuse → gate → context, then the audit.

Scope, all arms and the fusion are one Cypher query (`retrieve/recall`); the gate and the context are pure functions.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ..errors import NotFound, ProviderError
from ..models.base import MAX_QUERY
from ..models.ids import actor_identity, owner_key
from ..models.manage import StoreSettings
from ..models.recall import GateRules, RecallItem, RecallRequest, RecallResult
from ..models.text import search_form
from ..ports import Clock, Embedder, PlainQuestion, RelationReader, Reranker
from ..safety.orders import is_order
from ..safety.redact import Secrets
from ..safety.sensitivity import sensitivity_of
from ..store.driver import Database
from ..store.records import source_from, sources_from
from .audit import audit_of, record_of
from .calibrated import minimum_of
from .candidates import LIVE, LIVE_OR_DRAFT, NOTHING_ASKED, RELATED, AskedFor, Period, narrow, owner_keys, with_times
from .conditions import SenseOf
from .context import Block, render
from .gate import Candidate, Passed, is_hidden, pass_gate, pass_score, reason_of, rules_of
from .person import in_third_person, owns_or_does, speaks_of_self
from .rerank import reranked
from .search import Found, Search, left_out

FindPeriod = Callable[[str, datetime], Period | None]
"""The time that a query speaks of, its words read from a moment."""

log = logging.getLogger(__name__)

_MOST_NAMES = 10_000
_ONLY_WHERE = ("time", "relation")
"""Scores that are told only where the query asks for them."""
_LOOKED_AT = 4_000
"""Characters of a memory that are looked at for orders when it is shown; the rest was looked at when it was stored."""


@dataclass(frozen=True, slots=True)
class Retrieve:
    """The recall flow and what it needs."""

    database: Database
    embedder: Embedder
    clock: Clock
    secrets: Secrets
    find_period: FindPeriod
    sense_of: SenseOf
    reranker_of: Callable[[str], Reranker | None]
    """What orders the answers of mode `semantic` in a store."""
    relations: RelationReader
    names: dict[str, str] = field(default_factory=dict)
    """Display names of owners, so that most queries need no second look-up."""
    drafts: set[str] = field(default_factory=set)
    """Stores whose gate lets drafts pass."""

    async def matches(self, store_id: str, request: RecallRequest) -> RecallResult:
        """What words and meaning find, whatever else the gate says of it: what may be forgotten. Errors as there."""
        return await self.recall(store_id, request, gated=False)

    async def recall(
        self, store_id: str, request: RecallRequest, *, narrow_only: bool = False, gated: bool = True
    ) -> RecallResult:
        """Memories that answer the query. Errors: NotFound (store).

        With `narrow_only` the request's gate cannot take the place of defaults either: for callers that may not choose.
        """
        now = self.clock.now()
        query, redacted = self.secrets.query(request.query)
        request = request.model_copy(update={"query": query})
        named = request.query if request.mode == "keyword" else await self._in_third_person(store_id, request)
        vector, asked, degraded = await self._read(store_id, request, named)
        period = self.find_period(request.query, request.reference_time or request.as_of or now)
        explain = request.explain or request.dry_run
        few = gated and not explain and request.mode != "semantic"
        search = Search(store_id, request, vector, now, period, self.sense_of, asked, few)
        found, rules, calibrated = await self._found(search, narrow_only=narrow_only)
        degraded += [] if calibrated else ["gate_uncalibrated"]
        if gated:
            passed = pass_gate(found.candidates, rules, now, request.limit)
            if few and found.may_lack(passed, rules, request.limit):
                found, rules, _ = await self._found(replace(search, few=False), narrow_only=narrow_only)
                passed = pass_gate(found.candidates, rules, now, request.limit)
            if request.mode == "semantic":
                passed, lacking = await reranked(passed, self.reranker_of(store_id), named, _text_of)
                degraded += lacking
            passed = await self._with_left_out(search, rules, passed) if explain else passed
        else:
            rules = GateRules(min_score=(request.gate and request.gate.min_score) or 0.0)
            passed = pass_score(found.candidates, rules.min_score, request.limit)
        items = tuple(_without_hidden(item_from(c), rules) for c in passed.accepted)
        block = render(items, request.max_tokens, request.context_format)
        crowded = len(items) - len(block.items)
        audit = audit_of(passed, rules, now, explain=explain, kept=not request.dry_run, crowded=crowded)
        if not request.dry_run:
            record = record_of(store_id, found.audit_key, request, audit, passed, rules, degraded, now)
            await self.database.run_at_once("retrieve/record_recall", record)
        return RecallResult(
            items=tuple(_marked(item, block) for item in items),
            context=block.text,
            context_tokens=block.tokens,
            degraded=tuple(degraded),
            redacted=redacted,
            audit=audit,
        )

    async def _read(
        self, store_id: str, request: RecallRequest, named: str
    ) -> tuple[list[float] | None, AskedFor, list[str]]:
        """The query's vector and what it asks for; without an embedder the other arms answer, and the answer says so.

        A question about oneself is asked as it stands and about the owner by name (`named`), each for half: with the
        name alone whatever is about the owner is near, and without it what is about somebody else is as near. By words
        it is asked only as it stands, since the name is in all that is remembered. What it asks for is read from its
        form without names.
        """
        if request.mode == "keyword":
            return None, NOTHING_ASKED, []
        ways = list(dict.fromkeys((request.query, named)))
        plain = self.relations.plain(request.query) if request.mode in RELATED and "fact" in request.kinds else None
        texts = list(dict.fromkeys(ways if plain is None else [*ways, plain.text]))
        owner = actor_identity(owner_key(store_id, request.scope.actor_ids[0]))
        relative = None if plain is None else self._relative(plain, owner)
        try:
            vectors = dict(zip(texts, await asyncio.gather(*map(self.embedder.embed_query, texts)), strict=True))
        except ProviderError as error:
            log.warning("recall without vectors: %s", error.code)
            return None, AskedFor(relative=relative), ["embedder"]
        vector = sum((vectors[way] for way in ways[1:]), start=vectors[ways[0]]).tolist()
        if plain is None:
            return vector, NOTHING_ASKED, []
        relations = self.relations.asked(plain, vectors[plain.text], self.embedder.identity)
        return vector, AskedFor(relations, owner if _is_of_oneself(plain) else None, relative), []

    def _relative(self, question: PlainQuestion, asker: str) -> dict[str, Any] | None:
        """Whom the question names by what they are to another, as the query takes it."""
        if question.relative is None:
            return None
        return {
            "steps": [[self.sense_of(sense) for sense in step] for step in question.relative.steps],
            "words": [search_form(word).casefold() for word in question.relative.words],
            "asker": asker if question.relative.of_asker else None,
            "only": not owns_or_does(question.text),
        }

    async def _in_third_person(self, store_id: str, request: RecallRequest) -> str:
        """The query as it would be asked of the owner by name; unchanged when it has no first person."""
        if not speaks_of_self(request.query):
            return request.query
        owner = owner_key(store_id, request.scope.actor_ids[0])
        name = self.names.get(owner)
        if name is None:
            rows = await self.database.run(
                "retrieve/owner_name", {"owner_key": owner, "actor_identity": actor_identity(owner)}
            )
            name = str(rows[0]["name"]) if rows else request.scope.actor_ids[0]
            if rows and rows[0]["named"]:  # a name that was met in a text stays; an id may still get one
                self.names[owner] = name
                if len(self.names) > _MOST_NAMES:
                    self.names.clear()
        return in_third_person(request.query, name)[:MAX_QUERY]

    async def _found(self, search: Search, *, narrow_only: bool) -> tuple[Found, GateRules, bool]:
        """Candidates and rules, and whether somebody has measured or set from where on a score is enough.

        Drafts are among them where the gate lets them pass, which the store says in the same answer.
        """
        asked, store_id = search.request, search.store_id
        embedder = None if search.vector is None else self.embedder.identity
        drafts = bool(asked.gate and asked.gate.allow_draft) or store_id in self.drafts
        while True:
            found = await self._candidates(search.parameters(LIVE_OR_DRAFT if drafts else LIVE))
            only = narrow_only or found.settings.gate_overrides == "narrow"
            minimum = minimum_of(found.settings.calibration, embedder, asked.mode)
            rules = rules_of(minimum, found.settings.gate, asked.gate, narrow_only=only)
            if drafts or not rules.allow_draft:
                if not rules.allow_draft:
                    self.drafts.discard(store_id)
                return found, rules, minimum.calibrated or rules.min_score != minimum.score
            drafts = True
            self.drafts.add(store_id)  # so that the next call asks once

    async def _candidates(self, query: dict[str, Any]) -> Found:
        rows = await self.database.run("retrieve/recall", query)
        if not rows:
            raise NotFound(f"There is no store {query['store_id']}.", field="store")
        # what is erased while the query reads it has lost its values
        given = (c for c in rows[0]["candidates"] if c["kind"] and c["memory"]["id"] and c["memory"]["created_at"])
        there = [with_times(c) for c in given]
        settings = StoreSettings.model_validate_json(rows[0]["settings"])
        cut = len(rows[0]["candidates"]) >= query["keep"]
        return Found(settings, rows[0]["audit_key"], there, cut and bool(there), query["weights"]["vector"])

    async def _with_left_out(self, search: Search, rules: GateRules, passed: Passed) -> Passed:
        """Count also what the indexes left out, so that the reasons are complete."""
        everything = (await self._candidates(search.of_every_state())).candidates
        seen = {c["memory"]["id"] for c in passed.accepted} | {c["memory"]["id"] for c, _ in passed.rejected}
        others = [c for c in everything if c["memory"]["id"] not in seen]
        if not others:
            return passed
        ids = [c["memory"]["id"] for c in others]
        asked = {
            "owner_keys": owner_keys(search.store_id, search.request),
            "narrow": narrow(search.request),
            "ids": ids,
        }
        known = {row["id"]: row for row in await self.database.run("retrieve/left_out", asked)}
        states = LIVE_OR_DRAFT if rules.allow_draft else LIVE
        there = [(c, known[c["memory"]["id"]]) for c in others if c["memory"]["id"] in known]
        hidden = [found for c, row in there if (found := left_out(c, row, search, states)) is not None]
        reasons = [(c, reason_of(c, rules, search.now)) for c in hidden]
        return Passed(passed.accepted, passed.rejected + tuple((c, why) for c, why in reasons if why is not None))


def _is_of_oneself(question: PlainQuestion) -> bool:
    """Whether it is about who asks: "my job at Ostara Foods", and not "where can I reach Petra"."""
    if question.about in ("nobody", "unknown"):
        return question.about == "nobody" or speaks_of_self(question.text)
    return question.about == "named" and owns_or_does(question.text)


def item_from(candidate: Candidate) -> RecallItem:
    """A candidate as it is answered."""
    memory, kind = candidate["memory"], candidate["kind"]
    episode = kind == "episode"
    own = {
        "episode_id": memory["id"],
        "source_id": memory.get("source_id"),
        "session_id": memory.get("session_id"),
        "occurred_at": memory.get("occurred_at"),
        "quote": None,
    }
    return RecallItem(
        kind=kind,
        id=memory["id"],
        text=_text(memory, kind),
        score=round(candidate["score"], 4),
        scores={k: round(v, 4) for k, v in candidate["scores"].items() if k not in _ONLY_WHERE or v},
        category=memory.get("category"),
        layer=memory.get("layer"),
        importance=memory.get("importance"),
        retention=round(candidate["retention"], 4),
        confidence=memory.get("confidence"),
        learning_state=memory.get("learning_state"),
        valid_at=memory.get("occurred_at") if episode else memory.get("valid_at"),
        invalid_at=memory.get("invalid_at"),
        disputed=bool(memory.get("disputed")),
        contradictions=tuple(memory.get("contradictions") or ()),
        sensitivity=memory.get("sensitivity"),
        quoted=_is_quoted(memory, kind),
        path=_path(candidate),
        sources=(source_from(own),) if episode else sources_from(candidate["sources"]),
    )


def _marked(item: RecallItem, block: Block) -> RecallItem:
    return item if item.id in block.items else item.model_copy(update={"in_context": False})


def _is_quoted(memory: dict[str, Any], kind: str) -> bool:
    """Whether it orders its reader about; a fact confirmed since is no mere claim, but may still be worded so."""
    text = _text(memory, kind)
    claimed = bool(memory.get("quoted")) and (kind != "fact" or memory.get("learning_state") == "candidate")
    return claimed or is_order(text[:_LOOKED_AT])


def _without_hidden(item: RecallItem, rules: GateRules) -> RecallItem:
    """The item without quotes of its sources that hold what the gate hides."""
    if not rules.hide_sensitivity or not any(s.quote for s in item.sources):
        return item
    sources = (
        s.model_copy(update={"quote": None}) if s.quote and is_hidden(sensitivity_of(s.quote), rules) else s
        for s in item.sources
    )
    return item.model_copy(update={"sources": tuple(sources)})


def _text_of(candidate: Candidate) -> str:
    return _text(candidate["memory"], candidate["kind"])


def _text(memory: dict[str, Any], kind: str) -> str:
    if kind == "episode":
        return f"{memory['name']}: {memory['content']}" if memory.get("name") else str(memory["content"])
    if kind == "note":
        return _note_text(memory)
    return str(memory["text"])


def _note_text(memory: dict[str, Any]) -> str:
    """Title and body; a title that only repeats the opening of the body is left out."""
    title, body = str(memory["title"]), str(memory["body"])
    plain = body.lstrip("#> \t\r\n").casefold()
    if plain.startswith(title.rstrip("…").casefold()):
        return body
    return f"{title}: {body}" if body.strip() else title


def _path(candidate: Candidate) -> tuple[str, ...]:
    if candidate["kind"] != "fact":
        return ()
    subject, object_ = candidate["subject"], candidate["object"]
    end = object_["name"] if object_ and object_.get("id") else candidate["memory"].get("literal")
    own = [subject["name"] if subject else None, candidate["memory"]["predicate"], end]
    walked = candidate["path"] or []
    return tuple(str(p) for p in (own if len(walked) <= 2 else [*walked[:-1], own[1], end]) if p)
