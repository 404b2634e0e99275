"""One search of a recall: what is asked of the database, what it found, and what its indexes left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models.manage import StoreSettings
from ..models.recall import GateRules, RecallRequest
from .candidates import ANY_STATE, NOTHING_ASKED, AskedFor, Period, parameters
from .conditions import SenseOf
from .gate import Candidate, Passed


@dataclass(frozen=True, slots=True)
class Search:
    """A request with what was worked out for it."""

    store_id: str
    request: RecallRequest
    vector: Sequence[float] | None
    now: datetime
    period: Period | None
    sense_of: SenseOf
    asked: AskedFor = NOTHING_ASKED
    few: bool = False
    """Whether no more candidates are asked for than the gate is likely to need."""

    def parameters(self, states: Sequence[str]) -> dict[str, Any]:
        """Parameters of `retrieve/recall`."""
        return self._of(self.request, states, few=self.few)

    def of_every_state(self) -> dict[str, Any]:
        """The same for memories of every state, time, agent, session and route of these actors."""
        anywhere = {"agent_id": None, "session_id": None, "route_id": None}
        request = self.request.model_copy(update={"scope": self.request.scope.model_copy(update=anywhere)})
        return self._of(request, ANY_STATE)

    def _of(self, request: RecallRequest, states: Sequence[str], *, few: bool = False) -> dict[str, Any]:
        given = (self.store_id, request, self.vector, self.now, states, self.period, self.sense_of, self.asked)
        return parameters(*given, few=few)

    @property
    def at(self) -> datetime:
        """The world time that is asked about."""
        return self.request.as_of or self.now


@dataclass(frozen=True, slots=True)
class Found:
    """What `retrieve/recall` gave."""

    settings: StoreSettings
    audit_key: str
    candidates: list[Candidate]
    cut: bool
    """Whether it may have had more to give."""
    weight: float
    """How much of a candidate's score its vector makes."""

    def may_lack(self, passed: Passed, rules: GateRules, limit: int) -> bool:
        """Whether the gate, which let fewer pass than were wanted, might let one pass that was not given.

        The next one scores no higher than the last one given; what passes by its vector scores at least that share.
        """
        if not self.cut or len(passed.accepted) >= min(limit, rules.max_hits):
            return False
        by_vector = math.inf if rules.min_vector is None or self.weight == 0 else self.weight * rules.min_vector
        return bool(self.candidates[-1]["score"] >= min(rules.min_score, by_vector))


def left_out(candidate: Candidate, known: dict[str, Any], search: Search, states: Sequence[str]) -> Candidate | None:
    """The candidate with why the search had not given it; None when it had only been too far behind.

    `known` is its row of `retrieve/left_out`.
    """
    memory, now_only = candidate["memory"], search.request.validity == "current" and search.request.known_at is None
    over = now_only and memory["valid_to"] <= search.at
    ended = over or (now_only and memory["valid_from"] > search.at)
    if known["inside"] and not ended and memory["state"] in states:
        return None
    why = {"outside": not known["inside"], "ended": ended, "replaced": over and known["replaced"]}
    return {**candidate, "left_out": why}
