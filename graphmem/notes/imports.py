"""Files taken in: each is written as the note of its path, and its text is remembered as a document."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Conflict, DatabaseError, GraphMemError, InvalidInput, TooLarge
from ..ingest.accept import Accepted, source_key
from ..ingest.mcp_memory import McpMemory, Remember
from ..ingest.pipeline import Ingest
from ..ingest.read_markdown import plain, written
from ..ingest.reading import Reading
from ..models.base import MAX_ID, MAX_TEXT
from ..models.episode import Extraction, RememberRequest, Source
from ..models.fact import EpisodeRef, RememberResult, Usage
from ..models.ids import hash_key, new_id, owner_key
from ..models.imports import ImportedFile, ImportFile, ImportRequest, ImportResult
from ..models.note import FileDone, place_of
from ..models.redaction import Redacted
from ..models.scope import Scope
from ..safety.redact import Secrets
from .clean import clean_content
from .content import Content
from .folder import note_files
from .markdown import read_note
from .service import Notes
from .write import Outcome, Wish

log = logging.getLogger(__name__)

DOCUMENT = "document"
"""Type of the source that a file's text comes from."""
_NO_FACTS = "note and text are saved, but no facts were found yet: import it again, or process the episode (`:retry`)"


@dataclass(frozen=True, slots=True)
class Taking:
    """How files are taken in."""

    store_id: str
    scope: Scope
    extraction: Extraction = "auto"
    notes_only: bool = False
    auto_link: bool = True
    wait: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """One file, read and without its secrets."""

    path: str
    content: Content
    text: str
    reading: Reading
    redacted: tuple[Redacted, ...]

    @property
    def source_id(self) -> str:
        """Its path as the id of a source; of a very long one the beginning, and a hash for the rest."""
        place = place_of(self.content.path or "")[1:]
        return place if len(place) <= MAX_ID else f"{place[:200].rstrip()}…{hash_key(place)}"

    def request(self, taking: Taking) -> RememberRequest:
        """The call that remembers its text."""
        return RememberRequest(
            scope=taking.scope,
            text=self.text,
            occurred_at=self.reading.date,
            source=Source(type=DOCUMENT, id=self.source_id),
            extraction=taking.extraction,
            wait=taking.wait,
        )


@dataclass(frozen=True, slots=True)
class _Done:
    file: ImportedFile
    cost: Counter[str] = field(default_factory=Counter)


