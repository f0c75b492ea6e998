"""References from files and corpora, scores from people, and what is said where they do not fit."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from concord import api, plugins
from concord.analyses.quality.options import QualityTerms
from concord.errors import UnknownName, UserError

QUICK = QualityTerms(resamples=10, seed=1)


def correlate(path, **how):
    return api.correlate(path, how.pop("runs", ()), metrics=how.pop("metrics", ["wer"]), terms=QUICK, **how)


@pytest.fixture
def plain(filled, case, corpus):
    """Three systems, alike in everything, on four sentences without references."""
    bare = [(text, domain, None) for text, domain, _ in corpus]
    for system in ("a", "b", "c"):
        rows = [(n, [case(bare[n][0], corpus[n][2], float(n == 3))]) for n in range(4)]
        path = filled(system, "rtt", rows, bare)
    return path


def written(tmp_path, name, *lines):
    (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return str(tmp_path / name)


def test_lines_of_a_file_belong_to_the_lines_of_the_corpus(plain, tmp_path):
    refs = written(tmp_path, "r.txt", "un perro", "", "tres", "cuatro peces")
    (found,) = correlate(plain, references=[refs])
    values = next(each.values for each in found.outside)
    assert values[0, [0, 2, 3]].tolist() == [1, 0, 1]
    assert math.isnan(values[0, 1])


@pytest.mark.parametrize("lines", [["one"], ["one"] * 3, ["one"] * 5])
def test_another_number_of_lines_is_an_error(plain, tmp_path, lines):
    refs = written(tmp_path, "r.txt", *lines)
    with pytest.raises(UserError, match=rf"r.txt has {len(lines)} lines?, but the corpus c of these runs has 4"):
        correlate(plain, references=[refs])


def test_a_reference_that_is_too_long_to_be_compared_is_left_out_and_noted(plain, tmp_path):
    (found,) = correlate(plain, references=[written(tmp_path, "r.txt", "un perro", "1-" * 400_000, "tres", "cuatro")])
    assert "not judged: 1 reference has more than 20,000 characters" in found.notes


def test_empty_lines_at_the_end_are_no_mistake(plain, tmp_path):
    refs = written(tmp_path, "r.txt", "un perro", "dos", "tres", "cuatro", "", "")
    assert correlate(plain, references=[refs])


def test_sentences_that_gave_no_case_may_stand_at_the_end(filled, case, corpus, tmp_path):
    path = filled("a", "rti", [(0, [case("one dog", "un perro", 0)]), (1, []), (2, [])], corpus)
    refs = written(tmp_path, "r.txt", "un perro", "dos", "tres")
    assert correlate(path, references=[refs])
    with pytest.raises(UserError, match="has 1 to 3"):
        correlate(path, references=[written(tmp_path, "r.txt", "un perro", "dos", "tres", "cuatro")])


def test_sentences_that_gave_no_case_are_counted_once_whatever_the_repetitions(filled, case, corpus, tmp_path):
    rows = [(0, [case("one dog", "un perro", 0)]), (0, []), (1, []), (1, []), (1, [])]
    path = filled("a", "rti", rows, corpus)
    assert correlate(path, references=[written(tmp_path, "r.txt", "un perro", "dos")])
    with pytest.raises(UserError, match="has 1 to 2"):
        correlate(path, references=[written(tmp_path, "r.txt", "un perro", "dos", "tres")])


def test_a_table_names_sentences_by_id_or_text(plain, tmp_path):
    refs = written(tmp_path, "r.csv", "sentence,reference,target", "s0,un perro,", "two cats,dos,es", "s2,no,ca")
    (found,) = correlate(plain, references=[refs])
    assert [math.isfinite(each) for each in found.outside[0].values[0]] == [True, True, False, False]


def test_a_table_of_other_sentences_is_an_error(plain, tmp_path):
    refs = written(tmp_path, "r.tsv", "sentence\treference", "x9\tun perro")
    with pytest.raises(UserError, match=r"no row of .*r.tsv belongs to a sentence .* ids of the runs: s0, s1, s2, s3"):
        correlate(plain, references=[refs])
    with pytest.raises(UserError, match=r"r\.csv: there is no column 'reference'"):
        correlate(plain, references=[written(tmp_path, "r.csv", "sentence,ref", "s0,x")])


def test_rows_of_a_table_that_belong_to_nothing_are_counted(plain, tmp_path):
    rows = ["s0,un perro", "x8,no", "x9,no", "s1,dos", "s1,dos gatos", "s1,dos"]
    (found,) = correlate(plain, references=[written(tmp_path, "r.csv", "sentence,reference", *rows)])
    said = "\n".join(found.notes)
    assert "2 rows of" in said
    assert "belong to no sentence of these runs (en→es): x8, x9; ids of the runs: s0, s1, s2, s3" in said
    assert "1 sentence has different references in" in said
    assert "(en→es): s1. The first of each counts" in said
    (found,) = correlate(plain, references=[written(tmp_path, "r.csv", "sentence,reference", *rows[:1])])
    assert not any("r.csv" in note for note in found.notes)


WORDS = ["dog", "cat", "bird", "horse", "fish", "wolf", "bear", "lion"]


@pytest.fixture
def zoo(filled, case):
    """A system that repeats each sentence, word for word."""
    corpus = [(f"{word} {word[::-1]}", "", None) for word in WORDS]
    rows = [(n, [case(text, text, float(n % 2))]) for n, (text, _, _) in enumerate(corpus)]
    return filled("a", "rtt", rows, corpus)


@pytest.mark.parametrize(("by", "noted"), [(0, False), (1, True), (3, True)])
def test_references_that_are_out_of_step_are_noted(zoo, tmp_path, by, noted):
    moved = [f"{word} {word[::-1]}" for word in [*WORDS[by:], *WORDS[:by]]]
    (found,) = correlate(zoo, references=[written(tmp_path, "r.txt", *moved)])
    assert any("Are the references in the order of the corpus" in note for note in found.notes) == noted


def test_lines_cannot_belong_to_two_corpora(filled, case, corpus, tmp_path):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus, name="d#2")
    with pytest.raises(UserError, match=r"several corpora \(c, d\).* columns sentence"):
        correlate(path, references=[written(tmp_path, "r.txt", "un perro")])


def test_lines_cannot_belong_to_two_corpora_of_one_name(filled, case, corpus, tmp_path):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    path = filled("b", "rtt", [(0, [case("two cats", "x", 0)])], corpus[1:], name="c#2")
    with pytest.raises(UserError, match=r"several corpora \(c\).* columns sentence"):
        correlate(path, references=[written(tmp_path, "r.txt", "un perro")])


def test_a_corpus_that_was_cut_is_the_same_corpus(filled, case, corpus, tmp_path):
    filled("a", "rtt", [(n, [case(corpus[n][0], "x", 0)]) for n in range(2)], corpus)
    path = filled("b", "rtt", [(0, [case("one dog", "x", 0)])], corpus, name="c#2")
    assert correlate(path, references=[written(tmp_path, "r.txt", "un perro", "dos")])


@pytest.fixture
def two_targets(filled, case, corpus):
    """One system into Spanish, with references, and into Catalan, without any."""
    bare = [(text, domain, None) for text, domain, _ in corpus]
    for target, given in (("ca", bare), ("es", corpus)):
        rows = [(n, [case(corpus[n][0], corpus[n][2][n:], float(n == 3), target=target)]) for n in range(4)]
        path = filled("a", "rtt", rows, given, target=target)
    return path


def test_a_direction_without_references_is_left_out_and_noted(two_targets, tmp_path):
    (found,) = correlate(two_targets)
    assert found.observed.target == "es"
    assert found.notes[0].startswith("left out: en→ca: no sentence has both a translation and a reference")
    refs = written(tmp_path, "r.csv", "sentence,reference,target", "s0,un gos,ca")
    with pytest.raises(UserError, match=r"no row of .* belongs"):
        correlate(two_targets, references=[written(tmp_path, "x.csv", "sentence,reference", "x9,x")])
    (found,) = correlate(two_targets, references=[refs])
    assert found.observed.target == "ca"


def test_a_direction_that_no_person_scored_is_left_out_and_noted(two_targets, tmp_path):
    human = written(tmp_path, "h.csv", "system,sentence,score,target", *(f"a,s{n},{n},CA" for n in range(4)))
    (found,) = correlate(two_targets, human=human, metrics=[], runs=[1])
    assert found.outside[0].values[0].tolist() == [0, 1, 2, 3]
    catalan, spanish = correlate(two_targets, human=human, metrics=[])
    assert [each.name for each in catalan.outside] == ["human"]
    assert "human" not in [each.name for each in spanish.outside]
    assert any(note.startswith("left out: no row of") for note in spanish.notes)


def test_a_gap_is_noted_once(two_targets, tmp_path):
    refs = written(tmp_path, "r.txt", "un perro", "", "tres", "")
    (found,) = correlate(two_targets, references=[f"es={refs}"], metrics=["wer", "chrf"], runs=[2])
    said = [note for note in found.notes if "left out" in note]
    assert said == ["en→es: 2 of 4 translations have no 1 − WER, chrf and are left out there"]


def test_a_metric_that_counts_is_asked_once_for_each_pair(three, monkeypatch):
    asked = []

    def counts(a, b):
        asked.append((a.words, b.words))
        return (1, 2)

    module = SimpleNamespace(counts=counts, scored=lambda counts, whole: counts[0] / counts[1] + whole)
    monkeypatch.setattr(plugins, "metric", lambda name: (module, {}))
    (found,) = correlate(three, metrics=["mine"])
    assert len(asked) == len(set(asked)) == 9
    assert (found.outside[0].values == 0.5).all()
    assert set(found.outside[0].whole.values()) == {1.5}


def test_each_target_has_its_own_file(filled, case, corpus, tmp_path):
    filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    path = filled("a", "rtt", [(0, [case("one dog", "x", 0)])], corpus, target="ca")
    refs = written(tmp_path, "r.txt", "un perro")
    with pytest.raises(UserError, match=r"the runs go into es, ca: .* --references es="):
        correlate(path, references=[refs])
    with pytest.raises(UserError, match=r"no run goes into 'fr'. References can be given for: es, ca"):
        correlate(path, references=[f"fr={refs}"])
    with pytest.raises(UserError, match="two files with references for es"):
        correlate(path, references=[f"es={refs}", f"es={refs}"])


def test_without_references_the_cure_is_said(plain):
    with pytest.raises(UserError, match=r"no sentence has both .* --references FILE"):
        correlate(plain)
    with pytest.raises(UnknownName, match="metric 'blue'"):
        correlate(plain, metrics=["blue"])


def test_people_stand_in_for_references(plain, tmp_path):
    rows = [f"{system},s{n},{score}" for system, score in zip("abc", (5, 3, 1), strict=True) for n in range(3)]
    human = written(tmp_path, "h.csv", "system,sentence,score", *rows, "a,s0,4", "z,s0,1", "z,s1,1", "a,s9,1")
    (found,) = correlate(plain, human=human, metrics=[])
    said = "\n".join(found.notes)
    assert f"2 rows of {human} belong to no system of the runs (en→es): z; the runs' systems: a, b, c" in said
    assert f"1 row of {human} belongs to no sentence of the runs (en→es): s9; ids of the runs: s0, s1, s2, s3" in said
    assert [each.name for each in found.outside] == ["human"]
    assert found.outside[0].values[0, 0] == 4.5
    assert [each.mean for each in found.system_scores if each.score == "human" and not each.domain] == [
        4.5 + 1 / 3,
        3,
        1,
    ]


def test_people_stand_beside_references(three, tmp_path):
    human = written(tmp_path, "h.csv", "system,sentence,score", "good,s0,5", "fair,one dog,4")
    (found,) = correlate(three, human=human)
    assert [each.name for each in found.outside] == ["1 − WER", "human"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["z,s0,5"], "Its other systems: z; those of the runs: a, b, c"),
        (["a,s0,good"], "row 1: the score 'good' is not a number"),
        (["a,s0,inf"], "the score 'inf' is not a number"),
        (["a,s9,3"], "A sentence is named by its id or its text"),
    ],
)
def test_scores_of_people_that_do_not_fit_are_an_error(plain, tmp_path, rows, said):
    human = written(tmp_path, "h.csv", "system,sentence,score", *rows)
    with pytest.raises(UserError) as error:
        correlate(plain, human=human, metrics=[])
    assert said in str(error.value)


def test_a_system_may_be_named_without_its_hash(filled, case, corpus, tmp_path):
    path = filled("mine#12ab", "rtt", [(0, [case("one dog", "x", 0)])], corpus)
    human = written(tmp_path, "h.csv", "system,sentence,score", "mine,s0,5")
    (found,) = correlate(path, human=human, metrics=[])
    assert found.outside[-1].values[0, 0] == 5


def test_a_system_may_be_named_as_the_user_wrote_it_where_that_is_clear(filled, case, corpus, tmp_path):
    rows = [(0, [case("one dog", "x", 0)])]
    filled("table:t.tsv#12ab", "rtt", rows, corpus, given="t.toml")
    path = filled("table:u.tsv#34cd", "rtt", rows, corpus, given="u.toml")
    human = written(tmp_path, "h.csv", "system,sentence,score", "t.toml,s0,5", "u.toml,s0,3")
    (found,) = correlate(path, human=human, metrics=[])
    assert found.outside[-1].values[:, 0].tolist() == [5, 3]
    path = filled("table:u.tsv#56ef", "rtt", rows, corpus, given="u.toml")
    (found,) = correlate(path, human=human, metrics=[])
    assert found.outside[-1].values[0, 0] == 5
    assert any("1 row of" in note and "u.toml; the runs' systems" in note for note in found.notes)


def test_systems_that_nobody_scored_do_not_count_as_enough_for_fisher_s_z(filled, case, corpus, tmp_path):
    for system in "abcde":
        rows = [(n, [case(corpus[n][0], "x", float(n % 2))]) for n in range(4)]
        path = filled(system, "rtt", rows, corpus)
    rows = [f"{system},s{n},{n}" for system in "abc" for n in range(4)]
    (found,) = correlate(path, human=written(tmp_path, "h.csv", "system,sentence,score", *rows), metrics=[])
    assert any("see the intervals by Fisher's z" in note for note in found.notes)
    bare = written(tmp_path, "none.csv", "sentence,reference", "s0,")
    (found,) = correlate(path, references=[bare], human=str(tmp_path / "h.csv"), metrics=[])
    assert [each.name for each in found.outside] == ["human"]
    assert any("how much, only 5 or more can say" in note for note in found.notes)


def test_a_table_of_people_that_lacks_a_column_is_named(plain, tmp_path):
    with pytest.raises(UserError, match=r"h\.csv: there is no column 'system'"):
        correlate(plain, human=written(tmp_path, "h.csv", "mt,sentence,score", "a,s0,1"), metrics=[])


def test_a_metric_that_wants_the_source_is_given_it(three, monkeypatch):
    """A learned metric scores source, hypothesis and reference together."""
    asked = []

    def score_many(sources, hypotheses, references, *, model):
        asked.extend(zip(sources, hypotheses, references, strict=True))
        return [0.5] * len(sources)

    module = SimpleNamespace(score_many=score_many)
    monkeypatch.setattr(plugins, "metric", lambda name: (module, {"model": "m"}))
    (found,) = correlate(three, metrics=["learned"])
    assert [text.words for text in asked[-1]] == ["four fish", "pez", "cuatro peces"]
    assert (found.outside[0].values == 0.5).all()
