"""Corpora made by sampling: sound sentences of texts and wikis, spread over the whole."""
