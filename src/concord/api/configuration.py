"""The configuration: what it says of relations, and which errors are its own."""

from __future__ import annotations

from concord.runs.config import Configuration

__all__ = ["Configuration"]
