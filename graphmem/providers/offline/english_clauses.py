"""The statements of an English parse: who does what, and whether it is claimed at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from .dates import DateSpan
from .draft import Name
from .english_nouns import joined, owned_by_name, subject_name
from .english_scene import Scene, Token
from .english_spans import has_owner, is_proper

Tense = Literal["past", "present", "future"]

_LEMMAS = {"hates": "hate", "loves": "love", "dislikes": "dislike", "likes": "like", "like": "like", "lives": "live",
           "works": "work", "speaks": "speak", "owns": "own", "drives": "drive", "prefers": "prefer", "quit": "quit",
           "left": "leave", "born": "bear", "rides": "ride", "ride": "ride", "'s": "be", "’s": "be"}  # fmt: skip
_UNREAL_MODALS = frozenset({"would", "could", "should", "might", "may", "'d", "’d", "shall", "ought"})
_IF = frozenset({"if", "unless", "whether", "when", "whenever", "until", "till", "once", "before", "after", "lest"})
_NOT_QUITE = frozenset({"nearly", "almost"})
_HEDGES = frozenset({"maybe", "perhaps", "possibly", "probably", "presumably", "supposedly", "allegedly", "apparently",
                     "reportedly", "hopefully", "ideally", "theoretically"})  # fmt: skip
_ENDING = frozenset({"stop", "quit", "cease", "discontinue", "abandon"})
_DONE_AT_LAST = frozenset({"have", "manage", "end"})
ASSIGNING = frozenset({"move", "put", "transfer", "assign", "reassign", "place", "post", "switch", "bump",
                       "promote", "upgrade",
                       "shift", "relocate", "send", "rotate", "second", "redeploy", "elevate", "appoint", "demote",
                       "prescribe", "have", "start", "keep"})  # fmt: skip
"""What is done to somebody who has another post, place or medicine afterwards."""
_GOING_ON = frozenset({"keep", "continue", "start", "begin", "resume"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement: `verb` carries the meaning, `head` is where the sentence's structure hangs it."""

    verb: Token
    head: Token
    lemma: str
    subject: Name
    subject_token: Token | None
    tense: Tense
    negated: bool = False
    ended: bool = False
    habitual_past: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    candidate: bool = False
    modal: str = ""
    coreferent: bool = False
    impersonal: bool = False
    """ "They pushed my appointment back": who does it is nobody in particular."""
    dates: list[DateSpan] = field(default_factory=list)

    @property
    def assertive(self) -> bool:
        """Whether the clause says that something is so, not that it is meant to be."""
        return self.tense != "future" and not self.modal

    def child(self, *deps: str) -> Token | None:
        """The first child of the verb with one of the relations."""
        return next((c for c in self.verb.children if c.dep_ in deps), None)


def lemma_of(token: Token) -> str:
    """The lemma, with the tagger's usual mistakes mended."""
    word = token.lower_
    return _LEMMAS.get(word) or (token.lemma_ or word).lower()


def clauses(scene: Scene) -> Iterator[Clause]:
    """Statements in the order of the words; questions, wishes and conditions are left out."""
    for token in scene.doc:
        subject = _subject_token(token)
        if subject is None and not _bare_root(token, scene):
            continue
        if token.dep_ == "auxpass":  # "Ann and Tom are no longer married", with the subject below "are"
            token = token.head  # noqa: PLW2901
        if not _claimed(token, scene) or _generic(subject, token):
            _remember(subject, scene)
            continue
        if (done := _done_to(subject, token, scene)) is not None:
            yield done
            continue
        name = scene.context.me if subject is None else _resolve(subject, token, scene)
        if name is None:
            if (
                subject is not None
                and subject.lower_ in ("they", "someone", "somebody")
                and scene.context.person is None
            ):
                clause = _build(token, subject, scene.context.me, scene)
                yield from [replace(clause, impersonal=True)] if clause is not None else []
            continue
        clause = _build(token, subject, name, scene)
        if clause is not None:
            yield clause
            yield from _also(clause, subject, scene)


