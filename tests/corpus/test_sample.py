from __future__ import annotations

import bz2
import gzip
import io
import json
import sys
import tracemalloc
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.corpus import read
from concord.corpus.sampling import sample as sampling
from concord.corpus.sampling.pages import Page, text_pages
from concord.corpus.sampling.sample import pages_of, sample
from concord.corpus.sampling.validity import Validity
from concord.errors import CorpusError, UserError


def sound(number):
    return f"This is the sentence with the number {number}."


def pages(count, each=1):
    for page in range(count):
        yield Page(str(page), f"Page {page}", " ".join(sound(page * each + number) for number in range(each)))


def numbers(found):
    return [int(each.words.split()[-1].rstrip(".")) for each in found.sentences]


def test_a_sample_is_spread_over_the_whole_input_at_equal_distances():
    found = numbers(sample(pages(100, 10), size=50, seed=1, lang="en"))
    distances = {after - before for before, after in pairwise(found)}
    assert len(found) == 50
    assert distances == {20}
    assert found[0] < 20


def test_the_seed_decides_where_the_sample_starts():
    one, again, other = (sample(pages(1000), size=10, seed=seed, lang="en") for seed in (1, 1, 2))
    assert one == again
    assert numbers(one) != numbers(other)


def test_a_small_input_is_taken_whole():
    found = sample(pages(3), size=10, seed=1, lang="en")
    assert numbers(found) == [0, 1, 2]
    assert (found.total, found.examined, found.dropped) == (3, 3, {})


def test_what_is_dropped_is_counted_by_reason():
    text = f"{sound(1)} {sound(2)} Too short. {sound(1).upper()} Le pont sur la rivière a été fermé par une femme."
    found = sample([Page("7", "T", text)], size=10, seed=1, lang="en")
    assert numbers(found) == [1, 2]
    assert found.dropped == {"too short": 1, "duplicate": 1, "another language": 1}
    assert (found.total, found.examined) == (5, 5)


def test_a_sentence_knows_its_page_and_its_place():
    text = f"Short. {sound(1)}"
    (only,) = sample([Page("7", "T", text)], size=10, seed=1, lang="en").sentences
    assert (only.id, only.page.title, only.number) == ("7-2", "T", 2)


def test_the_lengths_are_the_users():
    assert not sample(pages(5), size=5, seed=1, lang="en", lengths=(9, 20)).sentences
    assert len(sample(pages(5), size=5, seed=1, lang="en", lengths=(8, 8)).sentences) == 5


def test_a_sample_is_a_corpus(tmp_path):
    found = sample(pages(20, 3), size=6, seed=1, lang="eng")
    found.write(tmp_path / "s.jsonl")
    corpus = read(tmp_path / "s.jsonl", "en")
    assert [(each.id, each.text.words) for each in corpus] == [(each.id, each.words) for each in found.sentences]
    assert corpus.warnings == []
    first = json.loads((tmp_path / "s.jsonl").read_text().splitlines()[0])
    assert set(first) == {"id", "text", "page", "position"}


