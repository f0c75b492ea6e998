"""How words of translations are matched: by their forms, their stems or their lemmas."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from concord.errors import ServiceError, UserError
from concord.language.analysis import Word
from concord.language.codes import is_spaced
from concord.language.comparison_units import Units, lemmas, stemmed, units
from concord.language.parse._choice import parsers
from concord.language.stems import stems
from concord.model import Text

REMEMBERED = 4096
Match = Literal["auto", "exact", "stem", "lemma"]
Count = Callable[[Text], Units]
Analysed = Callable[[Text], Sequence[Word]]


def matching(match: Match, lang: str, *, analysed: bool) -> Match:
    """How words of a language are matched; `auto` is resolved to the best method for the language.

    That is lemmas if the language can be analysed, else stems if it has a stemmer. Languages without blanks are
    compared by characters, which have neither.
    """
    if match == "auto":
        return "exact" if not is_spaced(lang) else "lemma" if analysed else "stem" if stems(lang) else "exact"
    if match == "lemma" and not analysed:
        raise UserError(
            f"match=lemma: words in '{lang}' cannot be analysed here. Install an Apertium pair that translates"
            f" from '{lang}', or choose match={'stem' if stems(lang) else 'exact'}"
        )
    if match == "stem" and not stems(lang):
        raise UserError(f"match=stem: there is no stemmer for '{lang}'. Choose match=exact")
    return match


def counting(match: Match, analysed: Analysed) -> Count:
    """The function that gives the units of a text for a method by `matching`; its results are cached."""

    @lru_cache(maxsize=REMEMBERED)
    def count(text: Text) -> Units:
        if match == "lemma":
            return lemmas(analysed(text), text.lang)
        return stemmed(text) if match == "stem" else units(text)

    return count


@lru_cache(maxsize=8)
def counting_here(match: Match, lang: str) -> Count:
    """`counting` without the service `analyse`: texts are analysed one at a time."""
    with parsers("apertium", alone=True) as choice:
        can_analyse = choice.find(lang) is not None

    def analysed(text: Text) -> Sequence[Word]:
        with parsers("apertium", alone=True) as choice:
            (analysis,) = choice.require(text.lang).analyse([text.words], text.lang)
        if isinstance(analysis, ServiceError):
            raise analysis
        words: Sequence[Word] = analysis
        return words

    return counting(matching(match, lang, analysed=can_analyse), analysed)
