"""METEOR against NLTK, the paper's example, and values computed by hand."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from concord import metrics, plugins
from concord.errors import UserError
from concord.language.stems import stem
from concord.metrics import meteor
from concord.metrics.meteor import similarity
from concord.model import Text

GROUPS = ["car cars automobile machine", "machine device", "begin start starts started", "# car road", "", "Large big"]
WORDS = ["the", "The", "cat", "cats", "car", "cars", "automobile", "machine", "device", "mat"]
vocabulary = st.sampled_from([*WORDS, "begin", "start", "starts", "started", "big", "large"])
sentences = st.lists(vocabulary, max_size=12).map(" ".join)


def text(words, lang="en"):
    return Text(words, lang)


class Stemmer:
    """Concord's stems, for NLTK."""

    def stem(self, word):
        return stem(word, "en")


class Net:
    """The groups as NLTK asks WordNet for them: by stems, since its second stage hands on stems to the third."""

    def synsets(self, stemmed):
        groups = [{stem(word, "en") for word in line.lower().split()} for line in GROUPS if not line.startswith("#")]
        lemmas = [[SimpleNamespace(name=each.__str__) for each in group] for group in groups if stemmed in group]
        return [SimpleNamespace(lemmas=found.copy) for found in lemmas]


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    path = tmp_path_factory.mktemp("synonyms") / "groups.txt"
    path.write_text("\n".join(GROUPS))
    return str(path)


def published(a, b, **options):
    return meteor_score([a.split()], b.split(), stemmer=Stemmer(), wordnet=Net(), **options)


def score(reference, hypothesis, pairs, chunks):
    """The paper's formula."""
    precision, recall = pairs / hypothesis, pairs / reference
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / pairs) ** 3)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        # The paper's example of two chunks: "the president" and "spoke to the audience".
        ("the president then spoke to the audience", "the president spoke to the audience", score(7, 6, 6, 2)),
        ("a b c d", "a b c D", 1.0),
        ("The cats sit", "the cat sits", score(3, 3, 3, 1)),  # two of three by their stems
        ("a b", "b a", score(2, 2, 2, 2)),
        ("a b a", "a b", score(3, 2, 2, 2)),  # from the end: the last "a", then "b" before it
        ("a b", "c d", 0.0),
        ("a", "", 0.0),
        ("", "a", 0.0),
        ("", " ", 1.0),
    ],
)
def test_values_by_hand(reference, hypothesis, expected):
    assert similarity(text(reference), text(hypothesis), synonyms="none") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        # "automobile" shares a meaning with "car", "purchase" with "buy": six pairs in one chunk.
        ("they want to purchase an automobile", "they want to buy an car", score(6, 6, 6, 1)),
        # "hot" and "cold" keep the same company, but they are opposites: two pairs in one chunk.
        ("soup is hot", "soup is cold", score(3, 3, 2, 1)),
        ("cars big", "large automobile", score(2, 2, 2, 2)),  # inflected, and in another order
    ],
)
def test_synonyms_in_english_share_a_meaning_in_wordnet(reference, hypothesis, expected):
    assert similarity(text(reference), text(hypothesis)) == pytest.approx(expected)


def test_synonyms_of_a_file_stand_in_one_line(groups):
    a, b = text("a big machine begins"), text("a large device started")
    # All by synonyms but "a" and none by stems: "begins" and "started" do not stand in the file.
    assert similarity(a, b, synonyms=groups) == pytest.approx(score(4, 4, 3, 1))
    # "car" and "device" share a line with "machine", but none with each other.
    assert similarity(text("a car"), text("a device"), synonyms=groups) == pytest.approx(score(2, 2, 1, 1))
    assert similarity(text("un car", "fr"), text("un automobile", "fr"), synonyms=groups) == pytest.approx(
        score(2, 2, 2, 1)
    )


def test_other_languages_have_stems_but_no_synonyms_without_a_file():
    assert similarity(text("los gatos", "es"), text("los gato", "es")) == pytest.approx(score(2, 2, 2, 1))
    assert similarity(text("a car", "fr"), text("a automobile", "fr")) == pytest.approx(score(2, 2, 1, 1))
    # 我, 喜欢, 吃 and the full stop, but not the fruit between them.
    assert similarity(text("我喜欢吃苹果。", "zh"), text("我喜欢吃香蕉。", "zh")) == pytest.approx(score(5, 5, 4, 2))


