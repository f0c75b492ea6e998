"""Translation edit rate (Snover et al., 2006) as a similarity: 1 minus the edits, including shifts, per reference word.

Moving a run of words counts as one edit, like inserting, deleting or replacing one word. The rate is that of sacreBLEU
(Post, 2018) and so of Tercom; above 1, the similarity is 0. Case does not count unless `case_sensitive=true`;
`normalized` cuts marks off words as Tercom does, with its Asian support, and `no_punct` leaves them out.

`tokens="auto"` takes words between blanks, as Tercom; in Chinese, Japanese, Korean and other languages that do not put
blanks between words, those of the language's tokeniser. `tokens="language"` takes the tokeniser's in every language,
`tokens="paper"` words between blanks.

The search for shifts is slow in long texts, so those of more than 100 words have none, and at least as many edits as by
Tercom.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis. Two texts without a word
count as identical: 1.
"""

from functools import cache
from typing import Annotated, Any

from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.ter import TER

from concord.metrics._corpus import Counts
from concord.metrics._ngrams import spell
from concord.metrics._tokens import Tokens, edited
from concord.model import Text

LONGEST = 100


def similarity(
    a: Text,
    b: Text,
    *,
    tokens: Tokens = "auto",
    normalized: Annotated[bool, "Cut marks off words, as Tercom does."] = False,
    no_punct: Annotated[bool, "Leave marks out."] = False,
    case_sensitive: Annotated[bool, "Tell upper from lower case."] = False,
) -> float:
    """How little of the hypothesis (`b`) must be edited for the reference (`a`), in [0, 1]; higher is more similar."""
    switches = {"normalized": normalized, "no_punct": no_punct, "case_sensitive": case_sensitive}
    return scored(counts(a, b, tokens=tokens, **switches))


def counts(a: Text, b: Text, *, tokens: Tokens = "auto", **switches: bool) -> Counts:
    """The edits, and the words of the reference (`a`)."""
    rater = _rater(**switches)
    reference, hypothesis = (" ".join(edited(text, tokens)) for text in (a, b))
    cut = [rater.tokenizer(text).split() for text in (reference, hypothesis)]
    if max(map(len, cut)) > LONGEST:
        return Levenshtein.distance(*spell(*cut)), len(cut[0])
    score = rater.sentence_score(hypothesis, [reference])
    return int(score.num_edits), int(score.ref_length)


def scored(counts: Counts, **_: object) -> float:
    """The similarity by the counts of one pair, or by their sums over many."""
    edits, size = counts
    return max(0.0, 1.0 - edits / max(1, size))


@cache
def _rater(**switches: bool) -> Any:
    # The object keeps nothing of a sentence but a cache of its tokens, so all calls can share one.
    make: Any = TER
    return make(asian_support=True, **switches)
