"""Connections to browsers: how long they may wait with a request that is not complete."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """A connection that is closed unless the whole head of a request arrives in time.

    A request that is being answered may take as long as it likes.
    """

    seconds = 10.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def handle_events(self) -> None:
        super().handle_events()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Set the deadline once for each request that is awaited, however slowly it comes in."""
        if self.cycle and not self.cycle.response_complete:
            self._forget()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(self.seconds, self.transport.close)

    def _forget(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None
