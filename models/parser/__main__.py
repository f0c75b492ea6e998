"""From a data folder to the model file: `python -m models.parser DATA OUT`."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from models.parser.export import export
from models.parser.recipe import TEACHERS, Recipe


def main() -> None:
    options = _options()
    torch.set_num_threads(options.threads)
    options.work.mkdir(parents=True, exist_ok=True)
    minutes = (options.teacher_minutes, options.student_minutes, options.settling_minutes)
    recipe = Recipe(options.data, options.work, *minutes)
    step, _, which = options.only.partition(":")
    if step in ("", "teacher"):
        for seed in [int(which)] if which else TEACHERS:
            recipe.teacher(seed)
    if step in ("", "silver"):
        for part in [int(which)] if which else range(options.parts):
            recipe.silver(part, options.parts)
    if step in ("", "student"):
        recipe.student(options.parts)
    if step in ("", "settled"):
        export(recipe.settled(options.parts), options.out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.parser", description=__doc__)
    parser.add_argument("data", type=Path, help="folder with gum_train, gum_dev and unlabelled_tokenised files")
    parser.add_argument("out", type=Path, help="the model file to write")
    parser.add_argument("--work", type=Path, default=Path("parser-work"), help="folder for what can be continued")
    parser.add_argument("--only", default="", help="one step: teacher:SEED, silver:PART, student or settled")
    parser.add_argument("--parts", type=int, default=2, help="into how many parts the unlabelled text is cut")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--teacher-minutes", type=float, default=60)
    parser.add_argument("--student-minutes", type=float, default=120)
    parser.add_argument("--settling-minutes", type=float, default=10)
    return parser.parse_args()


if __name__ == "__main__":
    main()
