"""What adapters share whose service tells by codes of its own what is wrong, whatever the status says."""

from __future__ import annotations

from concord.errors import Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable
from concord.translators._http import Http


class Coded(Http):
    """A service with codes, each listed whole or by what stands before its first full stop.

    Where both are listed, patience is asked for rather than anything worse.
    """

    busy: frozenset[str]
    denied: frozenset[str]
    spent: frozenset[str]
    failed: frozenset[str]
    refused = "the text"
    """What is refused by any other code."""

    def meaning(self, code: str, message: str = "", wait: float | None = None) -> ServiceError:
        """What a code means in Concord's terms."""
        names = {code, code.partition(".")[0]}
        told = self._excerpt(f"{code}: {message}" if message else code)
        if names & self.busy:
            return Throttled(f"{self.name} asks for patience ({told})", wait)
        if names & self.denied:
            return Unauthorised(f"{self.name} denies access ({told}). Check {self._key} in the environment")
        if names & self.spent:
            return Exhausted(f"the account at {self.name} is used up ({told})")
        if names & self.failed:
            return Unavailable(f"{self.name} failed ({told})")
        return Refused(f"{self.name} refused {self.refused} ({told})")
