"""Facts of English told in other words: corrections, several names of one attribute, swaps, ends, subjects."""

from __future__ import annotations

import pytest

from graphmem.ports import Candidate

from .conftest import Facts

Said = tuple[str, str, str, str]


def said(candidates: list[Candidate]) -> list[Said]:
    """Subject, predicate, object, and whether it is asserted (+), corrected (C), denied (-) or ended (r)."""
    marks = {True: "+", False: "-"}
    return [
        (
            c.subject.name,
            c.predicate,
            c.object.name,
            "r" if c.event == "retract" else "C" if c.correction else marks[c.polarity],
        )
        for c in candidates
    ]


@pytest.mark.parametrize(
    ("text", "predicate", "right", "wrong"),
    [
        ("Otto's birthplace is not Bonn but Trier.", "born_in", "Trier", "Bonn"),
        ("Bo lives not in Oslo but in Turku.", "lives_in", "Turku", "Oslo"),
        ("Bo's birthday is 3 June, not 3 July.", "birthday", "3 June", "3 July"),
        ("Quick correction: Lea works at Kite, not at Nordea.", "works_at", "Kite", "Nordea"),
        ("Ida Moen really is 41, not 42.", "age", "41", "42"),
        ("Ida Moen's middle name is Ruth rather than Rita.", "middle_name", "Ruth", "Rita"),
        ("Lea's blood group is B negative, not A negative.", "blood_type", "B negative", "A negative"),
    ],
)
async def test_a_correction_asserts_the_right_value_and_ends_the_wrong(
    facts: Facts, text: str, predicate: str, right: str, wrong: str
) -> None:
    (_, first, value, kind), (_, second, old, end) = said(await facts(text))
    assert (first, value, kind) == (predicate, right, "C")
    assert (second, old, end) == (predicate, wrong, "r")


@pytest.mark.parametrize(
    "text",
    [
        "I got that wrong: Lena Voss was born in Lima.",
        "I was wrong about Lena Voss: she was born in Lima.",
        "Lena Voss was actually born in Lima.",
        "It turns out Lena Voss was born in Lima.",
        "Contrary to what I said, Lena Voss was born in Lima.",
        "Correction from the registry: Lena Voss was born in Lima.",
    ],
)
async def test_words_that_put_a_statement_right(facts: Facts, text: str) -> None:
    assert said(await facts(text)) == [("Lena Voss", "born_in", "Lima", "C")]


async def test_values_that_coexist_are_not_corrected_by_a_contrast(facts: Facts) -> None:
    assert said(await facts("Lena Voss is allergic to cats, not dogs.")) == [("Lena Voss", "allergic_to", "cats", "+")]


