"""Orders inside text: words that tell the memory or the agent what to do, instead of telling something.

An order is never carried out: a text that holds one is shown as a quotation, and what would follow from it is at most
a claim to be confirmed. A user's own "remember that …" is no such order; inside what the user quotes, it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from .fold import fold

_SUBJECT = r"(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bpeople )(?<!\busers )"
"""Who is told about and not told to: "they ignore all rules" is no order."""
_THEIRS = (
    r"(?:(?:of|the|my|these|those|about|and) ){0,3}"
    r"(?:(?:all|any|your|its|every|everything|previous|prior|above|earlier|preceding|foregoing|former|original"
    r"|existing|initial"
    r"|current|other|system|safety|developer|hidden|said)(?: of)?(?: the| your| my| these| those)? ){1,4}"
)
_GIVEN = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|constraints?|messages"
    r"|context"
    r"|conversation|training|restrictions|policies|above|before)"
)
_READER = r"(?:ai|llm|assistant|agent|memory|language model|chatbot|model|extractor|summari[sz]er)s?"
_OVERRIDE_EN = re.compile(
    rf"{_SUBJECT}\b(?:ignore|disregard|forget|override|overrule|bypass|discard|drop|do not follow|don't follow"
    rf"|stop following"
    rf"|pay no attention to)[ ,]{{1,3}}(?:{_THEIRS}{_GIVEN}|(?:the )?(?:instructions|prompt|everything (?:above"
    rf"|before)))\b"
    r"|\b(?:new|updated|revised|real|hidden|secret|urgent|special|important|system|admin(?:istrator)?)(?: system)?"
    r" (?:instructions?|prompt|directives?|override)\s{0,2}(?::|=|follow)"
    r"|\byou are (?:now|no longer) (?:an? |the |in |bound |called |free )"
    r"|\bfrom (?:now|here|this (?:point|moment)) on(?:wards?)?,? (?:you|always|never|act|answer|reply|respond|drop|only"
    r"|ignore|treat|pretend)\b"
    r"|\b(?:reveal|print|repeat|output|show|leak|expose)[ ](?:me |us |out )?(?:your|the) (?:full |entire |hidden "
    r"|original "
    r"|initial )?(?:system prompt|system message|instructions)\b"
    r"|\b(?:act|behave|respond|answer) as (?:if you (?:are|were)|though you|an? unrestricted|dan\b|root\b|(?:an? "
    r"|the )?admin)"
    r"|\b(?:jailbreak|developer mode|god mode|dan mode) (?:enabled|on|activated)\b"
    rf"|\b(?:dear|hey|attention|note to|message (?:to|for)|instructions? (?:to|for))[ ,:]{{1,2}}(?:the |any |all "
    rf"|your |this )?"
    rf"{_READER}\b"
    r"|\b(?:memory|ai) (?:assistant|agent|system|service|extractor)\s?[,:]\s?(?:from|please|you|ignore|drop|delete"
    r"|forget"
    r"|remember|store|save|add|record|always|never)\b"
)
_OVERRIDE_JA = re.compile(
    r"(?:これまで|今まで|以前|前|先|上|上記|すべて|全て|全部|既存|元|最初|システム|従来|過去|他|現在)(?:の|まで"
    r"|に与えられた|から|で)?"
    r"[^。\n]{0,16}?(?:指示|命令|指令|プロンプト|ルール|規則|制約|設定|会話|文脈|方針|ガイドライン)[^。\n]{0,8}?"
    r"(?:(?:無視|破棄|無効に|上書き|削除|リセット)(?!した|され|しました|しがち|している|していた|しない)|忘れ(?:ろ"
    r"|よ|て(?!い|し|た|る))"
    r"|従わない(?:で|こと)|従うな|捨て(?:ろ|よ|て(?!い|し|た|る)))"
    r"|(?:今から|これから|以後|以降|ここから)(?:は)?[、,]?(?:あなた|君|きみ|お前|ai|アシスタント)は"
    r"|あなたは(?:今から|これから|もう)[^。\n]{0,20}(?:です|だ|として|になり)"
    r"|(?:抽出処理|記憶(?:係|処理|エンジン|システム|担当)|メモリ(?:ー)?(?:係|処理|エンジン|システム)?|アシスタント"
    r"|ai|エージェント|モデル"
    r"|llm|システム)(?:への(?:指示|命令|お願い|伝言)|へ|に告ぐ|に命ずる)\s?[:、,]"
    r"|システムプロンプト(?:を|の)[^。\n]{0,10}(?:表示|出力|教え|開示|見せ|公開)"
    r"|(?:新しい|追加の|重要な|隠し|緊急の)(?:指示|命令|システムプロンプト)\s?(?::|は次|は以下|である)"
    r"|(?:管理者|開発者|デバッグ|脱獄)モード(?:を|に)?(?:有効|入|切り替え|起動)"
)
_ROLES = re.compile(
    r"(?:^|[\n>\]]|[.!。」] ?)[ \t*#>-]{0,8}[\[<(]?/?(?:system|developer|sys|assistant|administrator|システム"
    r"|開発者|管理者)[\]>)]?"
    r"(?: (?:message|prompt|note|override))?\s?:"
)
_TAGS = re.compile(
    r"<\s?/?\s?(?:system|assistant|developer|instructions?|system[-_]prompt|im_start|im_end|tool_result"
    r"|function_calls)\b"
    r"|<\|[a-z_]{2,30}\|>|\[/?inst\]|<</?sys>>|<\s?/?\s?memory[\W_]{0,3}context"
    r"|\bend of (?:the )?(?:memories|memory context|context)\b"
)
"""Marks that programs put around prompts; in the owner's own words they are only words, and never shown as they are."""
_HOLD = r"(?:your |the |all |long[- ]term |permanent |user'?s? ){0,3}"
_COMMAND_EN = re.compile(
    r"(?:^|[.!?;:>\n\"“'(\]—-]|\b(?:please|and|then|now|must|should|to|also|always|you|,))[ \t]{0,3}"
    r"(?:remember|memori[sz]e|keep in mind|bear in mind|make a note|take note|note|do not forget|don't forget"
    r"|never forget)"
    r"(?: that\b|:| the following\b| this\b| for later\b)"
    r"|\b(?:add|save|store|write|record|put|commit|insert|append|log) [^.\n]{0,80}?(?:to|in|into|as a?) "
    rf"{_HOLD}(?:memory|memories|facts?|profile|knowledge (?:base|graph))\b"
    rf"|\b(?:update|change|overwrite|edit|delete|erase|wipe|clear) {_HOLD}(?:memory|memories|facts|profile)\b"
    r"|\b(?:store|save|record|remember) (?:this|the following) (?:fact|information|preference)\b"
)
_COMMAND_JA = re.compile(
    r"(?:覚えて|記憶して|憶えて|メモして|記録して|保存して|登録して)"
    r"(?:おいて|おけ|おく(?:こと|よう)|ください|下さい|くれ|ほしい|欲しい|ね|よ|。|」|$|お)"
    r"|(?:記憶|記録|登録|保存|メモ|追記|学習)(?:せよ|しろ|すること|しなさい|されたい|してください|願います)"
    r"|(?:事実|記憶|メモリー?|プロフィール|知識)(?:に|として)[^。\n]{0,12}(?:加え|追加|登録|記録|保存|書き込"
    r"|書き換え|入れ)"
    r"(?:よ|ろ|る(?:こと|よう)|なさい|てください|て|する(?:こと|よう)|せよ|しろ)"
    r"|(?:記憶|メモリー?|事実|プロフィール)(?:を|の)[^。\n]{0,10}(?:削除|消去|書き換え|上書き|変更|更新)"
    r"(?:せよ|しろ|すること|しなさい|してください|して)"
)
_QUOTE = re.compile(
    r"[\"“]([^\"“”\n]{4,2000}+)[\"”]|「([^「」\n]{4,2000}+)」|『([^『』\n]{4,2000}+)』|```([^`]{4,20000}+)```"
    r"|(?:^|\n)[ \t]{0,3}(>[^\n]{4,2000}+)"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？\n]")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Orders:
    """The ranges of a text that are not believed; `claims` is true when there is one."""

    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans)

    def taint(self, start: int | None, end: int | None) -> bool:
        """Whether what stands at this range, or anywhere when it is not known where, is part of an order."""
        if start is None or end is None:
            return bool(self.spans)
        return any(first < end and start < last for first, last in self.spans)


