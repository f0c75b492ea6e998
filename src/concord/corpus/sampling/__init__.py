"""Corpora made by sampling valid sentences from texts and wikis."""
