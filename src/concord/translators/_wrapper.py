"""A wrapper around another system that differs from it only in its answers."""

from collections.abc import Collection

from concord.model import Direction, System


class Wrapped(System):
    """A system that is like `inner` in everything but `translate`, which the subclass writes."""

    def __init__(self, inner: System) -> None:
        self.inner = inner
        self.id = inner.id
        self.account = inner.account
        self.given = inner.given
        self.limits = inner.limits
        self.price = inner.price
        self.dictionaries = inner.dictionaries
        self.made_up = inner.made_up
        self.deterministic = inner.deterministic

    def version(self, source: str, target: str) -> str | None:
        return self.inner.version(source, target)

    async def directions(self) -> Collection[Direction] | None:
        return await self.inner.directions()

    def lacks(self, source: str, target: str, directions: Collection[Direction]) -> str:
        return self.inner.lacks(source, target, directions)

    async def close(self) -> None:
        await self.inner.close()
