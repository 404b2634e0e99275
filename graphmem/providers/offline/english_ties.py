"""What ties a person to an employer, a manager, a school, a doctor, a club, a plan, whatever verb tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Loose, Name
from .english_clauses import Clause, lemma_of
from .english_groups import firm_of, group_of, is_school
from .english_make import make, place, plain, prepositions, typed
from .english_nouns import noun_phrase, owner_of, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import has_owner, is_proper
from .english_work import is_job, title_only

_NAMED_TIES = {
    ("report", "to"): "manager",
    ("answer", "to"): "manager",
    ("work", "under"): "manager",
    ("insure", "with"): "insured_with",
    ("insure", "by"): "insured_with",
    ("insure", "through"): "insured_with",
    ("bank", "with"): "bank",
    ("play", "for"): "plays_for",
    ("bank", "at"): "bank",
    ("write", "for"): "works_at",
    ("freelance", "for"): "works_at",
    ("study", "at"): "attends",
    ("enrol", "at"): "attends",
    ("enrol", "in"): "attends",
    ("enroll", "at"): "attends",
    ("enroll", "in"): "attends",
    ("train", "at"): "trains_at",
    ("exercise", "at"): "trains_at",
}
"""A verb and its preposition before a name: the relation."""
_BEGINS = frozenset({"sign", "enrol", "enroll", "transfer", "upgrade", "downgrade", "switch", "move"})
_KINDS = {"manager": "person", "insured_with": "organisation", "bank": "organisation", "plays_for": "organisation",
          "works_at": "organisation", "attends": "organisation", "trains_at": "place"}  # fmt: skip
_GYM = re.compile(r"\b(?:gym|fitness|crossfit|dojo|health club|leisure centre)\b", re.I)
_ANOTHER = frozenset({"also", "too", "another", "second"})
_HOUSING = frozenset(
    {"flat", "apartment", "house", "room", "studio", "bedsit", "cottage", "bungalow", "loft", "condo", "place", "home"}
)
_LETTERS = frozenset({"badge", "signature", "nameplate", "card", "letterhead", "linkedin"})


def person(clause: Clause) -> bool:
    """Whether the subject is somebody: the speaker, a name, a pronoun that stands for one."""
    token = clause.subject_token
    if clause.subject.is_speaker or clause.coreferent or clause.subject.type == "person" or token is None:
        return True
    if token.lower_ == "he":  # it stands in for a name, or for a thing with an article
        return clause.subject.text[:1].isupper()
    return is_proper(token) and not any(c.dep_ == "det" for c in token.children)


def told(clause: Clause) -> bool:
    """Whether the clause claims something: no modal verb and no future; "can no longer" claims an end."""
    return clause.tense != "future" and (not clause.modal or clause.ended)


def ties(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """The tie that the clause tells of; nothing where another rule has to read it."""
    if not person(clause) or not told(clause):
        return
    rule = _RULES.get(clause.lemma)
    found = list(rule(clause, scene)) if rule else []
    yield from found or _named(clause, scene)


def _behind(verb: Token, scene: Scene) -> Iterator[tuple[str, Token]]:
    """What stands behind prepositions, also with an adverb between: "reports directly to Joy"."""
    for token in [verb, *(c for c in verb.children if c.dep_ == "advmod" and c.i > verb.i)]:
        yield from ((word, target) for word, target, _ in prepositions(token, scene))


def _named(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "reports to Joy", "is insured with Polar": what stands behind verb and preposition."""
    if clause.child("dobj", "prt") is not None or (clause.lemma == "insure" and not clause.passive):
        return
    for word, target in _behind(clause.verb, scene):
        predicate = _NAMED_TIES.get((clause.lemma, word))
        phrase = noun_phrase(target, scene) if predicate else None
        if predicate is None or phrase is None or phrase.name.is_speaker:
            continue
        leads = predicate == "manager" and is_job(phrase, scene)
        if is_proper(target) or leads:
            state = clause.lemma not in _BEGINS
            yield make(clause, scene, predicate, typed(phrase, _KINDS[predicate]), state=state)
            return


