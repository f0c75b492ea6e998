"""Sampling: a corpus of sentences from a text or a wiki, spread over all of it.

Pesu et al. (2017) drew their 1,000 phrases from Wikipedia and scanned them before use. Here one
sentence of every k is taken, at a random place among them, and scanned: at a fixed place, an input
that changes its language or its kind with every line would give all or nothing. The length of the
input need not be known: whenever enough sentences are held, k is doubled and one of each two
neighbours is let go by chance, so memory stays the same however long the input is.
"""

from __future__ import annotations

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

_LEAST_HELD = 10_000
_HELD_PER_WANTED = 8
_MOST_REMEMBERED = 250_000
_MARKUP = (".xml", ".xml.gz", ".xml.bz2")


@dataclass(frozen=True, slots=True)
class SampledSentence:
    """A sentence and where it stands: the `number`-th one, from 1, of its page."""

    page: Page = field(repr=False)
    number: int
    words: str

    @property
    def id(self) -> str:
        return f"{self.page.id}-{self.number}"


@dataclass(frozen=True, slots=True)
class Sample:
    """The sentences taken, in the order of the input, and what became of the others.

    `seen` counts all sentences of the input, `examined` those that were scanned (all of them, unless
    the input is long), `dropped` how many of these were not fit, by reason.
    """

    lang: str
    seed: int
    sentences: list[SampledSentence]
    dropped: Counter[str]
    seen: int
    examined: int

    def told(self) -> str:
        """What became of the sentences that were not taken, in words."""
        reasons = ", ".join(f"{why} {count:,}" for why, count in self.dropped.most_common())
        return f"{plural(self.seen, 'sentence')} seen; dropped: {reasons or 'none'}"

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
    """Up to `size` sound sentences of `lengths` words, at equal distances over the whole input.

    The same input and seed give the same sample. `pages` come from `text_pages` or `MediaWiki`,
    or are any `Page`s.
    """
    lang = normalise(lang)
    _check(size, lengths)
    rng = random.Random(seed)
    sieve = _Sieve(Validity(lang, lengths), rng, max(_LEAST_HELD, size * _HELD_PER_WANTED))
    for page in pages:
        for number, sentence in enumerate(sentences(Text(page.text, lang)), 1):
            sieve.offer(page, number, sentence.words)
    return Sample(lang, seed, _spread(sieve.distinct(), size, rng), sieve.dropped, sieve.seen, sieve.examined)


def pages_of(origin: str, pages: int, wrapped: bool = False) -> Iterable[Page]:
    """The pages of a text file (`-` for standard input), or of a wiki by its address."""
    if origin.startswith(("http://", "https://")):
        return MediaWiki(origin, pages=pages)
    if origin.lower().endswith(_MARKUP):
        raise UserError(f"{origin} is XML, of which no sentences are taken. Name a text file or the api.php of a wiki")
    return text_pages(origin, wrapped=wrapped)


class _Sieve:
    """One sentence of each block of `step`, if it is fit; the step grows with the input."""

    def __init__(self, validity: Validity, rng: random.Random, room: int) -> None:
        self.dropped: Counter[str] = Counter()
        self.seen = self.examined = 0
        self._validity = validity
        self._rng = rng
        self._room = room
        self._step, self._next = 1, 0
        self._held: list[tuple[int, SampledSentence]] = []
        self._known: set[bytes] = set()

    def offer(self, page: Page, number: int, words: str) -> None:
        at = self.seen
        self.seen += 1
        if at != self._next:
            return
        self.examined += 1
        self._next = self._place_after(at)
        words = " ".join(words.split())
        flaw = self._validity.flaw(words) or self._repeated(words)
        if flaw:
            self.dropped[flaw] += 1
            return
        # The page's text would keep the whole input in memory.
        self._held.append((at, SampledSentence(Page(page.id, page.title, ""), number, words)))
        while len(self._held) >= self._room:
            self._thin_out(at)

    def distinct(self) -> list[SampledSentence]:
        """What is held, without the repetitions that were too far apart to be noticed on the way."""
        unique: dict[str, SampledSentence] = {}
        for _, sentence in self._held:
            unique.setdefault(_likeness(sentence.words), sentence)
        if len(unique) < len(self._held):
            self.dropped["duplicate"] += len(self._held) - len(unique)
        return list(unique.values())

    def _place_after(self, at: int) -> int:
        """A random place in the next block."""
        return (at // self._step + 1) * self._step + self._rng.randrange(self._step)

    def _thin_out(self, now: int) -> None:
        half, self._step = self._step, self._step * 2
        here = now // self._step
        blocks = dict.fromkeys([at // self._step for at, _ in self._held] + [here])
        later = {block: self._rng.random() < 0.5 for block in blocks}
        self._held = [(at, each) for at, each in self._held if (at % self._step >= half) == later[at // self._step]]
        # Of the block that is being read, the half that was chosen may be still to come.
        begin = here * self._step + half * later[here]
        if not begin <= self._next < begin + half:
            self._next = begin + self._rng.randrange(half) if begin > now else self._place_after(now)

    def _repeated(self, words: str) -> str | None:
        key = blake2b(_likeness(words).encode(), digest_size=8).digest()
        if key in self._known:
            return "duplicate"
        if len(self._known) < _MOST_REMEMBERED:
            self._known.add(key)
        return None


def _likeness(words: str) -> str:
    return words.casefold()


def _spread(held: list[SampledSentence], size: int, rng: random.Random) -> list[SampledSentence]:
    """`size` of them at equal distances, from a random start; all, if there are no more."""
    start = rng.random()
    if len(held) <= size:
        return held
    distance = len(held) / size
    return [held[int((start + number) * distance)] for number in range(size)]


def _check(size: int, lengths: tuple[int, int]) -> None:
    if size < 1:
        raise UserError(f"the size of the sample must be at least 1, not {size}")
    if not 1 <= lengths[0] <= lengths[1]:
        raise UserError(
            f"a sentence cannot have from {lengths[0]} to {plural(lengths[1], 'word')}. Give the smaller number first"
        )