def _done_to(subject: Token | None, verb: Token, scene: Scene) -> Clause | None:
    """ "they moved me onto Borealis" as "I was moved onto Borealis", whoever did it."""
    if subject is None or lemma_of(verb) not in ASSIGNING or subject.lower_ in ("i", "we"):
        return None
    token = next((c for c in verb.children if c.dep_ in ("dobj", "dative") and c.i > verb.i), None)
    if token is None or not (token.lower_ in ("me", "us", "him", "her") or is_proper(token)):
        return None
    behind = [
        c for c in [*verb.children, *token.children] if c.dep_ in ("prep", "prt", "oprd", "advmod") and c.i > token.i
    ]
    if not behind and lemma_of(verb) != "prescribe":
        return None
    name = subject_name(token, scene)
    if name is None:
        return None
    clause = _build(verb, subject, name, scene)
    if clause is None or clause.passive or clause.head is not clause.verb:
        return None
    return replace(clause, subject=name, subject_token=token, passive=True, coreferent=False)


def _also(clause: Clause, subject: Token | None, scene: Scene) -> Iterator[Clause]:
    """ "Anna and Bob live in Oslo" is told of both."""
    for other in joined(subject) if subject is not None else ():
        person = is_proper(other) or other.lower_ == "i" or (has_owner(other) and lemma_of(other) in scene.words.kin)
        if person and (name := subject_name(other, scene)):
            yield replace(clause, subject=name, subject_token=other, dates=[])


def _remember(subject: Token | None, scene: Scene) -> None:
    """Keep the subject of a statement that is not claimed, for the pronouns that follow."""
    if subject is not None and subject.pos_ == "PROPN" and (name := subject_name(subject, scene)):
        scene.context.person = name


def _resolve(subject: Token, verb: Token, scene: Scene) -> Name | None:
    if subject.tag_ in ("WP", "WDT") or subject.lower_ == "that":
        return subject_name(verb.head, scene) if verb.dep_ == "relcl" else None
    if lemma_of(verb) == "call" and subject.lower_ in ("everyone", "everybody", "people", "they", "we", "friends"):
        return scene.context.me  # whoever does the calling is not what is told
    return subject_name(subject, scene)


def _subject_token(token: Token) -> Token | None:
    own = [c for c in token.children if c.dep_ in ("nsubj", "nsubjpass")]
    if own:
        found = own[-1] if own[-1].i < token.i else own[0]
        return owned_by_name(found) or found
    if token.dep_ == "conj" and _is_verb(token) and (token.pos_ in ("VERB", "AUX") or token.tag_.startswith("VB")):
        head = token.head
        return _subject_token(head) if _is_verb(head) and token.tag_ != "VBG" else None
    return None


def _is_verb(token: Token) -> bool:
    return token.pos_ in ("VERB", "AUX") or any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)


def _bare_root(token: Token, scene: Scene) -> bool:
    """ "Moved to Osaka last week": a past verb that opens the sentence speaks of the speaker."""
    if token.dep_ != "ROOT" or token.tag_ != "VBD" or lemma_of(token) == "be":
        return False
    return all(t.pos_ in ("ADV", "INTJ", "PUNCT") for t in scene.doc[: token.i])


def _claimed(verb: Token, scene: Scene) -> bool:
    lists = scene.words.lists
    if _modal(verb) in _UNREAL_MODALS and not _would_like(verb) and not _reachable(verb):
        return False
    if _unfinished(verb) or _asks(verb) or _depends(verb) or any(c.lower_ in _NOT_QUITE for c in verb.children):
        return False
    node = verb
    while True:
        mark = next(
            (c for c in node.children if c.dep_ in ("mark", "advmod") and c.lower_ in _IF and c.i < node.i), None
        )
        if node.dep_ in ("advcl", "ccomp", "pcomp") and mark is not None:
            return False
        if node.dep_ in ("csubj", "csubjpass", "acl"):
            return False
        head = node.head
        if head.i == node.i:
            return node is verb or not _command(node)
        if node.dep_ in ("ccomp", "xcomp") and lemma_of(head) in lists["unreal_verbs"] and head.i < node.i:
            return False
        if node.dep_ == "ccomp" and any(c.dep_ == "neg" for c in head.children) and head.i < node.i:
            return False
        node = head


def _generic(subject: Token | None, verb: Token) -> bool:
    """ "Cats are better than dogs", "money doesn't grow on trees": nothing that the speaker met."""
    if subject is None or subject.tag_ not in ("NN", "NNS") or verb.tag_ in ("VBD", "VBN"):
        return False
    if any(
        c.dep_ == "det" and c.lower_ in ("some", "most", "many", "all", "few", "every", "each")
        for c in subject.children
    ):
        return not any(c.dep_ == "poss" for c in subject.children)
    if any(c.dep_ in ("det", "poss", "nummod", "compound", "amod", "nmod") for c in subject.children):
        return False
    plural = subject.tag_ == "NNS" and subject.lemma_.lower() != subject.lower_ and verb.tag_ != "VBZ"
    return plural or subject.lower_ in ("money", "life", "love", "time", "music", "love", "work", "coffee", "traffic")


