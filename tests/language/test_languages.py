from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.language.codes import base, normalise


@pytest.mark.parametrize(
    ("spellings", "code"),
    [
        ("en EN eng ENG eng_Latn en-Latn", "en"),
        ("es spa spa_Latn", "es"),
        ("ca cat", "ca"),
        ("eo epo", "eo"),
        ("gl glg", "gl"),
        ("zh zho chi cmn ZH zh-cmn", "zh"),
        ("zho_Hans zh-CHS zh-CN zh_CN zh-hans cmn-Hans zh-Hans-CN zh-cmn-Hans chi_hans", "zh-Hans"),
        ("zh-CHT zh-TW zho_Hant zh_Hant_TW", "zh-Hant"),
        ("zh-HK zh_Hant_HK", "zh-Hant-HK"),
        ("yue zh-yue yue_Hant", "yue"),
        ("pt_BR pt-br por_BR", "pt-BR"),
        ("en_US EN-us eng_US", "en-US"),
        ("es-419 spa_419", "es-419"),
        ("he iw heb heb_Hebr", "he"),
        ("id in ind", "id"),
        ("yi ji ydd_Hebr", "yi"),
        ("nb no nor nob nob_Latn", "nb"),
        ("nn nno", "nn"),
        ("de deu ger", "de"),
        ("fr fra fre", "fr"),
        ("fa fas per pes_Arab", "fa"),
        ("sr srp srp_Cyrl", "sr"),
        ("sr-Latn srp_Latn", "sr-Latn"),
        ("uz uzn_Latn", "uz"),
        ("ko kor kor_Hang ko-Kore", "ko"),
        ("ja jpn_Jpan", "ja"),
        ("ceb ceb_Latn CEB", "ceb"),
        ("ast ast_Latn", "ast"),
        ("arz arz_Arab", "arz"),
        ("ace-Arab", "ace-Arab"),
        ("sl-rozaj SL_ROZAJ", "sl-rozaj"),
        ("en-x-simple", "en-x-simple"),
    ],
)
def test_all_spellings_of_a_language_meet_in_one_code(spellings: str, code: str) -> None:
    assert {normalise(spelling) for spelling in spellings.split()} == {code}


@pytest.mark.parametrize(
    "bad",
    ["", " ", "e", "english", "en--us", "-en", "en-", "../x", "en us", "en-USA", "xx", "zh-eng", "en-eng", "ſr", "é"],
)
def test_what_is_no_code_is_refused_with_its_value_and_what_is_expected(bad: str) -> None:
    with pytest.raises(UserError) as caught:
        normalise(bad)
    assert f"'{bad}'" in str(caught.value)
    assert "BCP-47 code such as 'en'" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("english", "en"),
        ("Spanish", "es"),
        ("Norwegian", "nb"),
        ("portugese", "pt"),
        ("Chinese (simplified)", "zh"),
        ("jp", "ja"),
        ("gr", "el"),
    ],
)
def test_names_of_languages_and_countries_are_answered_with_the_code_meant(name: str, code: str) -> None:
    with pytest.raises(UserError, match=f"Did you mean '{code}'"):
        normalise(name)


def test_a_name_that_resembles_nothing_gets_no_wrong_hint() -> None:
    with pytest.raises(UserError) as caught:
        normalise("qwxzq")
    assert "Did you mean" not in str(caught.value)


def test_a_very_long_value_is_shown_shortened() -> None:
    with pytest.raises(UserError) as caught:
        normalise("x" * 5000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("code", "primary"), [("zh_CN", "zh"), ("eng_US", "en"), ("ceb", "ceb"), ("no", "nb")])
def test_the_base_is_the_language_alone(code: str, primary: str) -> None:
    assert base(code) == primary


LETTERS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", max_size=8)
KNOWN = ["en", "zh", "zho", "cmn", "no", "nor", "srp", "Latn", "Cyrl", "Hans", "Hant", "CN", "TW", "x", "u", "419"]
TAGS = st.lists(
    st.one_of(LETTERS, st.sampled_from(KNOWN)),
    min_size=1,
    max_size=5,
)


@given(TAGS, st.sampled_from("-_"))
def test_normalising_twice_is_normalising_once(parts: list[str], joint: str) -> None:
    try:
        once = normalise(joint.join(parts))
    except UserError:
        return
    assert normalise(once) == once
    assert normalise(once.upper().replace("-", "_")) == once
    assert base(once) == once.split("-")[0]


@given(st.text())
def test_any_text_gives_a_code_or_a_user_error(text: str) -> None:
    try:
        code = normalise(text)
    except UserError:
        return
    assert code.isascii()
    assert "_" not in code
