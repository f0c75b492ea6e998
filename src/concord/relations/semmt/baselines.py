"""The baselines of SemMT's paper that a service answers: by dependency trees and by embeddings."""

from collections.abc import Collection, Sequence

from concord.language.services import Depend, Embed
from concord.metrics import dependency, embedding
from concord.model import Metric, Text

SERVED = {Metric("dependency"): "depend", Metric("embedding"): "embed"}
"""The baselines that a service answers. A baseline that names its own parser or encoder uses that instead."""


async def served_baselines(
    baselines: Collection[Metric],
    pairs: Sequence[tuple[Text, Text]],
    depend: Depend | None,
    embed: Embed | None,
) -> dict[str, list[float]]:
    """The scores of the baselines that a service answers, for every pair."""
    scores: dict[str, list[float]] = {}
    if depend is not None and "dependency" in baselines:
        scores["dependency"] = await dependency.similarity_asked(pairs, depend)
    if embed is not None and "embedding" in baselines:
        scores["embedding"] = await embedding.similarity_asked(pairs, embed)
    return scores
