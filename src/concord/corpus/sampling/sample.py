"""Sampling: a corpus of sentences from a text or a wiki, spread over all of it.

Pesu et al. (2017) drew their 1,000 phrases from Wikipedia and scanned them before use. Here the input is cut into
blocks of k sentences, and one random sentence of each block is scanned; a fixed position would give all or nothing of
an input that changes its language or kind with every line. The length of the input need not be known: when the sample
reaches its capacity, k is doubled and one of each two neighbours is dropped at random, so memory stays bounded.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from concord.atomic import atomic_write
from concord.corpus.sampling.mediawiki import MediaWiki
from concord.corpus.sampling.pages import Page, text_pages
from concord.corpus.sampling.validity import Validity
from concord.errors import UserError
from concord.language.codes import normalise
from concord.language.sentences import sentences
from concord.model import Text
from concord.plural import plural

_LEAST_CAPACITY = 10_000
_CAPACITY_PER_SENTENCE = 8
_MOST_HASHES = 250_000
_MARKUP = (".xml", ".xml.gz", ".xml.bz2")


@dataclass(frozen=True, slots=True)
class SampledSentence:
    """A sentence and its position: the `number`-th one, from 1, of its page."""

    page: Page = field(repr=False)
    number: int
    words: str

    @property
    def id(self) -> str:
        return f"{self.page.id}-{self.number}"


@dataclass(frozen=True, slots=True)
class Sample:
    """The sampled sentences, in the order of the input, with counts of the others.

    `total` counts all sentences of the input, `examined` those that were scanned (all of them, unless
    the input is long), `dropped` those of them that were not valid, by reason.
    """

    lang: str
    seed: int
    sentences: list[SampledSentence]
    dropped: Counter[str]
    total: int
    examined: int

    def summary(self) -> str:
        """How many sentences were read, and how many were dropped for which reason, as a message."""
        reasons = ", ".join(f"{why} {count:,}" for why, count in self.dropped.most_common())
        return f"{plural(self.total, 'sentence')} seen; dropped: {reasons or 'none'}"

    def lines(self) -> Iterator[str]:
        """The sample as JSON lines that `concord.corpus.read` understands."""
        for sentence in self.sentences:
            row = {"id": sentence.id, "text": sentence.words, "page": sentence.page.title, "position": sentence.number}
            # A title may hold half a character, which no file in UTF-8 can.
            yield json.dumps(row, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"

    def write(self, path: Path) -> None:
        """Write the JSON lines to a file, whole or not at all."""
        with atomic_write(path) as part:
            part.write_text("".join(self.lines()), encoding="utf-8", newline="\n")


def sample(
    pages: Iterable[Page],
    *,
    size: int,
    seed: int,
    lang: str,
    lengths: tuple[int, int] = (5, 40),
) -> Sample:
    """Up to `size` valid sentences of `lengths` words, at equal distances over the whole input.

    The same input and seed give the same sample. `pages` come from `text_pages` or `MediaWiki`,
    or are any `Page`s.
    """
    lang = normalise(lang)
    _check(size, lengths)
    rng = random.Random(seed)
    sieve = _Sieve(Validity(lang, lengths), rng, max(_LEAST_CAPACITY, size * _CAPACITY_PER_SENTENCE))
    for page in pages:
        for number, sentence in enumerate(sentences(Text(page.text, lang)), 1):
            sieve.offer(page, number, sentence.words)
    return Sample(lang, seed, _spread(sieve.distinct(), size, rng), sieve.dropped, sieve.total, sieve.examined)


def pages_of(origin: str, pages: int, wrapped: bool = False) -> Iterable[Page]:
    """The pages of a text file (`-` for standard input), or of a wiki by its address."""
    if origin.startswith(("http://", "https://")):
        return MediaWiki(origin, pages=pages)
    if origin.lower().endswith(_MARKUP):
        raise UserError(f"{origin} is XML, of which no sentences are taken. Name a text file or the api.php of a wiki")
    return text_pages(origin, wrapped=wrapped)


class _Sieve:
    """Takes one sentence of each block of `step`, if it is valid; the step grows with the input."""

    def __init__(self, validity: Validity, rng: random.Random, capacity: int) -> None:
        self.dropped: Counter[str] = Counter()
        self.total = self.examined = 0
        self._validity = validity
        self._rng = rng
        self._capacity = capacity
        self._step, self._next = 1, 0
        self._sampled: list[tuple[int, SampledSentence]] = []
        self._hashes: set[bytes] = set()

    def offer(self, page: Page, number: int, words: str) -> None:
        index = self.total
        self.total += 1
        if index != self._next:
            return
        self.examined += 1
        self._next = self._random_index_after(index)
        words = " ".join(words.split())
        flaw = self._validity.flaw(words) or self._repeated(words)
        if flaw:
            self.dropped[flaw] += 1
            return
        # The page's text would keep the whole input in memory.
        self._sampled.append((index, SampledSentence(Page(page.id, page.title, ""), number, words)))
        while len(self._sampled) >= self._capacity:
            self._thin_out(index)

    def distinct(self) -> list[SampledSentence]:
        """The sampled sentences, without the duplicates that came after the set of hashes was full."""
        unique: dict[str, SampledSentence] = {}
        for _, sentence in self._sampled:
            unique.setdefault(sentence.words.casefold(), sentence)
        if len(unique) < len(self._sampled):
            self.dropped["duplicate"] += len(self._sampled) - len(unique)
        return list(unique.values())

    def _random_index_after(self, index: int) -> int:
        """A random index in the next block."""
        return (index // self._step + 1) * self._step + self._rng.randrange(self._step)

    def _thin_out(self, now: int) -> None:
        half, self._step = self._step, self._step * 2
        current_block = now // self._step
        blocks = dict.fromkeys([index // self._step for index, _ in self._sampled] + [current_block])
        later = {block: self._rng.random() < 0.5 for block in blocks}
        self._sampled = [
            (index, sentence)
            for index, sentence in self._sampled
            if (index % self._step >= half) == later[index // self._step]
        ]
        # The chosen half of the current block may not have been read yet.
        begin = current_block * self._step + half * later[current_block]
        if not begin <= self._next < begin + half:
            self._next = begin + self._rng.randrange(half) if begin > now else self._random_index_after(now)

    def _repeated(self, words: str) -> str | None:
        key = blake2b(words.casefold().encode(), digest_size=8).digest()
        if key in self._hashes:
            return "duplicate"
        if len(self._hashes) < _MOST_HASHES:
            self._hashes.add(key)
        return None


def _spread(candidates: list[SampledSentence], size: int, rng: random.Random) -> list[SampledSentence]:
    """`size` of the candidates at equal distances, from a random start; all, if there are no more."""
    start = rng.random()
    if len(candidates) <= size:
        return candidates
    distance = len(candidates) / size
    return [candidates[int((start + number) * distance)] for number in range(size)]


def _check(size: int, lengths: tuple[int, int]) -> None:
    if size < 1:
        raise UserError(f"the size of the sample must be at least 1, not {size}")
    if not 1 <= lengths[0] <= lengths[1]:
        raise UserError(
            f"a sentence cannot have from {lengths[0]} to {plural(lengths[1], 'word')}. Give the smaller number first"
        )
