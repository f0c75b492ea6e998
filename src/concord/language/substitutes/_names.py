"""Names of persons: another family name after a title, another given name before a family name."""

from concord.language.english.lexicon import Lexicon
from concord.language.substitutes._slot import NAMES, Place

_TITLES = frozenset({"mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss", "dr", "dr.", "prof", "prof."})
_FAMILIES = (
    "Weber", "Silva", "Khan", "Carter", "Chen", "Lambert", "Santos", "Walker", "Wagner", "Lee", "Costa", "Turner",
)  # fmt: skip
_TRIED = 5


def families(place: Place) -> list[str]:
    """Family names that replace one after a title and before no other name; the name decides which."""
    if place.tag != "NNP" or place.word_at(-1) not in _TITLES or place.tag_at(1) in NAMES:
        return []
    first = sum(map(ord, place.word)) % len(_FAMILIES)
    rotated = _FAMILIES[first:] + _FAMILIES[:first]
    return [name for name in rotated if name.lower() != place.word.lower()][:_TRIED]


def is_given_name(place: Place, lexicon: Lexicon) -> bool:
    """Whether the word is a given name before an unknown family name: "Anna Lindqvist", but not "Paul Street"."""
    family = place.sentence.words[place.index + 1] if place.tag_at(1) == "NNP" else ""
    alone = place.tag_at(-1) not in NAMES and place.tag_at(2) not in NAMES
    return bool(family) and alone and lexicon.rank(family) is None and lexicon.is_given_name(place.word)
