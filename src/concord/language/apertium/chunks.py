"""Chunks over the words of a text, from the stream that Apertium's first transfer stage writes.

The chunks hold words of the other language, but blanks travel through the stage in order, so every word
is sent with its number in a superblank before it. A number inside of a chunk belongs to it, and so does
the last one before it; others were held back while a rule worked, and belong to the chunk before them.
"""

from __future__ import annotations

import re

from concord.language.apertium.words import STREAM

_CHUNKED = re.compile(
    r"\\.|\[w(?P<number>\d+)\]|\^(?:\\.|[^\\<{}$^])*<(?P<label>[^<>]*)>(?:<[^<>]*>)*(?P<opens>\{)|(?P<closes>\}\$)",
    re.DOTALL,
)


def to_chunker(stream: str, number: int) -> bytes:
    """The tagger's stream as the stages after it expect it, without surface forms and with numbered words."""
    count = -1

    def numbered(found: re.Match[str]) -> str:
        nonlocal count
        if found["reading"] is None:
            return found[0]
        count += 1
        return f"[w{count}]^{found['reading']}$"

    return f"{STREAM.sub(numbered, stream)}[{number}]".encode()


def read_chunks(stream: str) -> dict[int, tuple[int, str]]:
    """For the number of every word the number and the label of its chunk."""
    owners: dict[int, tuple[int, str]] = {}
    waiting: list[int] = []
    chunk, inside = (-1, ""), False
    for found in _CHUNKED.finditer(stream):
        if found["opens"]:
            before, chunk, inside = chunk, (chunk[0] + 1, found["label"]), True
            owners.update(dict.fromkeys(waiting[:-1], before if before[0] >= 0 else chunk))
            owners.update(dict.fromkeys(waiting[-1:], chunk))
            waiting = []
        elif found["closes"]:
            inside = False
        elif found["number"] and inside:
            owners[int(found["number"])] = chunk
        elif found["number"]:
            waiting.append(int(found["number"]))
    owners.update(dict.fromkeys(waiting, chunk))
    return owners
