"""Every flagged case has one sentence that says why, of bounded length, whatever its relation and its evidence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.model import ROLES, Case, Text
from concord.relations import literals, patinv, pivot, rtt, untranslated
from concord.store.case_json import pack, unpack
from concord.views.reason import LONGEST, reason, reason_text

SENTENCE, PHRASE = ("The beds are made.", "Els jaços són fets."), ("the beds", "els encasta")
VARIANT = ("The beds are old.", "Els llits són vells.")
BLAME = {"word": "encasta", "role": "follow_up_output", "of": "beds", "instead": "jaços", "why": "mistranslation"}


def row(case: Case, text: str = "", relation: str = "guest", *, flagged: bool = True) -> dict[str, Any]:
    facts = {"relation": relation, "flagged": flagged, "operator": ">", "text": text or case.source.words}
    return {**unpack(pack(case)), **facts, "suspicion": case.suspicion, "threshold": case.threshold}


def pair(first: tuple[str, str], second: tuple[str, str], **evidence: Any) -> Case:
    texts = [Text(first[0], "en"), Text(second[0], "en"), Text(first[1], "ca"), Text(second[1], "ca")]
    return Case(*texts, compared=(texts[2], texts[3]), suspicion=0.9, threshold=0.5, evidence=evidence)


def blamed(first: tuple[str, str], second: tuple[str, str], text: str = "", **changed: Any) -> str:
    blame = {name: value for name, value in (BLAME | changed).items() if value}
    return reason_text(row(pair(first, second, blamed=[blame]), text))


def test_the_blamed_word_stands_beside_what_the_other_translation_has_the_sentence_first() -> None:
    said = "“beds” is “jaços” in the sentence and “encasta” in the phrase alone."
    assert blamed(SENTENCE, ("beds", "encasta")) == said
    assert blamed(SENTENCE, ("beds", "encasta"), word="jaços", role="source_output", instead="encasta") == said


def test_the_sides_are_called_what_they_are() -> None:
    assert blamed(SENTENCE, VARIANT).endswith("“jaços” in the sentence and “encasta” in the variant.")
    beside = ("It rained. The beds are made.", "Va ploure. Els jaços són fets.")
    said = "“beds” is “jaços” beside another sentence and “encasta” in the sentence alone."
    assert blamed(beside, SENTENCE, SENTENCE[0]) == said
    assert "in the longer phrase" in blamed(("the beds in it", "x"), ("the beds", "y"), SENTENCE[0])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"of": ""}, "“jaços” in the sentence is “encasta” in the variant."),
        ({"instead": "", "why": "omission"}, "“beds” is “encasta” in the variant and missing in the sentence."),
        ({"instead": "", "why": "omission", "of": ""}, "“encasta” in the variant is missing in the sentence."),
        (
            {"instead": "", "why": "addition", "of": ""},
            "“encasta” in the variant is without counterpart in the sentence.",
        ),
        ({"why": "untranslated"}, "“encasta” is left untranslated in the variant."),
        ({"why": "repeated", "instead": ""}, "“encasta” is repeated in the variant."),
        ({"why": "reordered"}, "“encasta” has another place in the variant than in the sentence."),
        (
            {"why": "number", "of": "2", "word": "3", "instead": "2"},
            "“2” is “2” in the sentence and “3” in the variant.",
        ),
    ],
)
def test_each_kind_of_blame_has_its_words(changed: dict[str, str], said: str) -> None:
    assert blamed(SENTENCE, VARIANT, **changed) == said


def one_way(relation: Any, text: str, answer: str, lang: str = "es") -> str:
    source, output = Text(text, "en"), Text(answer, lang)
    return reason_text(row(relation.compare(source, source, output, output)))


def test_relations_that_read_one_translation_say_what_is_wrong_with_it() -> None:
    assert one_way(literals, "Pay 250 now.", "Paga ahora.") == "The translation lacks “250”."
    assert one_way(literals, "Pay now.", "Paga 250 ahora.") == "The translation adds “250”."
    assert one_way(literals, "Pay 250 now.", "Paga 251 ahora.") == "The translation has “251” for “250”."
    said = one_way(untranslated, "The bridge is old.", "桥 bridge old", "zh")
    assert said == "The translation leaves “bridge” and “old” untranslated."


def test_a_round_trip_and_a_detour_say_what_differs() -> None:
    source, there, back = (
        Text("Store the paint.", "en"),
        Text("Tienda la pintura.", "es"),
        Text("Tent the paint.", "en"),
    )
    assert reason_text(row(rtt.compare(source, there, there, back))) == (
        "The text has “Store”; the back-translation has “Tent”."
    )
    detour = pivot.compare(source, Text("x", "ca"), there, Text("La pintura.", "es"))
    assert reason_text(row(detour)).startswith("The translation has “Tienda ")


def test_blanks_are_quoted_only_where_nothing_else_differs() -> None:
    text, there = Text("Store it.", "en"), Text("Tienda  la pintura.", "es")
    assert reason_text(row(pivot.compare(text, Text("x", "ca"), there, Text("Tienda la hoja.", "es")))) == (
        "The translation has “pintura”; the translation of the variant has “hoja”."
    )
    assert reason_text(row(pivot.compare(text, Text("x", "ca"), there, Text("Tienda la pintura.", "es")))) != ""


def test_a_translation_that_stays_the_same_says_what_changed_in_vain() -> None:
    same = Text("Es frío.", "es")
    case = patinv.compare(Text("It is cold.", "en"), Text("It is hot.", "en"), same, same)
    assert reason_text(row(case)) == "The translation stays the same, though “cold” became “hot”."
    less = patinv.compare(Text("It is very cold.", "en"), Text("It is cold.", "en"), same, same)
    assert reason_text(row(less)) == "The translation stays the same, though the variant lacks “very”."


def test_a_relation_that_names_its_reason_is_quoted() -> None:
    said = pair(SENTENCE, VARIANT, reason="wrong language", detail="it is Portuguese", blamed=[BLAME])
    assert reason_text(row(said)) == "Wrong language: it is Portuguese."
    assert reason_text(row(pair(SENTENCE, VARIANT, reason="It is a copy."))) == "It is a copy."


def test_a_guest_without_any_evidence_says_honestly_that_it_gives_none() -> None:
    text = Text("Same.", "en")
    case = Case(text, text, text, text, (text, text), 0.9, 0.5)
    assert reason_text(row(case)) == "guest gives no reason: suspicion 0.9 > threshold 0.5: flagged."


def test_a_case_that_is_not_flagged_has_no_reason() -> None:
    assert reason(row(pair(SENTENCE, VARIANT), flagged=False)) == []


def test_words_of_texts_are_marked_and_the_rest_is_ours() -> None:
    pieces = reason(row(pair(SENTENCE, VARIANT, blamed=[BLAME])))
    assert [piece.words for piece in pieces if piece.differs] == ["beds", "jaços", "encasta"]


def test_long_and_many_words_are_cut() -> None:
    many = reason_text(row(pair(("a", " ".join(f"a{n} x" for n in range(50))), ("b", "x " * 50))))
    assert "“a2” and 47 more" in many
    assert len(blamed(SENTENCE, VARIANT, word="y" * 10_000, instead="{of}\n" * 500)) < 4 * LONGEST
    assert "{of} {of}" in blamed(SENTENCE, VARIANT, instead="{of}\n" * 500)


JUNK = st.recursive(
    st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3), max_leaves=4
)
PLACE = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from([*ROLES, "text"]) | JUNK,
        "start": st.integers(-9, 99) | JUNK,
        "end": st.integers(-9, 99),
        "kind": st.sampled_from(["missing", "added", "changed", "perhaps", "phrase"]) | JUNK,
        **dict.fromkeys(("word", "of", "instead", "why"), JUNK),
    },
)
EVIDENCE = st.dictionaries(
    st.sampled_from(["blamed", "places", "marked", "reason", "detail"]), st.lists(PLACE, max_size=3) | JUNK
)


@given(EVIDENCE, st.text(max_size=9), st.text(max_size=9))
def test_whatever_the_evidence_there_is_one_sentence(evidence: dict[str, Any], one: str, other: str) -> None:
    said = row(pair(SENTENCE, VARIANT)) | {"evidence": evidence}
    said["source_output"] = {"words": one, "lang": "ca"}
    said["follow_up_output"] = {"words": other, "lang": "ca"}
    said["compared"] = [said["source_output"], said["follow_up_output"]]
    text = reason_text(said)
    assert text
    assert len(text) < 10 * LONGEST
