"""Relation names: what a written predicate means, and what is known of it before a store says otherwise."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ..models.ids import hash_key

_SEPARATORS = re.compile(r"[\s\-/・]+")
_ENDED = re.compile(r"^(?:no_longer|not_anymore|stopped|used_to|formerly|previously)_+(?=\w)")
_DENIED = re.compile(r"^(?:does_not|doesn't|do_not|don't|did_not|is_not|isn't|not|never|cannot|can't)_+(?=\w)")
_FAVOURITE = re.compile(r"^(?:fav(?:ou?rite)?_|(?:一番)?(?:好きな|お気に入りの))(?P<thing>.+)$")
# Japanese endings that deny or end a relation, and what the relation is without them
_JAPANESE_ENDED = re.compile(
    r"^(?:もう|もはや)(?P<rest>.+?)(?:ていない|でいない|ない|なくなった)$|^(?P<stem>.+?)(?:なくなった|のをやめた|をやめた)$"
)
_JAPANESE_DENIED = re.compile(
    r"^(?P<stem>.+?)(?P<ending>ていない|でいない|ていません|でいません|ではない|じゃない|"
    r"られない|せない|けない|えない|べない|めない|らない|かない)$"
)
_AFFIRMED = {
    "ていない": "ている",
    "でいない": "でいる",
    "ていません": "ている",
    "でいません": "でいる",
    "ではない": "",
    "じゃない": "",
    "られない": "られる",
    "せない": "せる",
    "けない": "ける",
    "えない": "える",
    "べない": "べる",
    "めない": "める",
    "らない": "る",
    "かない": "く",
}
_ONE_VALUED = re.compile(
    r"(?:^|_)(?:number|count|dose|dosage|amount|price|cost|fee|rent|size|colou?r|weight|height|length|width|depth|speed|"
    r"temperature|capacity|age|date|day|time|deadline|due|expires?|expiry|expires_on|expires_in|address|room|desk|seat|"
    r"floor|status|state|access|permission|level|rank|grade|score|capital|leader|head|chair|chairperson|president|ceo|"
    r"director|manager|boss|supervisor|captain|principal|mayor|tutor|mentor|coach|landlord|doctor|dentist|"
    r"owner|commute|password|username|version|budget|salary|balance|sits_at|scheduled_for|"
    r"starts_at|ends_at|due_on|title|surname|gender|religion|currency|unit|location|headquarters|phone|email)$"
)
_JAPANESE_ONE_VALUED = re.compile(
    r"(?:番号|人数|数|用量|量|金額|額|値段|価格|料金|費用|予算|大きさ|サイズ|色|重さ|高さ|長さ|速さ|温度|年齢|日付|"
    r"日時|日|曜日|時刻|時間|"
    r"期限|締切|住所|部屋|会議室|席|机|階|状態|状況|権限|順位|点数|首都|会長|社長|部長|課長|所長|校長|市長|町長|店長|班長|監督|委員長|"
    r"代表|責任者|担当|上司|担任|先生|主治医|大家|持ち主|所有者|司会|題名|タイトル|苗字|性別|通貨|単位|場所|本社|置き場所|所在地|版|バージョン)$"
)
_LONGEST_KEY = 60

DEFAULT_HALF_LIFE = {"semantic": 365.0, "episodic": 30.0, "procedural": 730.0}
"""Days, by layer, for a relation that has none of its own (seed 1 asks for half-lives by kind of memory)."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a written relation stands for."""

    name: str
    """As it is shown: the caller's word, or the canonical name."""
    key: str
    """Its identity within a store."""
    sense: str
    """The relation it is another name of; two names of one sense say the same."""
    axis: str
    """Senses that exclude one another for one object share it (likes, dislikes)."""
    cardinality: str | None
    """Of a known relation; it wins over what comes with a fact."""
    guess: str | None
    """Of an unknown one, by what its name says; it yields to what comes with a fact."""
    category: str | None
    kind: str
    half_life_days: float | None
    ended: bool = False
    """The word itself says that it holds no more (`no_longer_likes`)."""
    denied: bool = False
    """The word itself is negative (`does_not_like`)."""


