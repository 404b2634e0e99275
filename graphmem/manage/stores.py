"""Stores: create, read, change, erase."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from ..errors import AlreadyExists, NotFound, PreconditionFailed
from ..ingest.predicates import read_predicate
from ..models.manage import Budget, Decay, Page, StoreIn, StoreOut, StorePatch, StoreSettings, StoreUsage
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database
from ..store.records import store_from
from .paging import page_of, position

_BATCH = 2_000


class Stores:
    """The stores of a database."""

    def __init__(self, database: Database, clock: Clock, secrets: Secrets) -> None:
        self._database = database
        self._clock = clock
        self._secrets = secrets

    async def create(self, store: StoreIn) -> StoreOut:
        """Make a store. Errors: AlreadyExists, InvalidInput (a secret as its id)."""
        self._secrets.check(store.id, "id")
        store = (await self._secrets.clean(store)).value
        row = (
            await self._database.run(
                "manage/create_store",
                {
                    "store_id": store.id,
                    "description": store.description,
                    "settings": store.settings.model_dump_json(),
                    "decay": _rules(store.settings),
                    "now": self._clock.now(),
                },
            )
        )[0]
        if not row["created"]:
            raise AlreadyExists(f"There is a store {store.id}.", field="id")
        return store_from(row["store"])

    async def ensure(self, store_id: str) -> None:
        """Make a store with default settings unless it is there."""
        await self._database.run(
            "manage/create_store",
            {
                "store_id": store_id,
                "description": "",
                "settings": "{}",
                "decay": {},
                "now": self._clock.now(),
            },
        )

    async def page(self, page_size: int, page_token: str | None) -> Page[StoreOut]:
        """One page, by id."""
        rows = await self._database.run(
            "manage/stores", {"after": position(page_token, "stores"), "limit": page_size + 1}
        )
        stores = [store_from(row["store"]) for row in rows]
        return page_of(stores, page_size, "stores", lambda s: s.id)

    async def get(self, store_id: str) -> StoreOut:
        """One store. Errors: NotFound."""
        rows = await self._database.run("manage/store", {"store_id": store_id})
        if not rows:
            raise NotFound(f"There is no store {store_id}.", field="store")
        return store_from(rows[0]["store"])

    async def update(self, store_id: str, patch: StorePatch, if_match: int | None) -> StoreOut:
        """Change what the patch names, also among the settings. Errors: NotFound, PreconditionFailed.

        Without `if_match` a change that comes meanwhile is kept: the patch is applied to what then holds.
        """
        patch = (await self._secrets.clean(patch)).value
        while True:
            old = await self.get(store_id)
            settings = _merged(old.settings, patch.settings) if patch.settings else None
            rows = await self._database.run(
                "manage/update_store",
                {
                    "store_id": store_id,
                    "description": patch.description,
                    "settings": settings.model_dump_json() if settings else None,
                    "decay": _rules(settings) if settings else {},
                    "if_match": if_match if settings is None or if_match is not None else old.version,
                    "now": self._clock.now(),
                },
            )
            if not rows:
                raise NotFound(f"There is no store {store_id}.", field="store")
            if not rows[0]["stale"]:
                return store_from(rows[0]["store"])
            if if_match is not None:
                raise PreconditionFailed("The store has changed since this version; read it again.", field="If-Match")

    async def usage(self, store_id: str) -> StoreUsage:
        """What the store has asked of the language model today, and what it may. Errors: NotFound."""
        budget = (await self.get(store_id)).settings.budget
        today = self._clock.now().date()
        rows = await self._database.run("manage/model_use", {"store_id": store_id, "day": today.isoformat()})
        used = rows[0] if rows else {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0}
        return StoreUsage(
            day=today,
            llm_calls=used["calls"],
            prompt_tokens=used["prompt_tokens"],
            completion_tokens=used["completion_tokens"],
            budget=budget,
            exhausted=_exhausted(budget, used),
            resets_at=datetime.combine(today + timedelta(days=1), time(), UTC),
        )

    async def delete(self, store_id: str) -> None:
        """Erase a store and everything in it. Errors: NotFound."""
        await self.get(store_id)
        while (await self._database.run("manage/delete_store_batch", {"store_id": store_id, "limit": _BATCH}))[0][
            "deleted"
        ]:
            pass
        await self._database.run("manage/delete_store", {"store_id": store_id})


def _merged(old: StoreSettings, new: StoreSettings) -> StoreSettings:
    return old.model_copy(update={name: getattr(new, name) for name in new.model_fields_set})


def _exhausted(budget: Budget, used: dict[str, int]) -> bool:
    tokens = used["prompt_tokens"] + used["completion_tokens"]
    limits = ((budget.calls_per_day, used["calls"]), (budget.tokens_per_day, tokens))
    return any(limit is not None and spent >= limit for limit, spent in limits)


def _rules(settings: StoreSettings) -> dict[str, Any]:
    """The settings that queries read."""
    return {**_decay_rules(settings.decay), "conflicts": settings.conflicts, **settings.budget.model_dump()}


def _decay_rules(decay: Decay) -> dict[str, list[str] | list[float]]:
    """The settings that retention is computed with, in the form that Cypher reads; the more exact rule first."""
    rules = {f"predicate:{read_predicate(name).sense}": days for name, days in decay.half_life_by_predicate.items()}
    rules |= {f"category:{name}": days for name, days in decay.half_life_by_category.items()}
    rules |= {f"layer:{name}": days for name, days in decay.half_life_by_layer.items()}
    return {
        "half_life_of": list(rules),
        "half_life_days": list(rules.values()),
        "decay_exempt": list(decay.exempt_tags),
    }
