"""The lexicon that ships knows common words: forms, frequency, company and meaning."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from concord.language.english.lexicon import SHIPPED, Lexicon, lexicon, variants


def test_the_file_is_small_enough_for_the_wheel():
    assert SHIPPED.stat().st_size < 4_000_000


def test_a_word_has_a_rank_and_tags():
    known = lexicon()
    assert known.rank("time") < known.rank("bridge") < known.rank("viaduct")
    assert known.rank("qwxyz") is None
    assert {"NN", "VB"} <= known.tags("bridge")
    assert known.tags("Portugal") == {"NNP"}
    assert known.tags("qwxyz") == frozenset()


def test_similar_words_have_the_same_tag_and_the_same_inflection():
    known = lexicon()
    (villages,) = known.forms("villages", "NNS")
    cosines = known.cosines(villages)
    nearest = (-cosines).argsort()[:10].tolist()
    assert {"towns", "hamlets", "villages"} <= {known.form(known.shelf("NNS"), row).word for row in nearest}
    assert len(cosines) == len(known.shelf("NNS").words)
    assert -1 <= cosines.min() <= cosines.max() <= 1


def test_wordnet_tells_synonyms_antonyms_and_co_hyponyms():
    known = lexicon()
    for tag, one, other, kind in [
        ("VB", "buy", "purchase", "synonym"),
        ("JJ", "old", "young", "antonym"),
        ("NNP", "Tuesday", "Friday", "co-hyponym"),
    ]:
        assert known.kind(known.forms(one, tag)[0], known.forms(other, tag)[0]) == kind


def test_semantic_similarity_is_of_meaning_not_of_context():
    known = lexicon()
    cat, dog, milk = (known.forms(word, "NN")[0] for word in ("cat", "dog", "milk"))
    assert known.semantic_similarity(cat, dog) > known.semantic_similarity(cat, milk)
    assert known.semantic_similarity(cat, cat) > known.semantic_similarity(cat, dog)


def test_a_verb_has_the_frames_of_its_senses():
    known = lexicon()
    built, arrived = (known.all_frames[known.forms(word, "VBD")[0].lemma] for word in ("built", "arrived"))
    somebody_does_something = 1 << 8
    assert int(built) & somebody_does_something
    assert not int(arrived) & somebody_does_something


def test_the_commonest_form_of_a_lemma_is_given():
    known = lexicon()
    travel = known.forms("travel", "VB")[0]
    assert known.inflected(travel.lemma, "VBD").word in ("traveled", "travelled")
    assert known.inflected(travel.lemma, "JJR") is None
    assert known.forms("geese", "NNS")[0].lemma == known.forms("goose", "NN")[0].lemma


def test_fixed_expressions_are_known():
    assert lexicon().fixed(["freight", "train"])
    assert not lexicon().fixed(["green", "train"])


def test_an_unknown_word_has_nothing():
    known = lexicon()
    assert known.forms("qwxyz", "NN") == []
    assert known.forms("bridge", "NNP") == []
    assert known.similarity("qwxyz", ["bridge"]).tolist() == [0.0]
    assert known.similarity("bridge", ["qwxyz", "bridge"]).tolist() == pytest.approx([0.0, 1.0], abs=1e-5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bridge", "Bridges"), ("metre", "meters"), ("colour", "colors"), ("organise", "organized"),
        ("photo", "photograph"),
        ("e-mail", "email"), ("wrote", "written"), ("travelled", "traveling"), ("better", "good"), ("grey", "gray"),
    ],
)  # fmt: skip
def test_a_variant_is_the_same_word(one, other):
    assert variants(one, other)
    assert variants(other, one)


@pytest.mark.parametrize(("one", "other"), [("cat", "dog"), ("car", "cargo"), ("north", "south"), ("buy", "sell")])
def test_another_word_is_no_variant(one, other):
    assert not variants(one, other)


def test_the_version_tells_one_file_from_another(tmp_path):
    with np.load(SHIPPED) as file:
        data = dict(file)
    data["ranks"] = data["ranks"][::-1]
    np.savez_compressed(tmp_path / "other.npz", **data)
    assert Lexicon(tmp_path / "other.npz").version != lexicon().version
    assert Lexicon(SHIPPED).version == lexicon().version


def test_looking_at_the_module_does_not_read_the_file():
    code = "from concord.language.english import lexicon; print(lexicon.lexicon.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "0\n"


def test_a_word_has_a_topic_and_a_share_of_its_commonest_sense():
    known = lexicon()
    doctor, fee, bridge = (known.forms(word, "NN")[0] for word in ("doctor", "fee", "bridge"))
    assert (known.topic(doctor), known.topic(fee)) == (18, 21)
    assert known.topic(bridge) not in (18, 21)
    assert 0 < known.meanings.plainness[bridge.lemma] <= 1


def test_given_names_are_told_from_places():
    assert lexicon().is_given_name("Anna")
    assert not lexicon().is_given_name("London")
    assert not lexicon().is_given_name("Qwxyz")
