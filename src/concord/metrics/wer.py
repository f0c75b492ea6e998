"""Word error rate (Hunt, 1990) as a similarity: 1 minus the number of edits per word of the reference.

Edits are insertions, deletions and substitutions of words, with their case and the marks on them. The rate has the
values of jiwer; it exceeds 1 where the hypothesis has many words too many, and the similarity then is 0.

`tokens="auto"` takes words between blanks; in Chinese, Japanese, Korean and other languages that do not put blanks
between words, those of the language's tokeniser. `tokens="language"` takes the tokeniser's in every language,
`tokens="paper"` words between blanks.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis. Two texts without a word
count as identical: 1. If the reference is empty, every word of the hypothesis counts as one error.
"""

from rapidfuzz.distance import Levenshtein

from concord.metrics._corpus import Counts
from concord.metrics._ngrams import spell
from concord.metrics._tokens import Tokens, edited
from concord.model import Text


def similarity(a: Text, b: Text, *, tokens: Tokens = "auto") -> float:
    """How few words of the reference (`a`) the hypothesis (`b`) has wrong, in [0, 1]; higher is more similar."""
    return scored(counts(a, b, tokens=tokens))


def counts(a: Text, b: Text, *, tokens: Tokens = "auto") -> Counts:
    """The edits, and the words of the reference (`a`)."""
    reference = edited(a, tokens)
    return Levenshtein.distance(*spell(reference, edited(b, tokens))), len(reference)


def scored(counts: Counts, **_: object) -> float:
    """The similarity that counts of a pair, or their sums over many, come to."""
    edits, size = counts
    return max(0.0, 1.0 - edits / max(1, size))
