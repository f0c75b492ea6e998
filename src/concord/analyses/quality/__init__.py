"""Quality without references: how often relations hold, and how far that agrees with references or people."""
