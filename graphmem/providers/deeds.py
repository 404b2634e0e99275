"""What an assistant says that it did or will do: the only thing of its own that it can tell as a fact."""

from __future__ import annotations

import re
from dataclasses import replace

from graphmem.ports import Candidate, Turn

from .offline.lexicon import lexicon
from .pieces import is_japanese

EVIDENCE_ROLES = ("user", "assistant")
"""Whose words can be evidence: of users all, of assistants what they did or promised."""
NOT_EVIDENCE = "not_evidence"
"""Reason for what a system prompt or a tool says, or an assistant of others."""

_DEED_EN = re.compile(
    r"(?<![\"“'‘‛])\bI(?:['’]ve| have|['’]ll| will| shall|['’]m going to| am going to)? "
    r"(?:(?:just|now|already|also|then|gladly|promptly|successfully|promise to|promised to) ){0,2}([A-Za-z]+)"
)
_NO_DEED = re.compile(
    r"have|had|was|were|am|be|been|do|did|can|could|would|should|may|might|must|think|thought|know|knew|known|believe"
    r"|noted?|remember(?:ed)?|recall(?:ed)?|understand|understood|hear|heard|learned|learnt|see|saw|seen|memori[sz]ed"
    r"|stored|record(?:ed)?|keep|kept|mind|forgot|forgotten|got|get|gathered|assumed?|liked?|loved?|lived?|work(?:ed)?"
    r"|feel|felt|guess|want(?:ed)?|need(?:ed)?|wish|hoped?|mean|meant|agreed?|said|say|told|tell|mentioned|apologi[sz]e"
    r"|sorry|not|never"
)
"""Words after "I" that tell a state, a thought, or what was heard and kept, and no deed."""
_YOU_SAID = re.compile(r"(?i)\byou(?:['’]ve| have)? (?:just )?(?:said|told|mentioned|wrote|asked|shared|live|like)\b")
_SERVICE_JA = (
    r"(?:予約|送信|送付|発送|手配|注文|作成|追加|設定|変更|更新|登録|申請|連絡|転送|共有|返信|予定|印刷|修正|削除|購入"
    r"|キャンセル|アップロード|ダウンロード|リマインド|スケジュール|支払|確保|調整|翻訳|投稿|公開|準備|用意)"
)
_DEED_JA = re.compile(
    rf"{_SERVICE_JA}(?:を)?(?:し(?:て(?:おき|あり))?ま(?:した|す)|いたしま(?:した|す)|致しま(?:した|す)|済み)"
    r"|[おご][^\s、。]{1,6}(?:しま(?:した|す)|いたしま(?:した|す)|致しま(?:した|す))"
    r"|(?:て|で)おきま(?:した|す)|(?:さ?せて)いただきま(?:した|す)|差し上げま(?:した|す)"
    r"|(?:私|わたくし|こちら|当方)(?:が|で|は)[^。]{1,60}(?:ました|ます)"
)
_NO_DEED_JA = re.compile(
    r"(?:覚え|記憶|承知|承り|了解|理解|把握|記録|メモ|存じ|お聞き|伺い|お聞かせ)[^。]{0,12}(?:ました|ます|ておき)"
    r"|(?:とのこと|と(?:言って|おっしゃって|仰って|聞いて|伺って)|そうです|らしい|でしょう|ましょう)"
    r"|(?:でした|ました|ます)よ?ね[。!!]?\s*$(?<!おきますね)(?<!おきますね。)(?<!たしますね)(?<!たしますね。)"
    r"|(?:か|かな)[。??]?\s*$|(?:たら|れば|なら)、"
)


def is_deed(sentence: str) -> bool:
    """Whether an assistant's sentence tells what it did or promises, and not what it was told or remembers."""
    text = sentence.strip()
    if is_japanese(text):
        return bool(_DEED_JA.search(text)) and not _NO_DEED_JA.search(text)
    if text.endswith("?") or _YOU_SAID.search(text) or re.match(r"(?i)if\b", text):
        return False
    return any(not _NO_DEED.fullmatch(m[1].lower()) for m in _DEED_EN.finditer(text))


def holds_evidence(turn: Turn) -> bool:
    """Whether it is worth while to read a message: a user's that says something, an assistant's with a deed in it."""
    if turn.role == "user":
        return bool(turn.content.strip())
    return turn.role == "assistant" and any(is_deed(s) for s in re.split(r"(?<=[.!?。！？])|\n", turn.content))


def own_deed(candidate: Candidate, turn: Turn) -> Candidate | None:
    """The candidate of an assistant's message as a fact about the assistant; None where it is about something else."""
    state = candidate.predicate != "plans_to" and lexicon().is_state(candidate.predicate)
    if state or candidate.event != "assert" or not candidate.subject.is_speaker or candidate.object.is_speaker:
        return None
    if not is_deed(_sentence(turn.content, candidate)):
        return None
    return replace(candidate, subject=replace(candidate.subject, is_speaker=False, type=None), correction=False)


def _sentence(content: str, candidate: Candidate) -> str:
    """The sentence that the quote stands in."""
    start = max((content.rfind(c, 0, candidate.start) for c in "\n。！？.!?"), default=-1) + 1
    ends = [at for c in "\n。！？" if (at := content.find(c, candidate.end)) >= 0]
    return content[start : min(ends, default=len(content)) + 1] if len(content) < 2000 else candidate.quote
