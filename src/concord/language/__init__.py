"""Language processing: tokens, sentences, trees, numbers, literals, and the data of Apertium and of English."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def word_set(text: str) -> frozenset[str]:
    """The words of a blank-separated list."""
    return frozenset(text.split())


@cache
def word_tables(module_file: str) -> dict[str, Any]:
    """The tables of a module: the TOML file beside it that has its name, read once."""
    return tomllib.loads(Path(module_file).with_suffix(".toml").read_text("utf-8"))
