"""Every call of the HTTP contract; a test compares them with the OpenAPI document."""

from __future__ import annotations

from graphmem.models.bulk import BulkResult, EpisodeCounts
from graphmem.models.episode import Episode
from graphmem.models.fact import Entity, EntityGraph, Fact, HistoryEntry, RememberResult, SplitResult
from graphmem.models.imports import ImportResult
from graphmem.models.maintenance import MaintenanceResult
from graphmem.models.manage import Alive, Health, Page, Receipt, StoreOut, StoreUsage
from graphmem.models.note import Entry, EntryHits, Note, NoteHistoryEntry, NoteLinks
from graphmem.models.recall import RecallRecord, RecallResult
from graphmem.models.session import ErasedMessages, OpenItem, SavedMessages, Session, SessionMessage
from graphmem.models.truth import Contradiction, PredicateOut, Profile, Timeline

from .wire import Nothing, Route

_STORE = "/v1/stores/{store}"

ALIVE = Route("GET", "/healthz", Alive, "read")
READY = Route("GET", "/readyz", Health, "read", also=(503,))

CREATE_STORE = Route("POST", "/v1/stores", StoreOut, "never")
LIST_STORES = Route("GET", "/v1/stores", Page[StoreOut], "read")
GET_STORE = Route("GET", _STORE, StoreOut, "read")
UPDATE_STORE = Route("PATCH", _STORE, StoreOut, "never")
DELETE_STORE = Route("DELETE", _STORE, Nothing, "never")
STORE_USAGE = Route("GET", f"{_STORE}/usage", StoreUsage, "read")

REMEMBER = Route("POST", f"{_STORE}/episodes", RememberResult, "keyed")
REMEMBER_MANY = Route("POST", f"{_STORE}/episodes:bulk", BulkResult, "keyed")
COUNT_EPISODES = Route("GET", f"{_STORE}/episodes:counts", EpisodeCounts, "read")
LIST_EPISODES = Route("GET", f"{_STORE}/episodes", Page[Episode], "read")
GET_EPISODE = Route("GET", f"{_STORE}/episodes/{{id}}", Episode, "read")
DELETE_EPISODE = Route("DELETE", f"{_STORE}/episodes/{{id}}", Receipt, "never")
RETRY_EPISODE = Route("POST", f"{_STORE}/episodes/{{id}}:retry", RememberResult, "never")
IMPORT_FILES = Route("POST", f"{_STORE}/import", ImportResult, "keyed")

# asked twice, a recall leaves a second audit and counts as one more use: harmless beside no answer
RECALL = Route("POST", f"{_STORE}/recall", RecallResult, "read")
LIST_RECALLS = Route("GET", f"{_STORE}/recalls", Page[RecallRecord], "read")
GET_RECALL = Route("GET", f"{_STORE}/recalls/{{id}}", RecallRecord, "read")

LIST_FACTS = Route("GET", f"{_STORE}/facts", Page[Fact], "read")
GET_FACT = Route("GET", f"{_STORE}/facts/{{id}}", Fact, "read")
UPDATE_FACT = Route("PATCH", f"{_STORE}/facts/{{id}}", Fact, "never")
DELETE_FACT = Route("DELETE", f"{_STORE}/facts/{{id}}", Receipt, "never")
FACT_HISTORY = Route("GET", f"{_STORE}/facts/{{id}}/history", Page[HistoryEntry], "read")
CONFIRM_FACT = Route("POST", f"{_STORE}/facts/{{id}}:confirm", Fact, "keyed")
REJECT_FACT = Route("POST", f"{_STORE}/facts/{{id}}:reject", Fact, "keyed")
APPROVE_FACT = Route("POST", f"{_STORE}/facts/{{id}}:approve", Fact, "keyed")
RESTORE_FACT = Route("POST", f"{_STORE}/facts/{{id}}:restore", Fact, "keyed")
PIN_FACT = Route("POST", f"{_STORE}/facts/{{id}}:pin", Fact, "keyed")

