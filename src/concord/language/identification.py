"""Language identification: stop words of ten languages, and py3langid, which knows 139, where these leave a doubt.

py3langid takes half a second to load and is asked last. Its weights are added up by `concord.arithmetic`, so that the
answer is the same on every processor.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from concord.language.codes import base
from concord.language.scripts import UNSPACED_LETTERS
from concord.language.stopwords import languages, stop_words

WORDS = re.compile(r"[^\W\d_]+")
UNITS = re.compile(rf"[{UNSPACED_LETTERS}]|[^\W{UNSPACED_LETTERS}]+|[^\w\s]")
"""Words, letters of scripts without blanks, and marks."""
LONGEST = 1_000
"""Characters that are looked at: more of a text tells no more about its language."""
_ELSEWHERE = {"nb": "no", "fil": "tl", "cmn": "zh"}
"""Languages that py3langid knows under another code."""


def words_of(text: str) -> list[str]:
    """The words of letters in the beginning of a text, in lower case."""
    return WORDS.findall(text[:LONGEST].casefold())


def stop_word_counts(words: Iterable[str]) -> dict[str, int]:
    """For each language with a list of stop words, how many of the words are in it."""
    counts = dict.fromkeys(languages(), 0)
    for word in words:
        for lang in _stop_word_languages().get(word, ()):
            counts[lang] += 1
    return counts


@cache
def _stop_word_languages() -> dict[str, list[str]]:
    """The languages in which each stop word is one."""
    words: dict[str, list[str]] = defaultdict(list)
    for lang in languages():
        for word in stop_words(lang):
            words[word].append(lang)
    return dict(words)


def can_identify(lang: str) -> bool:
    """Whether py3langid knows a language."""
    return _label(lang) in _columns()


@lru_cache(maxsize=4096)
def log_odds(words: str, lang: str, other: str) -> float:
    """How much more likely a text is in `lang` than in `other`: a difference of logarithms for each root of a byte.

    A text of few bytes tells little, one of many much; divided by the root of its length, one limit serves all.
    """
    import numpy as np
    from py3langid.langid import visit_counts

    from concord.arithmetic import log, product

    model, columns = _model(), _columns()
    encoded = model._encode(words[:LONGEST])
    visits = visit_counts(model.tk_nextmove, model._rowbase, model.tk_output, encoded)
    if not visits:
        return 0.0
    features = np.fromiter(visits.keys(), dtype=np.intp)
    counts = np.fromiter(visits.values(), dtype=np.float64)
    pair = [columns[_label(lang)], columns[_label(other)]]
    scores = product(log(1 + counts), model.nb_ptc[features][:, pair].astype(np.float64))
    return float(scores[0] - scores[1]) / float(np.sqrt(len(encoded)))


def _label(lang: str) -> str:
    return _ELSEWHERE.get(base(lang), base(lang))


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)


@cache
def _columns() -> dict[str, int]:
    labels = list(_model().nb_classes)
    return {label: labels.index(label) for label in labels}
