"""English: its words for numbers, comparisons and logic, and what its vague quantifiers are taken to mean.

Vague quantifiers are read as Cao et al. 2021 read them (SemMT, sections 3.3.5 and 5.3): "a few" is at least 3
generously, 1 to 3 sparingly, 3 to 25 between the two; "several" is the same with 5. The other lines follow
that pattern and order the words as people do (a couple < a few < several < many), "most" and its like are
shares in per cent. None of these numbers is more than an agreement.
"""

from __future__ import annotations

from math import inf

from concord.text.logic.tables import Bound, Language, Relation, Unit, Vague


def _words(text: str) -> list[str]:
    return text.split()


def _forms(relation: Relation, words: str) -> dict[str, Relation]:
    return dict.fromkeys((phrase.strip() for phrase in words.split(",")), relation)


def _bounds(bound: Bound, words: str) -> dict[str, Bound]:
    return dict.fromkeys((phrase.strip() for phrase in words.split(",")), bound)


ONES = {
    word: number
    for number, word in enumerate(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * number
    for number, word in enumerate(_words("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}
SCALES = {
    "dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
SCALES |= {f"{word}s": number for word, number in SCALES.items()}
ORDINALS = {
    word: number
    for number, word in enumerate(
        _words("second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"), start=2
    )
} | {"twentieth": 20, "hundredth": 100, "thousandth": 1_000, "other": 2}
_PARTS = {word: number for word, number in ORDINALS.items() if word not in {"second", "other"}}
PARTS = (
    {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
    | _PARTS
    | {f"{word}s": number for word, number in _PARTS.items()}
)
SIGNS = {"½": 50.0, "¼": 25.0, "¾": 75.0, "⅓": 100 / 3, "⅔": 200 / 3, "⅕": 20.0, "⅛": 12.5}

_MANY = Vague((10, inf), (3, 10), (10, 50))
_SEVERAL = Vague((5, inf), (1, 5), (5, 25))
_SOME = Vague((1, inf), (1, 3), (1, 50))
_FEW = Vague((0, inf), (0, 2), (0, 3))
_MOST = Vague((51, 100), (51, 75), (51, 99), "share")
_NEARLY_ALL = Vague((90, 100), (90, 95), (90, 99), "share")
_HARDLY_ANY = Vague((0, 10), (0, 5), (0, 10), "share")


def _tens_of(number: int) -> Vague:
    return Vague((2 * number, inf), (number, 2 * number), (2 * number, 20 * number))


VAGUE = {
    "a couple of": Vague((2, inf), (1, 2), (2, 3)),
    "a couple": Vague((2, inf), (1, 2), (2, 3)),
    "a few": Vague((3, inf), (1, 3), (3, 25)),
    "a handful of": Vague((3, inf), (1, 5), (3, 10)),
    "several": _SEVERAL,
    "various": _SEVERAL,
    "a number of": _SEVERAL,
    "multiple": Vague((2, inf), (2, 5), (2, 25)),
    "some": _SOME,
    "few": _FEW,
    "very few": _FEW,
    "a small number of": Vague((1, inf), (1, 3), (1, 10)),
    "many": _MANY,
    "a lot of": _MANY,
    "lots of": _MANY,
    "plenty of": _MANY,
    "numerous": _MANY,
    "a great many": _MANY,
    "a good many": _MANY,
    "a large number of": _MANY,
    "a great deal of": _MANY,
    "countless": Vague((50, inf), (10, 50), (50, inf)),
    "most": _MOST,
    "most of": _MOST,
    "almost all": _NEARLY_ALL,
    "nearly all": _NEARLY_ALL,
    "practically all": _NEARLY_ALL,
    "almost every": _NEARLY_ALL,
    "nearly every": _NEARLY_ALL,
    "hardly any": _HARDLY_ANY,
    "almost no": _HARDLY_ANY,
    "almost none": _HARDLY_ANY,
    "dozens of": _tens_of(12),
    "hundreds of": _tens_of(100),
    "thousands of": _tens_of(1_000),
    "tens of thousands of": _tens_of(10_000),
    "hundreds of thousands of": _tens_of(100_000),
    "millions of": _tens_of(10**6),
    "tens of millions of": _tens_of(10**7),
    "hundreds of millions of": _tens_of(10**8),
    "billions of": _tens_of(10**9),
}

_NONE: tuple[str, Unit, float, float] = ("none", "count", 0, 0)
_ALL: tuple[str, Unit, float, float] = ("every", "share", 100, 100)
FIXED: dict[str, tuple[str, Unit, float, float]] = {
    **dict.fromkeys(
        ("no", "none", "none of", "nobody", "no one", "nothing", "neither of", "not any", "not a single", "not one"),
        _NONE,
    ),
    **dict.fromkeys(("all", "all of", "every", "each", "each of", "everyone", "everybody", "everything"), _ALL),
    **dict.fromkeys(("both", "both of"), ("both", "count", 2.0, 2.0)),
    "either of": ("either", "count", 1, 2),
    "a pair of": ("number", "count", 2, 2),
    **dict.fromkeys(
        ("a majority of", "majority of", "vast majority of", "a majority"), ("share", "share", 51.0, 100.0)
    ),
    **dict.fromkeys(("a minority of", "minority of"), ("share", "share", 0.0, 49.0)),
}

BEFORE: dict[str, Bound] = (
    _bounds(
        "at_least",
        "at least, no fewer than, no less than, not fewer than, not less than, a minimum of, minimum, "
        "greater than or equal to, more than or equal to, larger than or equal to, minimum of",
    )
    | _bounds(
        "at_most",
        "at most, at most of, no more than, not more than, no greater than, up to, a maximum of, maximum, maximum of, "
        "not over, less than or equal to, smaller than or equal to, fewer than or equal to, no larger than, "
        "not exceeding",
    )
    | _bounds("more_than", "more than, greater than, larger than, higher than, over, above, exceeding, upwards of")
    | _bounds("less_than", "less than, fewer than, smaller than, lower than, under, below")
    | _bounds("exactly", "exactly, precisely")
    | _bounds("about", "about, around, roughly, approximately, some, an estimated, as many as, as much as, circa")
    | _bounds("nearly", "nearly, almost, close to, just under")
    | _bounds("more_than", "just over, well over")
)
BEHIND: dict[str, Bound] = (
    _bounds(
        "at_least", "or more, or above, and above, or higher, and over, or over, or greater, and more, and up, plus, +"
    )
    | _bounds("at_most", "or less, or fewer, or below, and below, or lower, or under, and under")
    | _bounds("about", "or so")
    | _bounds("at_least", "at least")
    | _bounds("at_most", "at most")
    | _bounds("exactly", "exactly")
)

RELATIONS: dict[str, Relation] = (
    _forms("negation", "not, cannot, never, no longer, non, nor, neither, nowhere, by no means")
    | _forms(
        "inclusion",
        "contain, contains, contained, containing, include, includes, included, including, consist of, consists of, "
        "consisted of, consisting of, comprise, comprises, comprised, comprising, made up of, composed of",
    )
    | _forms(
        "exclusion",
        "except, except for, excepting, without, other than, exclude, excludes, excluded, excluding, apart from, "
        "aside from, save for, with the exception of, but not, instead of, rather than, lacking, lack, lacks, lacked",
    )
    | _forms("only", "only, solely, exclusively, nothing but, nothing except, no one but, nobody but, none but")
    | _forms("conjunction", "and, as well as, but, not only, but also, but even")
    | _forms("disjunction", "or")
    | _forms("either", "either")
    | _forms(
        "if", "if, provided that, providing that, as long as, on condition that, in case, even if, in the event that"
    )
    | _forms("unless", "unless, if not")
    | _forms("only_if", "only if, if and only if, only when, only on condition that")
    | _forms("before", "before, in front of, preceding, followed by, precedes")
    | _forms("after", "after, following, preceded by, behind, follows")
    | _forms("starts", "starting with, beginning with, start with, starts with, begin with, begins with")
    | _forms("ends", "ending with, ending in, end with, ends with, end in, ends in")
)


def _cased(names: str) -> list[str]:
    """ "capital" letters and characters."""
    return [f"{name.strip()} {what}" for name in names.split(",") for what in ("letter", "character")]


TERMINALS = {
    **dict.fromkeys(("number", "digit", "numeric character", "numeral", "numeric digit"), "[0-9]"),
    **dict.fromkeys(("letter", "alphabetic character"), "[A-Za-z]"),
    **dict.fromkeys(_cased("uppercase, upper case, upper - case, capital"), "[A-Z]"),
    **dict.fromkeys(_cased("lowercase, lower case, lower - case, small"), "[a-z]"),
    "capital": "[A-Z]",
    "vowel": "[AEIOUaeiou]",
    "character": ".",
}

IDIOMS = (
    "no later than, no sooner than, no matter, no doubt, as if, whether or not, more or less, at all, above all, "
    "after all, first of all, all right, all the same, once and for all, "
    "go up to, goes up to, going up to, gone up to, went up to"
)

_ROLES = {
    "a": "a an",
    "the": "the",
    "every": "every each",
    "most": "most",
    "between": "between",
    "from": "from",
    "and": "and",
    "to": "to through till - – —",
    "or": "or",
    "of": "of in",
    "out_of": "out",
    "below_zero": "minus - − –",
    "all_but": "everything everyone everybody anything anyone anybody all every",
    "but": "but",
    "adds": "but also too",
    "percent": "% percent percentage",
    "per": "per",
    "cent": "cent",
    "times": "times time",
    "fold": "fold",
    "less": "less fewer lower smaller slower cheaper lighter shorter",
    "more": "more higher larger greater faster bigger longer likelier stronger heavier as that the",
    "months": "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "clock": "o'clock am pm : past",
    "half_day": "a p",
    "ordinal": "st nd rd th s",
    "not_counted": "as is was",
    "held": "only no",
    "not_vague": "the a an as how",
    "not_one": "the this that these which no any every each another last right left first next some former",
    "one_alone": "who that which is was has had would can could will should may might must and or but to on at by "
    'with , . ; : ? ! ) " ” ’',
    "often_next": "a an per every each in or more again , . ; : ? ! )",
    "often_last": "only than least most just",
}

ENGLISH = Language(
    ones=ONES,
    tens=TENS,
    scales=SCALES,
    parts=PARTS,
    signs=SIGNS,
    ordinals=ORDINALS,
    often={"once": 1, "twice": 2, "thrice": 3},
    fixed=FIXED,
    vague=VAGUE,
    before=BEFORE,
    behind=BEHIND,
    relations=RELATIONS,
    idioms=frozenset(phrase.strip() for phrase in IDIOMS.split(",")),
    contractions=("n't",),
    terminals=TERMINALS,
    collections=frozenset(_words("line lines string strings row rows word words text texts sentence sentences")),
    holds=frozenset(("with", "having", "using")),
    edges=frozenset(
        _words(
            "of the a an that which who and or but to be is are was were do does did has have had while as , . ; : ? ! "
            "- – — ( ) ] [ then any there it than"
        )
    ),
    roles={name: frozenset(words.split()) for name, words in _ROLES.items()},
)
