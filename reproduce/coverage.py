"""How many sentences each relation can test offline, and why not the others; sentences for a blind check.

    python reproduce/coverage.py DATA [--to es] [--draw NUMBER SENTENCES.tsv KEY.tsv]

DATA is the data folder, with rti/sentences.jsonl in it: the 200 sentences of RTI's authors, on which nothing was tuned.
The system is a made-up one: what is counted are the texts that relations make, not translations.

`--draw` draws new sentences over all relations, at most one of each sentence and relation, mixes sentences as they were
in, one for five, and writes what a reader sees (id, sentence) and the key (id, relation, what was replaced, sentence).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from concord import api
from concord.model import Case, Outcome

RELATIONS = {
    "sit": "sit",
    "transrepair": "transrepair",
    "cat": "cat",
    "mgmt, phrase": "mgmt,granularities=phrase",
    "mgmt, word": "mgmt,granularities=word",
    "patinv": "patinv",
    "patinv, replace": "patinv,ways=replace",
    "patinv, remove": "patinv,ways=remove",
}
DRAWN = ("sit", "transrepair", "cat", "mgmt, phrase", "mgmt, word", "patinv, replace", "patinv, remove")
SYSTEM = "fake,flaws=0"
SEED = 12345


def main(words: Sequence[str]) -> int:
    options = arguments(words)
    file = options.data / "rti" / "sentences.jsonl"
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    texts = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    found = {name: checked(spec, texts, options.to) for name, spec in RELATIONS.items()}
    print(f"| relation | sentences tested, of {len(texts)} | cases | not tested, because |\n|---|---:|---:|---|")
    for name, outcomes in found.items():
        tested = sum(bool(outcome.cases) for outcome in outcomes)
        print(f"| {name} | {tested} | {sum(len(outcome.cases) for outcome in outcomes)} | {reasons(outcomes)} |")
    if options.draw:
        number, sentences, key = options.draw
        draw(found, texts, int(number), Path(sentences), Path(key))
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    told = argparse.ArgumentParser(prog="reproduce/coverage.py", description=__doc__.partition("\n")[0])
    told.add_argument("data", type=Path)
    told.add_argument("--to", default="es")
    told.add_argument("--draw", nargs=3, metavar=("NUMBER", "SENTENCES", "KEY"))
    return told.parse_args(words)


def checked(spec: str, texts: Sequence[str], to: str) -> list[Outcome]:
    return api.check(spec, texts, translator=SYSTEM, to=to, seed=SEED)


def reasons(outcomes: Sequence[Outcome]) -> str:
    """Why sentences have no case: the reason that the relation gives, or the error."""
    bare = [outcome for outcome in outcomes if not outcome.cases]
    counts = Counter(outcome.error or getattr(outcome, "untested", "") or "no reason given" for outcome in bare)
    return ", ".join(f"{reason} ({count})" for reason, count in counts.most_common())


def draw(found: dict[str, list[Outcome]], texts: Sequence[str], number: int, sentences: Path, key: Path) -> None:
    """As many of each relation; of one sentence and relation one case at random."""
    rng = random.Random(SEED)
    rows: dict[str, tuple[str, str]] = {}
    shuffled = {name: [outcome for outcome in found[name] if outcome.cases] for name in DRAWN}
    for outcomes in shuffled.values():
        rng.shuffle(outcomes)
    for at in range(max(map(len, shuffled.values()))):
        for name in DRAWN:
            if at < len(shuffled[name]) and len(rows) < number:
                case = rng.choice(shuffled[name][at].cases)
                rows.setdefault(case.follow_up.words, (name, _changed(case)))
    rows |= dict.fromkeys(rng.sample(list(texts), number // 5), ("as it was", ""))
    order = rng.sample(sorted(rows), len(rows))
    sentences.write_text("".join(f"{at}\t{words}\n" for at, words in enumerate(order, 1)))
    key.write_text("".join(f"{at}\t{rows[words][0]}\t{rows[words][1]}\t{words}\n" for at, words in enumerate(order, 1)))


def _changed(case: Case) -> str:
    told = case.evidence.get("replaced") or f"without {case.evidence.get('removed')}"
    return told if isinstance(told, str) else ", ".join(" → ".join(pair) for pair in told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
