"""A text above its translation, with lines between the words that translate each other."""

from __future__ import annotations

from collections.abc import Sequence

from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._look import TEXT
from concord.views.charts._words import neutral, width

MOST = 80
GAP = 12
SIZE = TEXT + 2
HIGH = 96


def links(source: Sequence[str], output: Sequence[str], found: Sequence[tuple[int, int, float]], *, title: str) -> str:
    """The picture of a word alignment; a link is as strong as it is sure. Of endless texts the beginnings are shown."""
    above, below = ([neutral(word, 30) for word in words[:MOST]] for words in (source, output))
    if not above or not below:
        return nothing(title)
    starts, ends = _places(above), _places(below)
    wide = PAD + max(starts[-1] + _wide(above[-1]), ends[-1] + _wide(below[-1])) + PAD
    canvas = Canvas(title, max(wide, 320))
    top = canvas.top + SIZE
    for a, b, sure in found:
        if a < len(above) and b < len(below):
            x1, x2 = starts[a] + _wide(above[a]) / 2, ends[b] + _wide(below[b]) / 2
            look = {"stroke_width": round(1 + 1.5 * sure, 2), "stroke_opacity": round(max(0.25, min(sure, 1)), 2)}
            canvas.path(f"M {x1:.1f} {top + 6:.1f} L {x2:.1f} {top + HIGH - SIZE:.1f}", "bare g0-stroke", **look)
    for words, places, y in ((above, starts, top), (below, ends, top + HIGH)):
        for word, x in zip(words, places, strict=True):
            canvas.text(x, y, word, "ink")
    left = len(source) + len(output) - len(above) - len(below)
    notes = [f"{plural(len(found), 'link')}; the stronger a line, the surer the link."]
    notes += [f"Not shown: {plural(left, 'word')}."] if left else []
    return canvas.svg(canvas.notes(top + HIGH + 14, notes) + PAD, notes[0])


def _wide(word: str) -> float:
    return width(word, TEXT)


def _places(words: Sequence[str]) -> list[float]:
    places = [float(PAD)]
    for word in words[:-1]:
        places.append(places[-1] + _wide(word) + GAP)
    return places
