"""Statistics on tables of scores: models, means, comparisons, rankings."""
