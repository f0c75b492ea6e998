"""Translation edit rate (Snover et al., 2006) as a similarity: 1 less the edits that the reference takes, with shifts.

Moving a run of words counts as one edit, like inserting, deleting or replacing one word. The rate is that of sacreBLEU
(Post, 2018) and so of Tercom; above 1, the similarity is 0. Case does not count unless `case_sensitive=true`;
`normalized` cuts marks off words as Tercom does, with its Asian support, and `no_punct` leaves them out.

`tokens="auto"` takes words between blanks, as Tercom; in Chinese, Japanese, Korean and other languages that do not put
blanks between words, those of the language's tokeniser. `tokens="language"` takes the tokeniser's in every language,
`tokens="paper"` words between blanks.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis. Two texts without a word
count as identical: 1.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sacrebleu.metrics.ter import TER

from concord.metrics._corpus import Pairs, some
from concord.metrics._edited import edited
from concord.metrics._tokens import Tokens
from concord.model import Text


def similarity(
    a: Text,
    b: Text,
    *,
    tokens: Tokens = "auto",
    normalized: bool = False,
    no_punct: bool = False,
    case_sensitive: bool = False,
) -> float:
    """How little of the hypothesis (`b`) must be edited for the reference (`a`), in [0, 1]; higher is more alike."""
    switches = {"normalized": normalized, "no_punct": no_punct, "case_sensitive": case_sensitive}
    return corpus([(a, b)], tokens=tokens, **switches)


def corpus(pairs: Pairs, *, tokens: Tokens = "auto", **switches: bool) -> float:
    """The similarity of many pairs (reference, hypothesis): all their edits over all their references' words.

    The switches are those of `similarity`.
    """
    wanted = [" ".join(edited(a, tokens)) for a, _ in some(pairs)]
    found = [" ".join(edited(b, tokens)) for _, b in pairs]
    percent = _rater(**switches).corpus_score(found, [wanted]).score
    return max(0.0, 1.0 - float(percent) / 100)


@cache
def _rater(**switches: bool) -> Any:
    # It forgets every sentence after use but the way it was cut, so one can serve all.
    make: Any = TER
    return make(asian_support=True, **switches)
