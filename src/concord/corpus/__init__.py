"""Corpora: files of segments in the formats people use, and the bundled demo corpus."""

from concord.corpus.reader import Corpus, demo, read

__all__ = ["Corpus", "demo", "read"]
