"""Other numbers of the same shape in Chinese words: 三个 and 五个, 15% and 17%, 3.5亿美元 and 3.7亿美元."""

import re

from concord.language.substitutes._numbers import other_numbers

_DIGITS = "二三四五六七八九"
_FIGURE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SPELT = re.compile(f"[两{_DIGITS}]")
_STEPS = (2, -1, 3, 1, -2)


def other_chinese_numbers(word: str) -> list[str]:
    """Words with another number in place of the one in a word, the nearest in kind first.

    >>> other_chinese_numbers("三个")[:2], other_chinese_numbers("1,200")[:1], other_chinese_numbers("百分之十五")
    (['五个', '两个'], ['1,400'], ['百分之十七', '百分之十四', '百分之十八', '百分之十六', '百分之十三'])
    """
    figures = list(_FIGURE.finditer(word))
    if figures:
        return _replaced(word, figures[0], other_numbers(figures[0][0])) if len(figures) == 1 else []
    digits = list(_SPELT.finditer(word))
    if len(digits) != 1:
        return []
    last = digits[0]
    # 两 stands alone before a measure word, 二 within a number.
    alone = last.start() == 0 and last.end() < len(word) and word[last.end()] not in "十百千万亿"
    value = _DIGITS.find(last[0]) if last[0] != "两" else 0
    others = [_DIGITS[value + step] for step in _STEPS if 0 <= value + step < len(_DIGITS)]
    return _replaced(word, last, ["两" if alone and other == "二" else other for other in others])


def _replaced(word: str, place: re.Match[str], numbers: list[str]) -> list[str]:
    return [word[: place.start()] + number + word[place.end() :] for number in numbers]
