"""The tables of Pesu et al. (2018) from their own figures: F ratios, and letters from estimates and standard error."""

from __future__ import annotations

import numpy as np
import pytest

from concord.stats.anova import f_test
from concord.stats.linear import LinearEstimates
from concord.stats.ls_means import effect

SE, DF = 0.005303906, 33_432
RESIDUAL = 1316.69
ESTIMATES = {
    "Google": {
        **{"Portuguese": 0.7209871, "Swedish": 0.7094092, "French": 0.7070268, "Spanish": 0.7007260},
        **{"Russian": 0.6819666, "Korean": 0.6236494, "Japanese": 0.4308912, "Chinese": 0.3414364},
    },
    "Microsoft": {
        **{"Spanish": 0.5935882, "French": 0.5810083, "Portuguese": 0.5723823, "Swedish": 0.5688555},
        **{"Russian": 0.5519567, "Korean": 0.5168478, "Japanese": 0.4035918, "Chinese": 0.2609551},
    },
    "Youdao": {
        **{"Spanish": 0.5902570, "Portuguese": 0.5894090, "Swedish": 0.5885621, "French": 0.5611871},
        **{"Russian": 0.5338486, "Korean": 0.5185094, "Japanese": 0.3848805, "Chinese": 0.2200295},
    },
}
# In the order of the estimates above.
LANGUAGES = {
    "Google": ["A", "A", "A", "AB", "B", "C", "D", "E"],
    "Microsoft": ["A", "AB", "ABC", "BC", "C", "D", "E", "F"],
    "Youdao": ["A", "A", "A", "B", "C", "C", "D", "E"],
}
# Google, Microsoft, Youdao
SYSTEMS = {
    **{"Chinese": "ABC", "Japanese": "ABC", "Korean": "ABB", "French": "ABC"},
    **{"Russian": "ABC", "Portuguese": "ABB", "Spanish": "ABB", "Swedish": "ACB"},
}


def letters(estimates):
    size = len(estimates)
    printed = LinearEstimates(list(estimates), np.array(list(estimates.values())), np.eye(size), np.zeros((size, 0)))
    return {mean.level: mean.letters for mean in effect(printed, np.eye(size) * SE**2, DF, 0.95).means}


@pytest.mark.parametrize(
    ("sum_sq", "df", "f"), [(94.46, 2, 1199.1611), (790.71, 55, 365.0368), (33.76, 110, 7.7927)], ids=["T", "P", "TxP"]
)
def test_table_1_follows_from_its_sums_of_squares(sum_sq, df, f):
    ratio, p = f_test(sum_sq, df, RESIDUAL, DF)
    # The sums are printed with two decimals, which is all that the ratio can be held to.
    assert ratio == pytest.approx(f, rel=0.005 / sum_sq + 0.005 / RESIDUAL)
    assert p < 0.0001


def test_the_standard_error_is_that_of_seven_paths_with_two_hundred_replications():
    assert pytest.approx(SE, rel=5e-6) == (RESIDUAL / DF / (7 * 200)) ** 0.5


@pytest.mark.parametrize("target", SYSTEMS)
def test_table_2_has_these_letters_for_systems(target):
    found = letters({system: ESTIMATES[system][target] for system in ESTIMATES})
    assert "".join(found[system] for system in ("Google", "Microsoft", "Youdao")) == SYSTEMS[target]


@pytest.mark.parametrize("system", LANGUAGES)
def test_table_3_has_these_letters_for_languages(system):
    assert list(letters(ESTIMATES[system]).values()) == LANGUAGES[system]
