"""Run every benchmark, print the table and keep it in bench/results.md."""

from __future__ import annotations

import platform
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bench import apertium, engine, experiment, language, memory, metrics

Row = tuple[str, str, str]
PARTS: dict[str, Callable[[], list[Row]]] = {
    "Engine": engine.rows,
    "Apertium": apertium.rows,
    "Memory": memory.rows,
    "Metrics": metrics.rows,
    "Experiment": experiment.rows,
    "Language": language.rows,
}


def main() -> None:
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    text = [f"# Benchmarks\n\n`make bench`, {when}, Python {platform.python_version()}, all sides in one run.\n"]
    for title, rows in PARTS.items():
        lines = [f"## {title}\n", "| what | measured | aim or comparison |", "|---|---|---|"]
        print("\n".join(lines))
        for row in rows():
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], flush=True)
        print()
        text.append("\n".join(lines) + "\n")
    (Path(__file__).parent / "results.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
