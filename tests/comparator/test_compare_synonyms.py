"""A user's synonyms stand for each other in any form; a file that cannot be read so is the user's to cure."""

from __future__ import annotations

import pytest

from concord.comparator import align, compare, dictionaries, gather
from concord.comparator.serialisation import evidence_for
from concord.comparator.word_similarity import Likeness
from concord.errors import UserError
from concord.language.apertium import modes
from concord.model import Text


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch, tmp_path):
    monkeypatch.setattr(modes, "FOLDER", str(tmp_path / "nowhere"))
    monkeypatch.setattr(dictionaries, "DICTD", tmp_path)


@pytest.fixture
def written(tmp_path):
    def write(words):
        path = tmp_path / "ours.tsv"
        path.write_text(words)
        return str(path)

    return write


def test_words_of_a_line_stand_for_each_other_in_any_form(written):
    known = gather(("en", "es"), synonyms=written("# ours\n\nordenador\tcomputadora\tPC\nmóvil\tcelular\n"))
    like = Likeness(known)
    assert like("ordenadores", "Computadora") == like("pc", "ordenador") == 0.95
    assert like("celular", "Móviles") == 0.95
    assert like("móvil", "ordenador") == 0
    assert known.used == ("synonyms ours.tsv",)


def test_a_word_may_stand_in_several_lines_without_joining_them(written):
    like = Likeness(gather(("en", "es"), synonyms=written("banco\tasiento\nbanco\tentidad\n")))
    assert like("banco", "asiento") == like("bancos", "entidad") == 0.95
    assert like("asiento", "entidad") == 0


@pytest.mark.parametrize("pair", [("pero", "sino"), ("e-mail", "correo"), ("hot", "cold")])
def test_the_user_knows_better_than_rules_and_lexicon(written, pair):
    langs = ("es", "en") if "hot" in pair else ("en", "es")
    assert Likeness(gather(langs, synonyms=written("\t".join(pair))))(*pair) == 0.95


def test_synonyms_serve_where_words_are_not_set_apart(written):
    known = gather(("en", "zh"), synonyms=written("愤怒\t生气\n"), dictionaries="none")
    assert known.synonyms("愤怒", "生气")


def test_synonyms_serve_both_directions_of_an_alignment(written):
    back = evidence_for(("es", "en"), "", written("autumn\tfall\n"), turned=True)
    assert Likeness(back)("fall", "autumn") == 0.95


def test_a_synonym_is_less_suspicious(world, written):
    source = Text("the friend sees 2 red house", "en")
    outputs = [Text(f"el amigo ve 2 {noun} rojo", "es") for noun in ("casa", "chabola")]
    without, having = gather(("en", "es")), gather(("en", "es"), synonyms=written("casa\tchabola\n"))
    suspicions = [compare(source, source, *outputs, align(world, each)).suspicion for each in (without, having)]
    assert suspicions[1] < 0.1 < suspicions[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("casa\thogar\nordenador\n", r"ours\.tsv, line 2: 'ordenador' is the only word\. A line has two or more"),
        ("casa\tcasa\n", r"ours\.tsv, line 1: 'casa' is the only word"),
        ("casa, hogar\tvivienda\n", r"ours\.tsv, line 1: 'casa, hogar' is several words; .*Write one word between"),
        ("# none\n\n", r"the file of synonyms .*ours\.tsv holds none: write two or more words in a line, a tab"),
    ],
)
def test_a_file_that_is_not_of_that_form_says_line_value_and_cure(written, words, message):
    with pytest.raises(UserError, match=message):
        gather(("en", "es"), synonyms=written(words))


def test_a_file_that_cannot_be_read_is_the_users_to_cure(tmp_path):
    with pytest.raises(UserError, match=r"the file of synonyms .*none\.tsv cannot be read: No such file"):
        gather(("en", "es"), synonyms=str(tmp_path / "none.tsv"))
    (tmp_path / "latin.tsv").write_bytes(b"a\t\xff\n")
    with pytest.raises(UserError, match=r"the file of synonyms .*latin\.tsv is not UTF-8"):
        gather(("en", "es"), synonyms=str(tmp_path / "latin.tsv"))
