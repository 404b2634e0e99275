"""What plug-ins need of a memory: `graphmem.Memory` has it, the client of a service, and whoever stands in for one."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from ..models.episode import Episode, RememberRequest
from ..models.fact import Fact, FactQuery, RememberResult
from ..models.manage import ForgetRequest, Page, Receipt, StoreOut
from ..models.note import Entry, EntryHits, EntryPut, EntrySearch, Note, NoteQuery
from ..models.recall import RecallRequest, RecallResult
from ..models.session import ErasedMessages, Order, SavedMessages, SessionMessage, SessionMessagesIn
from ..models.truth import Profile


class NoteLists(Protocol):
    """Lists of notes."""

    async def page(
        self, store_id: str, query: NoteQuery, page_size: int = ..., page_token: str | None = ...
    ) -> Page[Note]:
        """One page of notes."""


class EntryLists(Protocol):
    """Notes that have a path."""

    async def put(self, store_id: str, entry: EntryPut) -> tuple[Entry, bool]:
        """Make an entry or change the one at its path; and whether it is new."""

    async def page(
        self, store_id: str, query: NoteQuery, page_size: int = ..., page_token: str | None = ...
    ) -> Page[Entry]:
        """One page of entries."""

    async def search(self, store_id: str, search: EntrySearch) -> EntryHits:
        """The entries that answer a query."""

    async def delete(self, store_id: str, actor_id: str, entry_id: str) -> Receipt:
        """Erase an entry with its versions."""


class Profiles(Protocol):
    """What holds about actors."""

    async def profile(self, store_id: str, actor_id: str, as_of: datetime | None) -> Profile:
        """What holds about an actor."""


class Conversations(Protocol):
    """Messages of sessions."""

    async def save_messages(self, store_id: str, session_id: str, request: SessionMessagesIn) -> SavedMessages:
        """Keep messages in their order."""

    async def messages(
        self,
        store_id: str,
        actor_id: str,
        session_id: str,
        *,
        order: Order = ...,
        page_size: int = ...,
        page_token: str | None = ...,
    ) -> Page[SessionMessage]:
        """One page of a session's messages."""

    async def erase_messages(
        self, store_id: str, actor_id: str, session_id: str, *, last: int | None = ...
    ) -> ErasedMessages:
        """Erase a session's messages, or its last ones."""


class Backend(Protocol):
    """The part of `Memory` that plug-ins use; errors are those of `graphmem.errors`."""

    @property
    def notes(self) -> NoteLists:
        """Lists of notes."""

    @property
    def entries(self) -> EntryLists:
        """Notes that have a path."""

    @property
    def timelines(self) -> Profiles:
        """Profiles."""

    @property
    def sessions(self) -> Conversations:
        """Messages of sessions."""

    async def get_store(self, store_id: str) -> StoreOut:
        """One store with its settings."""

    async def recall(self, store_id: str, request: RecallRequest) -> RecallResult:
        """The memories that answer a query."""

    async def remember(self, store_id: str, request: RememberRequest) -> RememberResult:
        """Save what was said and what follows from it."""

    async def list_episodes(self, store_id: str, actor_id: str, *, source_id: str | None = ...) -> Page[Episode]:
        """One page of an actor's episodes."""

    async def list_facts(
        self, store_id: str, query: FactQuery, page_size: int = ..., page_token: str | None = ...
    ) -> Page[Fact]:
        """One page of an actor's facts."""

    async def forget(self, store_id: str, request: ForgetRequest) -> Receipt:
        """Archive or erase."""
