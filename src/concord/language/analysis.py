"""Analysed words: lemmas, tags, and the span in the original string."""

from dataclasses import dataclass, field

from concord.language import word_tables

_UNIVERSAL: dict[str, str] = word_tables(__file__)["universal"]
_UPOS = {tag: upos for upos, tags in _UNIVERSAL.items() for tag in tags.split()}
UNKNOWN = "X"
PARTS_OF_SPEECH = frozenset({*_UNIVERSAL, UNKNOWN})
"""The universal tags."""


def universal(tags: tuple[str, ...]) -> str:
    """The universal part of speech (UPOS) of Apertium's tags, `X` if it is not known.

    >>> universal(("vblex", "pri", "p3", "sg")), universal(("rel", "adv")), universal(())
    ('VERB', 'ADV', 'X')
    """
    if not tags:
        return UNKNOWN
    if tags[0] == "rel" and "adv" in tags:
        return "ADV"
    if tags[0].startswith("vb"):
        return _UPOS.get(tags[0], "VERB")
    return _UPOS.get(tags[0], UNKNOWN)


@dataclass(frozen=True, slots=True)
class Part:
    """A lemma with its tags: most words have one part, a contraction such as Spanish *del* has two."""

    lemma: str
    tags: tuple[str, ...] = ()
    upos: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class Word:
    """One unit of analysis: a word, a contraction, a multiword such as *in front of*, or a mark.

    `text` is the whole original string, `start:end` the span in it. A word that is not in the dictionary
    is its own lemma and has no tags.
    """

    start: int
    end: int
    parts: tuple[Part, ...]
    text: str = field(default="", repr=False)

    @property
    def words(self) -> str:
        """The word as it is in the original text."""
        return self.text[self.start : self.end]

    @property
    def lemmas(self) -> tuple[str, ...]:
        return tuple(part.lemma for part in self.parts)

    @property
    def upos(self) -> str:
        """The universal tag of its first part."""
        return self.parts[0].upos
