"""The phrases of requests about lines of text: which words say which part of a regular expression.

They are in `lexicon.json`. `entries` are the patterns of phrases, of which the first that matches counts; the name
before an underscore is the kind. `pieces` are patterns of which others are made: `<NOT>` stands for the piece NOT.
`names` are those of the character classes; ANY is any character at all.
"""

import re

from concord.language.numbers.english import OFTEN, SMALL
from concord.relations.semmt.tables import from_pieces, read_table

VALUES = {word: value for value, word in enumerate(SMALL)} | OFTEN
NUMERAL = re.compile(rf"\b(?:\d+|{'|'.join(VALUES)})\b")

QUOTE = "\ue000"
"""The placeholder of a quoted string or a mask while the words around it are read."""

_TABLES: dict[str, dict[str, str]] = read_table(__package__, "lexicon.json")
NAMES = _TABLES["names"]
PIECES = {"NUMBER": rf"(?:\d{{1,6}}|{'|'.join(SMALL)})", "QUOTE": QUOTE, **_TABLES["pieces"]}
_WITH_PIECES = from_pieces(PIECES, {})
MASTER = re.compile(
    "|".join(
        rf"(?P<{name}_{number}>(?:{_WITH_PIECES(words)})(?![\w'])) ?"
        for number, (name, words) in enumerate(_TABLES["entries"].items())
    )
)
