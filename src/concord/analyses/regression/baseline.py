"""Systems against the baseline, the first system that is named: one joint test for each direction and corpus."""

from collections.abc import Sequence

from concord.analyses.regression.run_pairs import RunPair
from concord.analyses.regression.sentence_tests import NO_SENTENCE, JointTest, joint_tests, sentence_changes
from concord.runs.summary import Summary
from concord.store import RunRecord
from concord.store.index.reader import Reader


def against(reader: Reader, summaries: Sequence[Summary]) -> list[JointTest]:
    """Each other system against the baseline, by its runs of the same kinds; empty for a single system.

    The joint test decides; those of its relations say where a difference is.
    """
    pairs = list(_pairs([summary.run for summary in summaries]))
    if not pairs:
        return []
    paired = {run.id for pair in pairs for run in (pair.before, pair.after)}
    verdicts = {run.id: columns.verdicts() for run, columns in reader.indexed if run.id in paired}
    changes = []
    for pair in pairs:
        before, after = verdicts[pair.before.id], verdicts[pair.after.id]
        for part in dict.fromkeys([*before, *after]) if before and after else [""]:
            sides = (before.get(part, NO_SENTENCE), after.get(part, NO_SENTENCE))
            changes.append(sentence_changes(pair, part, *sides))
    return joint_tests(changes)


def _pairs(runs: Sequence[RunRecord]) -> list[RunPair]:
    """Each run of another system with the baseline's first run of the same kind."""
    first = {_kind(run): run for run in reversed(runs) if run.system == runs[0].system}
    others = [run for run in runs if run.system != runs[0].system and _kind(run) in first]
    return [RunPair(first[_kind(run)], run) for run in others]


def _kind(run: RunRecord) -> tuple[str, ...]:
    return run.relation, str(run.settings), run.source, run.target, run.corpus
