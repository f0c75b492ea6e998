"""METEOR (Banerjee and Lavie, 2005): how many words two texts share, also inflected or as synonyms, and in which order.

Words, in lower case, are paired in three stages: as they are, by their Snowball stems where the language has a stemmer,
and as synonyms. These are words that share a meaning in WordNet, by the lexicon of common English words that comes with
Concord, or a line in a file of your own: `meteor:synonyms=FILE` (words separated by spaces); with `synonyms=none`, or
in other languages without a file, this stage is left out.

The score is the weighted harmonic mean of precision and recall (`alpha` is the weight of recall), times
1 − `gamma` · (chunks / pairs) ^ `beta`, the penalty for words in another order, with the paper's and NLTK's values. So
even equal texts pay for their one chunk: n words get 1 − `gamma` / n ^ `beta`, one word no more than 0.5. Here texts of
the same words get 1, as nothing is wrong with their order, and a perfect answer must not look like a poor one.

Each stage pairs words greedily from the end, as NLTK does, where the paper asks for the alignment with the fewest
crossings. Texts of more than 200 words are matched without synonyms.
`tokens="language"` counts the words and marks of the text's language, `tokens="paper"` words between blanks.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis. Two texts without a word
count as identical: 1, where NLTK says 0.
"""

from typing import Annotated, Any, Literal

from concord.language.stems import stem
from concord.metrics._alignment import aligned, chunks, with_equal, with_related
from concord.metrics._corpus import Counts, Pairs, counted
from concord.metrics._synonyms import related
from concord.metrics._tokens import edited
from concord.model import Text
from concord.options import Share, Within

Words = Annotated[Literal["language", "paper"], "What counts as a word: by the text's language, or between blanks."]

LONGEST = 200


def similarity(
    a: Text,
    b: Text,
    *,
    alpha: Annotated[Share, "Weight of recall, against that of precision."] = 0.9,
    beta: Annotated[float, Within(0), "Exponent of the penalty for words in another order."] = 3.0,
    gamma: Annotated[Share, "Largest penalty for words in another order."] = 0.5,
    synonyms: Annotated[str, "File of synonyms, a group in a line; none leaves them out, nothing is WordNet's."] = "",
    tokens: Words = "language",
) -> float:
    """How much of the reference's words (`a`) the hypothesis (`b`) has, in [0, 1]; higher is more similar."""
    pair_counts = counts(a, b, synonyms=synonyms, tokens=tokens)
    return scored(pair_counts, alpha=alpha, beta=beta, gamma=gamma)


def corpus(pairs: Pairs, *, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5, **how: Any) -> float:
    """METEOR of many pairs (reference, hypothesis): words, pairs and chunks are summed up, then scored once.

    The options are those of `similarity`.
    """
    return scored(counted(pairs, lambda a, b: counts(a, b, **how)), alpha=alpha, beta=beta, gamma=gamma)


def counts(a: Text, b: Text, *, synonyms: str = "", tokens: Words = "language", **_: object) -> Counts:
    """The words of the reference (`a`) and of the hypothesis (`b`), their pairs, and the chunks of these.

    Texts of the same words have no chunk, and so no penalty.
    """
    reference, hypothesis = ([word.lower() for word in edited(text, tokens)] for text in (a, b))
    if reference == hypothesis:
        return (len(reference), len(reference), len(reference), 0)
    stages = [with_equal(str), with_equal(lambda word: stem(word, a.lang))]
    are_related = related(synonyms, a.lang)
    if are_related and max(len(reference), len(hypothesis)) <= LONGEST:
        stages.append(with_related(are_related))
    pairs = aligned(hypothesis, reference, stages)
    return (len(reference), len(hypothesis), len(pairs), chunks(pairs))


def scored(counts: Counts, *, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5, **_: object) -> float:
    """The score by the counts of one pair, or by their sums over many."""
    reference, hypothesis, pairs, runs = counts
    if not reference and not hypothesis:
        return 1.0
    if not pairs:
        return 0.0
    precision, recall = pairs / hypothesis, pairs / reference
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return float(mean * (1 - gamma * (runs / pairs) ** beta))
