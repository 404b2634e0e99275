"""Files against what is known of them: nothing twice, nothing missing, and what a file no longer says ends."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import DatabaseError, InvalidInput
from graphmem.ingest.files import FileReport, IngestOptions
from graphmem.ingest.find_files import find_files
from graphmem.models.episode import Episode, RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.manage import ForgetRequest, ForgetTarget
from graphmem.models.scope import Scope
from graphmem.store.driver import Transaction

ACTOR = "遥"
Ingest = Callable[..., Awaitable[list[FileReport]]]


@pytest.fixture
def ingest(memory: Memory, store_id: str) -> Ingest:
    """Take files in, for one actor of a fresh store."""

    async def run(*paths: Path, **options: object) -> list[FileReport]:
        given = IngestOptions(store_id, ACTOR, extraction="offline", **options)  # type: ignore[arg-type]
        return [report async for report in memory.files.ingest(find_files(paths), given)]

    return run


@pytest.fixture
def episodes(memory: Memory, store_id: str) -> Callable[[], Awaitable[dict[str, Episode]]]:
    """The episodes that stand, by their text."""

    async def read() -> dict[str, Episode]:
        page = await memory.list_episodes(store_id, ACTOR, page_size=200)
        rows = await memory.database.driver.execute_query(
            "MATCH (e:Episode {store_id: $store}) WHERE e.source_key IS NOT NULL RETURN e.id AS id",
            parameters_={"store": store_id},
            database_=memory.database.database,
        )
        standing = {row["id"] for row in rows.records}
        found = [e for e in page.items if e.id in standing]
        assert len({e.content for e in found}) == len(found)
        return {e.content: e for e in found}

    return read


async def facts(memory: Memory, store_id: str) -> set[str]:
    page = await memory.list_facts(store_id, FactQuery(actor_id=ACTOR), page_size=200)
    return {fact.text for fact in page.items}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def outcomes(reports: list[FileReport]) -> list[str]:
    return [report.outcome for report in reports]


async def test_a_second_time_nothing_is_new_and_no_text_is_embedded(
    ingest: Ingest, episodes: Callable[[], Awaitable[dict[str, Episode]]], tmp_path: Path, memory: Memory
) -> None:
    write(tmp_path / "a.md", "# Home\n\nI live in Osaka.\n\n# Home\n\nI live in Osaka.\n")
    write(tmp_path / "猫.txt", "猫を飼っています。\n\nはい\n\nはい\n")
    first = await ingest(tmp_path)
    assert outcomes(first) == ["new", "new"]
    assert [r.new for r in first] == [2, 3]
    calls: list[int] = []
    embed = memory._ingest.embedder.embed_passages

    async def counted(texts: list[str]) -> object:
        calls.append(len(texts))
        return await embed(texts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory._ingest.embedder, "embed_passages", counted)
        again = await ingest(tmp_path)
    assert outcomes(again) == ["same", "same"]
    assert [(r.new, r.known) for r in again] == [(0, 2), (0, 3)]
    assert not calls


async def test_a_changed_file_keeps_its_other_paragraphs_and_ends_what_it_no_longer_says(
    ingest: Ingest,
    episodes: Callable[[], Awaitable[dict[str, Episode]]],
    tmp_path: Path,
    memory: Memory,
    store_id: str,
) -> None:
    path = write(tmp_path / "2025-06-18.txt", "I live in Osaka.\n\nI work at Acme.\n\nI like green tea.\n")
    await ingest(path)
    before = await episodes()
    assert any("Acme" in text for text in await facts(memory, store_id))
    write(path, "My sister is called Anna.\n\nI live in Osaka.\n\nI like green tea.\n")
    (report,) = await ingest(path)
    after = await episodes()
    assert (report.outcome, report.new, report.known, report.gone, report.retired) == ("changed", 1, 2, 1, 1)
    assert set(after) == {"My sister is called Anna.", "I live in Osaka.", "I like green tea."}
    for text in ("I live in Osaka.", "I like green tea."):
        assert after[text].id == before[text].id
    now = await facts(memory, store_id)
    assert any("Osaka" in text for text in now)
    assert not any("Acme" in text for text in now)
    everything = await memory.list_facts(store_id, FactQuery(actor_id=ACTOR, validity="any"), page_size=200)
    acme = next(fact for fact in everything.items if "Acme" in fact.text)
    history = await memory.fact_history(store_id, ACTOR, acme.id)
    assert history[-1].reason == "source_changed"
    assert acme.expired_at is not None


async def test_what_another_source_also_says_stays(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    write(tmp_path / "a.txt", "I live in Osaka.\n\nThe end.")
    write(tmp_path / "b.txt", "I live in Osaka.\n\nOther words.")
    await ingest(tmp_path)
    write(tmp_path / "a.txt", "The end.")
    reports = await ingest(tmp_path)
    assert outcomes(reports) == ["changed", "same"]
    assert reports[0].retired == 0
    assert any("Osaka" in text for text in await facts(memory, store_id))


async def test_words_that_come_back_are_true_again(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    path = tmp_path / "a.txt"
    for text in ("大阪に住んでいます。\n\n猫が好きです。", "猫が好きです。", "大阪に住んでいます。\n\n猫が好きです。"):
        write(path, text)
        await ingest(path)
        assert any("大阪" in fact for fact in await facts(memory, store_id)) == ("大阪" in text)


async def test_a_moved_file_takes_its_episodes_along_and_a_copy_has_its_own(
    ingest: Ingest,
    episodes: Callable[[], Awaitable[dict[str, Episode]]],
    tmp_path: Path,
    memory: Memory,
    store_id: str,
) -> None:
    old = write(tmp_path / "old.txt", "I live in Osaka.\n\nI like green tea.")
    await ingest(old)
    before = await episodes()
    new = tmp_path / "folder" / "new name.txt"
    new.parent.mkdir()
    old.rename(new)
    (report,) = await ingest(tmp_path)
    after = await episodes()
    assert (report.outcome, report.new, report.known, report.moved_from) == ("moved", 0, 2, old.as_posix())
    assert {t: e.id for t, e in after.items()} == {t: e.id for t, e in before.items()}
    assert all((e.source_id or "").startswith(f"{new.as_posix()}#") for e in after.values())
    assert outcomes(await ingest(tmp_path)) == ["same"]
    write(old, new.read_text(encoding="utf-8"))
    assert outcomes(await ingest(tmp_path)) == ["same", "new"]
    write(old, "I like green tea.")  # the copy changes, the file does not
    await ingest(tmp_path)
    assert any("Osaka" in text for text in await facts(memory, store_id))


async def test_a_file_is_listed_and_erased_with_its_older_versions(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    path = write(tmp_path / "a.txt", "I live in Osaka.\n\nI work at Acme.")
    await ingest(path, write(tmp_path / "b.txt", "I like green tea."))
    write(path, "I live in Osaka.")
    await ingest(path)
    listed = await memory.list_episodes(store_id, ACTOR, source_id=path.as_posix())
    assert {e.content for e in listed.items} == {"I live in Osaka.", "I work at Acme."}
    target = ForgetTarget(source_id=path.as_posix())
    await memory.forget(store_id, ForgetRequest(scope=Scope(actor_id=ACTOR), target=target, mode="erase"))
    left = await memory.list_facts(store_id, FactQuery(actor_id=ACTOR, validity="any"))
    assert all("tea" in fact.text for fact in left.items)
    assert left.items


async def test_chats_of_two_files_do_not_mix(ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str) -> None:
    for name, city in (("a", "Osaka"), ("b", "Kobe")):
        line = f'{{"id": "m1", "role": "user", "content": "I visited {city}.", "session_id": "s1"}}\n'
        write(tmp_path / f"{name}.jsonl", line)
    assert outcomes(await ingest(tmp_path)) == ["new", "new"]
    page = await memory.list_episodes(store_id, ACTOR, session_id="s1")
    assert {e.content for e in page.items} == {"I visited Osaka.", "I visited Kobe."}
    write(tmp_path / "a.jsonl", (tmp_path / "a.jsonl").read_text().replace("Osaka", "Nara"))
    changed, same = await ingest(tmp_path)
    assert (changed.outcome, changed.new, same.outcome) == ("changed", 1, "same")


async def test_a_document_does_not_retire_what_its_owner_said(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    scope = Scope(actor_id=ACTOR)
    said = RememberRequest(scope=scope, text="I live in Kobe.", extraction="offline", occurred_at=datetime(2025, 1, 1))
    await memory.remember(store_id, said)
    await ingest(write(tmp_path / "2026-01-01.txt", "I live in Osaka."))
    assert any("Kobe" in text for text in await facts(memory, store_id))
    chat = '{"role": "user", "content": "I live in Nara.", "occurred_at": "2026-02-01T00:00:00Z"}'
    await ingest(write(tmp_path / "chat.jsonl", chat))
    assert not any("Kobe" in text for text in await facts(memory, store_id))


async def test_without_waiting_the_next_run_finds_the_facts(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    path = write(tmp_path / "a.txt", "I live in Osaka.\n\nI like green tea.")
    (saved,) = await ingest(path, wait=False)
    assert (saved.outcome, saved.pending, saved.new, saved.added) == ("new", 2, 0, 0)
    (done,) = await ingest(path)
    assert done.outcome in ("changed", "same")  # the worker of this process may have been first
    await memory.wait_idle()
    assert any("Osaka" in text for text in await facts(memory, store_id))
    assert outcomes(await ingest(path)) == ["same"]


async def test_a_dry_run_stores_nothing(
    ingest: Ingest, episodes: Callable[[], Awaitable[dict[str, Episode]]], tmp_path: Path
) -> None:
    path = write(tmp_path / "a.txt", "I live in Osaka.\n\nI like green tea.")
    (report,) = await ingest(path, dry_run=True)
    assert (report.outcome, report.new) == ("new", 2)
    assert not await episodes()
    await ingest(path)
    write(path, "I live in Osaka.\n\nI like coffee.")
    (report,) = await ingest(path, dry_run=True)
    assert (report.outcome, report.new, report.known, report.gone) == ("changed", 1, 1, 1)
    assert set(await episodes()) == {"I live in Osaka.", "I like green tea."}


async def test_secrets_are_taken_out_and_the_file_is_known_again(ingest: Ingest, tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    path = write(tmp_path / f"{key}.jsonl", f'{{"id": "m1", "role": "user", "content": "My key is {key}."}}\n')
    (first,) = await ingest(path)
    assert (first.outcome, first.new, first.redacted) == ("new", 1, 1)
    assert outcomes(await ingest(path)) == ["same"]


async def test_what_is_wrong_with_one_file_does_not_stop_the_others(ingest: Ingest, tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "")
    write(tmp_path / "b.jsonl", '{"role": "user", "content": "fine"}\n{"role": "user"\n')
    (tmp_path / "c.txt").write_bytes(b"a\x00b")
    (tmp_path / "d.txt").write_bytes("日本語".encode("cp932"))
    write(tmp_path / "e.jsonl", '{"role": "user", "content": "' + "x" * 300_000 + '"}\n')
    write(tmp_path / "f.txt", "あ" * 300_000)
    write(tmp_path / "g.json", '{"name": "package"}')
    os.mkfifo(tmp_path / "h.txt")
    write(tmp_path / "i.txt", "I like green tea.")
    reports = {Path(r.path).name: r for r in await ingest(tmp_path)}
    problems = {
        "a.txt": "holds no text",
        "b.jsonl": "line 2: not JSON",
        "c.txt": "not a text file",
        "d.txt": "line 1: not UTF-8",
        "e.jsonl": "line 1: content",
    }
    for name, problem in problems.items():
        assert reports[name].outcome == "failed"
        assert problem in (reports[name].reason or "")
    assert reports["f.txt"].outcome == "new"
    assert reports["f.txt"].new > 100
    assert {n: reports[n].outcome for n in ("g.json", "h.txt", "i.txt")} == {
        "g.json": "skipped",
        "h.txt": "skipped",
        "i.txt": "new",
    }


async def test_a_file_on_which_the_database_fails_does_not_stop_the_others(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.md", "I live in Tromsø.")
    write(tmp_path / "b.md", "I like fog.")
    run = Transaction.run

    async def fails(transaction: Transaction, name: str, *given: Any) -> Any:
        if name == "ingest/assert_statements" and "Tromsø" in str(given):
            raise DatabaseError("Neo4j failed a query (out of memory).")
        return await run(transaction, name, *given)

    with monkeypatch.context() as broken:
        broken.setattr(Transaction, "run", fails)
        reports = await ingest(tmp_path)
    assert outcomes(reports) == ["failed", "new"]
    assert reports[0].reason == "1 episodes: Neo4j failed a query (out of memory)."
    assert await facts(memory, store_id) == {f"{ACTOR} likes fog"}
    assert outcomes(await ingest(tmp_path)) == ["changed", "same"]
    assert f"{ACTOR} lives in Tromsø" in await facts(memory, store_id)


async def test_an_option_that_is_wrong_for_every_file_ends_the_run(
    ingest: Ingest, tmp_path: Path, memory: Memory, store_id: str
) -> None:
    path = write(tmp_path / "a.txt", "I live in Osaka.")
    options = IngestOptions(store_id, ACTOR, extraction="llm")
    with pytest.raises(InvalidInput, match="No language model"):
        [report async for report in memory.files.ingest(find_files([path]), options)]