@settings(max_examples=500, deadline=None)
@given(sentences, sentences)
def test_values_are_nltk_s_but_for_equal_texts(groups, a, b):
    value = similarity(text(a), text(b), synonyms=groups, tokens="paper")
    assert value == pytest.approx(published(a, b) if a.lower() != b.lower() else 1.0)


@settings(max_examples=100, deadline=None)
@given(sentences, sentences, st.floats(0.1, 0.9), st.floats(0, 5), st.floats(0, 1))
def test_values_are_nltk_s_with_other_weights(groups, a, b, alpha, beta, gamma):
    assume(a.lower() != b.lower())
    weights = {"alpha": alpha, "beta": beta, "gamma": gamma}
    value = similarity(text(a), text(b), synonyms=groups, tokens="paper", **weights)
    assert value == pytest.approx(published(a, b, **weights))


@pytest.mark.parametrize("words", ["🙂", "Yes", "Thank you.", "one two three " * 100])
def test_texts_of_the_same_words_are_perfect(words):
    assert similarity(text(words), text(words)) == similarity(text(words), text(words.upper())) == 1


def test_nltk_s_own_example_has_its_value():
    hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    value = similarity(text(reference), text(hypothesis), synonyms="none")
    assert value == pytest.approx(0.6944, abs=5e-5)


@settings(deadline=None)
@given(sentences | st.text(max_size=30), sentences | st.text(max_size=30), st.sampled_from(["en", "fr", "zh"]))
def test_it_is_bounded(a, b, lang):
    assert 0 <= similarity(text(a, lang), text(b, lang)) <= 1


def test_long_texts_are_matched_without_synonyms():
    words = [f"w{number}" for number in range(meteor.LONGEST)]
    a, b = (text(" ".join([*words, last])) for last in ("car", "automobile"))
    size = meteor.LONGEST + 1
    assert similarity(a, b) == pytest.approx(score(size, size, size - 1, 1))


def test_tokens_of_the_paper_stand_between_blanks():
    assert similarity(text("a cat."), text("a cat"), tokens="paper") == pytest.approx(score(2, 2, 1, 1))
    assert similarity(text("a cat."), text("a cat")) == pytest.approx(score(3, 2, 2, 1))


def test_a_corpus_is_scored_once_from_the_sums(corpus):
    pairs = [(text("a b c"), text("a b")), (text("d e"), text("e d x")), (text("f"), text(""))]
    # 6 words wanted, 5 given, 2 + 2 pairs in 1 + 2 chunks.
    assert corpus(meteor, pairs) == pytest.approx(score(6, 5, 4, 3))
    assert corpus(meteor, pairs[:1], gamma=0.0) == pytest.approx(similarity(*pairs[0], gamma=0.0))
    assert corpus(meteor, [(text(""), text(" "))]) == 1.0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("alpha=5", "alpha cannot be '5': a number from 0 to 1"),
        ("beta=-1", "beta cannot be '-1': a number of at least 0"),
        ("gamma=-0.1", "gamma cannot be '-0.1': a number from 0 to 1"),
    ],
)
def test_a_weight_that_means_nothing_is_refused_by_name_with_its_range(wrong, said):
    with pytest.raises(UserError, match=said):
        plugins.metric(f"meteor:{wrong}")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"car automobile\nroad\n", "line 2: a line holds two or more"), (b"caf\xe9 bar\n", "not UTF-8")],
)
def test_a_file_of_synonyms_that_cannot_be_read_is_said_with_its_place(tmp_path, content, message):
    path = tmp_path / "groups.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        similarity(text("a"), text("b"), synonyms=str(path))


def test_a_file_of_synonyms_that_is_not_there_is_said_with_the_choices(tmp_path):
    with pytest.raises(UserError, match=r"cannot be read: No such file.*group of words on each line, or none"):
        similarity(text("a"), text("b"), synonyms=str(tmp_path / "nothing"))


def test_a_file_of_synonyms_is_read_again_when_it_was_written_again(tmp_path):
    path = tmp_path / "groups.txt"
    path.write_text("x y\n")
    before = similarity(text("car"), text("road"), synonyms=str(path))
    path.write_text("car road\n")
    assert before == 0.0 < similarity(text("car"), text("road"), synonyms=str(path))


def test_it_is_found_by_name_and_states_paper_and_range():
    a, b = text("the cat the"), text("the cat")
    assert metrics.similarity("meteor:gamma=0.2", a, b) == similarity(a, b, gamma=0.2)
    assert "2005" in plugins.purpose("metrics", "meteor")
    assert "Range [0, 1]" in inspect.getdoc(meteor)
