"""A picture as pixels, for where SVG cannot go."""

from __future__ import annotations

from concord.errors import Missing


def png(svg: str, scale: float = 2) -> bytes:
    """The picture in its light colours as a PNG file, `scale` times as large."""
    try:
        import vl_convert
    except ImportError:
        raise Missing("vl-convert-python", "pip install 'concord-mt[png]'") from None
    return vl_convert.svg_to_png(svg, scale=scale)
