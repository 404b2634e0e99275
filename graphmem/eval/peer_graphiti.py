"""graphiti-core on a Neo4j of its own: texts stored as edges without a model, found by its hybrid search."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem.errors import ConfigurationError
from graphmem.providers.graphiti_package import load_graphiti
from graphmem.store.local import LocalServer

from .dataset import Document, Query
from .given import GivenVectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.config import Settings

_TOP, _BATCH = 10, 200


@dataclass(slots=True)
class _Graphiti:
    """graphiti-core in this process, its graph in another server."""

    graphiti: Any
    embedder: Any
    name: str
    groups: dict[str, str] = field(default_factory=dict)
    """Actor to the id of its part of the graph."""
    documents: dict[str, str] = field(default_factory=dict)
    """Edge to document."""

    async def add(self, documents: Sequence[Document]) -> None:
        """One edge a text, between two nodes of its actor."""
        from graphiti_core.edges import EntityEdge
        from graphiti_core.nodes import EntityNode
        from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

        width = self.embedder.width
        ends = {}
        for actor in dict.fromkeys(d.actor for d in documents):
            group = self.groups.setdefault(actor, f"group-{len(self.groups)}")
            # nodes are not searched; a vector is asked for all the same
            ends[actor] = [
                EntityNode(name=name, group_id=group, name_embedding=[1.0] + [0.0] * (width - 1))
                for name in ("said", "heard")
            ]
        edges = []
        for d in documents:
            first, second = ends[d.actor]
            edge = EntityEdge(
                group_id=self.groups[d.actor], source_node_uuid=first.uuid, target_node_uuid=second.uuid, name="SAID",
                fact=d.spoken, fact_embedding=await self.embedder.create(d.spoken), created_at=datetime.now(UTC),
                valid_at=d.occurred_at,
            )  # fmt: skip
            self.documents[edge.uuid] = d.id
            edges.append(edge)
        nodes = [node for pair in ends.values() for node in pair]
        await add_nodes_and_edges_bulk(self.graphiti.driver, [], [], nodes, [], self.embedder)
        for start in range(0, len(edges), _BATCH):
            batch = edges[start : start + _BATCH]
            await add_nodes_and_edges_bulk(self.graphiti.driver, [], [], [], batch, self.embedder)
        self.embedder.queries = True

    async def search(self, query: Query) -> list[str]:
        """Full-text and vector search of the actor's part of the graph, their ranks fused: its `search`."""
        found = await self.graphiti.search(query.text, group_ids=[self.groups[query.actor]], num_results=_TOP)
        return [self.documents[edge.uuid] for edge in found]


@asynccontextmanager
async def open_graphiti(
    given: GivenVectors, settings: Settings, folder: Path, progress: Callable[[str, float | None], None]
) -> AsyncIterator[_Graphiti]:
    """graphiti-core with the vectors that are given, in a Neo4j with its data in the folder.

    Errors: ConfigurationError (not installed), LocalServerError.
    """
    load_graphiti()
    server = LocalServer(settings.model_copy(update={"data_dir": folder / "graphiti", "neo4j_uri": None}))
    info = await server.ensure_started(progress)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graphiti, embedder = _open(given, info.bolt_uri, info.username, info.password)
            await graphiti.build_indices_and_constraints()
        try:
            yield _Graphiti(graphiti, embedder, f"graphiti-core {version('graphiti-core')}")
        finally:
            await graphiti.close()
    finally:
        await server.stop()


def _open(given: GivenVectors, uri: str, user: str, password: str) -> tuple[Any, Any]:
    try:
        from graphiti_core import Graphiti
        from graphiti_core.cross_encoder.client import CrossEncoderClient
        from graphiti_core.embedder.client import EmbedderClient
        from graphiti_core.llm_client.client import LLMClient
        from graphiti_core.llm_client.config import LLMConfig
    except ImportError as error:
        raise ConfigurationError("graphiti-core is not complete: pip install 'graphmem[bench]'.") from error

    class Given(EmbedderClient):
        """The vectors that every system is given."""

        width = given.identity.dimension
        queries = False
        """Whether what is asked now are queries."""

        async def create(self, input_data: Any) -> list[float]:
            """The vector of one text."""
            text = input_data if isinstance(input_data, str) else next(iter(input_data))
            vector: list[float] = given.known(text, query=self.queries).tolist()
            return vector

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            """The vectors of several texts."""
            return [await self.create(text) for text in input_data_list]

    class NoModel(LLMClient):
        """Nothing is asked of a model here."""

        async def _generate_response(self, *given: Any, **named: Any) -> dict[str, Any]:
            raise NotImplementedError

    class NoRanker(CrossEncoderClient):
        """Nor of a reranker."""

        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            """Not offered."""
            raise NotImplementedError

    embedder = Given()
    graphiti = Graphiti(
        uri,
        user,
        password,
        llm_client=NoModel(LLMConfig(api_key="unused")),
        embedder=embedder,
        cross_encoder=NoRanker(),
    )
    return graphiti, embedder
