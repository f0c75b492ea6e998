"""Word classes and negations: losing an adverb, a noun or a negation is not equally serious."""

from functools import cache, lru_cache

from concord.language.codes import base

CLASSES = {"adverb": {"RB"}, "adjective": {"JJ"}, "verb": {"VB", "VBD", "VBN", "VBG", "VBZ"}, "noun": {"NN", "NNS"}}
"""The Penn tags of each, without those of comparatives and names."""
_NEGATIONS = {
    "en": "not n't no never none nobody nothing nowhere neither nor without cannot unable hardly",
    "es": "no nunca jamás nada nadie ningún ninguno ninguna ni sin tampoco",
    "ca": "no mai res ningú cap ni sense tampoc",
    "gl": "non nunca xamais nada ninguén ningún ningunha nin sen tampouco",
    "pt": "não nunca jamais nada ninguém nenhum nenhuma nem sem tampouco",
    "fr": "ne n' pas jamais rien personne aucun aucune ni sans nul non",
    "it": "non mai nulla niente nessuno nessuna né senza neppure",
    "de": "nicht nie niemals nichts niemand kein keine keinen keinem keiner weder noch ohne",
    "sv": "inte aldrig ingen inget inga ej utan varken",
    "ru": "не нет никогда ничего никто ни без нельзя",
    "zh": "不 没 没有 无 未 非 别 勿 无法 不是 不能 不会 从未 并未 并非 不可 不再 毫无 不得",
}


@lru_cache(maxsize=100_000)
def classes(word: str, lang: str) -> frozenset[str]:
    """All classes that the lexicon has for a word, in any sentence; none for unknown words and other languages.

    >>> sorted(classes("work", "en")), sorted(classes("casa", "es"))
    (['noun', 'verb'], [])
    """
    if base(lang) != "en":
        return frozenset()
    from concord.language.english.lexicon import lexicon

    tags = lexicon().tags(word.casefold())
    return frozenset(name for name, those in CLASSES.items() if tags & those)


@cache
def negations(lang: str) -> frozenset[str]:
    """The words that turn a claim into its opposite, in lower case; none for a language without a list."""
    return frozenset(_NEGATIONS.get(base(lang), "").split())
