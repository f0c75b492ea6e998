"""A signature says what was run, in one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from concord import __version__
from concord.signature import digest, signature


def test_a_signature_reads_like_its_run():
    made = signature(
        "rtt", {"metric": "chrf", "threshold": 0.4}, ("en", "es"), {"mt": "apertium@3.8.3"}, "demo#a1b2", seed=12345
    )
    assert made == f"rtt|metric:chrf|threshold:0.4|en-es|mt:apertium@3.8.3|corpus:demo#a1b2|seed:12345|v:{__version__}"


def test_an_option_that_is_not_set_is_left_out():
    made = signature("sit", {"threshold": None, "top": 1}, ("en", "es"), {}, "demo#a1b2", seed=1)
    assert made == f"sit|top:1|en-es|corpus:demo#a1b2|seed:1|v:{__version__}"


def test_a_bar_in_a_name_does_not_make_another_part():
    made = signature("rtt", {}, ("en", "es"), {"mt": "command:a | b"}, "x|y#1", seed=1)
    assert made.count("|") == 5


@given(st.lists(st.text(), max_size=5), st.lists(st.text(), max_size=5))
def test_different_lists_have_different_digests(a, b):
    assert (digest(*a) == digest(*b)) == (a == b)
