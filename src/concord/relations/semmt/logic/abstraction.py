"""Sentence abstraction: phrases become symbols, and their claims an expression (Cao et al. 2021, SemMT, section 3.3).

What differs from the paper: the paper abstracts by hand and lets a neural model write the expression; here rules do
both. A sentence with several claims becomes their sequence. A claim about things that contain something ("19.6% of
households containing only young people") is one of them, although the paper leaves it out.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from concord.relations.semmt.logic.formula import Atom, Formula, ValueScale, symbols, walk, written
from concord.relations.semmt.logic.formula_parser import FormulaReading
from concord.relations.semmt.logic.items import items
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.logic.phrases import SymbolPhrase
from concord.relations.semmt.logic.quantifier_spans import find
from concord.relations.semmt.logic.stretches import Item

_LATIN = "XYZWVUTSRQPONMLKJIHGFEDCBA"
_OTHER = "".join(map(chr, (*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x410, 0x430), *range(0x531, 0x557))))
_BEFORE_MARK = re.compile(r" (?=[,;:.!?)])")


@dataclass(frozen=True, slots=True)
class Abstraction:
    """A sentence with its phrases abstracted.

    `sentence` shows what was abstracted to which symbol, `symbols` the words of each; `regex` is empty if there are no
    words. Numbers in `regex` are those of the sentence as far as `formula.py` can write them. `approximate`: a vague
    quantifier was filled in, or the sentence is `partial`: too long or too nested to be read whole. `confidence` in [0,
    1] orders readings and is no probability: 0 if an expression can represent no claim, and lower the more rules were
    applied.
    """

    sentence: str
    symbols: Mapping[str, str]
    regex: str
    approximate: bool
    confidence: float
    formula: Formula | None = field(repr=False)
    phrases: tuple[SymbolPhrase, ...] = field(repr=False)
    row: tuple[Item, ...] = field(repr=False)
    lang: str = "en"
    partial: bool = False


def abstract(text: str, *, lang: str = "en", approximation: Approximation = "range") -> Abstraction:
    """The abstraction of a sentence.

    >>> abstraction = abstract("The U.S. contains a few states.", approximation="over")
    >>> abstraction.sentence, abstraction.regex
    ('X contains a few Y.', 'Y{3,}')
    """
    row, cut_short = items(text, find(text, lang=lang, approximation=approximation))
    reading = FormulaReading(row)
    formula, simplified = reading.formula()
    partial = cut_short or simplified
    phrases = tuple(reading.phrases)
    names = symbol_names(phrases, plain=any(phrase.fixed for phrase in phrases))
    row = reading.with_symbols()
    vague = any(item.finding is not None and item.finding.approximate for item in row)
    return Abstraction(
        sentence=abstracted_text(row, dict(enumerate(names))),
        symbols={name: phrase.text for name, phrase in zip(names, phrases, strict=True) if phrase.fixed is None},
        regex="" if formula is None else written(formula, names, ValueScale((formula,))),
        approximate=vague or partial,
        confidence=_confidence(row, formula, phrases, partial),
        formula=formula,
        phrases=phrases,
        row=tuple(row),
        lang=lang,
        partial=partial,
    )


def symbol_names(phrases: Sequence[SymbolPhrase], *, plain: bool) -> list[str]:
    """A name for each phrase; `plain` keeps to letters that no character class of an expression contains."""
    letters = _OTHER if plain else _LATIN + _OTHER
    names, used = [], 0
    for phrase in phrases:
        if phrase.fixed is not None:
            names.append(phrase.fixed)
            continue
        # Beyond the letters there is no end of ideographs; each is one character, as a symbol must be.
        names.append(letters[used] if used < len(letters) else chr(0x4E00 + used))
        used += 1
    return names


def abstracted_text(row: Sequence[Item], names: Mapping[int, str]) -> str:
    """The sentence with the name of its symbol in place of each phrase; phrases without a name are kept."""
    words = [_item_text(item, names.get(item.symbol, "")) for item in row]
    last = next((index for index in range(len(row) - 1, -1, -1) if row[index].text), -1)
    if last >= 0 and row[last].phrase is not None and words[last] != row[last].text:
        words.append(row[last].text[-1] if row[last].text[-1] in ".!?" else "")
    return _BEFORE_MARK.sub("", " ".join(filter(None, words)))


def _item_text(item: Item, name: str) -> str:
    if item.finding is not None:
        return f"{item.text} {name}".strip()
    return item.text if item.phrase is None or item.phrase.fixed is not None else name or item.text


def _confidence(row: Sequence[Item], formula: Formula | None, phrases: Sequence[SymbolPhrase], partial: bool) -> float:
    cues = [item for item in row if item.finding is not None]
    if formula is None or isinstance(formula, Atom) or not cues:
        return 0.0
    confidence = math.prod(0.97 for _ in walk(formula)) / 0.97
    if any(item.finding is not None and item.finding.approximate for item in cues):
        confidence *= 0.8
    if any(item.kind.startswith("condition") for item in cues):
        confidence *= 0.8
    if any(not phrases[symbol].text for symbol in symbols(formula)):
        confidence *= 0.7
    return round(confidence * (0.5 if partial else 1.0), 3)