async def test_a_date_of_birth_put_right_holds_like_the_wrong_one(facts: Facts) -> None:
    [fact] = await facts("Lena Voss was actually born on 9 May 1988.")
    assert (fact.predicate, fact.correction, fact.valid_at) == ("birthday", True, None)


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("Rosa Lind reports directly to Karin Vik.", "manager", "Karin Vik"),
        ("Rosa Lind's line manager is Karin Vik.", "manager", "Karin Vik"),
        ("Karin Vik is Rosa Lind's manager.", "manager", "Karin Vik"),
        ("Rosa Lind is on the staff of Nordea.", "works_at", "Nordea"),
        ("Rosa Lind freelances for the Turku Times.", "works_at", "Turku Times"),
        ("Rosa Lind has health insurance with Helvetia.", "insured_with", "Helvetia"),
        ("Rosa Lind is insured through Helvetia.", "insured_with", "Helvetia"),
        ("Rosa Lind shares a flat in Utrecht.", "lives_in", "Utrecht"),
        ("Rosa Lind's house is in Utrecht.", "lives_in", "Utrecht"),
        ("Rosa Lind now calls Utrecht home.", "lives_in", "Utrecht"),
        ("Rosa Lind attends Ashby College.", "attends", "Ashby College"),
        ("Rosa Lind enrolled at Ashby College.", "attends", "Ashby College"),
        ("Rosa Lind goes to Dr Stein.", "doctor", "Dr Stein"),
        ("Rosa Lind is a citizen of Peru.", "nationality", "Peru"),
        ("Rosa Lind was elected mayor of Bonn.", "job_title", "mayor of Bonn"),
        ("Rosa Lind owns a blue Kia Rio.", "car", "Kia Rio"),
        ("Rosa Lind's phone is a Pixel.", "phone_model", "Pixel"),
        ("Rosa Lind's car is a grey Renault Clio.", "car", "grey Renault Clio"),
        ("Rosa Lind's favourite film is Paris, Texas.", "favourite_movie", "Paris, Texas"),
        ("Rosa Lind's favourite band is Earth, Wind and Fire.", "favourite_band", "Earth, Wind and Fire"),
        ("Rosa Lind wears size 41 shoes.", "shoe_size", "41"),
        ("Rosa Lind gets to work by bus.", "commute", "bus"),
        ("Rosa Lind walks to work.", "commute", "on foot"),
        ("Rosa Lind is fluent in Thai.", "speaks", "Thai"),
        ("Rosa Lind would rather talk in Dutch.", "preferred_language", "Dutch"),
        ("Rosa Lind spends her weekends fishing.", "hobby", "fishing"),
        ("Rosa Lind has taken up the viola.", "plays", "viola"),
        ("Rosa Lind loves jazz more than any other music.", "favourite_music", "jazz"),
        ("Rosa Lind follows a vegan diet.", "diet", "vegan"),
        ("Rosa Lind can't eat shellfish because of her allergy.", "allergic_to", "shellfish"),
        ("Rosa Lind pays for the Family plan.", "subscription_plan", "Family"),
        ("Rosa Lind works on the billing team.", "team", "billing team"),
        ("The Abel Prize was awarded to Rosa Lind.", "won", "Abel Prize"),
        ("Rosa Lind signed for Inter Bremen.", "plays_for", "Inter Bremen"),
    ],
)
async def test_one_attribute_under_its_several_names(facts: Facts, text: str, predicate: str, value: str) -> None:
    assert said(await facts(text)) == [("Rosa Lind", predicate, value, "+")]


@pytest.mark.parametrize(
    ("text", "predicate", "new", "old"),
    [
        ("Bo Falk traded in his old Volvo for a Kia.", "car", "Kia", "Volvo"),
        ("Bo Falk replaced his laptop with a tablet.", "owns", "tablet", "laptop"),
        ("Bo Falk replaced Slack with Zulip.", "uses", "Zulip", "Slack"),
        ("Bo Falk switched from coffee to tea.", "drinks", "tea", "coffee"),
        ("Bo Falk switched his insurance from Baloise to Helvetia.", "insured_with", "Helvetia", "Baloise"),
        ("Bo Falk moved from the design team to the data team.", "team", "data team", "design team"),
        ("Bo Falk transferred from marketing to finance.", "team", "finance", "marketing"),
        ("Bo Falk moved from Kite Labs to Orbit Foods.", "works_at", "Orbit Foods", "Kite Labs"),
        ("Bo Falk upgraded from Basic to Gold.", "subscription_plan", "Gold", "Basic"),
        ("Pizza has replaced sushi as Bo Falk's favourite food.", "favourite_food", "Pizza", "sushi"),
        ("Karin Vik took over from Hans Lie as Bo Falk's manager.", "manager", "Karin Vik", "Hans Lie"),
    ],
)
async def test_a_swap_gives_the_new_value_and_ends_the_old(
    facts: Facts, text: str, predicate: str, new: str, old: str
) -> None:
    assert said(await facts(text)) == [("Bo Falk", predicate, new, "+"), ("Bo Falk", predicate, old, "r")]


