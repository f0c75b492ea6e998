"""The design of an experiment: which sentence takes which detour, drawn from the seed, the same for every system."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from concord.analyses.experiment.plan import Experiment
from concord.corpus import Corpus
from concord.model import Segment
from concord.signature import digest as hashed

Path = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Design:
    """The observations of an experiment as segments, each with its own path.

    Replications are the outer loop, so that every path has the same number of observations, give or take one, if the
    experiment ends midway. A system that lacks some paths gets the others, at the same positions.
    """

    name: str
    lang: str
    digest: str
    sentences: Sequence[Segment]
    drawn: Sequence[tuple[int, Path]]
    paths: Collection[Path]

    @property
    def size(self) -> int:
        return sum(path in self.paths for _, path in self.drawn)

    def __iter__(self) -> Iterator[Segment]:
        for position, (sentence, (pivot, target)) in enumerate(self.drawn):
            if (pivot, target) in self.paths:
                segment = self.sentences[sentence]
                options = (("to", target), ("pivots", (pivot,)))
                yield Segment(segment.id, segment.text, position, segment.domain, segment.reference, options)

    def without(self, paths: Collection[Path]) -> "Design":
        remaining = [path for path in self.paths if path not in paths]
        return Design(self.name, self.lang, self.digest, self.sentences, self.drawn, remaining)


def design(experiment: Experiment, corpus: Corpus) -> Design:
    """Draw sentences and paths. The same experiment on the same corpus is drawn the same."""
    sentences = list(corpus)
    rng = Random(f"{experiment.seed}|{experiment.allocation}|{corpus.digest}")
    rounds = (_block(experiment, rng) for _ in range(experiment.replications))
    drawn = [(rng.randrange(len(sentences)), path) for path in chain.from_iterable(rounds)]
    parts = (corpus.digest, *(f"{sentence} {pivot} {target}" for sentence, (pivot, target) in drawn))
    return Design(
        name=experiment.name,
        lang=experiment.source,
        digest=hashed(*parts, size=4).hex(),
        sentences=sentences,
        drawn=drawn,
        paths=experiment.paths,
    )


def _block(experiment: Experiment, rng: Random) -> list[Path]:
    """Every path once, shuffled so that none is always the last one; or every target once, each with a drawn pivot."""
    if experiment.allocation == "factorial":
        return rng.sample(experiment.paths, len(experiment.paths))
    return [(rng.choice(experiment.pivots_to(target)), target) for target in experiment.targets]
