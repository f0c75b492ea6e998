"""What holds for every translator that runs a model on this machine: order, bounds, and what is to be installed."""

from __future__ import annotations

import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import plugins
from concord.errors import Missing, Refused
from concord.model import Noted
from concord.translators._batches import Search, batches

pytestmark = pytest.mark.large

ADAPTERS = {"ctranslate2": ("ctranslate2", "sentencepiece"), "huggingface": ("torch", "transformers", "sentencepiece")}
LONG = "Good morning! " * 60


@pytest.fixture(params=ADAPTERS)
def made(request, local_model):
    return partial(local_model, request.param)


def test_answers_keep_their_order_whatever_the_batches(made, translated, sentences):
    for room in (1, 20, 60, 2048):
        assert translated(made("m2m", batch_tokens=room, max_tokens=64), sentences) == sentences
        assert translated(made("m2m", batch_tokens=room, max_tokens=64), sentences[::-1]) == sentences[::-1]


@given(sizes=st.lists(st.integers(0, 300)), room=st.integers(1, 2000), most=st.integers(1, 600))
def test_batches_hold_every_text_once_within_bounds_that_its_neighbours_do_not_alter(sizes, room, most):
    search = Search(max_tokens=most, batch_tokens=room)
    cut = list(batches(sizes, search, 512))
    assert sorted(place for batch in cut for place in batch.indexes) == [i for i, size in enumerate(sizes) if size]
    for batch in cut:
        longest = max(sizes[place] for place in batch.indexes)
        assert len(batch.indexes) * longest <= room or len(batch.indexes) == 1
        for place in batch.indexes:
            assert [batch.most] == [alone.most for alone in batches([sizes[place]], search, 512)]


def test_a_text_that_is_too_long_is_refused_in_its_place_and_the_others_are_answered(made, translated, sentences):
    for kind in ("marian", "m2m"):
        first, long, last = translated(made(kind), [sentences[0], LONG, sentences[1]])
        assert isinstance(long, Refused)
        assert "64 at most" in str(long)
        assert [first, last] == translated(made(kind), sentences[:2])


def test_an_answer_that_reaches_the_bound_says_so_and_one_that_ends_does_not(made, translated, sentences):
    # The model says what it reads: at most two pieces and the end, or at least a piece for each of ten words.
    brief, cut = translated(made("marian", max_tokens=9), ["A", sentences[4]])
    assert brief == "A"
    assert not isinstance(brief, Noted)
    assert cut.note == {"cut_at_tokens": 9}


@pytest.mark.parametrize(
    ("adapter", "library"), [(adapter, library) for adapter, needed in ADAPTERS.items() for library in needed]
)
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, adapter, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Missing, match=rf"{library} is not installed.*pip install 'concord-mt\[{adapter}\]'"):
        plugins.system(f"{adapter}:somewhere/model")
