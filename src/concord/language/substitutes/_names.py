"""Names of persons: another family name after a title, another given name before a family name."""

from __future__ import annotations

from concord.language.english.lexicon import Lexicon
from concord.language.substitutes._slot import NAMES, Place

_TITLES = frozenset({"mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss", "dr", "dr.", "prof", "prof."})
_FAMILIES = (
    "Weber", "Silva", "Khan", "Carter", "Chen", "Lambert", "Santos", "Walker", "Wagner", "Lee", "Costa", "Turner",
)  # fmt: skip
_TRIED = 5


def families(place: Place) -> list[str]:
    """Family names for one that stands behind a title and before no other name; which ones depends on the name."""
    if place.tag != "NNP" or place.word_at(-1) not in _TITLES or place.tag_at(1) in NAMES:
        return []
    first = sum(map(ord, place.word)) % len(_FAMILIES)
    turned = _FAMILIES[first:] + _FAMILIES[:first]
    return [name for name in turned if name.lower() != place.word.lower()][:_TRIED]


def given(place: Place, known: Lexicon) -> bool:
    """Whether it is a given name of whom only the family name is unknown: "Anna Lindqvist", but not "Paul Street"."""
    family = place.sentence.words[place.at + 1] if place.tag_at(1) == "NNP" else ""
    alone = place.tag_at(-1) not in NAMES and place.tag_at(2) not in NAMES
    return bool(family) and alone and known.rank(family) is None and known.given(place.word)
