"""The conformance test for relations."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from concord import plugins
from concord.engine.services import needed
from concord.model import Case, Text
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
    module = plugins.load("relations", relation) if isinstance(relation, str) else relation
    name = module.__name__.rpartition(".")[2]
    check = module.check
    assert inspect.iscoroutinefunction(check), f"{name}: check must be a coroutine function"
    assert inspect.getdoc(module), f"{name}: the module needs a docstring that says what must hold"
    parameters = inspect.signature(check).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional[:1] == ["x"], f"{name}: the first parameter is x, the text"
    assert all(p.default is p.empty for p in parameters if p.name in positional), f"{name}: services have no defaults"
    assert not [p for p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)], f"{name}: no *args, no **kwargs"

    first, second = (_cases(module, Text(text, "en"), services or {}, options) for _ in range(2))
    assert isinstance(first, list), f"{name}: check returns a list of cases"
    assert all(isinstance(case, Case) for case in first), f"{name}: check returns a list of cases"
    assert first == second, f"{name}: the same text and seed must give the same cases"
    for case in first:
        assert case.operator == getattr(module, "OPERATOR", ">"), f"{name}: the operator of a case is its OPERATOR"
        assert not case.violated, f"{name}: a perfect translator is never suspected"
        if hasattr(module, "compare"):
            _check_compare(name, module.compare, case, options)


def _cases(module: ModuleType, x: Text, services: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    trees = TreeTable({SENTENCE: BRACKETS}, otherwise=flat)
    supplied = {
        "translate": Echo(),
        "rng": random.Random(7),
        "parse": trees,
        "analyse": AnalysisTable({}),
        "depend": DependTable(services.get("parse", trees)),
        "substitutes": SubstituteTable({"cat": ["dog", "bird"], "mat": ["floor"], "3": ["5"]}),
        "embed": HashedVectors(),
        "explain": Untaught(),
        **services,
    }
    parameters = inspect.signature(module.check).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
    unknown = [service for service in positional if service not in supplied]
    assert not unknown, f"no service is called {', '.join(unknown)}"
    settings = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "to"} | dict(options)
    used = {"translate", "rng", *needed(module, settings)}
    arguments = (supplied[name] if name in used else None for name in positional)
    return now(module.check(x, *arguments, to="es", **options))


def _check_compare(name: str, compare: Callable[..., Case], case: Case, options: Mapping[str, Any]) -> None:
    accepted = {p.name for p in plugins.parameters(compare)}
    judged = compare(
        case.source,
        case.follow_up,
        case.source_output,
        case.follow_up_output,
        **{option: value for option, value in options.items() if option in accepted},
    )
    by_the_paper = case.scores.get("paper", case.suspicion)
    assert judged.suspicion == by_the_paper, f"{name}: compare and check must agree on a pair"
