"""A sentence's tree, phrases above and words below; and its words above those of its translation, with their links."""

from collections.abc import Sequence
from dataclasses import dataclass

from concord.language.trees import Tree
from concord.plural import plural
from concord.views.charts._canvas import PAD, Canvas, nothing
from concord.views.charts._look import TEXT
from concord.views.charts._words import neutral, width

MOST = 300
GAP = 14
STEP = 34
MOST_LINKED = 80
WORD_GAP = 12
SIZE = TEXT + 2
HIGH = 96


@dataclass(slots=True)
class _Placed:
    """A node with where its middle is, and what is below it."""

    label: str
    word: str
    x: float
    depth: int
    children: "list[_Placed]"


def tree(root: Tree, *, title: str) -> str:
    """The chart of a tree; of one with too many words it says so."""
    leaves = root.leaves()
    if len(leaves) > MOST:
        return nothing(title, f"It has {len(leaves):,} words; at most {MOST} are drawn.")
    places, right = {}, float(PAD)
    for leaf in leaves:
        places[id(leaf)] = right + _wide(leaf) / 2
        right += _wide(leaf) + GAP
    placed = _placed(root, places)
    deep = max(node.depth for node in _nodes(placed))
    canvas = Canvas(title, max(right - GAP + PAD, 240))
    _draw(canvas, placed, canvas.top + TEXT, deep)
    high = canvas.top + TEXT + STEP * deep + 2 * TEXT + PAD
    return canvas.svg(high, f"A tree over {plural(len(leaves), 'word')}.")


def _wide(leaf: Tree) -> float:
    return max(width(neutral(leaf.words, 30), TEXT), width(leaf.label, TEXT))


def _placed(root: Tree, places: dict[int, float]) -> _Placed:
    """Children first, on a stack of our own: a tree can be deeper than Python's."""
    placed: dict[int, _Placed] = {}
    stack = [(root, 0, False)]
    while stack:
        node, level, ready = stack.pop()
        if not node.children:
            placed[id(node)] = _Placed(neutral(node.label, 20), neutral(node.words, 30), places[id(node)], level, [])
        elif ready:
            below = [placed[id(child)] for child in node.children]
            middle = (below[0].x + below[-1].x) / 2
            placed[id(node)] = _Placed(neutral(node.label, 20), "", middle, level, below)
        else:
            stack.append((node, level, True))
            stack.extend((child, level + 1, False) for child in node.children)
    return placed[id(root)]


def _nodes(root: _Placed) -> list[_Placed]:
    nodes, stack = [], [root]
    while stack:
        nodes.append(stack.pop())
        stack.extend(nodes[-1].children)
    return nodes


def _draw(canvas: Canvas, root: _Placed, top: float, deep: int) -> None:
    for node in _nodes(root):
        y = top + STEP * (node.depth if node.children else deep)
        for child in node.children:
            below = top + STEP * (child.depth if child.children else deep)
            canvas.line(node.x, y + 4, child.x, below - TEXT, "soft", stroke_opacity=0.6)
        canvas.text(node.x, y, node.label, "strong soft", anchor="middle")
        if node.word:
            canvas.text(node.x, y + TEXT + 4, node.word, "ink", anchor="middle")


def links(
    source: Sequence[str], output: Sequence[str], alignment: Sequence[tuple[int, int, float]], *, title: str
) -> str:
    """The chart of a word alignment; a link is as strong as it is sure. Of endless texts the beginnings are shown."""
    above, below = ([neutral(word, 30) for word in words[:MOST_LINKED]] for words in (source, output))
    if not above or not below:
        return nothing(title)
    starts, ends = _places(above), _places(below)
    wide = PAD + max(starts[-1] + width(above[-1], TEXT), ends[-1] + width(below[-1], TEXT)) + PAD
    canvas = Canvas(title, max(wide, 320))
    top = canvas.top + SIZE
    for a, b, sure in alignment:
        if a < len(above) and b < len(below):
            x1, x2 = starts[a] + width(above[a], TEXT) / 2, ends[b] + width(below[b], TEXT) / 2
            look = {"stroke_width": round(1 + 1.5 * sure, 2), "stroke_opacity": round(max(0.25, min(sure, 1)), 2)}
            canvas.path(f"M {x1:.1f} {top + 6:.1f} L {x2:.1f} {top + HIGH - SIZE:.1f}", "bare g0-stroke", **look)
    for words, positions, y in ((above, starts, top), (below, ends, top + HIGH)):
        for word, x in zip(words, positions, strict=True):
            canvas.text(x, y, word, "ink")
    left = len(source) + len(output) - len(above) - len(below)
    notes = [f"{plural(len(alignment), 'link')}; the stronger a line, the surer the link."]
    notes += [f"Not shown: {plural(left, 'word')}."] if left else []
    return canvas.svg(canvas.notes(top + HIGH + 14, notes) + PAD, notes[0])


def _places(words: Sequence[str]) -> list[float]:
    positions = [float(PAD)]
    for word in words[:-1]:
        positions.append(positions[-1] + width(word, TEXT) + WORD_GAP)
    return positions
