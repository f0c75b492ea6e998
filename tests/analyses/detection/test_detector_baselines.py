"""The trivial detectors beside which every other is shown."""

from __future__ import annotations


def test_the_baselines_are_of_the_texts_that_are_compared(run, label, one):
    same, changed = ("red cat sat there", "red cat sat there"), ("red cat sat there", "red dog sat there")
    run([0.1, 0.2, 0.9, 0.8], texts=[same, changed, changed, same])
    label(1, {0: False, 1: True, 2: True, 3: False})
    found = one()
    areas = {each.name: each.area.value for each in found.baselines}
    assert areas == {"LCS ratio": 1, "missing units": 1, "chrF": 1}
    # Of four pairs the detector itself has 0.2 over 0.1 and 0.9 over both.
    assert found.area.value == 0.75


def test_texts_in_different_languages_have_no_trivial_baseline(run, label, one):
    run([0.1, 0.9], langs=("en", "es"))
    label(1, {0: False, 1: True})
    found = one()
    assert found.baselines == []
    assert any("different languages" in note for note in found.notes)


def test_a_part_is_not_compared_with_a_whole_by_its_letters(run, label, one):
    run([0.1, 0.9], texts=[("cat", "the red cat sat there"), ("dog", "the red cat sat there")])
    label(1, {0: False, 1: True})
    assert [each.name for each in one().baselines] == ["LCS ratio", "missing units"]


def test_a_detector_is_not_its_own_baseline(run, label, one):
    run([0.0, 0.25], texts=[("a b c d", "a b c d"), ("a b c d", "a b x d")])
    label(1, {0: False, 1: True})
    found = one()
    assert "LCS ratio" not in [each.name for each in found.baselines]
    assert "LCS ratio is what this detector itself measures" in found.notes
