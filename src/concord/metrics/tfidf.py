"""tf-idf (Salton and Buckley, 1988) as TransRepair takes it (Sun et al., ICSE 2020): cosine, rare words counting more.

A word counts as often as it occurs, times log((N + 1) / (n + 1)) if n of the N sentences of a corpus have it. `corpus`
is a file of such sentences in the texts' language, one in a line; without one every word weighs the same. The authors'
corpus is not published, so their values are reproduced only as far as another corpus gives words similar weights.
`tokens="auto"` and `tokens="language"` take the words and marks of each text's language, `tokens="paper"` what stands
between blanks.

Range [0, 1], higher is more alike. Symmetric. Texts with the same words count as identical: 1.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Annotated

from concord.arithmetic import log_of
from concord.errors import UserError
from concord.language.tokens import split
from concord.language.user_file import UserFile, user_file
from concord.metrics._tokens import Tokens, words
from concord.model import Text

LARGEST = 50_000_000
"""Bytes of a corpus. Weights hardly change after the first hundred thousand sentences."""
Weight = Callable[[str], float]


def similarity(
    a: Text,
    b: Text,
    *,
    corpus: Annotated[
        str, "File of sentences, one in a line, by which words are rare; without it all weigh the same."
    ] = "",
    tokens: Tokens = "auto",
) -> float:
    """How alike the weighted counts of words are, in [0, 1]; higher is more alike."""
    cut: Callable[[Text], list[str]] = _between_blanks if tokens == "paper" else words
    return of_words(cut(a), cut(b), weights(corpus, a.lang, tokens))


def of_words(a: Sequence[str], b: Sequence[str], weight: Weight) -> float:
    """`similarity` of texts that are cut into words already."""
    counts_a, counts_b = Counter(a), Counter(b)
    if counts_a == counts_b:
        return 1.0
    square = {word: weight(word) ** 2 for word in counts_a.keys() | counts_b.keys()}
    product = sum(counts_a[word] * counts_b[word] * square[word] for word in counts_a.keys() & counts_b.keys())
    lengths = [sum(count * count * square[word] for word, count in side.items()) for side in (counts_a, counts_b)]
    return min(1.0, product / math.sqrt(lengths[0] * lengths[1])) if product else 0.0


def weights(corpus: str, lang: str, tokens: Tokens = "auto") -> Weight:
    """The weights of words by a corpus; without one, all weights are equal."""
    return _read(user_file("corpus", corpus), lang, tokens) if corpus else lambda _: 1.0


def fitted(sentences: Iterable[Sequence[str]]) -> Weight:
    """The weights of words by tokenised sentences.

    >>> round(fitted([["the", "cat"], ["the", "dog"]])("cat"), 3)
    0.405
    """
    count, having = 0, Counter[str]()
    for sentence in sentences:
        count += 1
        having.update(set(sentence))
    return lambda word: log_of((count + 1) / (having[word] + 1))


@lru_cache(maxsize=8)
def _read(file: UserFile, lang: str, tokens: Tokens) -> Weight:
    cut: Callable[[Text], list[str]] = _between_blanks if tokens == "paper" else split
    lines = [line for line in file.lines(LARGEST, "a part of it does as well") if line.strip()]
    if not lines:
        raise UserError(f"the corpus {file.path} is empty; it is to hold sentences, one in a line")
    return fitted(cut(Text(line, lang)) for line in lines)


def _between_blanks(text: Text) -> list[str]:
    return text.words.split()
