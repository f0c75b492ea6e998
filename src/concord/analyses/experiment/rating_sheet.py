"""A sheet for people who score direct translations from 0 to 3, without being told the system (Pesu et al. 2018).

0 is completely wrong, 1 makes some sense but is poor, 2 makes sense but has minor errors, 3 is perfect. The sentences
are the same for every system, as they are in the experiment.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

from concord.analyses.experiment.observations import Observation
from concord.errors import UserError
from concord.labels.spreadsheets import as_text
from concord.signature import digest

COLUMNS = ("key", "target", "text", "translation", "score", "seconds", "comment")
SCORES = ("0", "1", "2", "3")


def rating_key(observation: Observation) -> str:
    """What a line of a sheet is known by: the hash of the system, the target, the text and its translation."""
    parts = (observation.system, observation.target, observation.text, observation.direct)
    return digest(*parts, size=8).hex()


def rating_lines(observed: Sequence[Observation], size: int, target: str, seed: int) -> list[dict[str, Any]]:
    """Direct translations of drawn sentences by every system, at most so many, in random order."""
    by_text = defaultdict[tuple[str, str], dict[str, Observation]](dict)
    for observation in observed:
        if target in ("", observation.target):
            by_text[observation.target, observation.text].setdefault(observation.system, observation)
    systems = max(map(len, by_text.values()), default=0)
    shared = [list(versions.values()) for versions in by_text.values() if len(versions) == systems]
    if not shared:
        targets = ", ".join(dict.fromkeys(observation.target for observation in observed))
        into = f"into {target}. Its targets: {targets}" if targets else "to rate"
        raise UserError(f"the experiment has no observation {into}")
    rng = Random(seed)
    drawn = rng.sample(shared, min(len(shared), size // systems))
    if not drawn:
        raise UserError(
            f"a sheet has every system's translation of a sentence, so at least {systems} lines, not {size}"
        )
    lines = [_line(observation) for versions in drawn for observation in versions]
    return rng.sample(lines, len(lines))


def _line(observation: Observation) -> dict[str, Any]:
    facts = {"key": as_text(rating_key(observation)), "target": observation.target}
    texts = {"text": observation.text, "translation": observation.direct}
    return {**dict.fromkeys(COLUMNS, ""), **facts, **texts}
