"""English inflection by rule: plurals, verb forms, degrees, articles, and the lemmas that a form may have.

Forms are spelt by rule unless `inflection.toml` lists them; nothing checks that the word exists. Where there
are two spellings ("travelled", "traveled") the rules give the British one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from concord.language import word_set, word_tables


def _rows(name: str) -> dict[str, tuple[str, ...]]:
    rows = (entry.split() for entry in re.split("[,\n]", word_tables(__file__)[name]) if entry.strip())
    return {lemma: tuple(forms) for lemma, *forms in rows}


VERBS, NOUNS, DEGREES = _rows("verbs"), _rows("nouns"), _rows("degrees")
DOUBLING = word_set(word_tables(__file__)["doubling"])
_VOWELS = "aeiou"
_CONSONANT_Y = re.compile(r"[^aeiou]y\Z")
_HISSING = re.compile(r"(?:s|x|z|ch|sh)\Z")
# Letter by letter ("an MRI"), but not what is read as a word ("a NATO base").
_SPELT_OUT = re.compile(r"(?![A-Z][AEIOU][A-Z]{2}|[A-Z]{5})[A-Z](?:[A-Z]|[.-]|\Z)")
_HARD_CH = re.compile(r"(?:narch|riarch|och|stomach)\Z")
_DOUBLED_AT_THE_END = re.compile(r"(?:\A|[^aeiou]|qu)[aeiou][bdgklmnprtvz]\Z")


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("city"), plural("box"), plural("policewoman"), plural("analysis")
    ('cities', 'boxes', 'policewomen', 'analyses')
    """
    if noun in NOUNS:
        return NOUNS[noun][0]
    if noun.endswith("man") and noun not in {"human", "german", "roman", "shaman", "talisman", "ottoman"}:
        return noun[:-2] + "en"
    return _with_s(noun)


