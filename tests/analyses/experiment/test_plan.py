"""An experiment file says what is compared, and what is wrong with it is said in one line."""

from __future__ import annotations

import pytest

from concord.analyses.experiment import read_experiment
from concord.errors import UserError

WHOLE = """
source = "en"
corpus = "sentences.txt"
systems = ["fake", "my.toml"]
targets = ["es", "ca", "en"]
pivots = ["es", "gl"]
allocation = "random"
replications = 7
seed = 3
metrics = ["levenshtein"]
"""


def written(folder, text):
    file = folder / "spring.toml"
    file.write_text(text)
    return file


def test_a_file_says_it_all(tmp_path):
    (tmp_path / "sentences.txt").write_text("One.\n")
    (tmp_path / "my.toml").write_text('translator = "fake"\n')
    found = read_experiment(written(tmp_path, WHOLE))
    assert (found.name, found.source, found.allocation, found.replications, found.seed) == (
        "spring",
        "en",
        "random",
        7,
        3,
    )
    assert found.corpus == str(tmp_path / "sentences.txt")
    assert found.systems == ("fake", str(tmp_path / "my.toml"))
    assert found.paths == (("gl", "es"), ("es", "ca"), ("gl", "ca"), ("es", "en"), ("gl", "en"))


def test_pivots_are_the_targets_unless_they_are_named(tmp_path):
    found = read_experiment(written(tmp_path, 'systems = "fake"\ntargets = ["es", "ca", "fr"]'))
    assert len(found.paths) == 6
    assert all(pivot != target for pivot, target in found.paths)


def test_codes_are_normalised_and_named_once(tmp_path):
    found = read_experiment(written(tmp_path, 'systems = "fake"\ntargets = ["ES", "pt_br", "es"]'))
    assert found.targets == ("es", "pt-BR")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("targets = ", "is not TOML"),
        ('targets = ["es"]', "must say its systems"),
        ('systems = ["fake"]\ntargets = []', "at least one of its targets"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplication = 3', "Did you mean 'replications'"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = 0', "at least 1, not 0"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = "many"', "replications"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = [3]', "a single value"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = 100_000_000', "observations a system"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nseed = -1', "must not be negative"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = 1.5', "a whole number, not 1.5"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nreplications = true', "a whole number, not True"),
        ('systems = ["fake"]\ntargets = ["es", ""]', "a list of texts"),
        ('systems = ["fake"]\ntargets = ["es", 3]', "a list of texts"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nallocation = "fair"', "factorial, random"),
        ('systems = ["fake"]\ntargets = ["es", "ca"]\nmetrics = ["blue"]', "Did you mean 'bleu'"),
        ('systems = ["fake"]\ntargets = ["es"]', "there is no pivot into es"),
        ('systems = ["fake"]\ntargets = ["es", "no such"]', "no such"),
        (None, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, said):
    file = tmp_path / "spring.toml" if text is None else written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_experiment(file)
    assert said in str(caught.value)
