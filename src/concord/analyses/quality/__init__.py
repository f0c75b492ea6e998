"""Quality without references: how often relations hold, and how far that correlates with references or people."""
