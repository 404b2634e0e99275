"""Names as they are written: key, context and honorific of one, and words that name nobody."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from .ids import name_key

ACTOR_WORDS = frozenset({"user", "the user", "ユーザー", "利用者"})
"""What the owner is called by callers."""
NAMING_SENSES = frozenset({"alias", "name"})
"""Relations whose object is another name of the subject."""
TEXT_SENSES = frozenset({"observation"})
"""Relations whose object is a text about the subject, and names nothing."""

_CJK = r"぀-ヿ㐀-鿿豈-﫿々〆ヶ"
_IN_BRACKETS = re.compile(r"^(?P<base>.+?)(?P<gap>\s*)(?P<open>[(（])\s*(?P<inner>[^()（）]{2,80}?)\s*[)）]$")
_HONORIFIC = re.compile(rf"^(?P<name>[^\s].*[^\s]|[{_CJK}])\s*(?:さん|さま|様|氏|くん|君|ちゃん|殿)$")
_NOT_HONORIFIC = re.compile(
    r"^[おご御]|^(?:奥|皆|みな|母|父|兄|姉|弟|妹|祖父|祖母|叔父|叔母|伯父|伯母|赤|娘|息子|孫|嫁|婿|神|王|仏|殿|貴|仕|模|同|多|異|"
    r"外国人|.*(?:おば|おじ|ばあ|じい|にい|ねえ|とう|かあ|客|たく|模|仕|多|同|神|王|奥|医者|店員|職人))$"
)
_IDEOGRAPH = re.compile(r"^[㐀-鿿豈-﫿々〆ヶ]$")
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_EMPTY_WORDS = frozenset("a an and at for from in my of on our the to with の".split())  # noqa: SIM905  as it is read

_PRONOUNS = frozenset(
    (  # noqa: SIM905  one text is easier to read than a hundred quoted words
        "he she it they him her them his hers its their theirs this that these those i me my mine myself we us our "
        "ours ourselves you your yours yourself yourselves himself herself itself themselves themself who whom whose "
        "someone somebody something anyone anybody anything "
        "彼 彼女 彼ら 彼等 彼女ら 彼女たち 彼たち かれ かのじょ これ それ あれ どれ これら それら "
        "あれら ここ そこ あそこ こちら そちら あちら こっち そっち あっち こいつ そいつ あいつ "
        "あの人 この人 その人 あの方 その方 あの子 この子 その子 あなた 貴方 あんた きみ お前 おまえ "
        "私 わたし わたくし あたし 僕 ぼく 俺 おれ 自分 自身 うち 私たち 私達 僕たち 僕ら 俺たち 我々 "
        "われわれ 弊社 当社 我が社 わが社 御社 貴社 誰か 何か"
    ).split()
)
_FIRST_PERSON = frozenset(
    "i me my myself 私 わたし わたくし あたし 僕 ぼく 俺 おれ 自分".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class WrittenName:
    """What a written name says: `Ken Morikawa (accounting)` is Ken Morikawa, in the context of accounting."""

    name: str
    """As it was written, without blanks at its ends."""
    base: str
    """The name alone."""
    key: str
    """What makes two spellings one name; an honorific does not count."""
    qualifier: str | None = None
    """The stated context that tells one bearer of the name from another."""
    reading: str | None = None
    """The same name in another script, where brackets give one."""
    honorific: bool = False

    @property
    def qualifier_key(self) -> str | None:
        """The context, folded."""
        return name_key(self.qualifier) if self.qualifier else None

    @property
    def qualifier_words(self) -> list[str]:
        """The context's words as `padded_words` writes a text, so that one holds the other or not."""
        return [_padded(word) for word in _words(self.qualifier or "") if word not in _EMPTY_WORDS]


def read_name(written: str, context: str | None = None) -> WrittenName:
    """The parts of a written name; a `context` given beside it wins over one in brackets."""
    name = written.strip()
    base, qualifier, reading = name, None, None
    match = _IN_BRACKETS.match(unicodedata.normalize("NFC", name))
    if match and _is_apart(match):
        inner = match["inner"]
        if _is_reading(match["base"], inner):
            base, reading = match["base"], inner
        elif not any(c.isdigit() for c in inner) and any(c.isalpha() for c in inner):
            base, qualifier = match["base"], inner
    if context:
        qualifier = context.strip()
        name = f"{base} ({qualifier})" if name == base else name
    bare = _without_honorific(base)
    return WrittenName(name, base, name_key(bare), qualifier, reading, honorific=bare != base)


def entity_key(name: str) -> str:
    """Key under which entities of this name are found: folded, without honorific and context."""
    return read_name(name).key


def padded_words(text: str) -> str:
    """The words of a text, each between blanks, for finding words of a context in it."""
    return " ".join(_padded(word) for word in _words(text))


def is_pronoun(name: str) -> bool:
    """Whether the word stands for somebody or something instead of naming it; `IT` in capitals is a name."""
    word = unicodedata.normalize("NFKC", name).strip()
    if len(word) > 1 and word.isascii() and word.isupper():
        return False
    return word.casefold() in _PRONOUNS


def is_first_person(name: str) -> bool:
    """Whether the word is the speaker's for themselves."""
    return unicodedata.normalize("NFKC", name).strip().casefold() in _FIRST_PERSON


def is_owner_word(name: str) -> bool:
    """Whether the word means the owner of the memory: `user`, or the first person."""
    return name_key(name) in ACTOR_WORDS or is_first_person(name)


def _is_apart(match: re.Match[str]) -> bool:
    """`f(x)` and `print()` are names of their own; a context stands after a blank, or after Japanese."""
    return bool(match["gap"]) or match["open"] == "（" or bool(re.search(rf"[{_CJK}]$", match["base"]))


def _is_reading(base: str, inner: str) -> bool:
    """Whether brackets give the name in another script: 佐藤 (Sato), 東京（とうきょう）."""
    if not re.fullmatch(rf"[{_CJK}ー・\s]+", base):
        return False
    if re.fullmatch(r"[぀-ヿー・\s]+", inner):
        return bool(re.search(r"[㐀-鿿]", base)) and not re.search(r"[㐀-鿿]", inner)
    latin = re.fullmatch(r"[^\W\d_]+(?:[\s'’.-]+[^\W\d_]+)*", inner)
    return bool(latin) and inner.isascii() and all(w[0].isupper() and not w.isupper() for w in inner.split())


def _without_honorific(name: str) -> str:
    match = _HONORIFIC.match(unicodedata.normalize("NFKC", name))
    if match is None:
        return name
    bare = match["name"].strip()
    # one ideograph is as often a thing as a family: 林 is a wood, 森さん a person
    return name if _NOT_HONORIFIC.match(bare) or _IDEOGRAPH.match(bare) or is_pronoun(bare) else bare


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _padded(word: str) -> str:
    return word if re.match(rf"[{_CJK}]", word) else f" {word} "