def _depends(verb: Token) -> bool:
    """ "If I get the grant, I'll hire someone": what follows from a condition is not so yet."""
    if lemma_of(verb) == "be":
        return False
    return any(
        child.dep_ == "advcl" and any(c.dep_ == "mark" and c.lower_ in ("if", "unless") for c in child.children)
        for child in verb.children
    )


def _hedged(verb: Token) -> bool:
    """ "Maybe Rita works there", "apparently he moved": said, but not claimed."""
    return any(c.lower_ in _HEDGES for c in verb.children) or verb.doc[0].lower_ in _HEDGES


def _command(root: Token) -> bool:
    """ "Write a poem about a fox who lives in Paris"."""
    return (
        root.tag_ == "VB"
        and not root.text.isupper()
        and not any(c.dep_ in ("nsubj", "nsubjpass", "aux", "expl") for c in root.children)
    )


def _unfinished(verb: Token) -> bool:
    """ "helps me grow", "people backing me": a subordinate verb without tense claims nothing."""
    if (
        verb.dep_ == "conj"
        and verb.tag_ in ("VB", "VBG", "VBP")
        and not any(c.dep_ in ("nsubj", "aux") for c in verb.children)
    ):
        return _unfinished(verb.head)
    if verb.dep_ not in ("ccomp", "xcomp", "advcl", "pcomp", "acl", "dobj", "pobj"):
        return False
    if verb.tag_ in ("VBD", "VBZ", "VBP"):
        return False
    return not any(c.dep_ in ("aux", "auxpass") and c.tag_ in ("MD", "VBD", "VBZ", "VBP") for c in verb.children)


def _asks(verb: Token) -> bool:
    """An embedded question or exclamation: "how much it grew", "what I said"."""
    if verb.dep_ == "relcl":
        return False
    if verb.dep_ == "ccomp" and any(t.tag_ in ("WRB", "WP", "WDT") for t in verb.doc[verb.left_edge.i : verb.i]):
        return True
    return any(
        c.i < verb.i and any(t.tag_ in ("WRB", "WP") for t in c.subtree)
        for c in verb.children
        if c.dep_ not in ("advcl", "ccomp", "nsubj")
    )


def _would_like(verb: Token) -> bool:
    return lemma_of(verb) in ("like", "love") and _modal(verb) in ("would", "'d", "’d")


def _reachable(verb: Token) -> bool:
    """ "She could be reached at …": a telephone number or an address, whatever the modal."""
    return lemma_of(verb) in ("reach", "contact") and any(c.dep_ == "auxpass" for c in verb.children)


def _modal(verb: Token) -> str:
    return next((c.lower_ for c in verb.children if c.tag_ == "MD"), "")


def _reported(verb: Token, subject: Name, scene: Scene) -> bool:
    """Whether somebody else is quoted, or the speaker only believes it."""
    node = verb
    while node.head.i != node.i:
        head = node.head
        if node.dep_ in ("ccomp", "conj") and lemma_of(head) in scene.words.lists["quote_verbs"]:
            reporter = _subject_token(head)
            name = subject_name(reporter, scene) if reporter is not None else None
            opinion = lemma_of(head) not in ("say", "tell", "mention", "write", "announce", "report")
            return opinion or name is None or name.text != subject.text
        node = head
    return False


def _build(token: Token, subject: Token | None, name: Name, scene: Scene) -> Clause | None:
    negated, ended = _negation(token)
    negated = negated != scene.denied
    deps = {c.dep_ for c in token.children}
    clause = Clause(
        verb=token,
        head=token,
        lemma=lemma_of(token),
        subject=name,
        subject_token=subject,
        tense=_tense(token),
        negated=negated,
        ended=ended,
        perfect=any((c.dep_ == "aux" and lemma_of(c) == "have") or c.lower_ in ("'ve", "’ve") for c in token.children),
        progressive=token.tag_ == "VBG",
        passive="auxpass" in deps
        or "nsubjpass" in deps
        or (token.dep_ == "conj" and token.tag_ == "VBN" and _passive(token.head)),
        candidate=_reported(token, name, scene) or _hedged(token),
        modal=_modal(token) if _modal(token) not in ("will", "'ll", "’ll", "wo", "did", "do") else "",
        coreferent=_refers_back(subject, name, scene),
    )
    return _through(clause)