LIST_DISPUTES = Route("GET", f"{_STORE}/contradictions", Page[Contradiction], "read")
GET_DISPUTE = Route("GET", f"{_STORE}/contradictions/{{id}}", Contradiction, "read")
RESOLVE_DISPUTE = Route("POST", f"{_STORE}/contradictions/{{id}}:resolve", Contradiction, "keyed")

LIST_PREDICATES = Route("GET", f"{_STORE}/predicates", Page[PredicateOut], "read")
GET_PREDICATE = Route("GET", f"{_STORE}/predicates/{{name}}", PredicateOut, "read")
UPDATE_PREDICATE = Route("PATCH", f"{_STORE}/predicates/{{name}}", PredicateOut, "never")

LIST_ENTITIES = Route("GET", f"{_STORE}/entities", Page[Entity], "read")
GET_ENTITY = Route("GET", f"{_STORE}/entities/{{id}}", Entity, "read")
ENTITY_GRAPH = Route("GET", f"{_STORE}/entities/{{id}}/graph", EntityGraph, "read")
MERGE_ENTITIES = Route("POST", f"{_STORE}/entities:merge", Entity, "never")
SPLIT_ENTITY = Route("POST", f"{_STORE}/entities/{{id}}:split", SplitResult, "never")
TIMELINE = Route("GET", f"{_STORE}/entities/{{id}}/timeline", Timeline, "read")
PROFILE = Route("GET", f"{_STORE}/profile", Profile, "read")

CREATE_NOTE = Route("POST", f"{_STORE}/notes", Note, "keyed")
LIST_NOTES = Route("GET", f"{_STORE}/notes", Page[Note], "read")
GET_NOTE = Route("GET", f"{_STORE}/notes/{{id}}", Note, "read")
UPDATE_NOTE = Route("PATCH", f"{_STORE}/notes/{{id}}", Note, "never")
DELETE_NOTE = Route("DELETE", f"{_STORE}/notes/{{id}}", Receipt, "never")
NOTE_LINKS = Route("GET", f"{_STORE}/notes/{{id}}/links", NoteLinks, "read")
NOTE_HISTORY = Route("GET", f"{_STORE}/notes/{{id}}/history", Page[NoteHistoryEntry], "read")

CREATE_ENTRY = Route("POST", f"{_STORE}/entries", Entry, "keyed")
PUT_ENTRY = Route("PUT", f"{_STORE}/entries", Entry, "never")
LIST_ENTRIES = Route("GET", f"{_STORE}/entries", Page[Entry], "read")
SEARCH_ENTRIES = Route("POST", f"{_STORE}/entries:search", EntryHits, "read")
GET_ENTRY = Route("GET", f"{_STORE}/entries/{{id}}", Entry, "read")
UPDATE_ENTRY = Route("PATCH", f"{_STORE}/entries/{{id}}", Entry, "never")
DELETE_ENTRY = Route("DELETE", f"{_STORE}/entries/{{id}}", Receipt, "never")

LIST_SESSIONS = Route("GET", f"{_STORE}/sessions", Page[Session], "read")
CLOSE_SESSION = Route("POST", f"{_STORE}/sessions/{{id}}:close", Session, "never")
SAVE_MESSAGES = Route("POST", f"{_STORE}/sessions/{{id}}/messages", SavedMessages, "known")
LIST_MESSAGES = Route("GET", f"{_STORE}/sessions/{{id}}/messages", Page[SessionMessage], "read")
ERASE_MESSAGES = Route("DELETE", f"{_STORE}/sessions/{{id}}/messages", ErasedMessages, "never")
LIST_OPEN_ITEMS = Route("GET", f"{_STORE}/open-items", Page[OpenItem], "read")

FORGET = Route("POST", f"{_STORE}/forget", Receipt, "never")
DECAY = Route("POST", f"{_STORE}/maintenance:decay", MaintenanceResult, "never")
PURGE = Route("POST", f"{_STORE}/maintenance:purge", MaintenanceResult, "never")
CONSOLIDATE = Route("POST", f"{_STORE}/maintenance:consolidate", MaintenanceResult, "never")
