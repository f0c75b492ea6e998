"""A drawing surface that collects marks and becomes one self-contained SVG text.

Every text passes `neutral` and is escaped where it becomes an element, so that no caller can forget it.
There are no ids, so that many charts can stand in one page.
"""

from collections.abc import Iterable
from html import escape

from concord.views.charts._look import SHAPES, STYLE, TEXT, TITLE
from concord.views.charts._words import fit, neutral, width, wrap

PAD = 16

CORNERS: dict[str, list[tuple[float, float]]] = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "triangle": [(0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
    "diamond": [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
    "down": [(0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
    "hexagon": [(0, -1.1), (0.95, -0.55), (0.95, 0.55), (0, 1.1), (-0.95, 0.55), (-0.95, -0.55)],
}
STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "plus": [[(-1.1, 0), (1.1, 0)], [(0, -1.1), (0, 1.1)]],
    "cross": [[(-0.85, -0.85), (0.85, 0.85)], [(-0.85, 0.85), (0.85, -0.85)]],
}


class Canvas:
    """Marks in the order they are drawn; `top` is where the chart below the heading begins."""

    def __init__(self, title: str, wide: float) -> None:
        self.wide = wide
        self.name = neutral(title) or "Chart"
        self._marks: list[str] = []
        lines = wrap(self.name, wide - 2 * PAD, TITLE, 2)
        for number, line in enumerate(lines):
            self.text(PAD, PAD + 14 + 19 * number, line, "title ink")
        self.top = PAD + 19 * len(lines) + 9

    def text(
        self, x: float, y: float, words: str, kind: str = "soft", *, anchor: str = "start", rotation: int = 0
    ) -> None:
        if not words:
            return
        transform = {"transform": f"rotate({rotation} {short(x)} {short(y)})"} if rotation else {}
        self._add("text", {"x": x, "y": y, "class": kind, "text-anchor": anchor, **transform}, words=words)

    def number(self, x: float, y: float, words: str, fill: str) -> None:
        """Words in the middle of a mark, in the colour that can be read on it."""
        self._add("text", {"x": x, "y": y, "fill": fill, "text-anchor": "middle"}, words=words)

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str, **more: str | float) -> None:
        self._add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": f"{kind}-stroke", **more})

    def rect(self, corner: tuple[float, float], size: tuple[float, float], fill: str, *, tip: str = "") -> None:
        """A rectangle; `fill` is a kind, or a colour where that is the data's."""
        box = {"x": corner[0], "y": corner[1], "width": size[0], "height": size[1]}
        self._add("rect", {**box, "fill" if fill.startswith("#") else "class": fill}, tip=tip)

    def path(self, d: str, kind: str, **more: str | float) -> None:
        self._add("path", {"d": d, "class": kind, **more})

    def marker(self, x: float, y: float, group: int, *, size: float = 4, tip: str = "", hollow: bool = False) -> None:
        """The sign of a group: its colour and its shape, which both repeat only after eight."""
        shape = SHAPES[group % len(SHAPES)]
        look: dict[str, str | float] = {"class": f"g{group % len(SHAPES)}"}
        if hollow or shape in ("plus", "cross"):
            look = {"class": f"bare g{group % len(SHAPES)}-stroke", "stroke-width": 1.8}
        if shape == "circle":
            self._add("circle", {"cx": x, "cy": y, "r": size, **look}, tip=tip)
        else:
            self._add("path", {"d": _outline(shape, x, y, size), **look}, tip=tip)

    def dot(self, x: float, y: float, size: float, opacity: float) -> None:
        """One of many points, through which the others show."""
        self._add("circle", {"cx": x, "cy": y, "r": size, "class": "g0", "fill-opacity": opacity})

    def notes(self, y: float, notes: Iterable[str]) -> float:
        """Remarks below the chart; the height at which they end."""
        for note in notes:
            for line in wrap(neutral(note), self.wide - 2 * PAD, TEXT, 3):
                self.text(PAD, y + TEXT, line)
                y += 16
        return y

    def svg(self, high: float, about: str) -> str:
        size = {"width": short(self.wide), "height": short(high)}
        head = {"xmlns": "http://www.w3.org/2000/svg", "class": "concord-chart", **size}
        head |= {"viewBox": f"0 0 {size['width']} {size['height']}", "direction": "ltr"}
        head |= {"role": "img", "aria-label": self.name}
        back = f"<rect {_attributes({'class': 'card', 'x': '0', 'y': '0', **size, 'rx': '8'})}/>"
        description = f"<title>{escape(self.name)}</title><desc>{escape(neutral(about, 2000))}</desc>"
        inner = "\n".join([description, f"<style>{STYLE}</style>", back, *self._marks])
        return f"<svg {_attributes(head)}>\n{inner}\n</svg>\n"

    def _add(self, name: str, attributes: dict[str, str | float], *, words: str = "", tip: str = "") -> None:
        inner = escape(neutral(words)) + (f"<title>{escape(neutral(tip, 400))}</title>" if tip else "")
        closed = f">{inner}</{name}>" if inner else "/>"
        self._marks.append(f"<{name} {_attributes(attributes)}{closed}")


def nothing(title: str, why: str = "There is nothing to draw.") -> str:
    """The chart of no data."""
    canvas = Canvas(title, 420)
    canvas.text(PAD, canvas.top + TEXT, why)
    return canvas.svg(canvas.top + TEXT + PAD + 4, why)


def legend(canvas: Canvas, y: float, names: Iterable[str]) -> float:
    """Markers with the names of their groups, on as many lines as they need; the height at which it ends."""
    x = float(PAD)
    for group, name in enumerate(names):
        words = fit(name, 180, TEXT)
        needed = 14 + width(words, TEXT) + 14
        if x > PAD and x + needed > canvas.wide - PAD:
            x, y = float(PAD), y + 18
        canvas.marker(x + 5, y + 7, group, hollow=True)
        canvas.text(x + 14, y + TEXT, words, "ink")
        x += needed
    return y + 22


def short(value: float) -> str:
    """A coordinate in as few characters as a hundredth of a pixel needs."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _attributes(pairs: dict[str, str] | dict[str, str | float]) -> str:
    dashed = ((name.replace("_", "-"), value) for name, value in pairs.items())
    return " ".join(f'{name}="{escape(value if isinstance(value, str) else short(value))}"' for name, value in dashed)


def _outline(shape: str, x: float, y: float, size: float) -> str:
    def path(corners: Iterable[tuple[float, float]]) -> str:
        return "M " + " L ".join(f"{short(x + dx * size)} {short(y + dy * size)}" for dx, dy in corners)

    if shape in STROKES:
        return " ".join(map(path, STROKES[shape]))
    return path(CORNERS[shape]) + " Z"
