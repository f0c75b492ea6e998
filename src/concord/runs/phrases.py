"""Lists the phrases and pairs that a relation would test; nothing is translated."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from concord import plugins
from concord.engine.rng import rng
from concord.engine.services import shut
from concord.engine.services.parsers import Parsers
from concord.errors import CONFIGURATION, BadAnswer, NotJudged, ServiceError, UserError
from concord.language.parse._choice import parseable
from concord.language.trees import Tree
from concord.model import Segment, Text
from concord.relations._protocol import load_relation
from concord.runs.config import all_services
from concord.runs.execute import SEED
from concord.runs.plan import Segments

BATCH = 64


def constructed(
    segments: Segments, text: str, *, parser: str = "", seed: int = SEED, config: str | Path = CONFIGURATION
) -> Iterator[dict[str, Any]]:
    """A row for every distinct pair, and a row with an `error` for every segment without a tree."""
    plugins.admit(text)
    spec = plugins.parse("relations", text)
    relation = load_relation(spec.name)
    options = plugins.settings("relations", spec)
    parsers = Parsers(all_services({"parse": parser}, config)["parse"])
    parsers.require(segments.lang)
    listed: set[tuple[str, str]] = set()
    try:
        for segment, tree in _parsed(segments, parsers):
            location = {"segment": segment.id, "position": segment.position}
            if isinstance(tree, ServiceError):
                yield location | {"error": str(tree)}
                continue
            own_rng = rng(seed, relation.base, segment.text.words, 0)
            for pair in relation.construct(segment.text, tree, own_rng, options):
                key = (pair.container.words, pair.phrase.words)
                if key not in listed:
                    listed.add(key)
                    yield location | pair.plain()
    finally:
        shut(parsers.started())


def _parsed(segments: Segments, parsers: Parsers) -> Iterator[tuple[Segment, Tree | ServiceError]]:
    remaining = iter(segments)
    while batch := list(itertools.islice(remaining, BATCH)):
        yield from zip(batch, _trees(parsers, [segment.text for segment in batch]), strict=True)


def _trees(parsers: Parsers, texts: list[Text]) -> list[Tree | ServiceError]:
    """The trees of a batch; a guest's parser that fails is asked again for one text at a time."""
    try:
        return parsers.parse([Text(parseable(text), text.lang) for text in texts])
    except UserError:
        raise
    except Exception as error:
        if len(texts) == 1:
            failed = f"the parser failed with {type(error).__name__}: {error}"
            return [BadAnswer(str(error) if isinstance(error, NotJudged) else failed)]
        return [tree for text in texts for tree in _trees(parsers, [text])]
