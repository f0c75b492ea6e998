"""What a finding and a problem are.

A *case* is one checked pair. A *finding* is the flagged cases of one system and direction, of whatever relation, that
share one blamed translation; the worst of them is its example. A *problem* is the findings that share source word,
wrong word and kind; one with several wrong words is of several problems.

A case whose evidence tells which translation is wrong has one suspect. Where it is not known, both translations are
suspects, and the one is blamed whose wrong word is contradicted more often: by more other translations or, where one of
the texts is a part of the other, in more sentences. The longer phrases of a sentence that hold a part contradict it
once, for they contain each other and are often wrong together; what names no word contradicts them all. Of equals
either may be wrong, and the one stands for both that is a suspect of more flagged cases, or else is likelier by the
evidence.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from concord.model import ROLES
from concord.signature import digest
from concord.store.case_keys import key_number
from concord.store.evidence import entries, evidence_spans, text_of

OUTPUTS = {"source_output": "source", "follow_up_output": "follow_up"}
"""The roles of the two translations, each with the role of its text."""
_WRONG = frozenset({"missing", "added", "changed", "untranslated", "unexplained", "perhaps", "differs"})
"""Kinds of places that tell what is wrong."""
Row = dict[str, Any]


class Translation(NamedTuple):
    """A text and the system's translation of it."""

    lang: str
    words: str
    output_lang: str
    output: str


class WrongWord(NamedTuple):
    """What is wrong with a translation: a word or phrase of the text, the word that stands for it, and the kind."""

    source_word: str
    wrong_word: str
    kind: str


@dataclass(frozen=True, slots=True)
class Suspect:
    """A translation of a flagged case that may be wrong; `wrong` is None where no word is to blame."""

    role: str
    translation: Translation
    wrong: WrongWord | None


@dataclass(frozen=True, slots=True)
class TranslationFinding:
    """Flagged cases that share one blamed translation; `rows` are some of them, the worst first.

    `translations` has the blamed one and, where either may be wrong, the other one of the example, too. `relations` are
    the numbers of cases by relation, and `sentences` is the number of sentences of the corpus.
    """

    translations: Sequence[Translation]
    wrong: WrongWord | None
    cases: int
    sentences: int
    relations: Mapping[str, int]
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Problem:
    """Findings that share source word, wrong word and kind; `rows` are some of their examples, the worst first."""

    wrong: WrongWord
    sentences: int
    findings: int
    cases: int
    rows: Sequence[Row]


def translations(row: Row) -> dict[str, Translation]:
    """The two translations of a case by the role of their outputs; both may be the same."""
    texts = {output: (row[source], row[output]) for output, source in OUTPUTS.items()}
    return {role: Translation(a["lang"], a["words"], b["lang"], b["words"]) for role, (a, b) in texts.items()}


def suspects(row: Row) -> list[Suspect]:
    """The translations of a case that may be wrong, the likeliest first: one if the evidence tells which, else two."""
    answers = translations(row)
    blame = next(entries(row["evidence"].get("blamed")), None)
    roles = _suspect_roles(row, blame)
    if answers[roles[0]] == answers[roles[-1]]:
        roles = roles[:1]
    return [Suspect(role, answers[role], _wrong_word(row, blame, role)) for role in roles]


def finding_number(row: Row, translation: Translation) -> int:
    """The hash of a translation of the row's system and direction."""
    return _number(row, translation)


def problem_number(row: Row, wrong: WrongWord | None) -> int:
    """The hash of what is wrong with a translation of the row's system and direction; 0 if no word is to blame."""
    return _number(row, _folded(wrong)) if wrong else 0


def contradiction_number(row: Row, suspect: Suspect) -> int:
    """The hash of a wrong word and of what contradicts it: the other translation, or the sentence of part and whole.

    Cases in which it is the same count once.
    """
    part = row["follow_up"]["words"] in row["source"]["words"]
    other = next(translation for role, translation in translations(row).items() if role != suspect.role)
    return _number(row, (*suspect.translation, *_folded(suspect.wrong), *([row["text"]] if part else other)))


def problems_of(row: Row) -> dict[int, WrongWord]:
    """The problems that a case may be of, by their numbers: one for each suspect, and one for both."""
    by_role = sorted(suspects(row), key=lambda suspect: list(OUTPUTS).index(suspect.role))
    found = {problem_number(row, suspect.wrong): suspect.wrong for suspect in by_role if suspect.wrong}
    if len(found) > 1:
        (first, one), (second, other) = found.items()
        found[first ^ second] = one._replace(wrong_word=f"{one.wrong_word} / {other.wrong_word}")
    return found


def _folded(wrong: WrongWord | None) -> list[str]:
    """What is wrong, by which a problem is known: in lower case and, if the digits of both words are the same, without.

    So `1,500 million` and `1,500 millones` are of the problem of any other number whose comma stayed.
    """
    parts = [part.casefold() for part in wrong or ()]
    digits = {"".join(filter(str.isdecimal, part)) for part in parts[:2]}
    return [re.sub(r"\d+", "0", part) for part in parts] if len(digits) == 1 else parts


def _number(row: Row, parts: Iterable[str]) -> int:
    return key_number(digest(row["system"], row["source_lang"], row["target_lang"], *parts))


def _suspect_roles(row: Row, blame: Mapping[str, Any] | None) -> list[str]:
    """The roles of the outputs that may be wrong.

    A word without a counterpart tells: it is an omission of the other translation, or an error of its own. Of two words
    that stand for the same, either may be wrong. Nor does what came back from a round trip tell which way went wrong.
    """
    role = text_of(blame.get("role")) if blame else ""
    if blame is None or role not in OUTPUTS or row["follow_up"] == row["source_output"]:
        return list(OUTPUTS)
    other = next(name for name in OUTPUTS if name != role)
    if blame.get("why") == "omission":
        return [other]
    return [role, other] if text_of(blame.get("instead")) else [role]


def _wrong_word(row: Row, blame: Mapping[str, Any] | None, role: str) -> WrongWord | None:
    """What is wrong with the output of a role; of an answer that is no translation, the kind of failure alone."""
    if reason := text_of(row["evidence"].get("reason")):
        return WrongWord("", "", text_of(row["factors"].get("failure")) or reason)
    if blame is None:
        return _placed(row, role)
    instead = text_of(blame.get("instead"))
    is_counterpart = instead and role in OUTPUTS and role != blame.get("role") and blame.get("why") != "omission"
    word = instead if is_counterpart else text_of(blame.get("word"))
    return WrongWord(text_of(blame.get("of")), word, text_of(blame.get("why")))


def _placed(row: Row, role: str) -> WrongWord | None:
    """The first words that a relation found to be wrong: of a text, and of this output or else of another."""
    spans = [(name, span) for name, span in evidence_spans(row["evidence"]) if span.kind in _WRONG and name in ROLES]
    kind = spans[0][1].kind if spans else ""
    words: dict[str, str] = {}
    for name, span in spans:
        if span.kind == kind:
            words.setdefault(name, row[name]["words"][max(0, span.start) : max(0, span.end)])
    of_text = words.get(OUTPUTS[role]) or words.get("source", "")
    of_output = words.get(role) or next((words[name] for name in OUTPUTS if name in words), "")
    return WrongWord(of_text, of_output, kind) if of_text or of_output else None
