"""Run every benchmark, print the table and keep it in bench/results.md."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.parts import PARTS, measured

RESULTS = Path(__file__).parent / "results.md"


def main(chosen: list[str]) -> None:
    """Measure every part, or those that are named; the results of the others are kept."""
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    kept = _kept()
    for title in chosen or list(PARTS):
        print(f"## {title}\n", flush=True)
        lines = ["| what | measured | aim or comparison |", "|---|---|---|"]
        lines += ["| " + " | ".join(row) + " |" for row in measured(title)]
        print(*lines, sep="\n", flush=True)
        kept[title] = f"{when}, Python {platform.python_version()}, all sides in one run.\n\n" + "\n".join(lines) + "\n"
    parts = [f"## {title}\n\n{kept[title]}" for title in PARTS if title in kept]
    RESULTS.write_text(
        "\n".join(["# Benchmarks\n\n`make bench`; some parts alone: `python -m bench Engine`.\n", *parts])
    )


def _kept() -> dict[str, str]:
    found = RESULTS.read_text().split("\n## ")[1:] if RESULTS.exists() else []
    return {title: text.strip("\n") + "\n" for title, _, text in (part.partition("\n") for part in found)}


if __name__ == "__main__":
    main(sys.argv[1:])
