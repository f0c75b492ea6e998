"""Faults in translations: what each kind does to an answer, and the words it needs to know for that."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from concord.errors import UnknownName
from concord.language.codes import is_spaced
from concord.model import Noted

Span = tuple[int, int]


class Edit(NamedTuple):
    """A replacement of a span of the clean answer by `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Clean:
    """An answer before the fault, with its words as spans (characters where words have no spaces)."""

    text: str
    lang: str
    source: str
    words: tuple[Span, ...]

    @property
    def gap(self) -> str:
        return " " if is_spaced(self.lang) else ""

    def word(self, index: int) -> str:
        start, end = self.words[index]
        return self.text[start:end]


def inject(kind: str, answer: str, lang: str, rng: random.Random, source_text: str) -> Noted | None:
    """The answer with one fault of that kind, or None where the kind does not apply.

    The note holds the `fault`, the `clean` answer, the span `at` in the faulty answer, and what `was`
    there: `faulty[:start] + was + faulty[end:]` is the clean answer. Words that are lost leave an empty
    span, or the letter that was made a capital in their place.

    >>> faulty = inject("change_number", "Hace 3 años.", "es", random.Random(0), "3 years ago.")
    >>> faulty.note["was"], faulty.note["at"], faulty.note["clean"]
    ('3', [5, 6], 'Hace 3 años.')
    """
    if kind == "any":
        kinds = rng.sample(list(FAULTS), len(FAULTS))
        return next(filter(None, (inject(drawn, answer, lang, rng, source_text) for drawn in kinds)), None)
    if kind not in FAULTS:
        raise UnknownName("kind of fault", kind, ["any", *FAULTS])
    base = lang.partition("-")[0].lower()
    edit = FAULTS[kind](Clean(answer, base, source_text, tuple(_words(answer, base))), rng)
    if edit is None:
        return None
    faulty = answer[: edit.start] + edit.new + answer[edit.end :]
    if _bare(faulty) in ("", _bare(answer)):
        return None
    note = {
        "fault": kind,
        "clean": str(answer),
        "at": [edit.start, edit.start + len(edit.new)],
        "was": answer[edit.start : edit.end],
    }
    return Noted(faulty, {**getattr(answer, "note", {}), **note})


def _drop_word(clean: Clean, rng: random.Random) -> Edit | None:
    if len(clean.words) < 2:
        return None
    return _without(clean.text, rng.choice(_content(clean) or clean.words))


def _drop_phrase(clean: Clean, rng: random.Random) -> Edit | None:
    """Two to four words, at most half of the sentence."""
    count = len(clean.words)
    if count < 4:
        return None
    size = rng.randint(2, min(4, count // 2))
    return _without(clean.text, _phrase(clean, size, rng))


def _repeat_phrase(clean: Clean, rng: random.Random) -> Edit | None:
    """One to three words, repeated immediately."""
    if not clean.words:
        return None
    start, end = _phrase(clean, rng.randint(1, min(3, len(clean.words))), rng)
    return Edit(end, end, clean.gap + clean.text[start:end])


def _wrong_word(clean: Clean, rng: random.Random) -> Edit | None:
    spans = _content(clean)
    if not spans:
        return None
    start, end = rng.choice(spans)
    old = clean.text[start:end]
    choices = UNRELATED_WORDS.get(clean.lang) or sorted({clean.text[a:b] for a, b in spans})
    different = [word for word in choices if word.casefold() != old.casefold()]
    return Edit(start, end, _cased_like(old, rng.choice(different))) if different else None


def _change_number(clean: Clean, rng: random.Random) -> Edit | None:
    digits = [index for index, character in enumerate(clean.text) if character.isdecimal()]
    if not digits:
        return None
    index = rng.choice(digits)
    old = clean.text[index]
    value = unicodedata.decimal(old)
    leading = index == 0 or not clean.text[index - 1].isdecimal()
    new = rng.choice([digit for digit in range(1 if leading else 0, 10) if digit != value])
    # The ten digits of every script have consecutive codes.
    return Edit(index, index + 1, chr(ord(old) - value + new))


def _lose_negation(clean: Clean, rng: random.Random) -> Edit | None:
    losses = list(_losses(clean))
    return rng.choice(losses) if losses else None


def _swap_order(clean: Clean, rng: random.Random) -> Edit | None:
    """Two different words, at most three words apart."""
    count = len(clean.words)
    near = ((i, j) for i in range(count) for j in range(i + 1, min(i + 4, count)))
    pairs = [(i, j) for i, j in near if clean.word(i).casefold() != clean.word(j).casefold()]
    if not pairs:
        return None
    i, j = rng.choice(pairs)
    start, end = clean.words[i][0], clean.words[j][1]
    between = clean.text[clean.words[i][1] : clean.words[j][0]]
    return Edit(start, end, clean.word(j) + between + clean.word(i))


def _copy_source(clean: Clean, rng: random.Random) -> Edit | None:
    return Edit(0, len(clean.text), clean.source)


FAULTS: dict[str, Callable[[Clean, random.Random], Edit | None]] = {
    "drop_word": _drop_word,
    "drop_phrase": _drop_phrase,
    "repeat_phrase": _repeat_phrase,
    "wrong_word": _wrong_word,
    "change_number": _change_number,
    "lose_negation": _lose_negation,
    "swap_order": _swap_order,
    "copy_source": _copy_source,
}


# -- words --------------------------------------------------------------------------------------

_ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("faults.tsv").read_text("utf-8").split("\n")
    if line and not line.startswith("#")
]
UNRELATED_WORDS = {lang: tuple(words.split()) for lang, kind, words, *_ in _ROWS if kind == "unrelated"}


def _words(text: str, lang: str) -> Iterator[Span]:
    if not is_spaced(lang):
        yield from (match.span() for match in re.finditer(r"[a-zA-Z]+|[0-9]+(?:[.,][0-9]+)*|\w", text))
        return
    for match in re.finditer(r"\S+", text):
        start, end = match.span()
        while start < end and _is_mark(text[start]):
            start += 1
        while end > start and _is_mark(text[end - 1]):
            end -= 1
        if start < end:
            yield start, end


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _content(clean: Clean) -> list[Span]:
    """Words that carry meaning, as far as length tells."""
    least = 4 if is_spaced(clean.lang) else 1
    return [(a, b) for a, b in clean.words if b - a >= least and any(map(str.isalpha, clean.text[a:b]))]


def _phrase(clean: Clean, size: int, rng: random.Random) -> Span:
    first = rng.randint(0, len(clean.words) - size)
    return clean.words[first][0], clean.words[first + size - 1][1]


def _without(text: str, lost: Span) -> Edit:
    """Take words out, with one of the spaces around them; a sentence keeps its capital."""
    start, end = lost
    if start > 0 and text[start - 1].isspace() and not text[end : end + 1].isalnum():
        start -= 1
    elif text[end : end + 1].isspace():
        end += 1
    begins = not any(map(str.isalnum, text[:start]))
    after = text[end : end + 1]
    if begins and text[lost[0]].isupper() and after.islower():
        return Edit(start, end + 1, after.upper())
    return Edit(start, end, "")


def _cased_like(old: str, new: str) -> str:
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _bare(text: str) -> str:
    return " ".join(text.split())


# -- negation -----------------------------------------------------------------------------------

NEGATIVE = {lang: pattern for lang, kind, pattern, *_ in _ROWS if kind == "negative"}
"""Words that still negate when another negation is left out ("no viene nadie"): beside them, nothing is lost."""


def _negation() -> dict[str, list[tuple[str, str]]]:
    by_lang: dict[str, list[tuple[str, str]]] = {}
    for lang, kind, pattern, *left in _ROWS:
        if kind == "lost":
            by_lang.setdefault(lang, []).append((pattern, "".join(left)))
    return by_lang


NEGATION = _negation()
"""How a language negates: patterns, and what stays of what they match; nothing if it can be left out."""


def _losses(clean: Clean) -> Iterator[Edit]:
    patterns, negative_word = NEGATION.get(clean.lang, ()), NEGATIVE.get(clean.lang, r"(?!)")
    matches = [(match, new) for pattern, new in patterns for match in re.finditer(pattern, clean.text, re.IGNORECASE)]
    negative = [match.span() for match in re.finditer(negative_word, clean.text, re.IGNORECASE)]
    for match, new in matches:
        span = match.span()
        if negative and (len(matches) > 1 or any(word != span for word in negative)):
            continue
        left = match.expand(new)
        yield Edit(*span, _cased_like(match.group(), left)) if left else _without(clean.text, span)