class Imports:
    """Taking in files, one after the other: what is wrong with one does not stop the others."""

    def __init__(self, notes: Notes, ingest: Ingest, wake: Callable[[], None], remember: Remember) -> None:
        self._notes = notes
        self._ingest = ingest
        self._wake = wake
        self._graphs = McpMemory(remember)

    async def files(self, store_id: str, request: ImportRequest, *, idempotency_key: str | None = None) -> ImportResult:
        """Take in the files of a call. Errors: NotFound (store), InvalidInput (no model), Conflict (key)."""
        await self._notes.check_store(store_id)
        self._ingest.check_extraction(request.extraction)
        fields = ("scope", "extraction", "notes_only", "auto_link", "wait")
        taking = Taking(store_id, **{name: getattr(request, name) for name in fields})
        claim = Claim(self._ingest, owner_key(store_id, request.scope.actor_id), idempotency_key)
        finished = await claim.finished(store_id, hash_key(request.model_dump_json()))
        done: list[ImportedFile] = []
        cost: Counter[str] = Counter()
        seen: set[str] = set()
        for index, file in enumerate(request.files):
            if request.format == "mcp-memory":
                done.append(
                    await self._graphs.take(store_id, request.scope, file.path, file.content, wait=request.wait)
                )
                continue
            one = await self._once(taking, file, f"files.{index}.content", seen, finished=finished)
            done.append(one.file)
            cost.update(one.cost)
        await claim.finish()
        if not request.wait:
            self._wake()
        return ImportResult(files=tuple(done), counts=counts_of(done), usage=_usage(cost))

    async def graph(self, store_id: str, scope: Scope, path: str, text: str, *, wait: bool = True) -> ImportedFile:
        """Take in a file of the reference MCP memory server; the same lines again change nothing.

        Lines that cannot be taken are in the answer with their numbers. Errors: NotFound (store), DatabaseError.
        """
        await self._notes.check_store(store_id)
        return await self._graphs.take(store_id, scope, path, text, wait=wait)

    async def _once(self, taking: Taking, file: ImportFile, field: str, seen: set[str], *, finished: bool) -> _Done:
        place = place_of(file.path)
        if place in seen:
            return _Done(ImportedFile(path=file.path, outcome="failed", reason="is given twice in this call"))
        seen.add(place)
        data = file.content.encode("utf-8", "surrogatepass")
        return await self._one(taking, file.path, data, field, finished=finished)

    async def folder(
        self,
        store_id: str,
        scope: Scope,
        folder: Path,
        *,
        extraction: Extraction = "auto",
        notes_only: bool = False,
        auto_link: bool = True,
    ) -> AsyncIterator[ImportedFile]:
        """Take in each Markdown file of a folder; one that has not changed since changes nothing.

        Errors: NotFound (store), InvalidInput (no such folder, no model).
        """
        taking = Taking(store_id, scope, extraction, notes_only=notes_only, auto_link=auto_link)
        await self._notes.check_store(store_id)
        self._ingest.check_extraction(extraction)
        if not await asyncio.to_thread(folder.is_dir):
            raise InvalidInput("There is no such folder.", field="folder")
        for path in await asyncio.to_thread(lambda: list(note_files(folder))):
            place = path.relative_to(folder).as_posix()
            try:
                data = await asyncio.to_thread(path.read_bytes)
            except OSError as error:
                yield ImportedFile(path=place, outcome="failed", reason=error.strerror or type(error).__name__)
                continue
            yield (await self._one(taking, place, data, "content")).file

    async def _one(self, taking: Taking, path: str, data: bytes, field: str, *, finished: bool = False) -> _Done:
        try:
            document = await asyncio.to_thread(read_document, self._notes.secrets, data, path, field)
            return await (self._look(taking, document) if finished else self._take(taking, document))
        except DatabaseError:
            raise
        except GraphMemError as error:
            reason = error.message
        except Exception as error:
            reason = f"cannot be taken in ({type(error).__name__})"
            log.warning("a file could not be taken in: %s", type(error).__name__)
            log.debug("a file", exc_info=True)
        return _Done(ImportedFile(path=path, outcome="failed", reason=reason))

    async def _take(self, taking: Taking, document: Document) -> _Done:
        if taking.notes_only:
            note_id, outcome = await self._note(taking, document, ())
            return _Done(_imported(document, note_id, outcome))
        accepted = await self._ingest.save(taking.store_id, document.request(taking), reading=document.reading)
        note_id, outcome = await self._note(taking, document, (accepted.episodes[0].id,))
        if outcome == "same" and accepted.job is not None:
            outcome = "changed"  # its text was not remembered before
        episode = accepted.episodes[0]
        if not taking.wait or (accepted.job is None and episode.status != "failed"):
            return _Done(_imported(document, note_id, outcome, episode))
        result = await self._finished(taking, accepted)
        outcome = "changed" if outcome == "same" else outcome
        file = _imported(document, note_id, outcome, result.episodes[0])
        facts = sum(decision.event != "DELETE" for decision in result.facts)
        return _Done(file.model_copy(update={"facts": facts}), Counter(_cost(result.usage)))

    async def _finished(self, taking: Taking, accepted: Accepted) -> RememberResult:
        """The text read, also one that could not be read in an earlier call."""
        if accepted.job is not None:
            return await self._ingest.finish(accepted)
        return await self._ingest.retry(taking.store_id, taking.scope.actor_id, accepted.episodes[0].id)

    async def _note(self, taking: Taking, document: Document, episodes: tuple[str, ...]) -> tuple[str, Outcome]:
        wish = Wish(episode_ids=episodes, auto_link=taking.auto_link)
        content = document.content
        return await self._notes.writer.put(taking.store_id, taking.scope, content, lambda _: content, wish)

    async def _look(self, taking: Taking, document: Document) -> _Done:
        """What is there of a file of a call that was done before; nothing is written."""
        owner = owner_key(taking.store_id, taking.scope.actor_id)
        note_id = await self._notes.reader.at(owner, taking.scope.session_id, document.content.path or "")
        key = source_key(owner, taking.scope, DOCUMENT, document.source_id)
        known = None if taking.notes_only or key is None else await self._ingest.source_state(owner, key)
        return _Done(_imported(document, note_id, "same", known))


