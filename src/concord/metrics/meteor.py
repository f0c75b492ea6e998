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

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal

from concord.errors import UserError
from concord.language.codes import base
from concord.language.english.lexicon import WordForm, lexicon
from concord.language.stems import stem
from concord.language.user_file import UserFile, user_file
from concord.metrics._corpus import Counts
from concord.metrics._tokens import edited
from concord.model import Text
from concord.options import Share, Within

Words = Annotated[Literal["language", "paper"], "What counts as a word: by the text's language, or between blanks."]
Related = Callable[[str, str], bool]
Stage = Callable[[Mapping[int, str]], Callable[[str], list[int]]]
"""From the free words of the reference by position: the positions with which a word of the hypothesis can be paired."""

LONGEST = 200
LARGEST = 20_000_000


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


def aligned(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """The pairs of positions that all stages make, in the order of the hypothesis.

    From the end of the hypothesis, a stage pairs each word with the last one of the reference that is still free, as
    NLTK does. Words that one stage has paired are not paired again by the next.
    """
    pairs: dict[int, int] = {}
    for stage in stages:
        taken = set(pairs.values())
        positions_of = stage({j: word for j, word in enumerate(reference) if j not in taken})
        for i in [i for i in reversed(range(len(hypothesis))) if i not in pairs]:
            positions = positions_of(hypothesis[i])
            # Words with the same key share one list, so a position that is dropped here is not looked at again.
            while positions and positions[-1] in taken:
                positions.pop()
            if positions:
                pairs[i] = positions[-1]
                taken.add(positions[-1])
    return sorted(pairs.items())


def chunks(pairs: Sequence[tuple[int, int]]) -> int:
    """The number of chunks: runs of pairs that are neighbours in both texts."""
    return len(pairs) - sum((i + 1, j + 1) == after for (i, j), after in pairwise(pairs))


def with_equal(key: Callable[[str], str]) -> Stage:
    """The stage that pairs words with the same key."""

    def stage(free: Mapping[int, str]) -> Callable[[str], list[int]]:
        positions = defaultdict(list)
        for j, word in free.items():
            positions[key(word)].append(j)
        return lambda word: positions[key(word)]

    return stage


def with_related(related: Related) -> Stage:
    """The stage that pairs related words; the relation need not be transitive."""
    return lambda free: lambda word: [j for j, target in free.items() if related(word, target)]


def related(source: str, lang: str) -> Related | None:
    """The function that tells whether two words in lower case are synonyms: by a file, or by WordNet if `source` is ''
    and the language is English; None for `none` and for other languages without a file."""
    if source == "none" or (not source and base(lang) != "en"):
        return None
    return _share_a_line(source) if source else _share_a_meaning


def _share_a_meaning(a: str, b: str) -> bool:
    return _are_synonyms(*sorted((a, b)))


@lru_cache(maxsize=100_000)
def _are_synonyms(word_a: str, word_b: str) -> bool:
    words = lexicon()
    return any(words.kind(a, b) == "synonym" for a in _forms(word_a) for b in _forms(word_b))


@lru_cache(maxsize=20_000)
def _forms(word: str) -> tuple[WordForm, ...]:
    """One form for each lemma: the meaning does not depend on the inflection."""
    by_lemma = {form.lemma: form for tag in sorted(lexicon().tags(word)) for form in lexicon().forms(word, tag)}
    return tuple(by_lemma.values())


def _share_a_line(path: str) -> Related:
    hint = ". Give a file with a group of words on each line, or none"
    lines = _read(user_file("file of synonyms", path, hint))
    nothing: frozenset[int] = frozenset()
    return lambda a, b: not lines.get(a, nothing).isdisjoint(lines.get(b, nothing))


@lru_cache(maxsize=8)
def _read(file: UserFile) -> Mapping[str, frozenset[int]]:
    """For each word, the numbers of the lines that contain it."""
    lines_of = defaultdict(set)
    for number, line in enumerate(file.lines(LARGEST, "synonyms are held in memory"), 1):
        words = [] if line.startswith("#") else line.lower().split()
        if len(words) == 1:
            raise UserError(f"{file.path}, line {number}: a line holds two or more words with blanks between them")
        for word in words:
            lines_of[word].add(number)
    return {word: frozenset(numbers) for word, numbers in lines_of.items()}