def _refers_back(subject: Token | None, name: Name, scene: Scene) -> bool:
    """Whether the subject is a pronoun that was resolved to an earlier name."""
    if subject is None or subject.pos_ != "PRON" or name.is_speaker:
        return False
    return not (scene.named_first and subject.i == 0)


def _passive(token: Token) -> bool:
    return any(c.dep_ in ("auxpass", "nsubjpass") for c in token.children)


def _negation(verb: Token) -> tuple[bool, bool]:
    """Whether the clause is negated, and whether it tells of an end ("no longer", "not any more")."""
    negated, later = False, False
    for child in verb.children:
        word = child.lower_
        if word == "longer" and any(c.lower_ == "no" for c in child.children):
            return True, True
        if word in ("anymore", "longer") or (word == "more" and any(c.lower_ == "any" for c in child.children)):
            later = True
        if child.dep_ == "neg" or word in ("never", "hardly", "rarely") or (word == "not" and child.dep_ != "cc"):
            negated = True
    if verb.dep_ == "conj" and not negated and not any(c.dep_ in ("nsubj", "nsubjpass", "aux") for c in verb.children):
        shared = [c for c in verb.head.children if c.dep_ == "neg"]
        joiner = next((c.lower_ for c in verb.head.children if c.dep_ == "cc"), "")
        negated = bool(shared) and joiner in ("or", "nor")
    return negated, negated and later


def _tense(verb: Token) -> Tense:
    aux = [c for c in verb.children if c.dep_ in ("aux", "auxpass")]
    words = {c.lower_ for c in aux}
    if words & {"will", "'ll", "’ll", "wo", "gonna"}:
        return "future"
    tags = {c.tag_ for c in aux}
    if words & {"have", "has", "'ve", "’ve"}:
        return "present"
    plain = verb.tag_ == "VBN" and not aux and any(c.dep_ == "nsubj" for c in verb.children)
    if verb.tag_ == "VBD" or "VBD" in tags or plain:  # "Nora transferred": the tagger's participle
        return "past"
    if verb.dep_ == "conj" and verb.tag_ == "VBN" and not aux:
        return _tense(verb.head) if verb.head.i < verb.i else "past"
    return "present"


def _through(clause: Clause) -> Clause | None:
    """Follow "used to", "stopped", "started", "going to" to the verb that carries the meaning."""
    inner = next((c for c in clause.verb.children if c.dep_ in ("xcomp", "ccomp") and c.i > clause.verb.i), None)
    if inner is None or any(c.dep_ in ("nsubj", "nsubjpass") for c in inner.children):
        return clause
    lemma, to = clause.lemma, any(c.lower_ == "to" and c.dep_ == "aux" for c in inner.children)
    if lemma == "use" and to and clause.verb.lower_ in ("used", "use") and clause.child("dobj") is None:
        if clause.negated:
            return None
        return _inner(clause, inner, ended=True, habitual_past=True)
    if lemma in _ENDING and inner.tag_ == "VBG" and not clause.negated:
        return _inner(clause, inner, ended=clause.tense != "future", tense="present")
    plain = inner.tag_ in ("VB", "VBG") and clause.tense == "past" and not clause.negated
    if plain and lemma in _DONE_AT_LAST and (to or lemma == "end"):
        return _through(replace(clause, verb=inner, lemma=lemma_of(inner)))  # "had to stop playing squash"
    if lemma in _GOING_ON and (inner.tag_ == "VBG" or to):
        return _inner(
            clause, inner, negated=clause.negated, tense="present" if clause.tense == "past" else clause.tense
        )
    if (
        lemma == "give"
        and any(c.dep_ == "prt" and c.lower_ == "up" for c in clause.verb.children)
        and inner.tag_ == "VBG"
    ):
        return _inner(clause, inner, ended=clause.tense != "future", tense="present")
    if lemma == "go" and clause.progressive and to and clause.tense == "past":
        return None  # "I was going to": it did not happen
    if lemma == "go" and clause.progressive and to:
        return _inner(clause, inner, tense="future", progressive=False)
    return clause


def _inner(clause: Clause, inner: Token, **changes: object) -> Clause:
    return replace(clause, verb=inner, lemma=lemma_of(inner), **changes)  # type: ignore[arg-type]
