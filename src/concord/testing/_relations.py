"""The conformance test for relations."""

import inspect
import random
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from concord import plugins
from concord.errors import Untested
from concord.language.sanity import failure
from concord.model import Case, Text
from concord.relations._protocol import ALWAYS, EXPLAIN, RelationForm, load_relation
from concord.testing._services import (
    AnalysisTable,
    DependTable,
    HashedVectors,
    SubstituteTable,
    TreeTable,
    Untaught,
    flat,
)
from concord.testing._tables import Echo, now

SENTENCE = "The cat sat on the mat and did not move for 3 hours."
BRACKETS = (
    "(ROOT (S (NP (DT The) (NN cat)) (VP (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (CC and)"
    " (VP (VBD did) (RB not) (VP (VB move) (PP (IN for) (NP (CD 3) (NNS hours)))))) (. .)))"
)


def check_relation(
    relation: str | ModuleType, text: str = SENTENCE, services: Mapping[str, Any] | None = None, **options: Any
) -> None:
    """Assert that a relation conforms, given by name or as its module.

    Its services are those of `concord.testing`; `services` replaces some of them. Raises AssertionError with the
    reason.
    """
    plugins.admit(relation if isinstance(relation, str) else "")
    known = load_relation(relation)
    module, name, check = known.module, known.name, known.check
    assert inspect.iscoroutinefunction(check), f"{name}: check must be a coroutine function"
    assert inspect.getdoc(module), f"{name}: the module needs a docstring that says what must hold"
    parameters = inspect.signature(check).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional[:1] == ["x"], f"{name}: the first parameter is x, the text"
    assert all(p.default is p.empty for p in parameters if p.name in positional), f"{name}: services have no defaults"
    assert not [p for p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)], f"{name}: no *args, no **kwargs"

    first, second = (_cases(known, Text(text, "en"), services or {}, options) for _ in range(2))
    assert isinstance(first, list), f"{name}: check returns a list of cases"
    assert all(isinstance(case, Case) for case in first), f"{name}: check returns a list of cases"
    assert first == second, f"{name}: the same text and seed must give the same cases"
    for case in first:
        assert case.operator == known.traits.operator, f"{name}: the operator of a case is that of its TRAITS"
        assert not case.flagged, f"{name}: a perfect translator is never suspected"
        if hasattr(module, "compare"):
            texts = case.source, case.follow_up, case.source_output, case.follow_up_output
            settings = {option.name: option.default for option in known.options} | dict(options)
            judged = known.comparison(settings)(*texts)
            by_the_paper = case.scores.get("paper", case.suspicion)
            assert judged.suspicion == by_the_paper, f"{name}: compare and check must agree on a pair"


def _cases(known: RelationForm, x: Text, services: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    trees = TreeTable({SENTENCE: BRACKETS}, otherwise=flat)
    supplied = {
        "translate": Echo(),
        "rng": random.Random(7),
        "parse": trees,
        "analyse": AnalysisTable({}),
        "depend": DependTable(services.get("parse", trees)),
        "substitutes": SubstituteTable({"cat": ["dog", "bird"], "mat": ["floor"], "3": ["5"]}),
        "embed": HashedVectors(),
        "sanity": failure,
        "explain": Untaught(),
        **services,
    }
    unknown = [service for service in known.asks if service not in supplied]
    assert not unknown, f"no service is called {', '.join(unknown)}"
    settings = {option.name: option.default for option in known.options} | {"to": "es"} | dict(options)
    wanted = {*ALWAYS, *known.services(settings)}
    services = {name: supplied[name] if name in wanted else None for name in (*known.asks, EXPLAIN)}

    async def judged() -> list[Case]:
        check = known.check(x, *(services[name] for name in known.asks), **known.arguments(settings))
        try:
            cases = await check
        except Untested:
            return []
        sound = isinstance(cases, list) and all(isinstance(case, Case) for case in cases)
        return await known.judged(cases, services[EXPLAIN], settings) if sound else cases

    return now(judged())
