"""Whom a question is about, and the question with one name in the place of all: names say nothing of what is asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable

from graphmem.ports import PlainQuestion, Relative

from .relatives import senses_of

JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")
SOMEBODY = {"en": "Alex", "ja": "健"}
"""What stands in the place of a name."""

_POLITELY = re.compile(
    r"^(?:please,? |(?:could|can|would|will) you (?:please )?(?:tell|remind) (?:me|us) (?:again )?"
    r"|do you (?:happen to )?(?:know|remember|recall) |i(?:'d| would) like to know )"
    r"(?=(?:who|where|what|which|when|how)\b)"
    r"|^(?:please )?(?:tell|remind|give|show) (?:me|us) (?:again )?",
    re.IGNORECASE,
)
"""What makes a question polite and says nothing of what is asked."""
_WORD = re.compile(r"^(?P<open>[\"'(“]*)(?P<word>.+?)(?P<close>(?:['’]s)?[?.,!:;\"')”]*)$")
_PARTICLES = frozenset({"de", "van", "von", "der", "den", "da", "di", "du", "del", "el", "al", "bin", "la", "le"})
_ALWAYS = frozenset({"i", "i'm", "i've", "am", "are", "were", "tell", "please", "my", "our", "we", "you", "and", "or"})
_OTHERS = frozenset({"he", "she", "him", "her", "his", "they", "them", "their", "me", "us", "mine", "a", "an", "the"})
_KIN = (
    r"(?:(?:grand|step)?(?:mother|father|son|daughter)|mum|mom|dad|parents?|sister|brother|sibling|aunt|uncle|cousin|nephew|"
    r"niece|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|child|children|kids?|baby|friend|colleague|"
    r"co-?worker|neighbou?r|boss|manager|roommate|flatmate|landlord|teacher|doctor|dentist|dog|cat|pet)s?"
)
_ABOUT_KIN = (
    r"\b{whose} (?:\w+ )?{kin}['’]s?\b"
    r"|(?<=does )\b{whose} (?:\w+ )?{kin}\b|(?<=did )\b{whose} (?:\w+ )?{kin}\b"
    r"|(?<=do )\b{whose} (?:\w+ )?{kin}\b"
    r"|(?:(?<=is )|(?<=was )|(?<=has ))\b{whose} (?:\w+ )?{kin}\b(?= (?!called|named)\w)"
    r"|(?:(?<=old is )|(?<=old are ))\b{whose} (?:\w+ )?{kin}\b"
)
_MINE = re.compile(_ABOUT_KIN.format(whose="(?:my|our)", kin=_KIN), re.IGNORECASE)
_NAMED_ONES = re.compile(_ABOUT_KIN.format(whose="Alex['’]s", kin=_KIN), re.IGNORECASE)
_THEIRS = re.compile(_ABOUT_KIN.format(whose="(?:his|her|their)", kin=_KIN), re.IGNORECASE)
_LAST_KIN = re.compile(rf"\b(?P<kin>{_KIN})(?:['’]s?)?$", re.IGNORECASE)
_MOST_STEPS = 2

_SELF_JA = r"(?:私|僕|俺|わたし|ぼく|おれ|自分|うち)"
_KIN_JA = (
    r"(?:お?(?:母|父|姉|妹|兄|弟|祖母|祖父|叔父|叔母|伯父|伯母|義母|義父|いとこ|従兄|従姉|息子|娘|子供|子ども|孫|妻|夫|嫁|奥|旦那|主人|"
    r"彼氏|彼女|両親|友達|友人|親友|同僚|先輩|後輩|上司|部下|隣人|大家|先生|主治医|犬|猫|ペット)(?:さん)?)"
)
_VALUE_JA = r"(?:の(?!名前|お名前|名は)|は(?!誰|だれ|どなた|何と|どんな人|何ですか|$))"
_MINE_JA = re.compile(rf"^(?:{_SELF_JA}の)?(?P<kin>{_KIN_JA})(?={_VALUE_JA})")
_NAMED_ONES_JA = re.compile(rf"^健の(?P<kin>{_KIN_JA})(?={_VALUE_JA})")
_LEAD = re.compile(r"^(?P<name>[^\s、。？?のはがをにでとも]{1,14}?)(?:さん|様|くん|君|ちゃん|氏)?(?P<rest>[のは].)")
_POLITE = re.compile(
    r"(?<![お㐀-鿿ァ-ヶ])(?!お|奥|旦那|医者|皆)(?:[㐀-鿿々]{1,6}|[ァ-ヶー]{2,10})(?:さん|様|くん|ちゃん|氏)"
)
_KEYWORD = re.compile(r"^(?P<name>[㐀-鿿々ァ-ヶー・]{2,14})(?:さん|様)?(?=[\s　]\S)")
_NO_NAME = re.compile(
    rf"^(?:{_SELF_JA}|あなた|今|現在|どこ|どの|どんな|どちら|何|なに|誰|だれ|いつ|いくら|どう|なぜ|最近|昨日|今日|明日|好き|嫌い|苦手|一番|"
    r".*(?:ている|てる|ていた|った|んだ|な|い)$)"
)


def plain(query: str, vocabulary: Container[str], nouns: Iterable[str]) -> PlainQuestion:
    """The question in the form that the model was made for."""
    text = unicodedata.normalize("NFKC", query).strip()
    return _japanese(text, nouns) if JAPANESE.search(text) else _english(text, vocabulary)


def _english(text: str, vocabulary: Container[str]) -> PlainQuestion:
    text = _POLITELY.sub("", text)
    mine = _MINE.search(text)
    if mine:
        text = _MINE.sub(_somebody, text)
    masked = _without_names(text.split(), vocabulary)
    if _THEIRS.search(masked):
        return PlainQuestion(masked, "others")
    steps = [mine[0]] if mine else []
    while (found := _NAMED_ONES.search(masked)) and len(steps) < _MOST_STEPS:
        steps.append(found[0])
        masked = masked[: found.start()] + _somebody(found) + masked[found.end() :]
    if _NAMED_ONES.search(masked):
        return PlainQuestion(masked, "others")
    if steps:
        kin = [match["kin"] for step in steps if (match := _LAST_KIN.search(step))]
        return PlainQuestion(masked, "kin" if mine else "others", _relative(kin, of_asker=bool(mine)))
    if masked != " ".join(text.split()) or SOMEBODY["en"] in text:
        return PlainQuestion(masked, "named")
    words = [_core(word).casefold() for word in text.split()]
    return PlainQuestion(masked, "nobody" if all(_known(word, vocabulary) for word in words) else "unknown")


def _somebody(kin: re.Match[str]) -> str:
    return SOMEBODY["en"] + ("'s" if kin[0].endswith(("'s", "’s")) else "")


def _relative(kin: list[str], *, of_asker: bool) -> Relative | None:
    """Who it is, where every word is known; of a pet, say, no fact tells who it is."""
    steps = tuple(senses_of(word) for word in kin)
    return Relative(steps, tuple(kin), of_asker) if steps and all(steps) else None


def _without_names(words: list[str], vocabulary: Container[str]) -> str:
    out: list[str] = []
    inside = False
    for place, word in enumerate(words):
        match = _WORD.match(word)
        opened, core, closed = (match["open"], match["word"], match["close"]) if match else ("", word, "")
        joins = inside and core.casefold() in _PARTICLES and words[place + 1 : place + 2] != []
        if joins or (core[:1].isupper() and not _known(core.casefold(), vocabulary)):
            if inside:
                out[-1] += closed
            else:
                out.append(opened + SOMEBODY["en"] + closed)
            inside = not closed
        else:
            out.append(word)
            inside = False
    return " ".join(out)


def _core(word: str) -> str:
    match = _WORD.match(word)
    return match["word"] if match else word


def _known(word: str, vocabulary: Container[str]) -> bool:
    return word in vocabulary or word in _ALWAYS or word in _OTHERS


def _japanese(text: str, nouns: Iterable[str]) -> PlainQuestion:
    mine = _MINE_JA.search(text)
    masked = SOMEBODY["ja"] + text[mine.end() :] if mine else _led(_POLITE.sub(SOMEBODY["ja"], text), nouns)
    kin = [mine["kin"]] if mine else []
    while (found := _NAMED_ONES_JA.search(masked)) and len(kin) < _MOST_STEPS:
        kin.append(found["kin"])
        masked = SOMEBODY["ja"] + masked[found.end() :]
    if _NAMED_ONES_JA.search(masked):
        return PlainQuestion(masked, "others")
    if kin:
        return PlainQuestion(masked, "kin" if mine else "others", _relative(kin, of_asker=bool(mine)))
    return PlainQuestion(masked, "nobody" if masked == text else "named")


def _led(text: str, nouns: Iterable[str]) -> str:
    """Without the name that it begins with."""
    lead = _LEAD.match(text)
    if lead is None:
        keyword = _KEYWORD.match(text)
        return text if keyword is None or _is_noun(keyword["name"], nouns) else SOMEBODY["ja"] + text[keyword.end() :]
    name = lead["name"]
    if _NO_NAME.match(name) or _is_noun(name, nouns):
        return text
    return SOMEBODY["ja"] + text[lead.start("rest") :]


def _is_noun(name: str, nouns: Iterable[str]) -> bool:
    return any(name == noun or (len(noun) > 1 and name.endswith(noun)) for noun in nouns)
