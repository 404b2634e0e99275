"""What the scripted server answers: the ideal reply of an extractor, and the ways to spoil it."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

LLM_MODES = (
    "code_fence", "think_prefix", "schema_echo", "bare_empty_list", "empty_string", "null_content", "refusal",
    "wrapped_object", "extra_keys", "one_item_missing_key", "wrong_types", "truncated", "bare_list",
    "names_in_other_language",
)  # fmt: skip
RERANKER_MODES = ("logits", "missing", "twice", "wrong_index", "nan", "null", "huge", "text_score", "other")
_BAD_SCORES: dict[str, Any] = {"nan": math.nan, "null": None, "huge": 10**400, "text_score": "high"}
_NOT_SCHEMA_KEYS = {"s", "p", "o", "valid_from", "valid_to"}


def ideal_items(prompt: str, facts: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The facts of every known text in the prompt, each for the turn that holds it."""
    items: list[dict[str, Any]] = []
    for turn in _turns(prompt):
        for text in _matching(turn["text"], facts):
            items += [_item(fact, turn, text) for fact in facts[text]]
    return items


def _turns(prompt: str) -> list[dict[str, Any]]:
    """The messages of the prompt; one that is framed in another way is a single turn."""
    turns = []
    for line in prompt.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and "turn" in value and "text" in value:
            turns.append(value)
    return turns or [{"turn": 0, "speaker": "user", "text": prompt}]


def asked_pairs(prompt: str) -> list[dict[str, Any]]:
    """The pairs of statements in the prompt; none where something else is asked."""
    lines = [_object(line) for line in prompt.splitlines()]
    return [line for line in lines if {"pair", "known", "new"} <= line.keys()]


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def ideal_verdicts(pairs: list[dict[str, Any]], relations: dict[str, str]) -> list[dict[str, Any]]:
    """The scripted relation of each pair by its new statement, or by known and new with ` | ` between them."""
    return [
        {
            "pair": pair["pair"],
            "relation": relations.get(f"{pair['known']} | {pair['new']}", relations.get(pair["new"], "unrelated")),
        }
        for pair in pairs
    ]


def asked_data(prompt: str) -> dict[str, Any]:
    """The one object that a question about memories, or an answer to grade, is sent as; empty where it is neither."""
    data = _object(prompt)
    return data if "question" in data and data.keys() & {"memories", "given"} else {}


def ideal_answer(data: dict[str, Any], answers: dict[str, str]) -> dict[str, Any]:
    """The scripted answer to the question where the memories hold its words; else, that it is not known."""
    answer = answers.get(data["question"], "")
    known = bool(answer) and answer.casefold() in data["memories"].casefold()
    return {"answer": answer if known else "", "known": known}


def ideal_grade(data: dict[str, Any]) -> dict[str, Any]:
    """Right where the words of one are in the other."""
    right, given = str(data["right"]).casefold(), str(data["given"]).casefold()
    return {"verdict": "right" if right in given or given in right else "wrong"}


def asked_memories(prompt: str) -> tuple[str, list[dict[str, Any]]]:
    """The query and the memories that a prompt wants graded; no memories where something else is asked."""
    lines = [_object(line) for line in prompt.splitlines()]
    query = next((line["query"] for line in lines if "query" in line), "")
    return query, [line for line in lines if {"memory", "text"} <= line.keys()] if query else []


def relevance_of(query: str, text: str, scripted: dict[str, float]) -> float:
    """The scripted score of the part that the text holds; else the share of the query's words in it."""
    known = next((score for part, score in scripted.items() if part in text), None)
    words = query.casefold().split()
    return known if known is not None else sum(word in text.casefold() for word in words) / max(len(words), 1)


def rerank_reply(body: dict[str, Any], scores: list[float], mode: str) -> Any:
    """The answer to a `/rerank` call, best text first, spoiled as the mode says."""
    rows: list[Any] = [{"index": index, "relevance_score": score} for index, score in enumerate(scores)]
    rows.sort(key=lambda row: -row["relevance_score"])
    if mode == "logits":
        rows = [{**row, "relevance_score": 20 * row["relevance_score"] - 10} for row in rows]
    elif mode == "missing":
        rows = rows[:-1]
    elif mode == "twice":
        rows = [*rows, rows[0]]
    elif mode == "wrong_index":
        rows[0]["index"] = len(rows)
    elif mode in _BAD_SCORES:
        rows[0]["relevance_score"] = _BAD_SCORES[mode]
    if "texts" in body:
        return [{"index": row["index"], "score": row["relevance_score"]} for row in rows]
    return {"text": "busy"} if mode == "other" else {"model": body.get("model"), "results": rows}


def true_or_false(body: dict[str, Any], score: float) -> dict[str, Any]:
    """A chat completion of one token, True or False, with its log-probability."""
    reply = chat_reply(body, [], "none")
    word, chance = ("True", score) if score >= 0.5 else ("False", 1 - score)
    top = {"token": word, "logprob": math.log(chance), "bytes": None}
    reply["choices"][0]["message"]["content"] = word
    reply["choices"][0]["logprobs"] = {"content": [{**top, "top_logprobs": [top]}], "refusal": None}
    return reply


