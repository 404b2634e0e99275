"""Candidates: the parameters of the one query that runs all arms and fuses them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models.ids import owner_key
from ..models.names import padded_words
from ..models.recall import RecallRequest
from ..models.text import search_form
from ..models.times import BEGINNING, OPEN_END
from ..ports import AskedRelation
from .conditions import SenseOf, circuit
from .keywords import read_keywords
from .named import entity_keys, first_names

_ADDED = {
    "vector": 0.5, "keyword": 0.5, "graph": 0.1, "relation": 0.25, "time": 0.25, "speaker": 0.06, "beside": 0.6,
}  # fmt: skip
_ALONE = dict.fromkeys(_ADDED, 0.0)
WEIGHTS = {
    "keyword": _ALONE | {"keyword": 1.0, "time": 0.25},
    "vector": _ALONE | {"vector": 1.0},
    "hybrid": _ADDED,
    "semantic": _ADDED,
}
"""How the arms' scores add up, by mode; each arm's score is 0 to 1 and the sum is cut at 1.

Time counts only where the query names one: what lies in it passes the gate without one word of the query, for
"what did I do yesterday?" has none, and stays below what also fits it."""

RELATED = ("hybrid", "semantic")
"""Modes in which counts which relation a query asks for."""


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Which relations a query asks for, and of whom beside those whom it names."""

    relations: tuple[AskedRelation, ...] = ()
    oneself: str | None = None
    """Identity of the owner's own entity, where the query is about the owner."""
    relative: dict[str, Any] | None = None
    """Whom it names by what they are to another: steps, words, asker (identity, or null: of whom it names), only."""


NOTHING_ASKED = AskedFor()

Period = tuple[datetime, datetime]
"""Beginning and end (not included) of the time that a query speaks of, in UTC."""

LIVE = ["live"]
LIVE_OR_DRAFT = ["live", "draft"]
_BETWEEN_WORDS = re.compile(r"\W+")
ANY_STATE = ["live", "archived", "draft", "rejected", "candidate", "deleted", "expired", "superseded"]
_OVERSAMPLING = 3
"""Of an approximate index three times as many are asked as are needed: recall 0.994 or better at every selectivity."""
_LEAST = 40
"""Candidates of an arm however few are asked for: the arms are fused over them (docs/decisions/0013)."""


_COMPARED = 1_000
"""Of so many the vector index is asked how near they are: a microsecond each, where reading a vector takes forty."""
_MORE_NEAREST = 10
"""The vector index does not know the filter: it is asked for so many times more, and not used where k are not left."""


def parameters(
    store_id: str,
    request: RecallRequest,
    vector: Sequence[float] | None,
    now: datetime,
    states: Sequence[str] = LIVE,
    period: Period | None = None,
    sense_of: SenseOf = str,
    asked: AskedFor = NOTHING_ASKED,
    *,
    few: bool = False,
) -> dict[str, Any]:
    """Parameters of `retrieve/recall` for this request; with `few` half the candidates are given back."""
    owners = owner_keys(store_id, request)
    keywords = read_keywords(request.query, owners)
    at = request.as_of or now
    whole = request.validity == "any" or states is ANY_STATE or request.known_at is not None
    if request.known_at is not None and states is not ANY_STATE:
        states = [*states, "expired"]
    with_keywords = request.mode != "vector" or vector is None
    k = max(_OVERSAMPLING * request.limit, _LEAST)
    narrowed = narrow(request)
    nearest = k * (_MORE_NEAREST if request.filter or narrowed else min(2, len(request.kinds)))
    return {
        "store_id": store_id,
        "owner_keys": owners,
        "kinds": list(request.kinds),
        "vector": list(vector) if vector is not None and request.mode != "keyword" else None,
        "fulltext": keywords.fulltext if with_keywords else None,
        "terms": list(keywords.terms),
        "term_weights": list(keywords.terms.values()),
        "patterns": list(keywords.patterns) if with_keywords else [],
        **_named(request),
        "asked": [{"sense": sense_of(one.sense), "weight": one.weight} for one in asked.relations],
        "oneself": asked.oneself,
        "relative": asked.relative,
        "narrow": narrowed,
        "filter": circuit(request.filter, owners, sense_of),
        "states": list(states),
        "starts_by": OPEN_END if whole else at,
        "ends_after": BEGINNING if whole else at,
        "known_by": request.known_at or OPEN_END,
        "known_at": request.known_at,
        "as_of": None if request.validity == "any" else at,
        "hops": request.hops,
        "k": k,
        "nearest": nearest,
        "compared": nearest if request.mode == "vector" else max(_COMPARED, nearest),
        "keep": max((2 if few else 4) * request.limit, 20 if few else 40),
        "weights": WEIGHTS["keyword" if vector is None else request.mode],
        "period": None if period is None else {"from": period[0], "until": period[1]},
        "ranking": request.ranking,
        "now": now,
    }


def _named(request: RecallRequest) -> dict[str, Any]:
    """Whom the query may name, for the graph arm."""
    graph = request.mode in ("hybrid", "semantic")
    return {
        "entity_keys": entity_keys(request.query) if graph else [],
        "first_names": first_names(request.query) if graph else [],
        "query_words": padded_words(request.query),
        "query_text": f" {_BETWEEN_WORDS.sub(' ', search_form(request.query).casefold()).strip()} ",
    }


def owner_keys(store_id: str, request: RecallRequest) -> list[str]:
    """The owners that the request may read, the first actor's first."""
    return [owner_key(store_id, actor) for actor in request.scope.actor_ids]


def narrow(request: RecallRequest) -> dict[str, str | None] | None:
    """Agent, session and route that the request is for; None for the whole of its actors."""
    scope = request.scope
    if scope.agent_id is None and scope.session_id is None and scope.route_id is None:
        return None
    return {"agent_id": scope.agent_id, "session_id": scope.session_id, "route_id": scope.route_id}


TIMES = (
    "valid_at", "invalid_at", "occurred_at", "updated_at", "expired_at", "valid_from", "valid_to", "created_at",
)  # fmt: skip
"""Values of a candidate's memory that the query gives as text."""


def with_times(candidate: dict[str, Any]) -> dict[str, Any]:
    """A candidate as the query gives it, its times read from text."""
    memory = {**candidate["memory"], **{name: _time(candidate["memory"][name]) for name in TIMES}}
    sources = [{**source, "occurred_at": _time(source["occurred_at"])} for source in candidate["sources"]]
    return {**candidate, "memory": memory, "sources": sources}


def _time(text: str | None) -> datetime | None:
    """A time as Neo4j writes it: the name of a zone may follow the offset (`…Z[UTC]`)."""
    return None if text is None else datetime.fromisoformat(text.partition("[")[0])
