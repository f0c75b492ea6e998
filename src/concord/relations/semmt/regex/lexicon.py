"""The phrases of requests about lines of text: which words say which part of a regular expression.

They are in `lexicon.json`. `entries` are the patterns of phrases, of which the first that matches counts; the name
before an underscore is the kind. `pieces` are patterns of which others are made: `<NOT>` stands for the piece NOT.
`names` are those of the character classes; ANY is any character at all.
"""

import json
import re
from importlib.resources import files

from concord.language.numbers.english import OFTEN, SMALL

VALUES = {word: value for value, word in enumerate(SMALL)} | OFTEN
NUMERAL = re.compile(rf"\b(?:\d+|{'|'.join(VALUES)})\b")

QUOTE = "\ue000"
"""The placeholder of a quoted string or a mask while the words around it are read."""

_TABLES: dict[str, dict[str, str]] = json.loads(files(__package__).joinpath("lexicon.json").read_text(encoding="utf-8"))
NAMES = _TABLES["names"]


def _patterns() -> dict[str, str]:
    """The patterns of phrases by their names, each piece in its place."""
    pieces = {"NUMBER": rf"(?:\d{{1,6}}|{'|'.join(SMALL)})", "QUOTE": QUOTE}

    def filled(pattern: str) -> str:
        return re.sub(r"<([A-Z]+)>", lambda piece: pieces[piece[1]], pattern)

    for name, pattern in _TABLES["pieces"].items():
        pieces[name] = filled(pattern)
    return {name: filled(pattern) for name, pattern in _TABLES["entries"].items()}


MASTER = re.compile(
    "|".join(
        rf"(?P<{name}_{number}>(?:{words})(?![\w'])) ?" for number, (name, words) in enumerate(_patterns().items())
    )
)
