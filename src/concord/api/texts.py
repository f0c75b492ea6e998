"""Functions on texts that need no translator: sampling sentences, and finding the claims that they make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord.bounds import comparable
from concord.corpus import Corpus, read
from concord.errors import CorpusError, NotJudged
from concord.language.codes import normalise
from concord.runs.execute import SEED

if TYPE_CHECKING:
    from concord.corpus.sampling.sample import Sample
    from concord.relations.semmt.automata import Measure
    from concord.relations.semmt.logic.prevalence import Prevalence


def sample(
    origin: str,
    *,
    size: int,
    source: str = "en",
    seed: int = SEED,
    lengths: tuple[int, int] = (5, 40),
    pages: int = 200,
    wrapped: bool = False,
) -> Sample:
    """A sample of the sentences of a text file (`-` for stdin) or a wiki (its api.php).

    `wrapped` text has sentences that run over several lines; `pages` is how many articles of a wiki are read.
    """
    from concord.corpus.sampling.sample import pages_of, sample

    return sample(pages_of(origin, pages, wrapped), size=size, seed=seed, lang=source, lengths=lengths)


def expressions(
    sentences: str | Path, *, source: str = "en", format: str | None = None, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """A row for every sentence of a file: its regular expression (None if it has none), confidence and reading."""
    from concord.relations.semmt.claims import claims_of

    for segment in read(sentences, source, format=format, limit=limit):
        words = segment.text.words
        try:
            claim = claims_of(comparable(words), lang=segment.text.lang)
            read_as = (claim.regex, claim.confidence, claim.reading) if claim else (None, 0.0, "")
        except NotJudged as error:
            read_as = (None, 0.0, str(error))
        yield {"sentence": words, **dict(zip(("regex", "confidence", "reading"), read_as, strict=True))}


def compare_expressions(
    path: str | Path, *, measure: Measure = "geometric", k: float = 0.5
) -> Iterator[dict[str, Any]]:
    """A row for every pair of expressions in a file: equal, r, d and h, or an error."""
    from concord.relations.semmt.expression_pairs import compared

    row = None
    for row in compared(path, measure=measure, k=k):
        yield row
    if row is None:
        raise CorpusError(f"{path} has no expression. Put two on each line, with a tab between them")


def prevalence(
    corpus: Corpus | str | Path,
    *,
    source: str = "en",
    format: str | None = None,
    least_words: int = 10,
) -> Prevalence:
    """How many sentences of a corpus have quantifiers or logic, and how many of these are precise; with examples."""
    from concord.relations.semmt.logic.prevalence import prevalence

    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source, format=format)
    texts = (segment.text.words for segment in opened)
    return prevalence(texts, lang=normalise(source), least_words=least_words)