def test_a_long_input_is_thinned_out_and_still_spread_over_all_of_it(monkeypatch):
    monkeypatch.setattr(sampling, "_LEAST_CAPACITY", 64)
    found = sample(pages(10_000), size=8, seed=3, lang="en")
    places = numbers(found)
    assert found.total == 10_000
    assert found.examined < 1_000
    assert len(places) == 8
    assert [place * 8 // 10_000 for place in places] == pytest.approx(range(8), abs=1)
    distances = [after - before for before, after in pairwise(places)]
    assert max(distances) - min(distances) <= 10_000 / 8 / 2


def test_every_part_of_a_long_input_is_as_likely_to_be_taken(monkeypatch):
    monkeypatch.setattr(sampling, "_LEAST_CAPACITY", 32)
    taken = [place for seed in range(100) for place in numbers(sample(pages(300), size=4, seed=seed, lang="en"))]
    thirds = [sum(place * 3 // 300 == third for place in taken) for third in range(3)]
    # 400 draws: each third expects 133 with a standard deviation below 10.
    assert all(abs(count - 400 / 3) < 40 for count in thirds)


@pytest.mark.parametrize("period", [2, 3, 4, 8])
def test_fit_sentences_that_come_at_intervals_are_found_with_every_seed(monkeypatch, period):
    monkeypatch.setattr(sampling, "_LEAST_CAPACITY", 64)
    foreign = "El viejo puente sobre el río estuvo cerrado hasta la primavera."
    for seed in range(12):
        lines = (Page(str(n), "", foreign if n % period else sound(n)) for n in range(1500))
        found = numbers(sample(lines, size=8, seed=seed, lang="en"))
        assert len(found) == 8
        assert [place * 4 // 1500 for place in found[::2]] == pytest.approx(range(4), abs=1)


def test_every_place_of_a_long_input_is_as_likely_to_be_taken(monkeypatch):
    monkeypatch.setattr(sampling, "_LEAST_CAPACITY", 8)
    taken = [place for seed in range(300) for place in numbers(sample(pages(64), size=1, seed=seed, lang="en"))]
    for part in (lambda place: place // 8, lambda place: place % 8):
        counts = [sum(part(place) == each for place in taken) for each in range(8)]
        # 300 draws: each eighth expects 37.5 with a standard deviation below 6.
        assert all(abs(count - 37.5) < 24 for count in counts)


class Loaded:
    """Chance that is known beforehand: the last place of a block, and these halves of blocks."""

    def __init__(self, *later):
        self.later = iter(later)

    def random(self):
        return 0.0 if next(self.later) else 0.9

    def randrange(self, end):
        return end - 1


def test_thinning_goes_on_until_there_is_room():
    chance = Loaded(False, False, False, True, True)
    sieve = sampling._Sieve(Validity("en", (5, 40)), chance, capacity=3)
    examined = []
    for place in range(8):
        sieve.offer(Page(str(place), "", ""), 1, "Too short." if place % 2 else sound(place))
        examined.append(sieve.examined)
    # 0, 2 and 4 are still three in blocks of two; of the blocks of four, the second halves were chosen.
    assert [each.page.id for each in sieve.distinct()] == ["2"]
    assert examined == [1, 2, 3, 4, 5, 5, 5, 6]


def test_repetitions_beyond_what_is_remembered_are_still_dropped(monkeypatch):
    monkeypatch.setattr(sampling, "_MOST_HASHES", 1)
    twice = [Page("1", "", f"{sound(1)} {sound(2)} {sound(2)} {sound(3)}")]
    found = sample(twice, size=10, seed=1, lang="en")
    assert numbers(found) == [1, 2, 3]
    assert found.dropped == {"duplicate": 1}


def test_memory_does_not_grow_with_the_input(monkeypatch):
    monkeypatch.setattr(sampling, "_LEAST_CAPACITY", 100)
    monkeypatch.setattr(sampling, "_MOST_HASHES", 100)
    padding = "x" * 100_000
    tracemalloc.start()
    sample((Page(str(n), "", f"{sound(n)}\n\n{padding}") for n in range(100)), size=5, seed=1, lang="en")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


ANYTHING = st.text(st.characters(codec=None)) | st.integers(0, 9).map(sound)


@settings(deadline=None)
@given(st.lists(ANYTHING), st.integers(1, 5), st.integers(), st.sampled_from(["en", "ru", "fi"]))
def test_any_text_gives_a_sample_whose_counts_add_up(texts, size, seed, lang):
    found = sample((Page(str(n), text, text) for n, text in enumerate(texts)), size=size, seed=seed, lang=lang)
    fit = found.examined - found.dropped.total()
    assert found.examined == found.total
    assert len(found.sentences) == min(size, fit)
    assert len("".join(found.lines()).encode().splitlines()) == len(found.sentences)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "at least 1, not 0"),
        ({"lengths": (9, 5)}, "from 9 to 5 words"),
        ({"lengths": (0, 5)}, "from 0 to 5 words"),
        ({"lang": "english"}, "not a language code"),
    ],
)
def test_what_cannot_be_sampled_is_told(options, message):
    with pytest.raises(UserError, match=message):
        sample([], **{"size": 1, "seed": 1, "lang": "en", **options})


def test_the_lines_of_a_text_are_pages_of_their_own(tmp_path):
    (tmp_path / "a.txt").write_text("One\ntwo.\n\n \nThree.\n")
    label = str(tmp_path / "a.txt")
    assert list(text_pages(tmp_path / "a.txt")) == [
        Page("1", label, "One"),
        Page("2", label, "two."),
        Page("5", label, "Three."),
    ]


def test_wrapped_lines_make_paragraphs(tmp_path):
    (tmp_path / "a.txt").write_text("One\ntwo.\n\n \nThree.\n")
    label = str(tmp_path / "a.txt")
    assert list(text_pages(tmp_path / "a.txt", wrapped=True)) == [
        Page("1", label, "One\ntwo."),
        Page("5", label, "Three."),
    ]


def test_a_paragraph_without_end_is_cut(tmp_path):
    (tmp_path / "a.txt").write_text("\n".join(["x" * 900_000] * 4))
    assert [each.id for each in text_pages(tmp_path / "a.txt", wrapped=True)] == ["1", "4"]


def test_a_sentence_that_runs_over_lines_is_one_line_in_the_sample(tmp_path):
    (tmp_path / "a.txt").write_text("This is the\n  sentence with the number 5.\n")
    assert numbers(sample(text_pages(tmp_path / "a.txt", wrapped=True), size=1, seed=1, lang="en")) == [5]


@pytest.mark.parametrize("name", ["dump.xml", "dump.XML.gz", "dump.xml.bz2"])
def test_a_dump_of_a_wiki_is_refused_rather_than_read_as_text(name):
    with pytest.raises(UserError, match=r"is XML.*the api\.php of a wiki"):
        pages_of(name, 1)


def test_text_is_read_wherever_it_comes_from(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text(sound(1))
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(sound(1).encode()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(sound(1).encode())))
    for origin in (str(tmp_path / "a.txt"), str(tmp_path / "a.txt.gz"), "-"):
        assert [page.text for page in pages_of(origin, 1)] == [sound(1)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.bz2", bz2.compress(b"Some text."), "is not text but a bzip2 file. Unpack it"),
        ("a.gz", b"\x1f\x8bdamaged", "damaged|cannot be read"),
        ("a.gz", gzip.compress(sound(1).encode(), mtime=0)[:30], "damaged"),
    ],
)
def test_what_is_not_text_is_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        list(pages_of(str(tmp_path / name), 1))


def test_a_missing_file_is_told():
    with pytest.raises(CorpusError, match="there is no file"):
        pages_of("no-such-file", 1)


def test_text_is_read_from_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(sound(4).encode())))
    found = sample(text_pages("-"), size=1, seed=1, lang="en")
    assert [each.page.title for each in found.sentences] == ["standard input"]