def is_order(text: str) -> bool:
    """Whether a name, a label or a short text tells the reader what to do."""
    lower = fold(text).lower
    return any(pattern.search(lower) for pattern in (_OVERRIDE_EN, _OVERRIDE_JA, _ROLES))


def find_orders(text: str, *, own_word: bool) -> Orders:
    """Where a text orders something.

    Of the owner's own words: from an order that would overrule others to the end of the text, and what orders inside
    a quotation. Of what others say (documents, tools, the assistant): the whole text where it would overrule, and the
    paragraph from where it tells the memory what to keep.
    """
    folded = fold(text)
    lower = folded.lower
    ways = (_OVERRIDE_EN, _OVERRIDE_JA, _ROLES) if own_word else (_OVERRIDE_EN, _OVERRIDE_JA, _ROLES, _TAGS)
    overrides = sorted(m.start() for pattern in ways for m in pattern.finditer(lower))
    commands = sorted(m.start() for p in (_COMMAND_EN, _COMMAND_JA) for m in p.finditer(lower))
    if not overrides and not commands:
        return Orders()
    if not own_word and overrides:
        return Orders(((0, len(text)),))
    if not own_word:
        spans = [_paragraph(lower, at) for at in commands]
    else:
        quotes = [m.span(m.lastindex or 0) for m in _QUOTE.finditer(lower)]
        quoted = {span for at in (*overrides, *commands) if (span := _around(quotes, at)) is not None}
        loose = [at for at in overrides if _around(quotes, at) is None]
        spans = sorted(quoted) + ([(_sentence_start(lower, loose[0]), len(lower))] if loose else [])
    return Orders(tuple(folded.span(start, end) for start, end in spans if end > start))


def _around(quotes: list[tuple[int, int]], at: int) -> tuple[int, int] | None:
    index = bisect_right(quotes, (at + 1, 0)) - 1
    if index >= 0 and quotes[index][0] - 1 <= at < quotes[index][1]:
        return quotes[index]
    return None


def _sentence_start(text: str, at: int) -> int:
    start = 0
    for match in _SENTENCE_END.finditer(text, max(0, at - 1000), at):
        start = match.end()
    return start or max(0, at - 1000)


def _paragraph(text: str, at: int) -> tuple[int, int]:
    end = _PARAGRAPH_END.search(text, at)
    return _sentence_start(text, at), end.start() if end else len(text)
