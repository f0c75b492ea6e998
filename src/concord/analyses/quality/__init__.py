"""Quality without references: how often relations hold, and how far that agrees with references or people."""

from __future__ import annotations