class Claim:
    """An idempotency key of a call that is many writes: once all are done, a repeat writes nothing."""

    def __init__(self, ingest: Ingest, owner: str, key: str | None) -> None:
        self._database, self._clock = ingest.database, ingest.clock
        self._owner = owner
        self._key = None if key is None else hash_key(owner, "import", key)

    async def finished(self, store_id: str, request_hash: str) -> bool:
        """Whether the same call was done before. Errors: Conflict (the key stands for another request)."""
        if self._key is None:
            return False
        where = {"store_id": store_id, "owner_key": self._owner, "key": self._key, "now": self._clock.now()}
        asked = {"request_hash": request_hash, "episode_ids": [new_id()]}
        row = (await self._database.run("ingest/claim_idempotency_key", where | asked))[0]
        if row["request_hash"] != request_hash:
            raise Conflict("This Idempotency-Key was used for another request.", field="Idempotency-Key")
        return bool(row["finished"])

    async def finish(self) -> None:
        """All of the call is done."""
        if self._key is not None:
            where = {"owner_key": self._owner, "key": self._key, "now": self._clock.now()}
            await self._database.run("ingest/finish_call", where)


def read_document(secrets: Secrets, data: bytes, path: str, field: str) -> Document:
    """A file's note, and its text as a reader sees it. Errors: InvalidInput, TooLarge."""
    content, redacted = clean_content(secrets, read_note(data, path), field)
    clean = str(dict(content.file)["head"]) + content.body
    shown, date = plain(clean), written(clean)
    aliases = (*content.aliases, *([content.stem] if content.title and content.aliases else []))
    reading = Reading(
        title=content.shown_title if content.aliases else None,
        aliases=aliases,
        links=shown.links,
        date=date.at if date else None,
        precision=date.precision if date else "instant",
    )
    text = shown.text if any(c.isprintable() and not c.isspace() for c in shown.text) else content.shown_title
    if len(text) > MAX_TEXT:
        raise TooLarge(f"is longer than {MAX_TEXT} characters as it is read; divide it", field=field)
    return Document(path, content, text, reading, redacted)


def _imported(
    document: Document, note_id: str | None, outcome: Outcome, episode: EpisodeRef | None = None
) -> ImportedFile:
    failed = episode is not None and episode.status == "failed"
    return ImportedFile(
        path=document.path,
        outcome="failed" if failed else outcome,
        reason=_NO_FACTS if failed else None,
        note_id=note_id,
        episode=episode,
        redacted=document.redacted,
    )


def counts_of(done: Sequence[FileDone]) -> dict[str, int]:
    """How many files have each outcome."""
    counts = Counter(made=0, changed=0, same=0, failed=0)
    counts.update(file.outcome for file in done)
    return dict(counts)


def _cost(usage: Usage) -> dict[str, int]:
    return {usage.extractor: 1} | usage.model_dump(exclude={"extractor"})


def _usage(cost: Counter[str]) -> Usage:
    """The cost of all files; the extractor is the one that read, or where several did, all of them."""
    numbers = {name: cost.pop(name, 0) for name in ("llm_calls", "prompt_tokens", "completion_tokens")}
    return Usage(extractor="+".join(sorted(cost)) or "none", **numbers)
