"""Conformance tests for parsers, sources of substitutes and encoders."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from concord.engine.services._plugin import version_of
from concord.engine.services.validation import relations_fault, sound, substitutes_fault, tree_fault, vector_fault
from concord.errors import BadAnswer, ConcordError, ServiceError
from concord.language.codes import base
from concord.language.substitutes import KINDS, Slot
from concord.language.trees import Tree
from concord.model import Text

TEXTS = (
    "The house is big.",
    "I do not have 3 cats. Do you?",
    "  Dr. Smith's dog (a poodle)  ran  away — at 5:30!",
    "good morning",
    "\N{GRINNING FACE} Café №5, “quoted”…",
)
BLANK = " \n\t "


def check_parser(parser: Any, lang: str = "en", texts: Sequence[str] = TEXTS) -> None:
    """Assert that a parser conforms, given as an object or as a class or function that makes one.

    Raises AssertionError with the reason.
    """
    plugin = _instance(parser)
    name = _check_identity("parsers", plugin, lang, "parse")
    assert plugin.kind in ("full", "shallow"), f"{name}: kind is 'full' or 'shallow', not {plugin.kind!r}"
    trees = _check_batches(name, list(texts), lang, plugin.parse, tree_fault)
    for tree in trees:
        assert isinstance(tree, ServiceError) or tree.label == "ROOT", f"{name}: the root of a tree is labelled ROOT"
    assert any(isinstance(tree, Tree) for tree in trees), f"{name}: it parses none of the texts, and says {trees[0]}"
    (blank,) = _answers(name, [BLANK], lang, plugin.parse, tree_fault)
    assert isinstance(blank, ServiceError), f"{name}: a text without words has no tree, but an error in its place"
    if hasattr(plugin, "depend"):
        _check_batches(name, list(texts), lang, plugin.depend, relations_fault)
    getattr(plugin, "close", lambda: None)()


def check_substitutes(source: Any, slots: Sequence[Slot], lang: str = "en") -> None:
    """Assert that a source of substitutes conforms, on slots of which it can fill at least one.

    The source is an object, or a class or function that makes one. Raises AssertionError with the reason.
    """
    plugin = _instance(source)
    name = _check_identity("substitutes", plugin, lang, "substitutes")
    slots = list(slots)
    alone = [_filled(name, [slot], plugin)[0] for slot in slots]
    assert _same(_filled(name, slots, plugin), alone), f"{name}: a slot's answer depends on its neighbours"
    assert _same(_filled(name, slots[::-1], plugin), alone[::-1]), f"{name}: a slot's answer depends on their order"
    for slot, answer in zip(slots, alone, strict=True):
        scores = [] if isinstance(answer, ServiceError) else [substitute.score for substitute in answer]
        assert scores == sorted(scores, reverse=True), f"{name}: the most natural first, not {scores}"
        none = Slot(slot.tree, slot.start, slot.end, slot.count, (), slot.lang)
        assert not _filled(name, [none], plugin)[0], f"{name}: where no kind is wanted, there is no substitute"
    kinds = {substitute.kind for answer in alone if isinstance(answer, list) for substitute in answer}
    assert kinds, f"{name}: it fills none of the slots, and says {alone[0]}"
    assert kinds <= set(KINDS), f"{name}: kinds are {', '.join(KINDS)}, not {', '.join(sorted(kinds - set(KINDS)))}"
    rejected = getattr(plugin, "rejected", None)
    assert isinstance(rejected, Mapping), f"{name}: rejected counts what was turned away, by reason"
    assert all(isinstance(reason, str) and isinstance(count, int) for reason, count in rejected.items()), (
        f"{name}: rejected counts by reason, so {dict(rejected)} cannot be"
    )


def check_encoder(encoder: Any, lang: str = "en", texts: Sequence[str] = (*TEXTS, "", BLANK)) -> None:
    """Assert that an encoder conforms, given as an object or as a class or function that makes one.

    Raises AssertionError with the reason.
    """
    plugin = _instance(encoder)
    name = _check_identity("encoders", plugin, lang, "embed")
    size = len(plugin.embed([Text(texts[0], lang)])[0])

    def fault(text: str, row: Any) -> str | None:
        return vector_fault(row, size)

    def near(left: Any, right: Any) -> bool:
        return max(abs(float(a) - float(b)) for a, b in zip(left, right, strict=True)) < 1e-3

    rows = _check_batches(name, list(texts), lang, plugin.embed, fault, near)
    assert not near(rows[0], rows[1]), f"{name}: texts that differ in everything have one vector"
    assert len(plugin.embed([])) == 0, f"{name}: no text, no vector"


def _instance(plugin: Any) -> Any:
    """The plug-in itself, or the one that a class or a function without parameters makes."""
    return plugin() if isinstance(plugin, type) or (callable(plugin) and not hasattr(plugin, "languages")) else plugin


def _check_identity(family: str, plugin: Any, lang: str, verb: str) -> str:
    """Check the id, languages, version and methods of a plug-in; return its id."""
    name = str(getattr(plugin, "id", ""))
    assert name, f"{type(plugin).__name__}: a plug-in has an id"
    lacking = [method for method in ("version", "languages", verb) if not callable(getattr(plugin, method, None))]
    assert not lacking, f"{name}: it lacks {', '.join(lacking)}"
    languages = plugin.languages()
    sort = "languages are a frozenset, or None if untold"
    assert languages is None or isinstance(languages, frozenset), f"{name}: {sort}"
    assert languages is None or {lang, base(lang)} & languages, f"{name}: {lang} is not among its languages"
    version = version_of(family, plugin, lang)
    assert version == version_of(family, plugin, lang), f"{name}: the version must not change by itself"
    assert not set(version) & set("|\n"), f"{name}: no | and no line end in a version"
    return name


def _check_batches(
    name: str,
    texts: list[str],
    lang: str,
    ask: Callable[..., Any],
    fault: Callable[[str, Any], str | None],
    same: Callable[[Any, Any], bool] = operator.eq,
) -> list[Any]:
    """The answers to single texts, after checking that batches in either order give the same."""
    alone = [_answers(name, [text], lang, ask, fault)[0] for text in texts]
    forth = _answers(name, texts, lang, ask, fault)
    back = _answers(name, texts[::-1], lang, ask, fault)[::-1]
    assert _same(forth, alone, same), f"{name}: a text's answer depends on its neighbours"
    assert _same(back, alone, same), f"{name}: a text's answer depends on their order"
    return alone


def _answers(
    name: str, texts: list[str], lang: str, ask: Callable[..., Any], fault: Callable[[str, Any], str | None]
) -> list[Any]:
    return _checked(lambda: sound(name, texts, ask([Text(text, lang) for text in texts]), fault))


def _filled(name: str, slots: list[Slot], source: Any) -> list[Any]:
    return _checked(lambda: sound(name, slots, source.substitutes(slots), substitutes_fault))


def _checked(ask: Callable[[], list[Any]]) -> list[Any]:
    try:
        answers = ask()
    except ConcordError as error:
        raise AssertionError(str(error)) from error
    for answer in answers:
        assert not isinstance(answer, BadAnswer), str(answer)
    return answers


def _same(left: list[Any], right: list[Any], same: Callable[[Any, Any], bool] = operator.eq) -> bool:
    return all(
        str(a) == str(b) if isinstance(a, ServiceError) or isinstance(b, ServiceError) else bool(same(a, b))
        for a, b in zip(left, right, strict=True)
    )
