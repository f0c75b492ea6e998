"""English: its words for numbers, comparisons and logic, and what its vague quantifiers are taken to mean.

Vague quantifiers are read as Cao et al. 2021 read them (SemMT, sections 3.3.5 and 5.3): "a few" is at least 3 in the
generous reading, 1 to 3 in the sparing one, 3 to 25 in between; "several" is at least 5, 1 to 5, and 5 to 25. The other
quantifiers follow that pattern in their usual order (a couple < a few < several < many); "most" and similar words are
percentages. All these numbers are conventions. The tables are frozen: see the package's docstring.
"""

from collections.abc import Mapping
from math import inf, nextafter
from typing import TypeVar

from concord.language import word_set
from concord.language.numbers.digits import FRACTIONS
from concord.language.numbers.english import FOLD, MONTHS
from concord.relations.semmt.logic.kinds import Bound, Relation, Unit, Vague

T = TypeVar("T")


def _by_phrase(phrases: Mapping[T, str]) -> dict[str, T]:
    """The meaning of each phrase, from the phrases of each meaning with commas between them."""
    return {phrase.strip(): meaning for meaning, several in phrases.items() for phrase in several.split(",")}


def _compared(words: str, than: Bound, equal: Bound, opposite: Bound) -> dict[str, Bound]:
    """ "More than", "more than or equal to", "equal to or more than" and "no more than", of each comparative."""
    return {
        form.format(word): bound
        for word in words.split()
        for forms, bound in (
            (("{} than",), than),
            (("{} than or equal to", "equal to or {} than", "equal or {} than"), equal),
            (("no {} than", "not {} than"), opposite),
        )
        for form in forms
    }


SIGNS = {sign: 100 * over / under for sign, (over, under) in FRACTIONS.items()}
"""The signs of fractions, in per cent."""

_NEAR = "almost, nearly, practically, virtually"
_HARDLY = "hardly, scarcely, barely"


def _hedged(hedges: str, words: str) -> str:
    return ", ".join(f"{hedge} {word}" for hedge in hedges.split(", ") for word in words.split(", "))


_NEARLY_ALL = _hedged(_NEAR, "all, all of, every, each, everyone, everybody, everything")
_NEARLY_NONE = _hedged(_NEAR, "no, none, none of, nobody, no one, nothing, never")
_HARDLY_ANY = _hedged(_HARDLY, "any, any of, anyone, anybody, anything, ever")
_NEXT_TO_NONE = _hedged("next to", "no, none, nothing, nobody")
_TENS = {
    12: "dozens",
    100: "hundreds",
    1_000: "thousands",
    10_000: "tens of thousands",
    100_000: "hundreds of thousands",
    10**6: "millions",
    10**7: "tens of millions",
    10**8: "hundreds of millions",
    10**9: "billions",
}
VAGUE = _by_phrase(
    {
        Vague((2, inf), (1, 2), (2, 3)): "a couple of, a couple",
        Vague((3, inf), (1, 3), (3, 25)): "a few",
        Vague((3, inf), (1, 5), (3, 10)): "a handful of",
        Vague((5, inf), (1, 5), (5, 25)): "several, various, a number of",
        Vague((2, inf), (2, 5), (2, 25)): "multiple",
        Vague((1, inf), (1, 3), (1, 50)): "some",
        Vague((0, inf), (0, 2), (0, 3)): "few, very few",
        Vague((1, inf), (1, 3), (1, 10)): "a small number of",
        Vague((10, inf), (3, 10), (10, 50)): "many, a lot of, lots of, plenty of, numerous, a great many, a good many, "
        "a large number of, a great deal of, not a few, quite a few, quite a number of, a good few",
        Vague((50, inf), (10, 50), (50, inf)): "countless",
        Vague((51, 100), (51, 75), (51, 99), "share"): "most, most of",
        Vague((90, 100), (90, 95), (90, 99), "share"): _NEARLY_ALL,
        Vague((0, 10), (0, 5), (0, 10), "share"): f"{_NEARLY_NONE}, {_HARDLY_ANY}, {_NEXT_TO_NONE}, rarely, seldom",
        **{Vague((2 * n, inf), (n, 2 * n), (2 * n, 20 * n)): f"{words} of" for n, words in _TENS.items()},
    }
)

_Fixed = tuple[str, Unit, float, float]
_FIXED: dict[_Fixed, str] = {
    ("none", "count", 0, 0): "no, none, none of, nobody, no one, nothing, neither of, not any, not a single, not one",
    ("every", "share", 100, 100): "all, all of, every, each, each of, everyone, everybody, everything",
    ("both", "count", 2, 2): "both, both of",
    ("either", "count", 1, 2): "either of",
    ("number", "count", 2, 2): "a pair of",
    ("share", "share", nextafter(50, inf), 100): "a majority of, majority of, vast majority of, a majority",
    ("share", "share", 0, nextafter(50, 0)): "a minority of, minority of",
}
FIXED = _by_phrase(_FIXED)

