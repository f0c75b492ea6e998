"""What the tests of corpora share."""

from __future__ import annotations

import tracemalloc

import pytest

from concord.corpus import read


@pytest.fixture
def size_and_peak():
    """`size_and_peak(file)`: how many texts the file holds, and the most bytes in memory while that was found out."""

    def measured(file):
        # What is imported and compiled the first time that such a file is read has nothing to do with its size.
        read(file, "en")
        tracemalloc.start()
        try:
            corpus = read(file, "en")
            return corpus.size, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return measured
