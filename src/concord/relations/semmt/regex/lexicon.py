"""The phrases of requests about lines of text: which words say which part of a regular expression."""

import re

from concord.language.numbers.english import OFTEN, SMALL

VALUES = {word: value for value, word in enumerate(SMALL)} | OFTEN
NUMERAL = re.compile(rf"\b(?:\d+|{'|'.join(VALUES)})\b")

QUOTE = "\ue000"
"""The placeholder of a quoted string or a mask while the words around it are read."""

_NUMBER = rf"(?:\d{{1,6}}|{'|'.join(SMALL)})"
_TIMES = (
    r"(?: consecutive| successive)? (?:times?|occurrences?|repetitions?|instances?)"
    r"(?: of| in total| in all| in a row| in succession| consecutively| altogether)?"
)
_ARTICLE = r"(?:(?:an?|the|any|single) ){0,2}"
_EACH = r"(?:(?:all|each|every|some)(?: of)? )?"
"""Words that introduce the lines and make no claim about them."""
_NOT = (
    r"(?:(?:do|does|did|is|are|was|were|must|should|can|have|has) ){0,2}(?:not|never)"
    r"|(?:do|does|did|is|are|has|have)n't|doens't|cannot|can't|without|lack(?:s|ing)?"
)
_EXCEPT = "except(?:ing)?(?: for)?|apart from|other than|exclud(?:es?|ed|ing)|omit(?:s|ting)?"
_WITH = r"(?:is |are )?arranged (?:with|in|by)|with|having|have|has|use|of|is|are|being"
_CONTAIN = (
    r"contain(?:s|ing|ed)?|(?:is |are )?(?:composed|made up|formed|comprised|made) (?:of|from)"
    r"|consist(?:s|ing)? (?:of|in)|us(?:ing|es)|includ(?:ing|es?)|compris(?:ing|es?)|featur(?:ing|es?)"
)
_JUST = "only|nothing but|just|entirely|exclusively"
_START = r"(?:start(?:s|ing|ed)?|begin(?:s|ning)?)(?: (?:with|by|in|from))?|(?:is |are )?(?:preceded|led) by"
_END = r"(?:end(?:s|ing|ed)?|finish(?:es|ing|ed)?|terminat(?:es?|ing|ed)|conclud(?:es?|ing|ed))(?: (?:with|by|in|on))?"

_BOUNDS = {
    "more": rf"{_NUMBER}(?: times)? or (?:more|greater)|(?:greater|more) than or equal to {_NUMBER}"
    rf"|(?:at least|(?:no|not) (?:less|fewer) than|(?:a )?minimum(?: of)?) {_NUMBER}",
    "less": rf"{_NUMBER} or (?:less|fewer)|(?:less|fewer) than or equal to {_NUMBER}"
    rf"|(?:up to|(?:no|not) (?:more|greater) than|at (?:the )?most|(?:a )?maximum(?: of)?) {_NUMBER}",
    "over": rf"(?:(?:more|greater) than|over|above) {_NUMBER}",
    "under": rf"(?:(?:less|fewer) than|under|below) {_NUMBER}",
    "range": rf"(?:between|from)? ?{_NUMBER} (?:and|to|or) {_NUMBER}",
    "exact": rf"(?:exactly )?{_NUMBER}",
}
_OFTEN = {
    "more": r"(?:at least|no less than) (?:once|twice|thrice)|(?:once|twice|thrice) or more",
    "less": r"(?:at most|no more than) (?:once|twice|thrice)",
    "exact": r"(?:exactly )?(?:once|twice|thrice)",
    "any": r"any number of times|repeatedly",
}
_CLASSES = {
    "CAP": r"(?:upper(?: |-)?case|capital(?:i[sz]ed)?)(?: (?:letter|character|alphabet)s?)?|capitals",
    "LOW": r"(?:lower(?: |-)?case|small)(?: (?:letter|character|alphabet)s?)?",
    "LET": r"letter(?:ed)? words?|(?:alphabet(?:ic(?:al)?)? )?letters?|alphabetic(?:al)? characters?|alphabets?",
    "VOW": r"vowels?(?: (?:letter|character)s?)?",
    "NUM": r"(?:numeric(?:al)?|number|digit) (?:character|digit|value)s?|numerals?|numbers?(?! of)|digits?|numeric",
    "ANY": r"characters?|symbols?",
}
"""The names of the character classes; ANY is any character at all."""
NAMES = {
    "CAP": "capital",
    "LOW": "lower-case letter",
    "LET": "letter",
    "VOW": "vowel",
    "NUM": "number",
    "ANY": "character",
}
_NAMERS = "(?:string|line|text|phrase|substring|letter|character|digit|number)s?"
_NAMING = rf"(?:(?:character |text )?{_NAMERS} )?{QUOTE}(?: strings?)?"
_SUBJECT = rf"(?:lines?|rows?|(?:character |text )?strings?|sentences?|texts?|records?)(?! {QUOTE})"
_SKIP = (
    "that|which|who|where|the|an?|in|it|there|any|also|such|at|its|their|them|those|this|these|as|to|for|by|be"
    "|will|must|should|can|do|does|find|give me|show me|match|(?:a )?total(?: of)?|times?|consecutive|arranged"
    "|appears?|appearing|occurs?|occurring|comes?|found|placed|located"
)

