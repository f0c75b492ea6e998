"""A glossary is written in the direction of a run, and serves where words are aligned the other way round."""

from __future__ import annotations

from concord.comparator.serialisation import evidence_for


def test_a_glossary_serves_both_directions_of_an_alignment(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text("frobnicator\tfrobnicador\n")
    there = evidence_for(("en", "es"), str(path))
    back = evidence_for(("es", "en"), str(path), turned=True)
    assert there.translates("frobnicator", "frobnicador")
    assert back.translates("frobnicador", "frobnicator")
    assert not back.translates("frobnicator", "frobnicador")
    assert (back.langs, back.used) == (("es", "en"), there.used)
