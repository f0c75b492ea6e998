"""Reads the chunks of a text from the output stream of Apertium's first transfer stage.

The chunks contain words of the other language, but blanks pass through the stage in order, so every word is
sent with its number in a superblank before it. A number inside of a chunk belongs to it, and so does the last
one before it; other numbers were delayed while a rule was applied, and belong to the chunk before them.
"""

import re

from concord.language.apertium.words import STREAM

_CHUNKED = re.compile(
    r"\\.|\[w(?P<number>\d+)\]|\^(?:\\.|[^\\<{}$^])*<(?P<label>[^<>]*)>(?:<[^<>]*>)*(?P<opens>\{)|(?P<closes>\}\$)",
    re.DOTALL,
)


def to_chunker(stream: str, number: int) -> bytes:
    """The tagger's stream as input of the transfer stage, without surface forms and with numbered words."""
    count = -1

    def numbered(match: re.Match[str]) -> str:
        nonlocal count
        if match["reading"] is None:
            return match[0]
        count += 1
        return f"[w{count}]^{match['reading']}$"

    return f"{STREAM.sub(numbered, stream)}[{number}]".encode()


def read_chunks(stream: str) -> dict[int, tuple[int, str]]:
    """The number and label of each word's chunk, by the number of the word."""
    owners: dict[int, tuple[int, str]] = {}
    waiting: list[int] = []
    chunk, inside = (-1, ""), False
    for match in _CHUNKED.finditer(stream):
        if match["opens"]:
            before, chunk, inside = chunk, (chunk[0] + 1, match["label"]), True
            owners.update(dict.fromkeys(waiting[:-1], before if before[0] >= 0 else chunk))
            owners.update(dict.fromkeys(waiting[-1:], chunk))
            waiting = []
        elif match["closes"]:
            inside = False
        elif match["number"] and inside:
            owners[int(match["number"])] = chunk
        elif match["number"]:
            waiting.append(int(match["number"]))
    owners.update(dict.fromkeys(waiting, chunk))
    return owners
