"""How good are answers made of what is recalled? Recall, answer and grade, with the configured model.

Every question is recalled as an agent would, with the default gate; the model answers from the context alone; a model
grades the answer against the right one. `token_f1` compares the words without a model. A question that the documents
do not answer is right when the answer says so, which needs no grading.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from graphmem import __version__
from graphmem.memory import Memory
from graphmem.models.base import Model
from graphmem.models.recall import ALL_KINDS, Kind, Mode, RecallRequest
from graphmem.models.scope import ReadScope
from graphmem.ports import Chat
from graphmem.prompts import answer, grade

from .asking import Asker, Cost
from .dataset import Dataset, Query
from .loading import at_once, load
from .measures import Bootstrap, Figure
from .overlap import token_f1
from .progress import Progress, silent
from .stores import temporary_store


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked, and how."""

    mode: Mode = "hybrid"
    kinds: tuple[Kind, ...] = ALL_KINDS
    depth: int = 10
    """Memories that are recalled."""
    max_tokens: int = 1000
    concurrency: int = 4
    seed: int = 1
    extract: bool = False
    """Also have facts extracted, by the configured extractor."""


class Given(Model):
    """One question, its right answer (None: there is none) and the one that was given (empty: not known)."""

    question: str
    category: str
    right: str | None
    given: str
    is_right: bool
    f1: float
    failed: bool
    """A model gave nothing that could be used."""
    context_tokens: int


class Score(Model):
    """Figures of some questions."""

    questions: int
    right: Figure
    f1: Figure
    failed: int


class Report(Model):
    """Result of one run."""

    version: str
    data: str
    documents: int
    actors: int
    skipped: int
    mode: Mode
    kinds: tuple[Kind, ...]
    depth: int
    seed: int
    facts: int
    model: str
    judge: str
    overall: Score
    categories: dict[str, Score]
    context_tokens: float
    """Mean tokens of the context that an answer was made of."""
    answer_calls: int
    judge_calls: int
    loading_calls: int
    prompt_tokens: int
    """Of answering and grading."""
    completion_tokens: int
    loading_tokens: int
    load_seconds: float
    seconds: float
    answers: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers and who grades, by name."""

    answering: Chat
    judging: Chat
    answering_name: str
    judging_name: str


@dataclass(frozen=True, slots=True)
class _Run:
    memory: Memory
    store: str
    plan: Plan
    answering: Asker
    judging: Asker
    found: dict[int, Given] = field(default_factory=dict)

    async def ask(self, index: int, query: Query) -> None:
        """Recall, answer and grade one question."""
        request = RecallRequest(
            scope=ReadScope(actor_id=query.actor), query=query.text, mode=self.plan.mode, kinds=self.plan.kinds,
            limit=self.plan.depth, max_tokens=self.plan.max_tokens,
        )  # fmt: skip
        recalled = await self.memory.recall(self.store, request)
        said = await self._answer(query, recalled.context)
        is_right = None if said is None else await self._is_right(query, said)
        words = said.answer if said is not None else ""
        f1 = float(bool(is_right)) if query.answer is None else token_f1(words, query.answer)
        self.found[index] = Given(
            question=query.text, category=query.category, right=query.answer, given=words,
            is_right=bool(is_right), f1=f1, failed=is_right is None, context_tokens=recalled.context_tokens,
        )  # fmt: skip

    async def _answer(self, query: Query, context: str) -> answer.Answer | None:
        if not context:  # nothing recalled, nothing to answer from
            return answer.Answer(answer="", known=False)
        data = {"question": query.text, "memories": context}
        return await self.answering.ask(query.text, data, answer.read_answer)

    async def _is_right(self, query: Query, said: answer.Answer) -> bool | None:
        """Whether it is right; None where the judge gave nothing that could be used."""
        if query.unanswerable or not said.known:
            return query.unanswerable and not said.known
        data = {"question": query.text, "right": query.answer, "given": said.answer}
        graded = await self.judging.ask(query.text, data, grade.read_grade)
        return None if graded is None else graded.verdict == "right"


async def evaluate(
    memory: Memory, models: Models, data: Dataset, plan: Plan | None = None, progress: Progress = silent
) -> Report:
    """Answer every question that has a right answer, or none; the store is made for it and deleted afterwards.

    Errors: those of `Memory`; InvalidInput when no question is of use; ProviderError when the model cannot be used.
    """
    plan, data = plan or Plan(), data.to_answer()
    answering, judging = Cost(), Cost()
    began = time.perf_counter()
    async with temporary_store(memory, "eval") as store:
        loaded = await load(memory, store, data, "auto" if plan.extract else "none", progress)
        load_seconds = time.perf_counter() - began
        run = _Run(
            memory, store, plan,
            Asker(models.answering, "answer", answer.answer_schema(), answering),
            Asker(models.judging, "grade", grade.answer_schema(), judging),
        )  # fmt: skip

        async def ask(index: int) -> None:
            await run.ask(index, data.queries[index])

        await at_once(len(data.queries), plan.concurrency, ask, "answer", progress)
    answers = [run.found[index] for index in range(len(data.queries))]
    return Report(
        version=__version__, data=data.name, documents=len(data.documents), actors=len(data.by_actor),
        skipped=data.skipped, mode=plan.mode, kinds=plan.kinds, depth=plan.depth, seed=plan.seed, facts=loaded.facts,
        model=models.answering_name, judge=models.judging_name, overall=_score(answers, plan.seed),
        categories={c: _score([a for a in answers if a.category == c], plan.seed) for c in data.categories},
        context_tokens=float(np.mean([a.context_tokens for a in answers])),
        answer_calls=answering.calls, judge_calls=judging.calls, loading_calls=loaded.llm_calls,
        prompt_tokens=answering.prompt_tokens + judging.prompt_tokens,
        completion_tokens=answering.completion_tokens + judging.completion_tokens,
        loading_tokens=loaded.tokens, load_seconds=load_seconds, seconds=time.perf_counter() - began,
        answers=tuple(answers),
    )  # fmt: skip


def _score(answers: Sequence[Given], seed: int) -> Score:
    bench = Bootstrap(len(answers), seed)
    return Score(
        questions=len(answers),
        right=bench.figure(np.array([float(a.is_right) for a in answers])),
        f1=bench.figure(np.array([a.f1 for a in answers])),
        failed=sum(a.failed for a in answers),
    )
