"""Japanese sentences before they are parsed: what was taken back, lead-ins and what only reports the fact, left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .sentences import Sentence

_CORRECTS = re.compile(
    r"^(?:あ、?|えっと、?|すみません、?|ごめん(?:なさい)?、?|いや、?|いえ、?)*(?:実は|訂正(?:します|です)?|正しくは|間違えました|間違えた"
    r"|間違いでした|間違いで|言い間違えました|さっきのは(?:間違い|勘違い|嘘)(?:で|でした)?|先ほどのは(?:間違い|勘違い)(?:で|でした)?"
    r"|(?:勘違い|思い違い)(?:で|でした)|じゃなくて|ではなく)[、,。:]?\s*"
)
_LEAD_IN = re.compile(
    r"^(?:[^、。:はがを]{0,15}(?:確認|メモ|備忘|備忘録|追記|補足|共有|連絡|報告|お知らせ|情報)(?:です|まで|として|ですが)?[、,:]"
    r"|(?:余談|参考|念のため|ご参考まで|ついで)(?:ですが|だが|までに|に)?[、,:]?(?=[^、。はがを]))\s*"
)
_REPAIR = re.compile(r"[、,。…]\s*(?:いや|いえ|じゃなくて|ではなくて?|もとい|違った|違う|間違えた|訂正)[、,]?\s*")
_NOT_ONLY = re.compile(r"(?:だけ|のみ|ばかり|わけ|はず)$")
_INSTEAD = re.compile(
    r"(?P<old>[^、。はがをに]{1,20})(?:では|じゃ|で)な(?:くて?|く)[、,]?(?:(?:正しく|実際|本当)は、?|実は、?)?(?=[^、。])"
)
_AND_NOT = re.compile(
    r"(?:であって|で)、?(?P<old>[^、。はがをに]{1,20})(?:では|じゃ)(?:ない|ありません)(?:です)?[。!]*$"
)
_STATED = re.compile(r"(?:です|だ|ます|る|た|[^ぁ-ん、。!])[よねなわぞ]*[。!]*$")
_ADJUNCT = re.compile(r"^.*(?:の結果|のところ)")
_TRULY = re.compile(r"(?<=[、,はが])(?:正しく|実際|本当)は、?")
_TOWARD = re.compile(r"(?<=[^、。])へ(?=の(?:ご?連絡|メール|電話|返信|案内|やりとり)[はも])")
_AS_EVER = re.compile(r"(?:相変わらず|あいかわらず|依然として)、?(?=[^、。でだの])")
_SAID_WRONG = re.compile(
    r"(?P<old>[^、。はがをに]{1,20}?)だ?と(?:言|書|伝え|話|申し|聞|思|覚え|記)[^、。がけ]{0,8}(?:が|けれども?|けど)、?"
    r"(?:(?:あれは|それは|これは)、?)?(?:(?:間違い|誤り|勘違い|嘘)(?:で(?:した)?|だった)?、?)?(?:(?:正しく|実際|本当)は、?|実は、?)?"
)
_EARLIER = re.compile(r"^(?:前に|以前|さっき|先ほど|先日|昨日)、?")
_FOUND_OUT = re.compile(r"(?:と|ことが)(?:わかった|分かった|判明(?:した)?|確認(?:された|できた))[。!]*$")
_WAS = re.compile(r"(?:だった|でした)(?:んです|のです)?(?=[。!]*$)")
_ALIAS = re.compile(
    r"[((](?:(?:あだ名|愛称|通称|別名|旧姓|ニックネーム|本名)(?:は|:|:)?\s*(?P<nick>[^()()]{1,40})"
    r"|(?P<latin>[A-Z][A-Za-z' .-]{1,60})"
    r"|(?P<kana>[ぁ-んァ-ヶー ・]{2,30}))[))]"
)
_ASIDE = re.compile(r"[((][^()()]{0,80}[))]")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that the sentence says is not the one, and the words that follow it: the right one begins them."""

    text: str
    right: str


@dataclass(slots=True)
class Prepared:
    """The sentence to parse, and what was learnt from the words that were left out."""

    sentence: Sentence
    corrects: bool = False
    wrong: Wrong | None = None
    aliases: list[tuple[int, str]] = field(default_factory=list)
    """Positions in the sentence and the other names that stood there in brackets."""


def prepare(sentence: Sentence, content: str) -> Prepared:
    """The sentence of the content without lead-ins, what was taken back, and brackets."""
    found = Prepared(sentence)
    _leave_out(found, _LEAD_IN)
    _leave_out(found, _TOWARD)
    _leave_out(found, _AS_EVER)
    if match := _CORRECTS.match(found.sentence.text):
        found.corrects = match.end() > 0
        found.sentence = found.sentence.without(0, match.end())
    if (match := _REPAIR.search(found.sentence.text)) and match.start() > 0:
        start = _taken_back(found.sentence.text, match.start())
        found.sentence, found.corrects = found.sentence.without(start, match.end()), True
    surprised = _leave_out(found, _FOUND_OUT)
    truly = _leave_out(found, _TRULY)
    _instead(found, content)
    if found.wrong or truly or surprised:
        _leave_out(found, _WAS)  # what it turned out to be, it is
    while match := _ALIAS.search(found.sentence.text):
        found.aliases.append((match.start(), next(g for g in match.groups() if g).strip()))
        found.sentence = found.sentence.without(*match.span())
    while _leave_out(found, _ASIDE):
        pass
    return found


def _leave_out(found: Prepared, pattern: re.Pattern[str]) -> bool:
    match = pattern.search(found.sentence.text)
    if match is None or match.end() - match.start() == len(found.sentence.text):
        return False
    found.sentence = found.sentence.without(*match.span())
    return True


def _instead(found: Prepared, content: str) -> None:
    """AではなくB, Bであって、Aではない: only B is left."""
    whole, text = found.sentence, found.sentence.text
    said = _SAID_WRONG.search(text)
    if said and re.search(r"間違|誤り|勘違|正しく|実際は|本当は|実は", said[0]):
        found.sentence = found.sentence.without(said.start("old"), said.end())
        found.wrong = Wrong(whole.words(content, *said.span("old")), whole.words(content, said.end(), len(text)))
        _leave_out(found, _EARLIER)
        return
    match = _INSTEAD.search(text)
    if match and _STATED.search(text) and not _NOT_ONLY.search(match["old"]):
        found.sentence = found.sentence.without(match.start("old"), match.end())
        old = _ADJUNCT.sub("", whole.words(content, *match.span("old")))
        found.wrong = Wrong(old, whole.words(content, match.end(), len(text)))
    elif (match := _AND_NOT.search(text)) and match.start() > 0:
        right = re.split(r"[はがを、]", whole.words(content, 0, match.start()))[-1]
        found.sentence = found.sentence.without(match.start(), match.end())
        found.wrong = Wrong(whole.words(content, *match.span("old")), right)


def _taken_back(text: str, stop: int) -> int:
    """Where the words begin that the repair replaces: behind the last particle before it."""
    for index in range(stop - 1, -1, -1):
        if text[index] in "はがをにへで、,。":
            return index + 1
    return 0
