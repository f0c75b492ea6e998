"""What the charts look like: colours for light and dark, shapes, and one style sheet for all of them.

All rules are bound to one class, because the style sheet of a chart in a page applies to the whole page. They are
written twice, for light and for dark, because not every renderer knows variables. Every chart paints its own
background, so that it can be read wherever it is put.
"""

from collections.abc import Iterable

TITLE = 15
TEXT = 11
SMALL = 9.5

LIGHT = {"card": "#ffffff", "ink": "#1d2127", "soft": "#5b6470", "line": "#dfdcd4", "sunk": "#f2f0ea", "hot": "#b4261c"}
DARK = {"card": "#1b1f25", "ink": "#e6e8eb", "soft": "#a3abb6", "line": "#323943", "sunk": "#22272e", "hot": "#ff8d7e"}
# People who do not see red or green tell these apart too; a test says how far apart they stay.
GROUPS_LIGHT = ("#003ca8", "#c97000", "#0a946c", "#a66bb4", "#8a4602", "#2f80e5", "#891f2f", "#4a4c65")
GROUPS_DARK = ("#5a85f4", "#e98640", "#3ffbbf", "#bd7ab2", "#e5e149", "#9bc4ff", "#ff8d7e", "#c3d8e9")
SHAPES = ("circle", "square", "triangle", "diamond", "down", "plus", "cross", "hexagon")

# The page's fonts first; the others have a minus sign, which renderers without a system font would take elsewhere.
FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"
_STILL = f"""
.concord-chart text {{ font-family: {FONT}; font-size: {TEXT}px; font-variant-numeric: tabular-nums; }}
.concord-chart .title {{ font-size: {TITLE}px; font-weight: 600; }}
.concord-chart .strong {{ font-weight: 600; }}
.concord-chart .note {{ font-style: italic; }}
.concord-chart .bare {{ fill: none; }}
.concord-chart .small {{ font-size: {SMALL}px; }}"""


def _rules(colours: dict[str, str], groups: Iterable[str]) -> str:
    rules = [f".concord-chart .{name} {{ fill: {colour}; }}" for name, colour in colours.items()]
    rules += [f".concord-chart .{name}-stroke {{ stroke: {colour}; }}" for name, colour in colours.items()]
    for number, colour in enumerate(groups):
        rules.append(f".concord-chart .g{number} {{ fill: {colour}; }}")
        rules.append(f".concord-chart .g{number}-stroke {{ stroke: {colour}; }}")
    return "\n".join(rules)


STYLE = (
    f"{_rules(LIGHT, GROUPS_LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_rules(DARK, GROUPS_DARK)}\n}}{_STILL}"
)

# From pale to deep with steadily falling lightness, which is what tells colours apart without hue.
_RAMP = ((246, 229, 172), (187, 219, 181), (97, 177, 172), (43, 120, 155), (32, 62, 116))


def ramp(share: float) -> str:
    """The colour of a place between low (0) and high (1)."""
    position = max(0.0, min(share, 1.0)) * (len(_RAMP) - 1)
    below = min(int(position), len(_RAMP) - 2)
    pairs = zip(_RAMP[below], _RAMP[below + 1], strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (position - below)):02x}" for a, b in pairs)


def on(colour: str) -> str:
    """Black or white, whichever can be read on a colour."""
    return "#000000" if luminance(colour) > 0.18 else "#ffffff"


def luminance(colour: str) -> float:
    """The relative luminance that the accessibility guidelines measure contrast with."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
