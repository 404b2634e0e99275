"""What of a list an agent may be shown: the rules of the recall gate, for what was not recalled.

A list has no scores; the other rules hold: approved, in use, not of a hidden kind of personal data, not faded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ..models.fact import Fact
from ..models.manage import StoreSettings
from ..models.note import Note
from ..models.recall import GateRules, Reason
from ..safety.marks import labelled, tagged
from ..safety.sensitivity import kinds_of, sensitivity_of


@dataclass
class Fitness:
    """The gate of a store for lists; counts what it leaves out."""

    rules: GateRules
    left_out: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, settings: StoreSettings) -> Fitness:
        """The store's gate over the product's defaults."""
        gate = settings.gate.model_dump(exclude_none=True) if settings.gate else {}
        return cls(GateRules(min_score=0.0).model_copy(update=gate))

    def facts(self, facts: Sequence[Fact]) -> list[Fact]:
        """The facts that may be shown, in their order."""
        return [fact for fact in facts if self._passes(self.of_fact(fact))]

    def notes(self, notes: Sequence[Note]) -> list[Note]:
        """The notes that may be shown, in their order."""
        return [note for note in notes if self._passes(self.of_note(note))]

    def of_fact(self, fact: Fact) -> Reason | None:
        """Why a fact may not be shown."""
        tags = {*fact.tags, fact.category}
        checks: tuple[tuple[Reason, bool], ...] = (
            ("stale", self._too_old(fact.updated_at, tags)),
            ("not_approved", self._not_approved(fact)),
            ("superseded", fact.expired_at is not None or fact.status != "active" or tagged(tags)),
            ("low_retention", self._faded(fact.retention, tags)),
            ("sensitive", self.hides(fact.sensitivity)),
            ("disputed", self.rules.hide_disputed and fact.disputed),
        )
        return next((reason for reason, holds in checks if holds), None)

    def of_note(self, note: Note) -> Reason | None:
        """Why a note may not be shown."""
        tags = {*note.tags, note.category}
        text = f"{note.title}\n{note.body}"
        checks: tuple[tuple[Reason, bool], ...] = (
            ("stale", self._too_old(note.updated_at, tags)),
            ("superseded", note.status == "archived" or tagged(tags) or labelled(text)),
            ("low_retention", self._faded(note.retention, tags)),
            ("sensitive", bool(self.rules.hide_sensitivity) and self.hides(sensitivity_of(text))),
        )
        return next((reason for reason, holds in checks if holds), None)

    def withholds(self, fact: Fact) -> bool:
        """Whether a fact is shown to nobody, also where the past is asked for."""
        return self._not_approved(fact) or self.hides(fact.sensitivity)

    def hides(self, sensitivity: str | None) -> bool:
        """Whether these kinds of personal data are not shown."""
        kinds = kinds_of(sensitivity)
        return bool(kinds) and ("*" in self.rules.hide_sensitivity or not kinds.isdisjoint(self.rules.hide_sensitivity))

    def _passes(self, reason: Reason | None) -> bool:
        if reason is not None:
            self.left_out[reason] += 1
        return reason is None

    def _not_approved(self, fact: Fact) -> bool:
        draft = fact.approval == "draft" and not self.rules.allow_draft
        return draft or fact.approval == "rejected" or fact.learning_state == "candidate"

    def _exempt(self, tags: set[str]) -> bool:
        return not tags.isdisjoint(self.rules.exempt_tags)

    def _too_old(self, since: datetime, tags: set[str]) -> bool:
        if self.rules.max_age_days is None or self._exempt(tags):
            return False
        return (datetime.now(UTC) - since).total_seconds() > self.rules.max_age_days * 86_400

    def _faded(self, retention: float, tags: set[str]) -> bool:
        return retention < self.rules.min_retention and not self._exempt(tags)
