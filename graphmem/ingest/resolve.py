"""Resolve: which entity each name means. The graph decides; this builds its questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import NotFound
from ..models.episode import EntityRef
from ..models.fact import EntityName
from ..models.ids import hash_key, name_key, new_id, scope_token
from ..ports import EntityMention
from ..store.driver import Transaction
from .draft import Draft
from .job import Job


def actor_identity(owner: str) -> str:
    """Identity key of the owner's own entity."""
    return hash_key(owner, "actor")


def mention_ref(mention: EntityMention | EntityRef, actor_names: frozenset[str]) -> str:
    """Mentions with one ref are one entity: `actor`, an id, or a folded name."""
    if isinstance(mention, EntityRef):
        return f"id:{mention.id}"
    key = name_key(mention.name)
    if key in actor_names:
        return "actor"
    return f"name:{key}"


async def resolve(
    transaction: Transaction,
    job: Job,
    drafts: Sequence[Draft],
    actor_names: frozenset[str],
    parameters: dict[str, Any],
) -> tuple[dict[str, EntityName], list[EntityName]]:
    """Entities by ref, and those that the text names. Errors: NotFound for an id that is not in this scope."""
    questions: dict[str, dict[str, Any]] = {}
    places: dict[str, str] = {}
    for index, draft in enumerate(drafts):
        for field, mention in (("subject", draft.subject), ("object", draft.object)):
            if field == "object" and draft.literal is not None:
                continue
            ref = mention_ref(mention, actor_names)
            questions.setdefault(ref, _question(ref, mention, job.owner_key))
            places.setdefault(ref, f"facts.{index}.{field}")
    if not questions:
        return {}, []
    rows = await transaction.run(
        "ingest/resolve_entities", {**parameters, "mentions": list(questions.values())}
    )
    found: dict[str, EntityName] = {}
    for row in rows:
        if row["id"] is None:
            raise NotFound("No entity has this id.", field=places[row["ref"]])
        found[row["ref"]] = EntityName(id=row["id"], name=row["name"])
    return found, list({e.id: e for e in found.values()}.values())


def _question(ref: str, mention: EntityMention | EntityRef, owner: str) -> dict[str, Any]:
    if isinstance(mention, EntityRef):
        return {"ref": ref, "is_actor": False, "entity_id": mention.id}
    key = name_key(mention.name)
    return {
        "ref": ref,
        "is_actor": ref == "actor",
        "entity_id": None,
        "name": mention.name,
        "name_key": key,
        "type": mention.type,
        "identity_key": hash_key(owner, "entity", key),
        "new_id": new_id(),
        "tokens": scope_token("o", owner),
    }
