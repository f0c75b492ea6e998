"""A case is faulty if one of its translations was changed, and blamed rightly if the change is what it blames."""

from __future__ import annotations

import random

import pytest

from concord.analyses.calibration.fault_effects import Fault, Faults, blamed
from concord.model import ROLES, Text
from concord.translators._fault_injection import inject

ASKED, FOLLOW_UP = "The farmers sold 30 horses.", "The farmers sold 30 mules."
MARKED = {"source_output": [], "follow_up_output": []}
"""The texts that are compared word by word; where their marks stand does not matter."""
CLEAN, OTHER = "Los granjeros vendieron 30 caballos.", "Los granjeros vendieron 30 mulas."


def note(at, was, answer, clean=CLEAN):
    fault = {"fault": "wrong_word", "clean": clean, "at": at, "was": was}
    return {"text": ASKED, "source_lang": "en", "target_lang": "es", "answer": answer, **fault}


def row(output, follow_up_output=OTHER, worst=None, steps=None):
    """A case; `worst` is (role, word, counterpart) of the most suspicious word, the first such word of its text."""
    texts = zip(("source", "follow_up"), (ASKED, FOLLOW_UP), strict=True)
    made = {name: {"words": words, "lang": "en"} for name, words in texts}
    outputs = {"source_output": output, "follow_up_output": follow_up_output}
    made |= {name: {"words": words, "lang": "es"} for name, words in outputs.items()}
    if worst is None:
        return {**made, "steps": steps or {}, "evidence": {}}
    role, word, instead = worst
    start = outputs[role].index(word)
    span = {"start": start, "end": start + len(word)}
    evidence = {"blamed": [{"word": word, "role": role, **span, "instead": instead}], "marked": MARKED}
    return {**made, "steps": steps or {}, "evidence": evidence}


WRONG = "Los granjeros vendieron 30 puentes."
DROPPED = "Los granjeros vendieron 30."
REPLACED = Fault.from_note(note([27, 34], "caballos", WRONG))
LOST = Fault.from_note(note([26, 26], " caballos", DROPPED))


@pytest.mark.parametrize(
    ("fault", "output", "worst", "right"),
    [
        (REPLACED, WRONG, ("source_output", "puentes", ""), True),
        (REPLACED, WRONG, ("source_output", "granjeros", ""), False),
        (REPLACED, WRONG, ("source_output", "granjeros", "caballos"), True),
        (REPLACED, WRONG, ("follow_up_output", "mulas", "puentes"), True),
        (REPLACED, WRONG, ("follow_up_output", "mulas", "granjeros"), False),
        (LOST, DROPPED, ("source_output", "30", ""), False),
        (LOST, DROPPED, ("follow_up_output", "granjeros", ""), False),
    ],
)
def test_the_blamed_word_is_one_that_the_fault_changed(fault, output, worst, right):
    assert blamed(row(output, worst=worst), [fault]) is right


def test_a_dropped_word_is_blamed_where_the_other_translation_still_has_it():
    other = "Los granjeros vendieron caballo y 30 mulas."
    assert blamed(row(DROPPED, other, ("follow_up_output", "caballo", "")), [LOST]) is True


def test_a_word_that_stands_twice_after_the_fault_may_be_blamed_in_either_place():
    answer = "Los granjeros granjeros vendieron 30 caballos."
    fault = Fault.from_note(note([13, 23], "", answer))
    assert fault.added == {"granjer"}
    assert blamed(row(answer, worst=("source_output", "granjeros", "")), [fault]) is True


def test_a_case_that_blames_nobody_blames_wrongly_and_one_without_blame_says_nothing():
    bare = row(WRONG)
    assert blamed(bare, [REPLACED]) is None
    assert blamed({**bare, "evidence": {"blamed": [], "marked": MARKED}}, [REPLACED]) is False


def test_a_word_that_both_translations_have_is_blamed_where_the_blame_says():
    other = "Los puentes vendieron 30 mulas."
    here, there = (row(WRONG, other, (role, "puentes", "")) for role in MARKED)
    marked = {"source_output": [[27, 34]], "follow_up_output": [[4, 11]]}
    for each in (here, there):
        each["evidence"]["marked"] = marked
    assert (blamed(here, [REPLACED]), blamed(there, [REPLACED])) == (True, False)


def test_a_fault_outside_of_what_is_compared_is_neither_blamed_nor_overlooked():
    compared = row(CLEAN, worst=("source_output", "caballos", ""))
    assert blamed({**compared, "steps": {"pivot": {"words": WRONG, "lang": "es"}}}, [REPLACED]) is None


def test_of_a_round_trip_it_is_the_way_back_that_can_be_blamed():
    back = {"text": CLEAN, "source_lang": "es", "target_lang": "en", "answer": "The farmers sold 30 bridges."}
    fault = Fault.from_note({**back, "clean": ASKED, "at": [20, 27], "was": "horses"})
    texts = dict(zip(ROLES, (ASKED, CLEAN, CLEAN, back["answer"]), strict=True))
    langs = ("en", "es", "es", "en")
    trip = {role: {"words": texts[role], "lang": lang} for role, lang in zip(ROLES, langs, strict=True)}
    marked = {"source": [[20, 26]], "follow_up_output": []}
    horses = {"word": "horses", "role": "source", "start": 20, "end": 26}
    trip |= {"steps": {}, "evidence": {"blamed": [horses], "marked": marked}}
    assert blamed(trip, [fault]) is True
    assert blamed(trip, [REPLACED]) is None


def test_of_a_changed_digit_the_whole_number_was_changed():
    made = inject("change_number", CLEAN, "es", random.Random(3), ASKED)
    asked = {"text": ASKED, "source_lang": "en", "target_lang": "es", "answer": str(made)}
    fault = Fault.from_note({**asked, **made.note})
    assert fault.lost == {"30"}
    assert len(fault.added) == 1
    assert fault.added != {"30"}


def test_a_case_is_faulty_where_a_question_of_its_own_got_a_changed_answer():
    faults = Faults([note([27, 34], "caballos", WRONG)])
    assert faults.in_row(row(WRONG)) == [REPLACED]
    assert faults.in_row(row(CLEAN)) == []
    elsewhere = row(CLEAN, WRONG)
    assert faults.in_row({**elsewhere, "source": elsewhere["follow_up"]}) == []


def test_a_fault_on_the_way_is_one_of_the_case():
    way = {"pivot": {"words": WRONG, "lang": "es"}}
    assert [fault.output for fault in Faults([note([27, 34], "caballos", WRONG)]).in_row(row(CLEAN, steps=way))] == [
        Text(WRONG, "es")
    ]


def test_an_answer_of_another_case_that_happens_to_be_the_source_of_this_one_is_none_of_its_faults():
    back = {"text": CLEAN, "source_lang": "es", "target_lang": "en", "answer": ASKED}
    fault = {"fault": "copy_source", "clean": "The farmers.", "at": [0, len(ASKED)], "was": "The farmers."}
    assert Faults([{**back, **fault}]).in_row(row(CLEAN)) == []


def test_remarks_of_other_kinds_are_no_faults():
    remark = {"text": ASKED, "source_lang": "en", "target_lang": "es", "answer": WRONG, "log_probability": -3}
    assert Faults([remark]).in_row(row(WRONG)) == []
