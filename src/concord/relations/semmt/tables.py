"""The tables of SemMT, which are files beside its modules, and patterns that are made of pieces."""

import json
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any


def read_table(package: str, name: str) -> Any:
    """The content of a JSON file of a package."""
    return json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def from_pieces(pieces: Mapping[str, str], known: Mapping[str, str]) -> Callable[[str], str]:
    """What puts pieces in their places in a pattern: `<NOT>` is the piece NOT. A piece may be made of those before it.

    >>> from_pieces({"MANY": "<FEW>+"}, {"FEW": "a"})("(<MANY>)")
    '(a+)'
    """
    whole = dict(known)

    def filled(pattern: str) -> str:
        return re.sub(r"<([A-Z]+)>", lambda piece: whole[piece[1]], pattern)

    for name, pattern in pieces.items():
        whole[name] = filled(pattern)
    return filled
