"""What must hold for every parser, every source of substitutes and every encoder."""

from __future__ import annotations

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
    """Assert what must hold for every parser, given as itself or as what makes one.

    Raises AssertionError with the reason.
    """
    made = _made(parser)
    name = _introduced("parsers", made, lang, "parse")
    assert made.kind in ("full", "shallow"), f"{name}: kind is 'full' or 'shallow', not {made.kind!r}"
    trees = _alike(name, list(texts), lang, made.parse, tree_fault)
    for tree in trees:
        assert isinstance(tree, ServiceError) or tree.label == "ROOT", f"{name}: the root of a tree is labelled ROOT"
    assert any(isinstance(tree, Tree) for tree in trees), f"{name}: it parses none of the texts, and says {trees[0]}"
    (blank,) = _sound(name, [BLANK], lang, made.parse, tree_fault)
    assert isinstance(blank, ServiceError), f"{name}: a text without words has no tree, but an error in its place"
    if hasattr(made, "depend"):
        _alike(name, list(texts), lang, made.depend, relations_fault)
    getattr(made, "close", lambda: None)()


def check_substitutes(source: Any, slots: Sequence[Slot], lang: str = "en") -> None:
    """Assert what must hold for every source of substitutes, on slots of which it can fill at least one.

    The source is given as itself or as what makes one. Raises AssertionError with the reason.
    """
    made = _made(source)
    name = _introduced("substitutes", made, lang, "substitutes")
    slots = list(slots)
    alone = [_filled(name, [slot], made)[0] for slot in slots]
    assert _same(_filled(name, slots, made), alone), f"{name}: a slot's answer depends on its neighbours"
    assert _same(_filled(name, slots[::-1], made), alone[::-1]), f"{name}: a slot's answer depends on their order"
    for slot, found in zip(slots, alone, strict=True):
        scores = [] if isinstance(found, ServiceError) else [each.score for each in found]
        assert scores == sorted(scores, reverse=True), f"{name}: the most natural first, not {scores}"
        none = Slot(slot.tree, slot.start, slot.end, slot.count, (), slot.lang)
        assert not _filled(name, [none], made)[0], f"{name}: where no kind is wanted, there is no substitute"
    kinds = {each.kind for found in alone if isinstance(found, list) for each in found}
    assert kinds, f"{name}: it fills none of the slots, and says {alone[0]}"
    assert kinds <= set(KINDS), f"{name}: kinds are {', '.join(KINDS)}, not {', '.join(sorted(kinds - set(KINDS)))}"
    rejected = getattr(made, "rejected", None)
    assert isinstance(rejected, Mapping), f"{name}: rejected counts what was turned away, by reason"
    assert all(isinstance(reason, str) and isinstance(count, int) for reason, count in rejected.items()), (
        f"{name}: rejected counts by reason, so {dict(rejected)} cannot be"
    )


def check_encoder(encoder: Any, lang: str = "en", texts: Sequence[str] = (*TEXTS, "", BLANK)) -> None:
    """Assert what must hold for every encoder, given as itself or as what makes one.

    Raises AssertionError with the reason.
    """
    made = _made(encoder)
    name = _introduced("encoders", made, lang, "embed")
    size = len(made.embed([Text(texts[0], lang)])[0])

    def fault(text: str, row: Any) -> str | None:
        return vector_fault(row, size)

    def near(one: Any, other: Any) -> bool:
        return max(abs(float(a) - float(b)) for a, b in zip(one, other, strict=True)) < 1e-3

    rows = _alike(name, list(texts), lang, made.embed, fault, near)
    assert not near(rows[0], rows[1]), f"{name}: texts that differ in everything have one vector"
    assert len(made.embed([])) == 0, f"{name}: no text, no vector"


def _made(plugin: Any) -> Any:
    """The plug-in itself, or what a class or a function without parameters makes."""
    return plugin() if isinstance(plugin, type) or (callable(plugin) and not hasattr(plugin, "languages")) else plugin


def _introduced(family: str, plugin: Any, lang: str, verb: str) -> str:
    """What it says of itself; gives its name."""
    name = str(getattr(plugin, "id", ""))
    assert name, f"{type(plugin).__name__}: a plug-in has an id"
    lacking = [each for each in ("version", "languages", verb) if not callable(getattr(plugin, each, None))]
    assert not lacking, f"{name}: it lacks {', '.join(lacking)}"
    known = plugin.languages()
    assert known is None or isinstance(known, frozenset), f"{name}: languages are a frozenset, or None if untold"
    assert known is None or lang in known or base(lang) in known, f"{name}: {lang} is not among its languages"
    told = version_of(family, plugin, lang)
    assert told == version_of(family, plugin, lang), f"{name}: the version must not change by itself"
    assert not set(told) & set("|\n"), f"{name}: no | and no line end in a version"
    return name


def _alike(
    name: str,
    texts: list[str],
    lang: str,
    ask: Callable[..., Any],
    fault: Callable[[str, Any], str | None],
    same: Callable[[Any, Any], bool] = lambda one, other: bool(one == other),
) -> list[Any]:
    """The answers one by one, which must be those of the texts together, in any order."""
    alone = [_sound(name, [text], lang, ask, fault)[0] for text in texts]
    forth = _sound(name, texts, lang, ask, fault)
    back = _sound(name, texts[::-1], lang, ask, fault)[::-1]
    assert _same(forth, alone, same), f"{name}: a text's answer depends on its neighbours"
    assert _same(back, alone, same), f"{name}: a text's answer depends on their order"
    return alone


def _sound(
    name: str, texts: list[str], lang: str, ask: Callable[..., Any], fault: Callable[[str, Any], str | None]
) -> list[Any]:
    return _told(lambda: sound(name, texts, ask([Text(text, lang) for text in texts]), fault))


def _filled(name: str, slots: list[Slot], source: Any) -> list[Any]:
    return _told(lambda: sound(name, slots, source.substitutes(slots), substitutes_fault))


def _told(answers: Callable[[], list[Any]]) -> list[Any]:
    try:
        found = answers()
    except ConcordError as error:
        raise AssertionError(str(error)) from error
    for each in found:
        assert not isinstance(each, BadAnswer), str(each)
    return found


def _same(
    ones: list[Any],
    others: list[Any],
    same: Callable[[Any, Any], bool] = lambda one, other: bool(one == other),
) -> bool:
    return all(
        str(one) == str(other) if isinstance(one, ServiceError) or isinstance(other, ServiceError) else same(one, other)
        for one, other in zip(ones, others, strict=True)
    )