ENTRIES: tuple[tuple[str, str], ...] = (
    *((f"count_{kind}", rf"(?:, )?(?:{bound}){_TIMES}") for kind, bound in _BOUNDS.items()),
    *((f"often_{kind}", rf"(?:, )?(?:{often})") for kind, often in _OFTEN.items()),
    ("both", "not only|both"),
    ("and_also", r"(?:, )?(?:but also|as well as|along with|together with)"),
    ("but_not", rf"(?:, )?(?:(?:and|but) (?:{_NOT}|no)(?! only)|(?:and |but )?(?:instead of|rather than)|nor)"),
    ("then", r"(?:, )?(?:and )?(?:then )?(?:is |are )?(?:immediately |directly )?followed by|(?:, )?(?:and )?then"),
    ("before", r"(?:, )?(?:and )?(?:coming )?(?:in front(?: of)?|before|prior to|preceding|precedes?|ahead of)"),
    ("after", r"(?:, )?(?:and )?(?:coming )?(?:after|behind)"),
    ("and", r"(?:, )?(?:and|&|plus)"),
    ("or", r"(?:, )?(?:or|and/or)(?! (?:more|less|fewer|greater))"),
    ("either", r"either(?: of)?|one of"),
    ("onwards", r"or (?:more|greater)"),
    ("down", r"or (?:less|fewer)"),
    ("ended_word", "-terminated words?"),
    ("ended", "-terminated"),
    ("list_not", rf", (?:{_NOT}|no)(?! only)"),
    ("list", ","),
    ("named_word", rf"{_ARTICLE}words? {QUOTE}"),
    ("quote", rf"{_ARTICLE}{_NAMING}"),
    ("subject", rf"{_EACH}{_ARTICLE}{_SUBJECT}"),
    *((f"class_{name}", rf"{_ARTICLE}(?:{words})") for name, words in _CLASSES.items()),
    ("word", rf"{_ARTICLE}words?"),
    *((f"bound_{kind}", rf"(?:{bound})(?: of)?") for kind, bound in _BOUNDS.items()),
    ("least", "at least"),
    ("except", rf"(?:, )?(?:is |are )?(?:{_EXCEPT})"),
    ("not", _NOT),
    ("not_any", "no"),
    ("not_either", "neither"),
    ("only", rf"(?:{_CONTAIN}|{_WITH}) ?(?:{_JUST})|(?:{_JUST}) (?:{_CONTAIN}|{_WITH})|{_JUST}"),
    ("only_of", rf"(?:is |are )?(?:composed|made up|comprised|consists?|consisting) (?:{_JUST}) of"),
    ("contain", _CONTAIN),
    ("start", _START),
    ("end", _END),
    ("have", _WITH),
    ("skip", _SKIP),
)
"""The patterns of phrases, of which the first that matches counts; the name before an underscore is the kind."""

MASTER = re.compile(
    "|".join(rf"(?P<{name}_{number}>(?:{words})(?![\w'])) ?" for number, (name, words) in enumerate(ENTRIES))
)
