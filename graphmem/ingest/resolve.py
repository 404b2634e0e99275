"""Resolve: which entity each name means. The graph decides; this builds its questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import NotFound
from ..models.episode import EntityRef
from ..models.fact import EntityName
from ..models.ids import hash_key, name_key, new_id, scope_token
from ..models.names import WrittenName, padded_words, read_name
from ..ports import EntityMention
from ..store.driver import Transaction
from .draft import Draft
from .job import Job

_MOST_WORDS = 20_000
"""Characters of one episode in which words of a context are looked for."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entity a mention means, and the one it names where that is merged into the other."""

    entity: EntityName
    said: str


def mention_ref(mention: EntityMention | EntityRef, draft: Draft, actor_names: frozenset[str]) -> str:
    """Mentions with one ref are one entity: `actor`, an id, or a name with its context, type and episode."""
    if isinstance(mention, EntityRef):
        return f"id:{mention.id}"
    written = read_name(mention.name, mention.context)
    if name_key(mention.name) in actor_names or (written.key in actor_names and written.qualifier is None):
        return "actor"
    kind = mention.type if mention.firm else ""
    return f"name:{written.key}\n{written.qualifier_key or ''}\n{kind}\n{_place(draft)}"


def _place(draft: Draft) -> str:
    """Where the words stand that tell bearers of one name apart."""
    return draft.episodes[0].id if len(draft.episodes) == 1 else "all"


async def resolve(
    transaction: Transaction,
    job: Job,
    drafts: Sequence[Draft],
    actor_names: frozenset[str],
    parameters: dict[str, Any],
) -> tuple[dict[str, Resolved], list[EntityName]]:
    """Entities by ref, and those that the text names. Errors: NotFound for an id that is not in this scope."""
    questions: dict[str, dict[str, Any]] = {}
    places: dict[str, str] = {}
    for index, draft in enumerate(drafts):
        for field, mention in (("subject", draft.subject), ("object", draft.object)):
            if field == "object" and draft.literal is not None:
                continue
            ref = mention_ref(mention, draft, actor_names)
            questions.setdefault(ref, _question(ref, mention, draft, job.owner_key))
            places.setdefault(ref, f"facts.{index}.{field}")
    if not questions:
        return {}, []
    rows = await transaction.run(
        "ingest/resolve_entities", {**parameters, "mentions": list(questions.values()), "words": _words(job)}
    )
    found: dict[str, Resolved] = {}
    for row in rows:
        if row["id"] is None:
            raise NotFound("No entity has this id.", field=places[row["ref"]])
        found[row["ref"]] = Resolved(EntityName(id=row["id"], name=row["name"]), row["said"])
    return found, list({r.entity.id: r.entity for r in found.values()}.values())


def _words(job: Job) -> dict[str, str]:
    by_episode = {e.id: padded_words(e.content[:_MOST_WORDS]) for e in job.episodes}
    return {**by_episode, "all": " ".join(by_episode.values())[:_MOST_WORDS]}


def _question(ref: str, mention: EntityMention | EntityRef, draft: Draft, owner: str) -> dict[str, Any]:
    if isinstance(mention, EntityRef):
        return {"ref": ref, "is_actor": False, "entity_id": mention.id}
    written = read_name(mention.name, mention.context)
    kind = mention.type or ("person" if written.honorific else None)
    return {
        "ref": ref,
        "is_actor": ref == "actor",
        "entity_id": None,
        "episode": _place(draft),
        **naming(written, owner),
        "type": kind,
        "firm": mention.firm,
        "typed_identity": hash_key(owner, "entity", written.key, "type", kind),
        "new_id": new_id(),
        "tokens": scope_token("o", owner),
    }


def naming(written: WrittenName, owner: str) -> dict[str, Any]:
    """What a written name gives an entity: its key, its context and the identity that both make."""
    context = written.qualifier_key
    own = ("entity", written.key) if context is None else ("entity", written.key, "context", context)
    return {
        "name": written.name if written.qualifier else written.base,
        "base": written.base,
        "name_key": written.key,
        "qualifier": written.qualifier,
        "qualifier_key": context,
        "qualifier_words": written.qualifier_words,
        "identity_key": hash_key(owner, *own),
    }