def _matching(text: str, facts: dict[str, Any]) -> list[str]:
    if text in facts:
        return [text]
    found = [known for known in facts if known and known in text]
    return [known for known in found if not any(known != other and known in other for other in found)]


def _item(fact: dict[str, Any], turn: dict[str, Any], text: str) -> dict[str, Any]:
    speaker = turn["speaker"]
    subject, predicate, target = str(fact["s"]), str(fact["p"]), str(fact["o"])
    ended = predicate.startswith("no longer ")
    predicate = predicate.removeprefix("no longer ")
    own = subject == "user"
    subject = speaker if own else subject.replace("user's ", f"{speaker}'s ")
    return {
        "turn": turn["turn"],
        "subject": subject,
        "subject_is_speaker": own,
        "subject_type": "person" if own else None,
        "predicate": predicate,
        "object": target,
        "object_type": None,
        "polarity": True,
        "event": "retract" if ended else "assert",
        "valid_at": fact.get("valid_from"),
        "invalid_at": fact.get("valid_to"),
        "correction": False,
        "cardinality": None,
        "category": "general",
        "confidence": 0.9,
        "importance": 0.5,
        "quote": text,
        "text": _sentence(subject, predicate, target),
        **{key: value for key, value in fact.items() if key not in _NOT_SCHEMA_KEYS},
    }


def _sentence(subject: str, predicate: str, target: str) -> str:
    if predicate.isascii():
        return f"{subject} {predicate.replace('_', ' ')} {target}"
    verb = "ぁ" <= predicate[-1] <= "ん"
    return f"{subject}は{target}を{predicate}" if verb else f"{subject}の{predicate}は{target}"


def chat_reply(
    body: dict[str, Any],
    items: list[dict[str, Any]],
    mode: str,
    *,
    key: str = "facts",
    whole: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A chat completion with the items under that key, or `whole` as it is, spoiled as the mode says."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    if mode == "refusal":
        message["refusal"] = "I'm sorry, but I cannot help with that."
    elif mode != "null_content":
        message["content"] = _content(body, items, mode, key, whole)
    finish = "length" if mode == "truncated" else "stop"
    prompt = sum(len(m["content"]) for m in body["messages"])
    written = len(message["content"] or "")
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    }


def _content(
    body: dict[str, Any], items: list[dict[str, Any]], mode: str, key: str, whole: dict[str, Any] | None
) -> str:
    fixed = {"bare_empty_list": "[]", "empty_string": "", "bare_list": _json(items)}
    if mode in fixed:
        return fixed[mode]
    if mode == "schema_echo":
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
        return _json(schema or {"type": "object", "properties": {key: {"type": "array"}}})
    if mode == "wrapped_object":
        return _json({"result": whole or {key: items}})
    extra = {"note": "x"} if mode == "extra_keys" else {}
    spoiled = _json({**(whole or {key: _spoiled_items(items, mode)}), **extra})
    if mode == "code_fence":
        return f"```json\n{spoiled}\n```"
    if mode == "think_prefix":
        return f'<think>\nThere may be {{"facts": []}} or more in it.\n</think>\n\n{spoiled}'
    return spoiled[: len(spoiled) // 2] if mode == "truncated" else spoiled


def _spoiled_items(items: list[dict[str, Any]], mode: str) -> list[dict[str, Any]]:
    if mode == "extra_keys":
        return [{**item, "source": "chat", "nested": {"a": [1]}} for item in items]
    if mode == "one_item_missing_key":
        return [*items, {"turn": 0, "subject": "someone", "predicate": "likes"}]
    if mode == "wrong_types":
        return [_mistyped(item) for item in items]
    if mode == "names_in_other_language":
        items = [item for item in items if "subject" in item]
        other = "Ichiro Tanaka" if any(not item["subject"].isascii() for item in items) else "田中一郎"
        return [{**item, "subject": other, "subject_is_speaker": False} for item in items]
    return items


def _mistyped(item: dict[str, Any]) -> dict[str, Any]:
    if "pair" in item:
        return {"pair": str(item["pair"]), "relation": [item["relation"].upper()]}
    return {
        **item,
        "turn": str(item["turn"]),
        "object": [item["object"]],
        "polarity": "true",
        "correction": "no",
        "subject_type": 5,
        "event": "stated",
        "category": ["profile"],
        "confidence": "high",
        "importance": "0.8",
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def hashed_vector(text: str, dimension: int) -> list[float]:
    """A unit vector from the character pairs of the text: equal texts are equal, alike texts are near."""
    folded = f" {text.casefold()} "
    vector = [0.0] * dimension
    for i in range(len(folded) - 1):
        digest = hashlib.blake2b(folded[i : i + 2].encode("utf-8", "replace"), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "big") % dimension] += 1.0 if digest[4] % 2 else -1.0
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else [1.0, *vector[1:]]
