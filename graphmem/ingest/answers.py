"""Answers: what a repeat of a call with its idempotency key is told.

An answer is kept as ids and reasons on the call's first new episode, and goes with it. Facts and entities are read
anew: they are shown as they are now, and those that were erased since are left out.
"""

from __future__ import annotations

import json

from ..models.fact import Decision, EntityName, RememberResult
from ..store.driver import Database
from ..store.records import fact_from
from .job import Job


async def keep(database: Database, job: Job, result: RememberResult) -> None:
    """Keep the answer of a call."""
    given = {"owner_key": job.owner_key, "episode_id": job.episodes[0].id, "answer": outline(result)}
    await database.run("ingest/keep_answer", given)


def outline(result: RememberResult) -> str:
    """What is kept of an answer."""
    kept = result.model_dump(mode="json", exclude_defaults=True, exclude={"entities", "facts"})
    kept["entities"] = [entity.id for entity in result.entities]
    kept["facts"] = [
        {**decision.model_dump(mode="json", exclude={"fact"}), "fact": decision.fact.id} for decision in result.facts
    ]
    return json.dumps(kept, ensure_ascii=False)


async def restored(database: Database, owner: str, answer: str, episode_ids: frozenset[str]) -> RememberResult:
    """The answer as it was given; `episode_ids` are those of its episodes that are still there."""
    kept = json.loads(answer)
    facts, entities = kept.pop("facts"), kept.pop("entities")
    given = {"owner_key": owner, "fact_ids": sorted({f["fact"] for f in facts}), "entity_ids": sorted(set(entities))}
    (found,) = await database.run("ingest/answered", given)
    known = {row["fact"]["id"]: fact_from(row["fact"], row["subject"], row["object"]) for row in found["facts"]}
    names = {row["id"]: EntityName(**row) for row in found["entities"]}
    result = RememberResult.model_validate(kept)
    return result.model_copy(
        update={
            "episodes": tuple(episode for episode in result.episodes if episode.id in episode_ids),
            "facts": tuple(Decision(**{**f, "fact": known[f["fact"]]}) for f in facts if f["fact"] in known),
            "entities": tuple(names[id_] for id_ in entities if id_ in names),
        }
    )
