"""The injected faults in the texts of a case, and whether the blamed word is one that a fault changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.comparator.words import Sentence, key
from concord.model import ROLES, Text

OUTPUTS = ROLES[2:]
Span = tuple[int, int]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """A faulty translation: the changed span, and the stems of the words that the fault added and removed there."""

    output: Text
    span: Span
    added: frozenset[str]
    lost: frozenset[str]

    @staticmethod
    def from_note(note: Row) -> "Fault":
        lang, (start, end) = note["target_lang"], note["at"]
        output, clean = Text(note["answer"], lang), Text(note["clean"], lang)
        was = (start, start + len(note["was"]))
        return Fault(output, (start, end), _keys(output, (start, end)), _keys(clean, was))


class Faults:
    """The faults that a system has injected, by text and answer; read from the notes of a workspace."""

    def __init__(self, notes: Iterable[Row]) -> None:
        self._faults = {
            (Text(note["text"], note["source_lang"]), Text(note["answer"], note["target_lang"])): Fault.from_note(note)
            for note in notes
            if "fault" in note
        }

    def in_row(self, row: Row) -> list[Fault]:
        """The faults in the translations of a case, intermediate ones included."""
        outputs = dict.fromkeys(Text(**text) for text in (*(row[role] for role in OUTPUTS), *row["steps"].values()))
        texts = dict.fromkeys([*(Text(**row[role]) for role in ROLES), *outputs])
        return [self._faults[pair] for a in texts for b in outputs if (pair := (a, b)) in self._faults]


def blamed(row: Row, faults: Sequence[Fault]) -> bool | None:
    """Whether the most suspicious word of a case is one that a fault changed.

    In the faulty translation, that is a word within the changed span, a word that the fault added, or one whose
    counterpart the fault removed; in the other translation, a word that the fault removed, or one whose counterpart it
    added. None if no words are blamed, or if the faulty translation is not one of the two that are compared word by
    word (such as the first translation of a round trip).
    """
    if "blamed" not in row["evidence"]:
        return None
    texts = [Text(**row[role]) for role in ROLES if role in row["evidence"]["marked"]]
    compared = [fault for fault in faults if fault.output in texts]
    if not compared:
        return None
    worst = next(iter(row["evidence"]["blamed"]), None)
    return worst is not None and any(_hits(row, worst, fault) for fault in compared)


def _hits(row: Row, blame: Row, fault: Fault) -> bool:
    output = Text(**row[blame["role"]])
    word, instead = key(blame["word"], output.lang), blame.get("instead", "")
    counterpart = key(instead, output.lang) if instead else ""
    if output == fault.output:
        overlaps = blame["start"] < fault.span[1] and fault.span[0] < blame["end"]
        return overlaps or word in fault.added or counterpart in fault.lost
    return word in fault.lost or counterpart in fault.added


def _keys(text: Text, span: Span) -> frozenset[str]:
    """The stems of the words that a span touches, be it in part: a number with one changed digit counts whole."""
    cut = Sentence.from_text(text)
    indices = zip(cut.places, cut.keys, strict=True)
    touched = ((cut.tokens[index], stem) for index, stem in indices)
    return frozenset(stem for token, stem in touched if token.start < span[1] and span[0] < token.end)