_Change = tuple[Unit, float]
_CHANGES: dict[_Change, str] = {
    ("ratio", 2.0): "doubled, doubling",
    ("ratio", 3.0): "tripled, trebled, tripling, trebling",
    ("ratio", 4.0): "quadrupled, quadrupling",
    ("share", 50.0): "halved, halving",
}
_BASES: dict[_Change, str] = {
    ("ratio", 2.0): "double, doubles",
    ("ratio", 3.0): "triple, triples, treble, trebles",
    ("ratio", 4.0): "quadruple, quadruples",
    ("share", 50.0): "halve",
}
CHANGES: dict[str, _Change] = {word: ("ratio", float(times)) for word, times in FOLD.items()} | _by_phrase(_CHANGES)
BASES = _by_phrase(_BASES)

_BEFORE: dict[Bound, str] = {
    "at_least": "at least, a minimum of, minimum, minimum of, ≥, > =, not under, not below",
    "at_most": "at most, at most of, up to, a maximum of, maximum, maximum of, ≤, < =, within, inside, inside of, "
    "not over, not above, not exceeding, not exceed, not exceeds, never exceed, never exceeds, not surpass, "
    "never surpass",
    "more_than": ">, over, above, upwards of, exceeding, exceed, exceeds, exceeded, surpassing, surpass, surpasses, "
    "surpassed, just over, well over",
    "less_than": "<, under, below",
    "exactly": "exactly, precisely, no more and no less than, no more and no fewer than, no more no less than, "
    "neither more nor less than, no less and no more than, no fewer and no more than",
    "about": "about, around, roughly, approximately, some, an estimated, as many as, as much as, as few as, "
    "as little as, circa",
    "nearly": "nearly, almost, close to, just under",
}
BEFORE: dict[str, Bound] = (
    _compared("more greater larger higher older longer taller heavier bigger wider", "more_than", "at_least", "at_most")
    | _compared("less fewer smaller lower younger shorter lighter", "less_than", "at_most", "at_least")
    | _by_phrase(_BEFORE)
)
_BEHIND: dict[Bound, str] = {
    "at_least": "or more, or above, and above, or higher, and over, or over, or greater, and more, and up, plus, +, "
    "or older, and older, or longer, and longer, or larger, or bigger, at least, at the least, at the very least, "
    "at the earliest",
    "at_most": "or less, or fewer, or below, and below, or lower, or under, and under, or younger, and younger, "
    "or shorter, or smaller, at most, at the most, at the very most, at the latest",
    "about": "or so",
    "exactly": "exactly",
}
BEHIND = _by_phrase(_BEHIND)

_RELATIONS: dict[Relation, str] = {
    "negation": "not, cannot, never, no longer, non, nor, neither, nowhere, by no means",
    "inclusion": "contain, contains, contained, containing, include, includes, included, including, consist of, "
    "consists of, consisted of, consisting of, comprise, comprises, comprised, comprising, made up of, composed of",
    "exclusion": "except, except for, excepting, without, other than, exclude, excludes, excluded, excluding, "
    "apart from, aside from, save for, with the exception of, but not, instead of, rather than, lacking, lack, lacks, "
    "lacked",
    "only": "only, solely, exclusively, nothing but, nothing except, nothing other than, no one but, no one except, "
    "no one other than, nobody but, nobody except, nobody other than, none but, none except",
    "conjunction": "and, as well as, but, not only, but also, but even",
    "disjunction": "or",
    "either": "either",
    "if": "if, provided that, providing that, as long as, on condition that, in case, even if, in the event that",
    "unless": "unless, if not",
    "only_if": "only if, only when, only on condition that",
    "iff": "if and only if, only if and when, when and only when",
    "before": "before, in front of, preceding, followed by, precedes",
    "after": "after, following, preceded by, behind, follows",
    "starts": "starting with, beginning with, start with, starts with, begin with, begins with",
    "ends": "ending with, ending in, end with, ends with, end in, ends in",
}
RELATIONS = _by_phrase(_RELATIONS)

TERMINALS = _by_phrase(
    {
        "[0-9]": "number, digit, numeric character, numeral, numeric digit",
        "[A-Za-z]": "letter, alphabetic character",
        "[A-Z]": "capital, " + _hedged("uppercase, upper case, upper - case, capital", "letter, character"),
        "[a-z]": _hedged("lowercase, lower case, lower - case, small", "letter, character"),
        "[AEIOUaeiou]": "vowel",
        ".": "character",
    }
)

