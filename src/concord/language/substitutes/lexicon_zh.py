"""Embedded, offline: Chinese words that occur in similar contexts, of the same part of speech; other numbers.

The table is made of word vectors (`models/chinese`): each of two words is among the nearest ten of the other, and they
are no opposites. A substitute keeps the words and tags of the sentence as the parser sees them. `similarity` is the
least score.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np

from concord.errors import Refused, ServiceError
from concord.language.codes import base
from concord.language.substitutes import Embed, Parse, Slot, Substitute
from concord.language.substitutes._chinese_numbers import other_chinese_numbers
from concord.language.substitutes._gate import VERSION as GATE
from concord.language.substitutes._gate import Meaning, SubstituteGate
from concord.language.substitutes._slot import Place, SlottedSentence, places
from concord.model import Text
from concord.options import Share

RULES = "1"
SHIPPED = Path(__file__).with_name("lexicon_zh.npz")
COSINES = 200
"""What a stored cosine is divided by."""
ENOUGH, STEEP = 0.72, 1.25
"""A cosine of .72 has the score .8, one of .8 has .9: of substitutes above, more than four of five read well."""
FIRST, NEXT = 0.95, 0.02
"""The score of the first other number, and the decrease from each to the next."""


class Substitutes:
    """Substitutes from the table that ships with Concord."""

    def __init__(
        self,
        *,
        similarity: Annotated[Share, "Least score of a substitute."] = 0.8,
        meaning: Meaning = 0.5,
        parse: Parse | None = None,
        embed: Embed | None = None,
    ) -> None:
        self.id = "lexicon_zh"
        self._least = similarity
        self._gate = SubstituteGate(parse, embed, meaning=meaning)

    @property
    def rejected(self) -> Counter[str]:
        """How many candidates were rejected, by reason."""
        return self._gate.rejected

    def version(self) -> str:
        return f"{RULES}-{GATE}-{_alike().version}"

    def languages(self) -> frozenset[str]:
        return frozenset({"zh"})

    def substitutes(self, requests: Sequence[Slot]) -> list[list[Substitute] | ServiceError]:
        candidates: list[tuple[Slot, list[Substitute]]] = []
        errors: dict[int, ServiceError] = {}
        for number, slot in enumerate(requests):
            try:
                candidates.append((slot, list(self._candidates(slot))))
            except Refused as error:
                candidates.append((slot, []))
                errors[number] = error
        return [errors.get(number, admitted) for number, admitted in enumerate(self._gate.admitted(candidates))]

    def _candidates(self, slot: Slot) -> Iterator[Substitute]:
        if base(slot.lang) != "zh":
            raise Refused(f"lexicon_zh knows Chinese (zh), not {slot.lang}")
        open_places = places(slot, SlottedSentence(slot.tree))
        if not open_places:
            self.rejected["no content word"] += 1
        for place in open_places:
            yield from self._numbers(place, slot.lang) if place.tag in ("NUM", "CD", "OD") else self._words(place, slot)

    def _numbers(self, place: Place, lang: str) -> Iterator[Substitute]:
        for step, number in enumerate(other_chinese_numbers(place.word)):
            yield _substitute(place, number, lang, round(FIRST - step * NEXT, 4), "number")

    def _words(self, place: Place, slot: Slot) -> Iterator[Substitute]:
        others = _alike().others(place.word)
        if not others:
            self.rejected["unknown word"] += 1
        if place.sentence.words.count(place.word) > 1:
            # A word that occurs twice in a sentence denotes one thing, and after a replacement would denote two.
            self.rejected["named twice"] += 1
            return
        for word, score in others:
            if score < self._least or word in place.leaf.text:
                self.rejected["similarity" if score < self._least else "named twice"] += 1
            else:
                yield _substitute(place, word, slot.lang, score, "similar")


def _substitute(place: Place, word: str, lang: str, score: float, kind: str) -> Substitute:
    text, leaf = place.leaf.text, place.leaf
    sentence = text[: leaf.start] + word + text[leaf.end :]
    return Substitute(Text(sentence, lang), leaf.start, leaf.end, word, score, kind)


class AlikeWords:
    """Words with others that are used alike.

    >>> _alike().others("火炮")[0][0]
    '高射炮'
    """

    def __init__(self, path: Path = SHIPPED) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._words = bytes(file["words"]).decode().split("\n")
            self._starts, self._others, self._cosines = (
                file[name].tolist() for name in ("starts", "others", "cosines")
            )
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self.version = hashlib.blake2b(path.read_bytes(), digest_size=4).hexdigest()

    def others(self, word: str) -> list[tuple[str, float]]:
        """The words that are used like a word, with scores from 0 to 1, the best first."""
        number = self._numbers.get(word)
        if number is None:
            return []
        places = range(self._starts[number], self._starts[number + 1])
        scored = [(self._words[self._others[place]], _score(self._cosines[place] / COSINES)) for place in places]
        return sorted(scored, key=lambda other: (-other[1], other[0]))


def _score(cosine: float) -> float:
    return round(min(1.0, 0.8 + STEEP * (cosine - ENOUGH)), 4)


@cache
def _alike() -> AlikeWords:
    return AlikeWords()