def _fold(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold().strip()
    return _SEPARATORS.sub("_", folded).strip("_") or folded


@cache
def _seeds() -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    known = tomllib.loads((files(__package__) / "predicates.toml").read_text(encoding="utf-8"))
    names = {_fold(name): sense for sense, entry in known.items() for name in [sense, *entry.get("same", [])]}
    return known, names


def seeded() -> dict[str, dict[str, Any]]:
    """What is known of relations from the start, by sense, as `predicates.toml` has it."""
    return _seeds()[0]


def read_predicate(written: str) -> Predicate:
    """What the written relation means. Names that are not known keep their own sense."""
    known, names = _seeds()
    folded = _fold(written)
    plain, ended = _strip(_ENDED, folded)
    plain, denied = _strip(_DENIED, plain)
    plain, ended, denied = _japanese(plain, ended, denied)
    sense = names.get(plain)
    changed = ended or denied
    favourite = _FAVOURITE.match(plain)
    if sense is None and favourite:
        sense = "favourite_" + names.get(favourite["thing"], favourite["thing"])
    sense = sense or _depluralised(plain, names)
    entry = known.get(sense) or _unknown(plain, favourite=bool(favourite))
    opposite = entry.get("opposite")
    short = plain if len(plain) <= _LONGEST_KEY else hash_key(plain)
    sense_key = sense if len(sense) <= _LONGEST_KEY else hash_key(sense)
    return Predicate(
        name=plain if changed else written.strip(),
        key=short,
        sense=sense_key,
        axis=min(sense_key, opposite) if opposite else sense_key,
        cardinality=known.get(sense, {}).get("cardinality"),
        guess=entry.get("cardinality"),
        category=entry.get("category"),
        kind=entry.get("kind", "state"),
        half_life_days=float(entry["half_life"]) if "half_life" in entry else None,
        ended=ended,
        denied=denied,
    )


def sense_of(written: str) -> str:
    """The relation that a written name stands for."""
    return read_predicate(written).sense


def _japanese(name: str, ended: bool, denied: bool) -> tuple[str, bool, bool]:
    """A Japanese relation without its denial: 持っていない is 持っている, denied."""
    if _fold(name) in _seeds()[1]:
        return name, ended, denied  # 好きではない is a relation of its own (dislikes)
    if match := _JAPANESE_ENDED.match(name):
        stem = match["rest"] or match["stem"]
        return _known_form(stem), True, denied
    if match := _JAPANESE_DENIED.match(name):
        return match["stem"] + _AFFIRMED[match["ending"]], ended, True
    return name, ended, denied


def _known_form(stem: str) -> str:
    """The form under which a relation is known, of its stem: 住ん is 住んでいる."""
    names = _seeds()[1]
    return next((stem + end for end in ("でいる", "ている", "る", "", "き") if stem + end in names), stem)


def _unknown(name: str, *, favourite: bool) -> dict[str, Any]:
    """What the word itself tells of a relation without an entry: `…_count` or 〜番号 has one value."""
    if favourite:
        return {"cardinality": "one", "category": "preference"}
    if _ONE_VALUED.search(name) or _JAPANESE_ONE_VALUED.search(name):
        return {"cardinality": "one"}
    return {}


def _strip(pattern: re.Pattern[str], name: str) -> tuple[str, bool]:
    rest = pattern.sub("", name)
    return rest, rest != name


def _depluralised(name: str, names: dict[str, str]) -> str:
    """`like` and `likes` are one relation: a verb's third-person s is not part of its sense."""
    if name + "s" in names:
        return names[name + "s"]
    if name.endswith("s") and name[:-1] in names:
        return names[name[:-1]]
    first, _, rest = name.partition("_")
    if name.isascii() and len(first) > 3 and first.endswith("s") and not first.endswith(("ss", "us", "is")):
        return first[:-1] + ("_" + rest if rest else "")
    return name