_IDIOMS = (
    "no later than, no sooner than, no matter, no doubt, as if, whether or not, more or less, at all, above all, "
    "after all, first of all, all right, all the same, once and for all, "
    "go up to, goes up to, going up to, gone up to, went up to, "
    "without exception, without fail, without doubt, without a doubt, without question, no wonder"
)
_WHOM = ("me ", "him ", "her ", "us ", "them ", "you ")
_ASKING = (
    "ask asks asked asking know knows knew known knowing wonder wonders wondered wondering see saw tell "
    "check checks checked checking doubt doubts doubted clear unclear sure unsure certain uncertain test tests tested"
)
_ASKED = frozenset(f"{verb} {whom}if" for verb in _ASKING.split() for whom in ("", *_WHOM))
"""The "if" that means "whether"."""
IDIOMS = frozenset(phrase.strip() for phrase in _IDIOMS.split(",")) | _ASKED
"""Phrases that only look like one of the above."""

_ROLES = {
    "a": "a an",
    "every": "every each",
    "not_most": "the a an as how at",
    "money": "$ € £ ¥ usd eur gbp chf jpy cny inr cad aud",
    "further": "more higher larger greater faster bigger longer",
    "between": "between among",
    "and": "and",
    "to": "to through till - – —",
    "or": "or",
    "of": "of in",
    "below_zero": "minus - − –",
    "below": "below under",
    "zero": "zero freezing",
    "degrees": "degrees degree ° º c f celsius centigrade fahrenheit",
    "all_but": "everything everyone everybody anything anyone anybody all every",
    "all_of": "all every no any each none",
    "one_of": "every no any each",
    "people": "people men women children",
    "names": "i we he she they it you there this these those",
    "anew": "no nobody nothing none not never few several many some most all every each everyone everybody everything",
    "opens": "that because when while if whether since where until",
    "hedge": _NEAR.replace(",", ""),
    "one": "one ones",
    "named": "and of the",
    "owner": "the of my our your his her their its other these those",
    "subject": "i we he she they",
    "maybe_subject": "you it there this that these those",
    "object": "me him us them",
    "then": "then please",
    "alone": "necessary possible so not needed required desired",
    "goes_on": "that which who whom and or but because when while as than before after until since where what how "
    "whether if of in on at by with for from to about under over into",
    "determiner": "the a an this that these those my your his her its our their all every each no both most many "
    "some several nobody everyone everybody everything nothing",
    "auxiliary": "will would can could must should may might shall cannot is are was were has have had do does did "
    "won't can't isn't aren't wasn't weren't don't doesn't didn't shouldn't mustn't wouldn't couldn't hasn't haven't",
    "adds": "but also too",
    "moves": "up down fall falls fell fallen falling rise rises rose risen rising grow grows grew grown growing "
    "drop drops dropped dropping climb climbs climbed climbing jump jumps jumped jumping sink sinks sank sunk sinking "
    "increase increases increased increasing decrease decreases decreased decreasing decline declines declined "
    "declining shrink shrinks shrank shrunk shrinking cut cuts cutting raise raises raised raising lower lowers "
    "lowered lowering reduce reduces reduced reducing soar soared surge surged plunge plunged slump slumped "
    "expand expanded",
    "percent": "% percent percentage",
    "times": "times time",
    "much": "much many",
    "changed": "to will would can could may might should must not than",
    "changes_to": "the that what its their his her our my your",
    "by": "by to",
    "than": "than least most nearly almost roughly approximately",
    "behind_part": "in last this since over from after during on and but while within between because when as at for "
    "compared per every each next more less fewer higher lower larger smaller , . ; : ? ! )",
    "less": "less fewer lower smaller slower cheaper lighter shorter",
    "more": "more higher larger greater faster bigger longer likelier stronger heavier as that the his her its their",
    "months": " ".join((*MONTHS, *(month[:3] for month in MONTHS), "sept")),
    "weekdays": "monday tuesday wednesday thursday friday saturday sunday",
    "month_alone": "in during early late mid",
    "numbered": "room chapter section article page figure table flight gate platform bus route line level floor "
    "building unit step version part volume number",
    "measures": "g kg mg ml cl dl l mm cm m km w kw v mb gb gram kilogram milligram litre liter millilitre milliliter "
    "metre meter kilometre kilometer centimetre centimeter mile foot inch pound ounce watt volt page word minute hour "
    "day week month year seat",
    "spans": "second seconds minute minutes hour hours day days night nights week weeks month months year years",
    "adjunct": "for in during inside",
    "moment": "within before after until till since",
    "dialled": "call phone telephone tel dial fax ring number",
    "perfect": "has have had haven't hasn't hadn't having",
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
ROLES = {name: word_set(words) for name, words in _ROLES.items()}
"""The small words that the rules look for, by their role."""
CONTRACTIONS = ("n't",)
"""Endings that negate a word."""
COLLECTIONS = word_set("line lines string strings row rows word words text texts sentence sentences")
"""Nouns for texts and parts of texts, which contain other things."""
HOLDS = frozenset(("with", "having", "using"))
"""Words that mean inclusion only after a collection or before a quantity."""
EDGES = word_set(
    "of the a an that which who and or but to be is are was were do does did has have had while as , . ; : ? ! - – — ( "
    ") ] [ then any there it than"
)
"""Words that are cut off at the edges of an abstracted phrase."""
