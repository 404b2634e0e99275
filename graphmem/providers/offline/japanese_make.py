"""Drafts from a Japanese clause: subject, timing, endings and wording in one place."""

from __future__ import annotations

import re
from typing import Literal

from .dates import DateSpan
from .draft import Draft, Name
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent
from .timing import timing

_ME = re.compile(r"^(?:私|わたし|僕|ぼく|俺|おれ|自分|うち|あたし)(?=は|も|が|の)")

_MAYBE = frozenset({"たぶん", "多分", "おそらく", "恐らく", "きっと", "もしかしたら", "もしかすると", "ひょっとすると"})
_HABITS = {"smokes": "吸う", "drinks": "飲む", "eats": "食べる"}
_NAMES = {"doctor": "主治医", "manager": "上司", "teacher": "先生", "landlord": "大家", "coach": "コーチ", "wife": "妻",
          "husband": "夫", "spouse": "配偶者", "partner": "パートナー", "dentist": "歯科医", "tutor": "家庭教師",
          "team": "所属"}  # fmt: skip
_PLAIN_VERB = tuple("うくぐすつぬぶむる")


def subject(clause: Clause, scene: Scene, *used: Arg | None) -> tuple[Name | None, bool]:
    """Who the clause is about, and whether it was left unsaid. `used` are arguments with another part to play."""
    explicit = [a for a in clause.args if a.topic and a.role == "は" and a not in used] + [
        a for a in clause.args if a.role == "が" and a not in used
    ]
    if explicit:
        chosen = next((a for a in explicit if is_agent(a, scene)), explicit[0])
        return entity(chosen.parts, scene), False
    return scene.topic or scene.context.topic or scene.context.me, True


def ended(clause: Clause) -> bool:
    """Whether the clause tells of an end: もう〜ない, 〜なくなった, 〜のをやめた."""
    gone = clause.negated and ("もう" in clause.adverbs or "もはや" in clause.adverbs or "なる" in clause.endings)
    return gone or clause.has("やめる", "辞める")


def make(
    clause: Clause,
    scene: Scene,
    predicate: str,
    target: Name,
    *,
    who: tuple[Name | None, bool],
    state: bool = True,
    over: bool | None = None,
    polarity: bool | None = None,
    canonical: bool = True,
    confidence: float | None = None,
    cardinality: Literal["one", "many"] | None = None,
    text: str | None = None,
) -> Draft | None:
    """One draft; None without a subject. `state`: true of a span of time, so that 〜ていた has ended."""
    name, silent = who
    if name is None:
        return None
    predicate = scene.words.belonging(predicate, target.text)
    measured = any(span.length for span in clause.dates)
    past = clause.past and (clause.lasting or (state and measured) or clause.kind != "verb" or "以前" in clause.adverbs)
    when = timing(
        clause.dates,
        scene.context.reference,
        state=state,
        past=past if state else clause.past,
        perfect=clause.lasting and not clause.past,
        inclusive=True,
    )
    finished = ended(clause) if over is None else over
    if over is None and state and past and not clause.negated:
        since = any(span.kind == "since" for span in clause.dates)
        finished = not (when.start is not None and (when.end is not None or since))
    positive = not clause.negated if polarity is None else polarity
    entry = scene.words.predicate(predicate)
    if text is None and canonical:
        text = entry.sentence("ja", name.text, target.text, polarity=positive or finished)
    if text is None and finished:
        text = _affirmed(clause, predicate, name, target)
    return Draft(
        subject=name,
        predicate=predicate,
        target=target,
        start=0,
        end=len(scene.sentence.text),
        text=text or verbatim(scene, name, silent),
        polarity=True if finished else positive,
        event="retract" if finished else "assert",
        valid_at=(when.start or when.end) if finished else when.start,
        invalid_at=None if finished else when.end,
        confidence=_confidence(clause, scene, canonical, silent, confidence),
        candidate=_unsure(clause),
        cardinality=cardinality,
    )


def _affirmed(clause: Clause, predicate: str, name: Name, target: Name) -> str:
    """What has ended, as it was while it held: the text of a fact says what it states, not that it is over."""
    if word := _NAMES.get(predicate):
        return f"{name.text}の{word}は{target.text}"
    particle = predicate.rpartition("_")[2] if predicate.endswith(("_に", "_で", "_へ")) else "を"
    if clause.lemma not in ("やめる", "辞める"):
        return f"{name.text}は{target.text}{particle}{clause.lemma}"
    if target.text.endswith(_PLAIN_VERB):
        return f"{name.text}は{target.text}"
    return f"{name.text}は{target.text}を{_HABITS.get(predicate, 'する')}"


def _confidence(clause: Clause, scene: Scene, canonical: bool, silent: bool, given: float | None) -> float:
    value = given or (0.85 if canonical else 0.5)
    carried = silent and (scene.topic or scene.context.topic) is not None
    hearsay = clause.has("らしい", "そう", "みたい", "よう") and not clause.has("なる")
    return value - (0.1 if carried else 0.0) - (0.2 if hearsay else 0.0)


def _unsure(clause: Clause) -> bool:
    """Whether the clause is a guess, an opinion or somebody's words."""
    if clause.has("らしい", "そう", "みたい") or (clause.has("よう") and not clause.has("なる", "する")):
        return True
    if any(word in _MAYBE for word in clause.adverbs):
        return True
    return clause.has("う", "でしょう", "だろう", "思う", "言う", "聞く", "はず", "まい", "伝える", "話す")


def verbatim(scene: Scene, name: Name, silent: bool) -> str:
    """The sentence as it was said, first person and relative dates spelled out."""
    text = scene.read(0, len(scene.sentence.text))
    text = with_dates(text, scene.dates, scene)
    for words in ("彼女", "彼", "弊社", "当社", "わが社", "我が社"):
        if text.startswith(words) and not name.is_speaker and not silent:
            return name.text + text[len(words) :]
    own = name.text.removeprefix(f"{scene.context.speaker}の")
    if not silent and own != name.text and text.startswith(own):
        return name.text + text[len(own) :]
    if name.is_speaker or silent:
        text, count = _ME.subn(name.text, text, count=1)
        if not count and silent and not any(a.topic for c in scene.clauses for a in c.args):
            text = f"{name.text}は{text}" if not text.startswith(name.text) else text
    return text


def with_dates(text: str, spans: list[DateSpan], scene: Scene) -> str:
    """The text with the date in digits behind each relative expression."""
    for span in spans:
        if not span.relative or span.length:
            continue
        words = re.sub(r"(?:から|以降|まで|に|、|頃|ごろ)+$", "", scene.read(span.start, span.end))
        text = text.replace(words, f"{words}({show(span, scene)})", 1)
    return text


def show(span: DateSpan, scene: Scene) -> str:
    """A date in digits, in the speaker's zone."""
    value = span.value
    if value.precision in ("year", "month"):
        return value.at.strftime("%Y" if value.precision == "year" else "%Y-%m")
    local = value.at.astimezone(scene.context.reference.tzinfo)
    return local.strftime("%Y-%m-%d" if value.precision == "day" else "%Y-%m-%d %H:%M")