async def test_towns_that_are_traded_are_not_used(facts: Facts) -> None:
    assert "uses" not in [c.predicate for c in await facts("Ida Moen traded Oslo for Bergen.")]


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("Bo Falk cancelled his Helvetia policy.", "insured_with", "Helvetia"),
        ("Bo Falk let his gym membership at FitBox lapse.", "member_of", "FitBox"),
        ("Bo Falk's subscription to Wired has run out.", "subscribes_to", "Wired"),
        ("Bo Falk unsubscribed; he no longer has the Gold plan.", "subscription_plan", "Gold"),
        ("Bo Falk gave his cat away.", "has_pet", "cat"),
        ("Bo Falk got rid of the piano.", "owns", "piano"),
        ("Bo Falk scrapped his Kia.", "car", "Kia"),
        ("Bo Falk has gone off mushrooms.", "likes", "mushrooms"),
        ("Bo Falk dropped out of Leeds University.", "attends", "Leeds University"),
        ("Bo Falk resigned as mayor of Bonn.", "job_title", "mayor of Bonn"),
        ("Bo Falk no longer reports to Hans Lie.", "manager", "Hans Lie"),
        ("Bo Falk is divorced from Ann Berg.", "married_to", "Ann Berg"),
        ("The number 555-010-2200 is out of service; Bo Falk can no longer be reached there.", "phone", "555-010-2200"),
        ("Bo Falk's old number 555-010-2200 is no longer in use.", "phone", "555-010-2200"),
    ],
)
async def test_ends_that_are_told_without_saying_so(facts: Facts, text: str, predicate: str, value: str) -> None:
    found = said(await facts(text))
    assert ("Bo Falk", predicate, value, "r") in found
    assert {kind for *_, kind in found} == {"r"}


@pytest.mark.parametrize("text", ["Ann Berg and Bo Falk are divorced now.", "Ann Berg and Bo Falk have separated."])
async def test_a_couple_parts_on_both_sides(facts: Facts, text: str) -> None:
    assert set(said(await facts(text))) == {
        ("Ann Berg", "married_to", "Bo Falk", "r"),
        ("Bo Falk", "married_to", "Ann Berg", "r"),
    }


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Client memo: Jan van der Meer lives in Ghent.", ("Jan van der Meer", "lives_in", "Ghent", "+")),
        ("News from Anna Berg: she has moved to Oslo.", ("Anna Berg", "lives_in", "Oslo", "+")),
        ("On 3 March Tobias Falk moved to Bonn.", ("Tobias Falk", "lives_in", "Bonn", "+")),
        ("Odd fact: in 2019 Petra Moll joined Acme Systems.", ("Petra Moll", "works_at", "Acme Systems", "+")),
        ("The number for Petra Moll is 555-010-0199.", ("Petra Moll", "phone", "555-010-0199", "+")),
        ("You can reach Petra Moll on 030 5550 1234.", ("Petra Moll", "phone", "030 5550 1234", "+")),
        ("Petra Moll's mail goes to petra@moll.example.", ("Petra Moll", "email", "petra@moll.example", "+")),
        ("Petra Moll's desk is in Block B, room 12.", ("Petra Moll", "office", "Block B, room 12", "+")),
        ("Petra Moll's address is in Bonn.", ("Petra Moll", "lives_in", "Bonn", "+")),
        ("Petra Moll's mother lives in Kiel.", ("Petra Moll's mother", "lives_in", "Kiel", "+")),
        ("Petra Moll's badge says senior surveyor.", ("Petra Moll", "job_title", "senior surveyor", "+")),
    ],
)
async def test_the_subject_is_the_one_the_sentence_names(facts: Facts, text: str, fact: Said) -> None:
    assert said(await facts(text)) == [fact]


async def test_hobbies_coexist(facts: Facts) -> None:
    found = await facts("Petra Moll's hobbies are chess and sailing.")
    assert [(c.predicate, c.object.name, c.cardinality) for c in found] == [
        ("hobby", "chess", "many"),
        ("hobby", "sailing", "many"),
    ]


@pytest.mark.parametrize("text", ["I bought a Kia.", "We also have a Volvo.", "Bo Falk has a second Kia."])
async def test_another_car_is_no_new_car(facts: Facts, text: str) -> None:
    predicates = {c.predicate for c in await facts(text)}
    assert "owns" in predicates
    assert "car" not in predicates