def third_person(verb: str) -> str:
    """The third person singular of a verb, in -s."""
    if verb.endswith("o") and verb in NOUNS:
        return NOUNS[verb][0]
    return {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(verb) or _with_s(verb)


def present_participle(verb: str) -> str:
    """The form in -ing.

    >>> present_participle("lie"), present_participle("stop"), present_participle("agree")
    ('lying', 'stopping', 'agreeing')
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not re.search(r"[eoy]e\Z|\A(?:be|singe|binge|tinge|age)\Z", verb):
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def past(verb: str) -> str:
    """The simple past."""
    return VERBS[verb][0] if verb in VERBS else _with_ed(verb)


def participle(verb: str) -> str:
    """The past participle."""
    return VERBS[verb][-1] if verb in VERBS else _with_ed(verb)


def comparative(word: str) -> str | None:
    """The form in -er; None where one says "more" instead."""
    return _degree(word, 0, "er")


def superlative(word: str) -> str | None:
    """The form in -est; None where one says "most" instead."""
    return _degree(word, 1, "est")


_INFLECTIONS = (plural, third_person, present_participle, past, participle, comparative, superlative)


@lru_cache(maxsize=50_000)
def lemmas(word: str) -> frozenset[str]:
    """Every lemma that the word may be a form of, itself included; some of them may not exist.

    >>> sorted(lemmas("hoped"))
    ['hop', 'hope', 'hoped']
    """
    lower = word.lower()
    candidates = {lower, *_IRREGULAR.get(lower, ())}
    for ending, replacements in _ENDINGS.items():
        if lower.endswith(ending) and len(lower) > len(ending):
            stem = lower.removesuffix(ending)
            candidates |= {stem + replacement for replacement in replacements}
            if ending in {"ing", "ed", "er", "est"} and len(stem) > 2 and stem[-1] == stem[-2]:
                candidates.add(stem[:-1])
    return frozenset(lemma for lemma in candidates if lemma == lower or _regains(lemma, lower))


def article(following: str) -> str:
    """The article before a word or number, by its sound.

    >>> [article(word) for word in ("hour", "unit", "umbrella", "MRI", "UN", "8", "European")]
    ['an', 'a', 'an', 'an', 'a', 'an', 'a']
    """
    word = following.lstrip("\"'“‘(")
    if not word:
        return "a"
    if word[0].isdigit():
        return "an" if re.match(r"8|1[18](?![\d])|1[18],", word) else "a"
    if _SPELT_OUT.match(word):
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    lower = word.lower()
    if re.match(r"(?:hour|hono|honest|heir)", lower):
        return "an"
    if re.match(r"(?:uni(?!n|mp|d)|us[aeiu]|ub|ur[aeiou]|ut[aei]|uk|eu|ew|on(?:e|ce)(?![a-z]{2})|oui|unesco)", lower):
        return "a"
    return "an" if lower[0] in _VOWELS else "a"


def with_article(text: str, start: int) -> str:
    """The text with the article directly before the word at `at` corrected, if there is one.

    >>> with_article("It was a old bridge.", 9)
    'It was an old bridge.'
    """
    match = re.search(r"\b([Aa][Nn]?)(\s+[\"'“‘(]?)\Z", text[:start])
    following = re.match(r"\S+", text[start:])
    if match is None or following is None:
        return text
    correct = article(following.group())
    spelt = cased(correct, match[1])
    return text[: match.start(1)] + spelt + text[match.end(1) :] if match[1].lower() != correct else text


def cased(word: str, like: str) -> str:
    """The word in the case of another: Title, UPPER, or as it is.

    >>> cased("house", "Bridge"), cased("house", "BRIDGE"), cased("Spain", "it")
    ('House', 'HOUSE', 'Spain')
    """
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    if word.endswith("z") and word[-2:-1] in _VOWELS and len(word) < 5:
        return word + "zes"
    return word + ("es" if _HISSING.search(word) and not _HARD_CH.search(word) else "s")


def _with_ed(verb: str) -> str:
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ied"
    return verb + "d" if verb.endswith("e") else _doubled(verb) + "ed"


def _doubled(word: str) -> str:
    """The word with its last consonant doubled where an ending requires it; "panick" for "panic"."""
    if word.endswith("ic"):
        return word + "k"
    if not _DOUBLED_AT_THE_END.search(word):
        return word
    syllables = len(re.findall(r"[aeiouy]+", word))
    return word + word[-1] if syllables == 1 or word in DOUBLING else word


def _degree(word: str, which: int, ending: str) -> str | None:
    if word in DEGREES:
        form = DEGREES[word][which]
        return None if form == "_" else form
    syllables = len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^aeiou])e\Z", "", word)))
    if syllables > 2 or (syllables == 2 and not re.search(r"(?:[^aeiou]y|ow|[^aeiou]le)\Z", word)):
        return None
    if word.endswith("ly") and word not in {"early", "friendly", "lonely", "lovely", "ugly", "silly", "holy", "deadly"}:
        return None
    if _CONSONANT_Y.search(word) and word not in {"shy", "sly", "spry", "wry"}:
        return word[:-1] + "i" + ending
    return word[:-1] + ending if word.endswith("e") else _doubled(word) + ending


def _inverted() -> Iterator[tuple[str, str]]:
    for table in (VERBS, NOUNS, DEGREES):
        for lemma, forms in table.items():
            yield from ((form, lemma) for form in forms)
    yield from ((form, "be") for form in ("am", "is", "are", "were"))
    yield from (("has", "have"), ("does", "do"))


_IRREGULAR: dict[str, set[str]] = {}
for _form, _lemma in _inverted():
    _IRREGULAR.setdefault(_form, set()).add(_lemma)

_ENDINGS: dict[str, list[str]] = word_tables(__file__)["endings"]


def _regains(lemma: str, form: str) -> bool:
    """Whether some form of the lemma is the form; American spelling with one consonant counts."""
    if form in {lemma + "ing", lemma + "ed"} or form in NOUNS.get(lemma, ()):
        return True
    return bool(lemma) and any(form == inflection(lemma) for inflection in _INFLECTIONS)
