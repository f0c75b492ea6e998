"""Negations: words that turn a claim into its opposite, in the languages whose stop words are known, and Chinese."""

from __future__ import annotations

from functools import cache

from concord.language.codes import base

_WORDS = {
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


@cache
def negations(lang: str) -> frozenset[str]:
    """The negations of a language, in lower case; none for a language without a list."""
    return frozenset(_WORDS.get(base(lang), "").split())
