"""Concatenation: a text is translated alike beside an unrelated sentence (a check of ours, no paper).

The text is translated alone, and with another sentence before or after it. The words of its translation should
reappear in the translation of both together. No parser is needed.
"""

from random import Random
from typing import Annotated

from concord.errors import UserError
from concord.language import word_tables
from concord.language.codes import base, is_spaced
from concord.model import Case, Plan, Text, Traits, Translate
from concord.relations import rti
from concord.relations._plans import one_way
from concord.relations.rti.evidence import show_pair
from concord.relations.rti.pairs import PhrasePair

TRAITS = Traits(finds="words translated otherwise beside an unrelated sentence", distinct=True, compares=True)
Sentence = Annotated[str, "Sentence that is put beside each text; by default one that ships, for thirty languages."]


async def check(x: Text, translate: Translate, rng: Random, *, to: str, unrelated: Sentence = "") -> list[Case]:
    pair = beside(x, unrelated or rng.choice(sentences(x.lang)), first=rng.random() < 0.5)
    outputs = await translate.each([pair.container, x], to)
    case = compare(pair.container, x, outputs[0], outputs[1])
    show_pair(case, pair, None)
    return [case]


def plan(source: str, *, to: str, unrelated: Sentence) -> Plan:
    if not unrelated and not sentences(source):
        raise UserError(f"name a sentence in '{source}' to put beside each text: concatenation,unrelated=…")
    return one_way(source, to)


def sentences(lang: str) -> list[str]:
    """The sentences that are put beside texts in a language, if there are any."""
    table = word_tables(__file__)
    return list(map(str, table.get(lang) or table.get(base(lang), ())))


def compare(source: Text, follow_up: Text, source_output: Text, follow_up_output: Text) -> Case:
    """Judge one pair: the source is the text beside another sentence, the follow-up the text alone."""
    return rti.compare(source, follow_up, source_output, follow_up_output, match="exact")


def beside(x: Text, sentence: str, *, first: bool) -> PhrasePair:
    """The text as a phrase, and as its container the text with an unrelated sentence before or after it."""
    gap = " " if is_spaced(x.lang) else ""
    before, after = (f"{sentence}{gap}", "") if first else ("", f"{gap}{sentence}")
    return PhrasePair(Text(f"{before}{x.words}{after}", x.lang), x, len(before), "S", "concatenation")
