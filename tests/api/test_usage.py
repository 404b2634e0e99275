"""What the language model costs a store, over HTTP; there is none here."""

from __future__ import annotations

from .conftest import Client, fields, problem


async def test_use_and_budget(client: Client, store: str) -> None:
    unused = (await client.get(f"{store}/usage")).json()
    assert (unused["llm_calls"], unused["exhausted"]) == (0, False)
    assert unused["budget"] == {"calls_per_day": None, "tokens_per_day": None}

    budget = {"calls_per_day": 0, "tokens_per_day": 500_000}
    await client.patch(store, json={"settings": {"budget": budget}}, headers={"if-match": "*"})

    used = (await client.get(f"{store}/usage")).json()
    assert (used["budget"], used["exhausted"]) == (budget, True)
    assert used["day"] < used["resets_at"][:10]
    problem(await client.get("/v1/stores/no-such-store/usage"), 404, "NOT_FOUND")


async def test_a_budget_is_a_number_of_calls(client: Client, store: str) -> None:
    for wrong in (-1, "many", 1.5):
        answer = await client.patch(
            store, json={"settings": {"budget": {"calls_per_day": wrong}}}, headers={"if-match": "*"}
        )
        assert fields(answer) == ["settings.budget.calls_per_day"]


async def test_a_model_that_is_not_configured_is_a_fault_of_the_request(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "text": "I like tea.", "extraction": "llm"}

    for wait in (True, False):
        assert fields(await client.post(f"{store}/episodes", json={**body, "wait": wait})) == ["extraction"]

    assert (await client.get(f"{store}/episodes", params={"actor_id": "ana"})).json()["items"] == []
