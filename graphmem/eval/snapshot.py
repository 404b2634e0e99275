"""What remembering left in the graph, as batches of rows that a bare load can write again."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.store.driver import Database, Row

NODES = ("Episode", "Entity", "Fact", "Note", "Predicate")
EDGES = ("SUBJECT", "OBJECT", "DERIVED_FROM", "ABOUT", "NEXT")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Nodes and relationships of one store."""

    store_id: str
    nodes: tuple[Row, ...]
    edges: tuple[Row, ...]

    def counts(self) -> Counter[str]:
        """How many there are of each label and type."""
        return Counter([n["label"] for n in self.nodes] + [e["type"] for e in self.edges])

    def loads(self, store_id: str, size: int) -> list[Row]:
        """Parameters of one load for every `size` episodes, all belonging to `store_id`.

        Each node and relationship is in the load of the first episode that needs it.
        """
        batch = self._batches(size)
        found: dict[int, dict[str, list[Row]]] = defaultdict(lambda: {name: [] for name in NODES + EDGES})
        for node in self.nodes:
            row = {key: self._moved(value, store_id) for key, value in node["properties"].items()}
            found[batch.get(row.get("id"), 0)][node["label"]].append(row)
        for edge in self.edges:
            row = {key: edge[key] for key in ("from", "to", "properties")}
            found[max(batch.get(edge["from"], 0), batch.get(edge["to"], 0))][edge["type"]].append(row)
        return [found[number] for number in sorted(found)]

    def _batches(self, size: int) -> dict[Any, int]:
        """Node id to the number of its load."""
        episodes = sorted(n["properties"]["id"] for n in self.nodes if n["label"] == "Episode")
        batch = {id_: index // size for index, id_ in enumerate(episodes)}
        for edge in sorted(self.edges, key=lambda e: str(e["from"])):
            if edge["type"] == "ABOUT":
                batch.setdefault(edge["to"], batch[edge["from"]])
            elif edge["type"] == "DERIVED_FROM":
                batch.setdefault(edge["from"], batch[edge["to"]])
        return batch

    def _moved(self, value: Any, store_id: str) -> Any:
        return value.replace(self.store_id, store_id) if isinstance(value, str) else value


async def snapshot(database: Database, store_id: str) -> Snapshot:
    """Everything that remembering left in a store."""
    nodes = await database.run("eval/snapshot_nodes", {"store_id": store_id})
    edges = await database.run("eval/snapshot_edges", {"store_id": store_id})
    return Snapshot(store_id, tuple(nodes), tuple(edges))
