"""The words of CC-CEDICT are cut once, and read from the user's cache folder after that."""

from __future__ import annotations

import gzip

import pytest

from concord.comparator import gather, word_table

LINES = """# CC-CEDICT
銀行 银行 [yin2 hang2] /bank/
河岸 河岸 [he2 an4] /riverbank; (river) bank/
"""


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    word_table._kept.cache_clear()
    yield tmp_path / "cache" / "concord"
    word_table._kept.cache_clear()


@pytest.fixture
def cedict(tmp_path):
    path = tmp_path / "cedict.txt.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    return path


def known(cedict):
    word_table._kept.cache_clear()
    evidence = gather(("en", "zh"), cedict=str(cedict))
    glosses = evidence.glosses_of(["The", "bank"], ["银行"])
    return evidence.translates("banks", "银行"), evidence.akin("银行", "河岸"), glosses


def never(*_):
    raise AssertionError("it was cut before")


def test_what_was_cut_once_is_read_again(cedict, cache, monkeypatch):
    first = known(cedict)
    assert first == (True, first[1], [(("bank",), ("银行",))])
    assert first[1] > 0
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(word_table, "cedict_entries", never)
    assert known(cedict) == first


def test_another_file_is_cut_anew(cedict, cache):
    known(cedict)
    cedict.write_bytes(gzip.compress(LINES.replace("/bank/", "/shore/").encode()))
    translates, akin, _ = known(cedict)
    assert (translates, akin) == (False, 0)
    assert len(list(cache.iterdir())) == 2


def test_a_damaged_file_is_replaced(cedict, cache):
    first = known(cedict)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])
    assert known(cedict) == first
    assert kept.read_bytes() == whole


def test_without_a_cache_folder_it_is_cut_every_time(cedict, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert known(cedict) == known(cedict)


def test_a_dictionary_without_entries_translates_nothing(cedict):
    cedict.write_bytes(gzip.compress(b"# CC-CEDICT\n"))
    assert known(cedict) == (False, 0, [])
    assert known(cedict) == (False, 0, [])
