"""What PatInv removes, optional phrases or any as its authors do: cases, equal translations and speed.

    python reproduce/patinv_removal.py DATA [--system apertium] [--to es]

DATA holds `rti/sentences.jsonl`, the 200 sentences of He et al. 2021. For each form, prints the sentences with a case,
the cases and the equal translations on these sentences, and on the bundled corpus with the system `fake` the texts a
second of processor time.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from concord import api
from concord.corpus import demo

FORMS = ("patinv,ways=remove", "patinv:paper,ways=remove", "patinv:paper,ways=remove,most_phrases=100")


def main(words: Sequence[str]) -> int:
    options = arguments(words)
    lines = (options.data / "rti" / "sentences.jsonl").read_text("utf-8").splitlines()
    sentences = [json.loads(line)["text"] for line in lines]
    bundled = [segment.text.words for segment in demo()]
    for form in FORMS:
        rows, _ = removed(sentences, form, options.system, options.to)
        print(f"{form}: {tested(rows)} of {len(sentences)} sentences, equal: {sum(row['flagged'] for row in rows)}")
        rows, seconds = removed(bundled, form, "fake", "es")
        print(f"  bundled: {tested(rows)} of {len(bundled)}; {len(bundled) / seconds:.0f} texts a second of processor")
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--system", default="apertium")
    parser.add_argument("--to", default="es")
    return parser.parse_args(words)


def removed(sentences: Sequence[str], form: str, system: str, to: str) -> tuple[list[dict[str, Any]], float]:
    """The cases, and the seconds of processor time that the run took."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, workspace = Path(folder, "sentences.txt"), Path(folder, "rows.sqlite")
        corpus.write_text("\n".join(sentences), "utf-8")
        start = time.process_time()
        api.run(corpus, relations=[form], systems=[system], to=[to], workspace=workspace)
        seconds = time.process_time() - start
        return [row for row in api.rows(workspace, [1]) if row.get("case")], seconds


def tested(rows: Sequence[dict[str, Any]]) -> str:
    return f"{len(rows)} cases in {len({row['position'] for row in rows})}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