def _elected(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "was elected mayor of Bonn", "was appointed treasurer"."""
    token = clause.child("oprd", "attr", "dobj", "ccomp", "xcomp") if clause.passive and not clause.negated else None
    phrase = noun_phrase(token, scene) if token is not None else None
    if phrase is not None and is_job(phrase, scene):
        yield make(clause, scene, "job_title", Name(title_only(phrase)), state=False)


def _step_down(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "stepped down as treasurer", "resigned as mayor of Bonn": a post that ended."""
    if clause.negated or not (clause.tense == "past" or clause.perfect):
        return
    for word, target in _behind(clause.verb, scene):
        phrase = noun_phrase(target, scene) if word in ("as", "down_as") else None
        if phrase is not None and is_job(phrase, scene):
            yield make(clause, scene, "job_title", Name(title_only(phrase)), state=False, ended=True)


def _become(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "became an Irish citizen", "became a patient of Dr Tully"."""
    token = clause.child("attr", "dobj")
    if token is not None and lemma_of(token) in ("citizen", "national", "patient", "student") and not clause.negated:
        yield from _role(clause, scene, token, state=False)


def _serve(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "served as treasurer of the guild"."""
    for word, target, _ in prepositions(clause.verb, scene):
        phrase = noun_phrase(target, scene) if word == "as" else None
        if phrase is not None and is_job(phrase, scene):
            yield make(clause, scene, "job_title", Name(title_only(phrase)))


def _sign(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "signed for Real Cantabria": a player's new club."""
    club = place(clause.verb, scene, "for") if clause.child("dobj", "prt") is None else None
    if club is not None and is_proper(club.head) and not clause.negated:
        yield make(clause, scene, "plays_for", typed(club, "organisation"), state=False)


def _work_out(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "works out at Ironside": a gym, not an employer."""
    out = any(c.lower_ == "out" and c.dep_ in ("prt", "advmod", "prep") for c in clause.verb.children)
    if not out:
        yield from _sit(clause, scene)
        return
    where = place(clause.verb, scene, "at", "in", "out_at", "out_in")
    if where is not None and is_proper(where.head):
        yield make(clause, scene, "trains_at", typed(where, "place"), canonical=False, confidence=0.75)


def _attend(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "goes to Norra Gymnasium", "attends Lund University": a school; "goes to Ironside Gym": a gym."""
    if clause.tense == "past" and not clause.ended and not clause.dates:
        return
    token = clause.child("dobj") if clause.lemma == "attend" else None
    where = noun_phrase(token, scene) if token is not None else None
    if clause.lemma == "go" and not clause.perfect and not clause.progressive:
        where = place(clause.verb, scene, "to")
    if where is None or not is_proper(where.head):
        return
    if re.match(r"(?:Dr|Doctor)\b", where.name.text) and clause.lemma == "go":
        yield make(clause, scene, "doctor", typed(where, "person"))
        return
    predicate = "attends" if is_school(where.name.text) else "trains_at" if _GYM.search(where.name.text) else ""
    if predicate:
        yield make(clause, scene, predicate, typed(where, _KINDS[predicate]))
    elif clause.lemma == "go" and _SCHOOLING.search(scene.content):
        told = make(clause, scene, "attends", typed(where, "organisation"), state=False)
        scene.loose.append(Loose(told, ("attends",), "told"))


_SCHOOLING = re.compile(
    r"\b(?:schools?|class(?:es)?|teachers?|pupils?|students?|grade|term|semester|uni|nursery)\b", re.I
)


def _start(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "started at Lund University", "transferred to Harrow School": a new school, unless a job is named."""
    prepositional = list(prepositions(clause.verb, scene))
    prepositional += [pair for w, t, _ in prepositional if w == "from" for pair in prepositions(t, scene)]
    if clause.child("dobj") is not None or any(word in ("as", "for") for word, _, _ in prepositional):
        return
    word = "at" if clause.lemma in ("start", "begin") else "to"
    target = next((t for w, t, _ in prepositional if w.rsplit("_", 1)[-1] == word), None)
    where = noun_phrase(target, scene) if target is not None else None
    if where is not None and is_proper(where.head) and is_school(where.name.text) and not clause.negated:
        yield make(clause, scene, "attends", typed(where, "organisation"), state=False, confidence=0.75)


def _transfer(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "transferred from sales to the search team", "upgraded to Premium"."""
    if clause.negated or clause.child("dobj") is not None or not (clause.tense == "past" or clause.perfect):
        return
    yield from _start(clause, scene)
    both = {w.rsplit("_", 1)[-1] for w, _, _ in prepositions(clause.verb, scene)} >= {"to", "from"}
    for word, state in (("to", False), ("from", True)):
        target = next((t for w, t, _ in prepositions(clause.verb, scene) if w.rsplit("_", 1)[-1] == word), None)
        tie = (group_of(target, scene, unit=both) or firm_of(target, scene)) if target is not None else None
        if tie is not None:
            yield make(clause, scene, tie[0], tie[1], state=False, ended=state, confidence=0.75)


def _join(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "joined the billing team": the team one works in, where it is named for a unit of a firm."""
    token = clause.child("dobj")
    unit = token is not None and any(c.lower_ in scene.words.lists["units"] for c in token.children)
    tie = group_of(token, scene) if token is not None and unit and not clause.negated else None
    if tie is not None:
        yield make(clause, scene, tie[0], tie[1], state=False, confidence=0.75)


def _teach(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "teaches maths at Lund College": the employer, beside what is taught."""
    token = clause.child("dobj")
    where = place(clause.verb, scene, "at") or (place(token, scene, "at") if token is not None else None)
    if where is None or not is_proper(where.head) or clause.tense != "present":
        return
    yield make(clause, scene, "works_at", typed(where, "organisation"))
    if token is not None:
        yield make(clause, scene, "teaches", plain(noun_phrase(token, scene) or where, scene), canonical=False)


def _sit(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "sits with the payments team", "works on the search team", "pays for the Family plan"."""
    for word, target, _ in prepositions(clause.verb, scene):
        tie = group_of(target, scene) if word in ("with", "in", "on", "for") else None
        if tie is not None and (tie[0] == "team") == (word != "for"):
            yield make(clause, scene, tie[0], tie[1], canonical=False, confidence=0.75)
            return


def _rent(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "rents a small flat in Gdansk": where somebody lives."""
    token = clause.child("dobj")
    if token is None or lemma_of(token) not in _HOUSING or any(c.dep_ == "prt" for c in clause.verb.children):
        return
    where = place(token, scene, "in", "near") or place(clause.verb, scene, "in", "near")
    out = any(c.lower_ == "out" for c in clause.verb.children)
    if where is not None and is_proper(where.head) and not out:
        yield make(clause, scene, "lives_in", typed(where, "place"))


def _call_home(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "calls Lisbon home", "made her home in Lisbon"."""
    words = [c.lower_ for c in clause.verb.children]
    token = clause.child("dobj", "ccomp")
    if clause.lemma == "call" and "home" in words:
        inner = next((c for c in clause.verb.subtree if is_proper(c) and c.i > clause.verb.i), None)
        phrase = noun_phrase(inner, scene) if inner is not None else None
    else:
        own = token is not None and lemma_of(token) == "home" and owner_of(token, scene) is not None
        phrase = place(token, scene, "in") or place(clause.verb, scene, "in") if own and token is not None else None
    if phrase is not None and is_proper(phrase.head):
        yield make(clause, scene, "lives_in", typed(phrase, "place"), state=clause.lemma == "call")


def _hold(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "holds an Omani passport", "has Omani citizenship"; "has the Premium plan"."""
    token = clause.child("dobj")
    if token is None:
        return
    if lemma_of(token) in ("passport", "citizenship", "nationality"):
        for child in token.children:
            if child.dep_ in ("amod", "compound", "nmod") and child.text[:1].isupper():
                yield make(clause, scene, "nationality", Name(child.text))
    elif lemma_of(token) in ("insurance", "cover", "coverage", "policy", "account"):
        holder = place(token, scene, "with", "at", "from") or place(clause.verb, scene, "with", "at", "from")
        if holder is not None and is_proper(holder.head):
            predicate = "bank" if lemma_of(token) == "account" else "insured_with"
            if predicate == "insured_with" or re.search(r"(?i)\bbank\b", scene.sentence.text):
                yield make(clause, scene, predicate, typed(holder, "organisation"))
    elif clause.lemma == "have" and is_make(token, scene):
        yield from _drive(clause, scene)
    elif (tie := group_of(token, scene)) and tie[0] == "subscription_plan":
        yield make(clause, scene, tie[0], tie[1], canonical=False, confidence=0.75)


def _see(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "sees Dr Arun Pillai": a doctor."""
    token = clause.child("dobj")
    if clause.tense != "present" or token is None or (phrase := noun_phrase(token, scene)) is None:
        return
    if re.match(r"(?:Dr|Doctor)\b", phrase.name.text):
        yield make(clause, scene, "doctor", typed(phrase, "person"))


_YEARS = frozenset({"year", "grade", "class", "form", "semester", "term", "kindergarten", "reception", "school"})


def _pupil(clause: Clause, scene: Scene) -> Phrase | None:
    """ "is in year 3 at Oakfield Primary", "is at Leeds University": the school."""
    for word, target, _ in prepositions(clause.verb, scene):
        inner = place(target, scene, "at", "of") if word == "in" and lemma_of(target) in _YEARS else None
        inner = inner or (place(clause.verb, scene, "at") if word == "in" and lemma_of(target) in _YEARS else None)
        if inner is not None and is_proper(inner.head) and is_school(inner.name.text):
            return inner
    return None


def _be(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "is on the payroll of Acme", "is on the Basic plan", "is a patient of Dr Tully", "is an Omani citizen"."""
    if (school := _pupil(clause, scene)) is not None:
        yield make(clause, scene, "attends", typed(school, "organisation"))
        return
    for word, target, _ in prepositions(clause.verb, scene):
        if word == "on" and lemma_of(target) in ("payroll", "staff"):
            firm = place(target, scene, "of", "at") or place(clause.verb, scene, "of", "at")
            if firm is not None and is_proper(firm.head):
                yield make(clause, scene, "works_at", typed(firm, "organisation"))
                return
        tie = group_of(target, scene) if word in ("on", "in") else None
        if tie is not None:
            yield make(clause, scene, tie[0], tie[1], canonical=False, confidence=0.75)
            return
    token = clause.child("attr", "acomp")
    if token is not None:
        yield from _role(clause, scene, token)


def _role(clause: Clause, scene: Scene, token: Token, *, state: bool = True) -> Iterator[Draft]:
    head = lemma_of(token)
    if head == "patient" and (doctor := place(token, scene, "of")) and is_proper(doctor.head):
        yield make(clause, scene, "doctor", typed(doctor, "person"), state=state)
    elif head in ("student", "pupil", "freshman", "undergraduate") and (school := place(token, scene, "at", "of")):
        if is_proper(school.head):
            yield make(clause, scene, "attends", typed(school, "organisation"), state=state)
    elif head in ("citizen", "national"):
        adjective = next((c for c in token.lefts if c.text[:1].isupper() and c.dep_ != "det"), None)
        country = Name(adjective.text) if adjective is not None else place(token, scene, "of")
        if country is not None:
            yield make(clause, scene, "nationality", country, state=state)
    elif head in ("insured", "insure"):
        insurer = place(token, scene, "with", "by", "through")
        if insurer is not None and is_proper(insurer.head):
            yield make(clause, scene, "insured_with", typed(insurer, "organisation"))


def is_make(token: Token, scene: Scene) -> bool:
    """Whether the noun is a make or model of car: "Nissan Patrol"."""
    words = [token, *(c for c in token.children if c.dep_ in ("compound", "nmod", "amod"))]
    return any(t.text[:1].isupper() and t.lower_ in scene.words.lists["makes"] for t in words)


def model(token: Token, scene: Scene) -> Name:
    """ "white Nissan Patrol" as "Nissan Patrol"."""
    words = [
        c for c in token.children if c.i < token.i and c.text[:1].isupper() and c.dep_ in ("compound", "nmod", "amod")
    ]
    start = min([token, *(w.left_edge for w in words)], key=lambda t: t.i)
    end = next((c for c in token.children if c.i == token.i + 1 and c.like_num), token)
    return Name(scene.read(start.idx, end.idx + len(end)))


def _drive(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "drives a Skoda Octavia", "has a white Nissan Patrol"."""
    token = clause.child("dobj")
    bought = clause.lemma in ("buy", "lease", "purchase")
    past = clause.tense == "past" and not clause.dates and not clause.ended
    if token is None or not is_make(token, scene) or has_owner(token) or (past and not bought):
        return
    if bought and clause.lemma != "lease" and not clause.negated:
        yield make(clause, scene, clause.verb.lower_, next(phrases(token, scene)), state=False, canonical=False)
    # who buys one, or also has one, may keep the other: `car` holds one value
    another = bought or any(t.lower_ in _ANOTHER for t in clause.verb.sent)
    yield make(clause, scene, "owns" if another else "car", model(token, scene), state=not bought)


def badge(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Her business card says senior surveyor": a job."""
    token = clause.subject_token
    owner = owner_of(token, scene) if token is not None and lemma_of(token) in _LETTERS else None
    if owner is None or clause.lemma not in ("say", "read", "state", "give", "list") or clause.negated:
        return
    heads = [t for t in clause.verb.children if t.i > clause.verb.i and not t.is_punct]
    for head in heads[:1]:
        phrase = next(phrases(head, scene), None)
        if phrase is not None and is_job(phrase, scene):
            yield make(clause, scene, "job_title", Name(title_only(phrase)), subject=owner)


_RULES = {
    "serve": _serve, "sign": _sign, "work": _work_out, "attend": _attend, "go": _attend, "start": _start,
    "begin": _start, "transfer": _transfer, "upgrade": _transfer, "downgrade": _transfer, "move": _transfer,
    "switch": _transfer, "join": _join, "sit": _sit, "teach": _teach, "lecture": _teach,
    "pay": _sit, "rent": _rent, "share": _rent, "call": _call_home, "make": _call_home,
    "elect": _elected, "appoint": _elected, "name": _elected, "step": _step_down, "resign": _step_down,
    "retire": _step_down, "become": _become, "buy": _drive, "purchase": _drive, "lease": _drive, "own": _drive,
    "drive": _drive, "hold": _hold, "have": _hold, "see": _see, "be": _be,
}  # fmt: skip
