"""mem0 with its embedded Qdrant, as it is without a model service: texts stored as they are (`infer=False`)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graphmem.config import quiet_mem0
from graphmem.errors import ConfigurationError

from .dataset import Document, Query
from .given import GivenVectors

_TOP = 10


@dataclass(slots=True)
class _Mem0:
    """mem0 in this process."""

    memory: Any
    name: str

    async def add(self, documents: Sequence[Document]) -> None:
        """Add each text for its actor."""
        for document in documents:
            await asyncio.to_thread(self._add, document)

    def _add(self, document: Document) -> None:
        message = {"role": "user", "content": document.spoken}
        self.memory.add([message], user_id=document.actor, infer=False, metadata={"document": document.id})

    async def search(self, query: Query) -> list[str]:
        """Search the actor's memories with the default threshold."""
        found = self.memory.search(query.text, filters={"user_id": query.actor}, top_k=_TOP)
        return [str(hit["metadata"]["document"]) for hit in found["results"]]


@asynccontextmanager
async def open_mem0(given: GivenVectors, folder: Path) -> AsyncIterator[_Mem0]:
    """mem0 with the vectors that are given and its data in the folder. Errors: ConfigurationError (not installed)."""
    memory = _open(given, folder)
    try:
        yield _Mem0(memory, f"mem0 {version('mem0ai')}")
    finally:
        memory.vector_store.client.close()
        memory.close()


def _open(given: GivenVectors, folder: Path) -> Any:
    try:
        with quiet_mem0(folder), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from mem0 import Memory
            from mem0.embeddings.base import EmbeddingBase
            from mem0.utils import spacy_models
    except ImportError as error:
        raise ConfigurationError("mem0 is not installed: pip install 'graphmem[bench]'.") from error
    # words are an extra of mem0's that would fetch a model into this environment now
    spacy_models._load_failed_full = spacy_models._load_failed_lemma = True
    width = given.identity.dimension
    config = {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": str(folder / "qdrant"), "collection_name": "bench", "embedding_model_dims": width},
        },
        # both are made and never asked
        "llm": {"provider": "openai", "config": {"api_key": "unused"}},
        "embedder": {"provider": "openai", "config": {"api_key": "unused", "embedding_dims": width}},
        "history_db_path": str(folder / "history.db"),
    }

    class Given(EmbeddingBase):  # type: ignore[misc]  # the package has no types
        """The vectors that every system is given."""

        def embed(self, text: str, memory_action: str | None = None) -> list[float]:
            """The vector of a text to store or of a query."""
            vector: list[float] = given.known(text, query=memory_action == "search").tolist()
            return vector

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        memory = Memory.from_config(config)
    memory.embedding_model = Given(None)
    return memory
