"""Summaries by a model: one call, and no sentence that the messages do not support."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from graphmem.errors import ProviderError
from graphmem.ports import Reply, Said
from graphmem.providers.extractive import ExtractiveSummariser, parts_of
from graphmem.providers.llm_summariser import CHARS_PER_CALL, LLMSummariser
from graphmem.providers.support import supported

NOON = datetime.fromisoformat("2026-02-03T12:00:00+09:00")
EN = (
    "I moved to Osaka last month.",
    "I do not eat meat, and my sister Anna pays 85,000 yen for rent.",
    "Not sure yet, but I want to visit Kyoto in March.",
    "I stopped smoking in 2019.",
)
JA = ("先月大阪に引っ越した。", "肉は食べないけど、魚は食べる。", "妹のアンナは家賃を八万五千円払っている。")


class Scripted:
    """A model that gives the answers that it was told to give."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The next answer."""
        self.asked.append((system, user, schema))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Reply(text, prompt_tokens=100, completion_tokens=20)

    async def close(self) -> None:
        """Nothing is open."""


def said(*texts: str, role: Any = "user") -> list[Said]:
    return [Said(f"e{i}", role, "Haruka", text, NOON) for i, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Haruka moved to Osaka last month.", True),
        ("She moved to Osaka.", True),
        ("Haruka moved to Kobe last month.", False),
        ("Haruka did not move to Osaka.", False),
        ("The user does not eat meat.", True),
        ("The user eats meat.", False),
        ("Her sister Anna pays 85,000 yen for rent.", True),
        ("Her sister Anna pays 95,000 yen for rent.", False),
        ("Her sister Emma pays 85,000 yen for rent.", False),
        ("Haruka wants to visit Kyoto in March.", True),
        ("Haruka wants to visit Kyoto in April.", False),
        ("Haruka smokes.", False),
        ("Haruka stopped smoking in 2019.", True),
        ("Haruka stopped smoking in 2020.", False),
        ("Haruka enjoys painting dragons with watercolours.", False),
    ],
)
def test_support_in_english(sentence: str, holds: bool) -> None:
    assert supported(sentence, EN, ["Haruka"]) is holds


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("美香は先月大阪に引っ越した。", True),
        ("美香は先月神戸に引っ越した。", False),
        ("美香は肉を食べない。", True),
        ("美香は肉を食べる。", False),
        ("美香は魚を食べる。", True),
        ("妹のアンナは家賃を85,000円払っている。", True),
        ("妹のアンナは家賃を9万円払っている。", False),
        ("妹のエマは家賃を八万五千円払っている。", False),
        ("美香は名古屋城で結婚式を挙げた。", False),
    ],
)
def test_support_in_japanese(sentence: str, holds: bool) -> None:
    assert supported(sentence, JA, ["美香"]) is holds


async def test_one_call_and_what_no_message_supports_is_dropped_and_counted() -> None:
    chat = Scripted(
        {
            "topic": "Osaka",
            "summary": [
                {"text": "Haruka moved to Osaka last month.", "turns": [0]},
                {"text": "Haruka bought a yacht in Naples.", "turns": [0, 1]},
                {"text": "Haruka does not eat meat.", "turns": [0]},  # said in another message
                {"turns": [0]},
            ],
            "open_items": [
                {"text": "Haruka wants to visit Kyoto in March.", "turns": [2]},
                {"text": "Haruka must call the embassy.", "turns": [2]},
            ],
        }
    )
    summary = await LLMSummariser(chat).summarise(said(*EN), ())
    assert len(chat.asked) == 1
    assert [(s.text, s.episode_ids) for s in summary.sentences] == [
        ("Haruka moved to Osaka last month.", ("e0",)),
        ("Haruka does not eat meat.", ("e1",)),
    ]
    assert [item.text for item in summary.open_items] == ["Haruka wants to visit Kyoto in March."]
    assert (summary.topic, summary.dropped, summary.llm_calls) == ("Osaka", 3, 1)
    assert (summary.prompt_tokens, summary.completion_tokens) == (100, 20)


