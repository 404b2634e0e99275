"""Which relations a question asks for, and whom it is about."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from graphmem.ingest.predicates import read_predicate
from graphmem.ports import Identity
from graphmem.providers import asked
from graphmem.providers.asked import NONE, Questions, questions
from graphmem.providers.local_embedder import LocalEmbedder

OTHER = Identity("other", 3, "0")


@pytest.fixture(scope="module")
def encoder() -> LocalEmbedder:
    return LocalEmbedder()


async def relations(query: str, encoder: LocalEmbedder) -> dict[str, float]:
    reader = Questions()
    plain = reader.plain(query)
    vector = await encoder.embed_query(plain.text)
    return {one.sense: one.weight for one in reader.asked(plain, vector, encoder.identity)}


def test_the_model_was_made_from_the_questions_that_are_shipped(encoder: LocalEmbedder) -> None:
    with (files(asked.__name__) / "model.npz").open("rb") as file, np.load(file, allow_pickle=False) as model:
        assert str(model["questions"]) == asked.digest()
        assert str(model["embedder"]) == str(encoder.identity)
        assert [str(name) for name in model["classes"]] == list(questions())


def test_senses_are_those_that_facts_have() -> None:
    senses = {sense for entry in questions().values() for sense in entry["senses"]}
    assert {sense for sense in senses if read_predicate(sense).sense != sense} == set()


@pytest.mark.parametrize(
    ("query", "sense"),
    [
        ("Could you tell me where Petra Lund lives?", "lives_in"),
        ("Which firm is Petra Lund working for at present?", "works_at"),
        ("petra lund's occupation", "job_title"),
        ("Petra Lund birthday", "birthday"),
        ("Remind me which bank Petra Lund uses.", "bank"),
        ("Who was I married to?", "married_to"),
        ("Which number should I call to get hold of Petra?", "phone"),
        ("岡部玲はどちらにお住まいでしょうか", "lives_in"),
        ("岡部玲 勤務先", "works_at"),
        ("玲さんのお仕事って何でしたっけ", "job_title"),
        ("私の主治医ってどなたでしたか", "doctor"),
        ("アレルギーは何かある？", "allergic_to"),
    ],
)
async def test_what_a_question_asks_for_comes_first(encoder: LocalEmbedder, query: str, sense: str) -> None:
    found = await relations(query, encoder)
    assert max(found, key=found.__getitem__, default=None) == sense, found


@pytest.mark.parametrize(
    "query",
    [
        "What did Petra Lund say about the storm in March?",
        "How did the exhibition go?",
        "Why was the parcel sent back?",
        "Which route did we take across the mountains?",
        "Petra's dog: what is Petra's dog's food?",
        "花火大会はどうだった？",
        "岡部玲は先週の会議で何と言っていましたか",
    ],
)
async def test_what_asks_for_no_relation_of_whom_it_names_gets_none(encoder: LocalEmbedder, query: str) -> None:
    found = await relations(query, encoder)
    assert max(found.values(), default=0.0) < 0.3, found


@pytest.mark.parametrize(
    ("query", "text", "about"),
    [
        ("Where is Petra Lund employed?", "Where is Alex employed?", "named"),
        ("Where does Ana de la Cruz live?", "Where does Alex live?", "named"),
        ("What is O'Neill's job?", "What is Alex's job?", "named"),
        ("Where is my home?", "Where is my home?", "nobody"),
        ("Where does she live?", "Where does she live?", "nobody"),
        ("where does zaphod live", "where does zaphod live", "unknown"),
        ("Where does my sister live?", "Where does Alex live?", "kin"),
        ("What is my wife's job?", "What is Alex's job?", "kin"),
        ("What is my wife called?", "What is my wife called?", "nobody"),
        ("What is Petra's mother's job?", "What is Alex's job?", "others"),
        ("岡部玲の勤め先はどこ", "健の勤め先はどこ", "named"),
        ("田中さんに電話するには", "健に電話するには", "named"),
        ("岡部玲 住所", "健 住所", "named"),
        ("勤め先はどこ", "勤め先はどこ", "nobody"),
        ("私の職業は", "私の職業は", "nobody"),
        ("妻の名前は", "妻の名前は", "nobody"),
        ("妻の職業は", "健の職業は", "kin"),
        ("岡部玲の姉の職業は", "健の職業は", "others"),
    ],
)
def test_names_are_masked_and_whom_it_is_about_is_told(query: str, text: str, about: str) -> None:
    plain = Questions().plain(query)
    assert (plain.text, plain.about) == (text, about)


@pytest.mark.parametrize(
    ("query", "senses"),
    [
        ("Where is Petra's place of work?", {"works_at", "job_title"}),
        ("岡部玲のメールアドレスは", {"email"}),
        ("What happened in the homework club?", set()),
    ],
)
def test_with_the_vectors_of_another_embedder_nouns_count(query: str, senses: set[str]) -> None:
    reader = Questions()
    plain = reader.plain(query)
    vector = np.ones(3, dtype=np.float32)
    assert {one.sense for one in reader.asked(plain, vector, OTHER)} == senses


def test_every_class_but_one_has_relations_and_questions_in_both_languages() -> None:
    for name, entry in questions().items():
        assert bool(entry["senses"]) is (name != NONE)
        assert all(entry[language] for language in ("en", "ja")) or name == "dentist"


@pytest.mark.parametrize(
    ("query", "plain", "steps", "of_asker"),
    [
        ("Where does my brother live?", "Where does Alex live?", ["brother"], True),
        ("What does my older brother do?", "What does Alex do?", ["brother"], True),
        ("Who is my brother's wife?", "Who is Alex's wife?", ["brother"], True),
        ("When is my brother's wife's birthday?", "When is Alex's birthday?", ["brother", "wife"], True),
        ("How old are my children?", "How old are Alex?", ["child"], True),
        ("Where does Petra Lund's boss live?", "Where does Alex live?", ["manager"], False),
        ("兄はどこに住んでいる？", "健はどこに住んでいる?", ["brother"], True),
        ("私のお母さんの電話番号は？", "健の電話番号は?", ["mother"], True),
        ("兄の奥さんの誕生日は？", "健の誕生日は?", ["brother", "wife"], True),
        ("岡部玲の上司の住所は？", "健の住所は?", ["manager"], False),
    ],
)
def test_whom_a_question_names_by_what_they_are(query: str, plain: str, steps: list[str], of_asker: bool) -> None:
    found = Questions().plain(query)
    assert found.text == plain
    assert found.relative is not None
    assert [step[0] for step in found.relative.steps] == steps
    assert found.relative.of_asker is of_asker


@pytest.mark.parametrize(
    "query",
    [
        "Who is my brother?",
        "Where do I live?",
        "Where does his brother live?",
        "Where does my dog sleep?",
        "Where does Petra's brother's wife's cousin live?",
        "兄は誰？",
        "犬の名前は？",
    ],
)
def test_who_is_asked_for_or_not_known_is_no_relative(query: str) -> None:
    assert Questions().plain(query).relative is None
