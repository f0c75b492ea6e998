"""Tables of systems against the baseline, for the terminal and the report."""

from collections.abc import Callable, Iterator, Sequence

from concord.analyses.regression.sentence_tests import JointTest
from concord.views.regression.tables import JOINT_CELLS, RELATION_CELLS, RelationRow
from concord.views.tables import TextTable

JOINT = (
    "Worse, better: sentences that more, or fewer, relations flag than those of the baseline. p: exact sign test"
    " (McNemar) on these sentences, adjusted for all rows (Holm)."
)
BY_RELATION = (
    "Sentences: those that were judged for both systems. p: exact sign test on those where only one is flagged,"
    " adjusted for all rows (Holm)."
)
NAMED = f"{BY_RELATION} It names the relations that differ; all relations together decide."


def baseline_tables(tests: Sequence[JointTest]) -> Iterator[TextTable]:
    """The joint tests, and what each relation says; one table if each test has but one relation."""
    cells: dict[str, Callable[[JointTest], str]] = {
        "system": lambda test: test.system,
        "baseline": lambda test: test.system_before,
        "from→to": lambda test: test.direction,
        "relations": lambda test: ", ".join(test.relation_names),
        **JOINT_CELLS,
    }
    by_relation: dict[str, Callable[[RelationRow], str]] = {
        "system": lambda row: row[0].system,
        "baseline": lambda row: row[0].system_before,
        "from→to": lambda row: row[0].direction,
        "relation": lambda row: row[1].name,
        **RELATION_CELLS,
    }
    rows = [(test, relation) for test in tests for relation in test.relations if relation.tested.sentences]
    if len(rows) > len({id(test) for test, _ in rows}):
        compared = [test for test in tests if test.sentences]
        yield TextTable.of("Against the baseline, all relations together", compared, cells, JOINT)
        yield TextTable.of("Against the baseline, by relation", rows, by_relation, NAMED)
    elif rows:
        yield TextTable.of("Against the baseline", rows, by_relation, BY_RELATION)


def not_compared(tests: Sequence[JointTest]) -> Iterator[str]:
    """A note for each system and direction with relations that judged no sentence of both systems."""
    for test in tests:
        if names := [relation.name for relation in test.relations if not relation.tested.sentences]:
            yield (
                f"{', '.join(names)} {test.direction}: {test.system} is not compared with {test.system_before}, as no"
                " sentence was judged in both"
            )
