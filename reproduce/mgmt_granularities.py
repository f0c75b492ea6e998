"""Whether MGMT's phrase and word are two tests: coverage, words replaced, and the correlation of what is satisfied.

    python reproduce/mgmt_granularities.py DATA [--system apertium] [--to es] [--repetitions 5] [--substitutes lexicon]
                                           [--folder FOLDER]

DATA holds `rti/sentences.jsonl`, the 200 sentences of He et al. 2021. Prints how many of them each granularity tests,
how many words are replaced, how many different variants the repetitions make, and Pearson's correlation of phrase and
word over the sentences that have both: in each repetition satisfied or not, and the shares of repetitions in which they
are satisfied. Then the running examples of Zhong et al. 2021. A folder keeps the translations for other runs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from scipy.stats import pearsonr

from concord import api

GRANULARITIES = ("phrase", "word")
EXAMPLES = (
    "How do you think of your proficiency in written and spoken English?",
    "People still throw their rubbish.",
)
Rows = dict[str, dict[int, list[dict[str, Any]]]]


def main(words: Sequence[str]) -> int:
    options = arguments(words)
    lines = (options.data / "rti" / "sentences.jsonl").read_text("utf-8").splitlines()
    sentences = [json.loads(line)["text"] for line in lines]
    rows = tested(sentences, options)
    for name in GRANULARITIES:
        print_granularity(name, rows[name], len(sentences), options.repetitions)
    print_correlations(rows)
    examples = tested(EXAMPLES, options)
    for position, example in enumerate(EXAMPLES):
        print(example)
        for name in GRANULARITIES:
            variants = [row["follow_up"]["words"] for row in examples[name].get(position, [])]
            print(f"  {name}: {', '.join(variants) or 'none'}")
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--system", default="apertium")
    parser.add_argument("--to", default="es")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--substitutes", default="lexicon")
    parser.add_argument("--folder", type=Path)
    return parser.parse_args(words)


def tested(sentences: Sequence[str], options: argparse.Namespace) -> Rows:
    """The rows of each granularity by position."""
    rows: Rows = {name: defaultdict(list) for name in GRANULARITIES}
    settings = api.Settings(repetitions=options.repetitions, services={"substitutes": options.substitutes})
    with tempfile.TemporaryDirectory() as folder:
        corpus, workspace = Path(folder, "sentences.txt"), Path(options.folder or folder, "mgmt.sqlite")
        corpus.write_text("\n".join(sentences), "utf-8")
        relation = f"mgmt,granularities={','.join(GRANULARITIES)}"
        run = {"relations": [relation], "systems": [options.system], "to": [options.to], "settings": settings}
        (done,) = api.run(corpus, workspace=workspace, **run)
        for row in api.rows(workspace, [done.run.id]):
            if row.get("case"):
                rows[row["factors"]["granularity"]][row["position"]].append(row)
    return rows


def print_granularity(name: str, rows: dict[int, list[dict[str, Any]]], sentences: int, repetitions: int) -> None:
    cases = [row for each in rows.values() for row in each]
    first = sum(len(each) == repetitions for each in rows.values())
    replaced = Counter(len(row["evidence"]["replaced"]) for row in cases)
    variants = mean(len({row["follow_up"]["words"] for row in each}) for each in rows.values())
    satisfied = mean(not row["flagged"] for row in cases)
    print(f"{name}: {len(rows)} of {sentences} sentences tested, {first} in every repetition; {len(cases)} cases")
    print(f"  words replaced: {', '.join(f'{count}: {number}' for count, number in sorted(replaced.items()))}")
    print(f"  different variants of {repetitions}: {variants:.2f}; satisfied: {satisfied:.1%}")


def print_correlations(rows: Rows) -> None:
    by_repetition = [
        {(row["position"], row["repetition"]): row for each in rows[name].values() for row in each}
        for name in GRANULARITIES
    ]
    pairs = [[each[key] for each in by_repetition] for key in by_repetition[0] if key in by_repetition[1]]
    satisfied = [[not row["flagged"] for row in side] for side in zip(*pairs, strict=True)]
    same = sum(phrase["follow_up"] == word["follow_up"] for phrase, word in pairs)
    print(f"phrase and word are the same variant in {same} of {len(pairs)} pairs")
    print(f"r of phrase and word, satisfied or not: {pearsonr(*satisfied).statistic:.3f} over {len(pairs)} pairs")
    both = sorted(set(rows["phrase"]) & set(rows["word"]))
    shares = [[mean(not row["flagged"] for row in rows[name][each]) for each in both] for name in GRANULARITIES]
    print(f"r of the shares of repetitions: {pearsonr(*shares).statistic:.3f} over {len(both)} sentences")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
