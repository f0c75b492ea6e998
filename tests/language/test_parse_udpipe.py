"""UDPipe by the answers of a pipeline that were recorded, of a tiny model; not with the published models."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from concord.errors import BadAnswer, Missing, Refused, UserError
from concord.language.parse import udpipe
from concord.language.parse.udpipe import Parser, read_conllu
from concord.model import Text
from concord.testing import check_parser

GERMAN = "Der alte Hund schläft im Haus.\n\nIm  Haus schläft der Hund!"
RECORDED = """# newdoc
# newpar
# sent_id = 1
# text = Der alte Hund schläft im Haus.
1	Der	der	DET	ART	_	3	det	_	_
2	alte	alt	ADJ	ADJA	_	3	amod	_	_
3	Hund	Hund	NOUN	NN	_	4	nsubj	_	_
4	schläft	schlafen	VERB	VVFIN	_	0	root	_	_
5-6	im	_	_	_	_	_	_	_	_
5	in	in	ADP	APPR	_	7	case	_	_
6	dem	der	DET	ART	_	7	det	_	_
7	Haus	Haus	NOUN	NN	_	4	obl	_	SpaceAfter=No
8	.	.	PUNCT	$.	_	4	punct	_	SpacesAfter=\\n\\n

# newpar
# sent_id = 2
# text = Im Haus schläft der Hund!
1-2	Im	_	_	_	_	_	_	_	SpacesAfter=\\s\\s
1	In	in	ADP	APPR	_	3	case	_	_
2	dem	der	DET	ART	_	3	det	_	_
3	Haus	Haus	NOUN	NN	_	4	obl	_	_
4	schläft	schlafen	VERB	VVFIN	_	0	root	_	_
5	der	der	DET	ART	_	6	det	_	_
6	Hund	Hund	NOUN	NN	_	4	nsubj	_	SpaceAfter=No
7	!	!	PUNCT	$.	_	4	punct	_	SpacesAfter=\\n

"""


@pytest.fixture
def model(tmp_path, monkeypatch) -> Path:
    """The file of a model that a stand-in for the library loads."""
    file = tmp_path / "german.udpipe"
    file.write_bytes(b"weights")

    def rows(text: str) -> str:
        if text == GERMAN:
            return RECORDED
        words = [f"{n}\t{word}\t_\tNOUN\t_\t_\t{n - 1}\tdep\t_\t_" for n, word in enumerate(text.split(), start=1)]
        return "\n".join(words) + "\n\n"

    library = ModuleType("ufal.udpipe")
    library.Model = SimpleNamespace(load=lambda path: path if Path(path).read_bytes() == b"weights" else None)
    library.Pipeline = lambda *options: SimpleNamespace(process=rows)
    library.Pipeline.DEFAULT = "default"
    monkeypatch.setitem(sys.modules, "ufal", ModuleType("ufal"))
    monkeypatch.setitem(sys.modules, "ufal.udpipe", library)
    udpipe._pipeline.cache_clear()
    yield file
    udpipe._pipeline.cache_clear()


def test_a_text_is_words_and_noun_phrases(model):
    (tree,) = Parser(argument=str(model), lang="de").parse([Text(GERMAN, "de")])
    assert tree.shape() == (
        "(ROOT (S (NP DET ADJ NOUN) VERB ADP DET (NP NOUN) PUNCT) (S ADP DET (NP NOUN) VERB (NP DET NOUN) PUNCT))"
    )
    assert [phrase.words for phrase in tree.phrases("NP")] == ["Der alte Hund", "Haus", "Haus", "der Hund"]


def test_parts_of_a_contraction_share_its_span(model):
    (relations,) = Parser(argument=str(model), lang="de").depend([Text(GERMAN, "de")])
    assert [(each.label, each.dependent.words) for each in relations][4:7] == [
        ("case", "im"),
        ("det", "im"),
        ("obl", "Haus"),
    ]
    assert relations[8].dependent.start == GERMAN.index("Im")


def test_it_conforms(model):
    check_parser(lambda: Parser(argument=str(model), lang="de"), "de")


def test_texts_of_other_languages_and_without_words_are_refused(model):
    answers = Parser(argument=str(model), lang="de").parse([Text("One.", "en"), Text(" ", "de")])
    assert [type(answer) for answer in answers] == [Refused, Refused]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("1\tKatze\t_\tNOUN\t_\t_\t0\troot\t_\t_\n", "'Katze', which is not in the text"),
        ("1\tHund\t_\tNOUN\t_\t_\t7\troot\t_\t_\n", "a head '7' that is no word"),
    ],
)
def test_an_answer_that_does_not_fit_the_text_is_an_error(answer, said):
    with pytest.raises(BadAnswer, match=said):
        read_conllu(answer, "Der Hund.")


def test_a_file_that_is_no_model_is_the_user_s_to_cure(model, tmp_path):
    (tmp_path / "other").write_bytes(b"nothing")
    for file in ("other", "absent"):
        with pytest.raises(UserError, match="is not the file of a UDPipe model"):
            Parser(argument=str(tmp_path / file))
    with pytest.raises(UserError, match="--parser LANG=udpipe:FILE"):
        Parser()


def test_without_the_library_the_error_has_the_command(tmp_path, monkeypatch):
    udpipe._pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    with pytest.raises(Missing, match=r"pip install ufal\.udpipe"):
        Parser(argument=str(tmp_path / "any"))