async def test_a_japanese_conversation_is_asked_in_japanese() -> None:
    chat = Scripted(
        {"topic": "引っ越し", "summary": [{"text": "先月大阪に引っ越した。", "turns": [0]}], "open_items": []}
    )
    summary = await LLMSummariser(chat).summarise(said(*JA), ())
    assert "要約" in chat.asked[0][0]
    assert summary.sentences[0].episode_ids == ("e0",)


@pytest.mark.parametrize("wrapped", ["```json\n{}\n```", "<think>{{}}</think> {}", "Here it is: {}"])
async def test_an_answer_is_read_from_what_it_is_wrapped_in(wrapped: str) -> None:
    answer = json.dumps({"topic": "", "summary": ["Haruka moved to Osaka last month."], "open_items": None})
    chat = Scripted(wrapped.replace("{{}}", "{x}").replace("{}", answer))
    summary = await LLMSummariser(chat).summarise(said(*EN), ())
    assert [s.episode_ids for s in summary.sentences] == [("e0",)]


@pytest.mark.parametrize("reply", ["", "[]", "no", '{"topic": "x"}', Reply(None, refused=True), '{"summary": ['])
async def test_an_answer_that_cannot_be_used_is_an_error(reply: Any) -> None:
    with pytest.raises(ProviderError):
        await LLMSummariser(Scripted(reply)).summarise(said(*EN), ())


async def test_where_nothing_is_supported_the_messages_own_sentences_stand() -> None:
    chat = Scripted({"topic": "Mars", "summary": [{"text": "Zoe flew to Mars.", "turns": [0]}], "open_items": []})
    summary = await LLMSummariser(chat).summarise(said(*EN), ())
    assert {s.text for s in summary.sentences} <= set(EN)
    assert summary.sentences
    assert (summary.dropped, summary.llm_calls) == (1, 1)


async def test_what_the_assistant_said_supports_nothing() -> None:
    chat = Scripted({"topic": "", "summary": [{"text": "Haruka takes up yoga.", "turns": [1]}], "open_items": []})
    messages = [*said("I moved to Osaka last month."), Said("a", "assistant", "bot", "Haruka takes up yoga.", NOON)]
    summary = await LLMSummariser(chat).summarise(messages, ())
    assert [s.text for s in summary.sentences] == ["I moved to Osaka last month."]
    assert '"assistant"' in chat.asked[0][1]
    only = [Said("a", "assistant", "bot", "You could take up yoga.", NOON)]
    assert (await LLMSummariser(Scripted()).summarise(only, ())).llm_calls == 0


async def test_barred_words_are_never_sent_and_a_long_conversation_is_cut_evenly() -> None:
    start = EN[1].index("I do")
    hidden = Said("e1", "user", "Haruka", EN[1] + " Rain fell.", NOON, ((start, start + 10),))
    chat = Scripted({"topic": "", "summary": [], "open_items": []})
    await LLMSummariser(chat).summarise([*said(EN[0]), hidden], ())
    assert "meat" not in chat.asked[0][1]
    assert "Rain fell." in chat.asked[0][1]

    long = [Said(f"e{i}", "user", "Haruka", f"Message {i} tells of tea. " * 100, NOON) for i in range(50)]
    chat = Scripted({"topic": "", "summary": [], "open_items": []})
    await LLMSummariser(chat).summarise(long, ())
    sent = [json.loads(line)["text"] for line in chat.asked[0][1].splitlines()]
    assert len(sent) == 50
    assert sum(map(len, sent)) <= CHARS_PER_CALL


async def test_chosen_sentences_do_not_repeat_each_other() -> None:
    texts = [f"The harbour of Tacoma was full of fog on day {n}." for n in range(20)]
    summary = await ExtractiveSummariser().summarise(said(*texts, "My sister Anna sells lamps in Reno."), ())
    kept = [s.text for s in summary.sentences]
    assert sum("harbour" in text for text in kept) == 1
    assert "My sister Anna sells lamps in Reno." in kept


def test_sentences_keep_their_place() -> None:
    parts = list(parts_of(said("One small step. Two steps more.\n- A list item here.")))
    assert [part.text for part in parts] == ["One small step.", "Two steps more.", "A list item here."]
