"""Sanity: whether an answer is a translation of its text at all, for any pair of languages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from concord.bounds import quoted
from concord.language.codes import language_name
from concord.language.sanity.chatter import broken_output, unlike_a_translation
from concord.language.sanity.encoding import broken_encoding
from concord.language.sanity.loops import loop
from concord.language.sanity.profile import AnswerProfile
from concord.language.sanity.wrong_language import is_copy, is_wordless, wrong_language
from concord.language.scripts import script_name
from concord.model import Text


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an answer is no translation: the kind in a word, the reason as a sentence, and the words that show it."""

    kind: str
    reason: str
    spans: list[list[int]] = field(default_factory=list)

    def message(self, text: Text) -> str:
        """Why a case that needs the answer to a text is not judged."""
        return f"the answer to {quoted(text.words, 60)} is not sane ({self.kind}). {self.reason}"


SANE = "sane"
"""The name of the relation that flags answers which fail."""
LARGEST_SHARE = 0.05
"""A system is neither ranked nor passed by the gate if more of its answers than this share fail."""
OF_LANGUAGES = ("copy", "language")
Sanity = Callable[[Text, Text], Failure | None]
"""The first failure of an answer to a text, or None."""


def failure(text: Text, answer: Text, profile: AnswerProfile | None = None, made_up: bool = False) -> Failure | None:
    """The first failure of an answer; `profile` is what is known of all answers of the run.

    An answer in a made-up language cannot be a copy or in a wrong one.

    >>> failure(Text("The cat is black.", "en"), Text("The cat is black.", "es")).kind
    'copy'
    """
    if not any(map(str.isalnum, text.words)):
        return None
    failures = _failures(text, answer, profile or AnswerProfile())
    return next((found for found in failures if not (made_up and found.kind in OF_LANGUAGES)), None)


def run_sanity(profile: AnswerProfile, source: str, target: str, made_up: bool = False) -> Sanity:
    """The failures of answers in a run from `source` into `target`, also of those on the way back."""
    profiles = {(source, target): profile, (target, source): profile.backward()}
    return lambda text, answer: failure(text, answer, profiles.get((text.lang, answer.lang)), made_up)


def _failures(text: Text, answer: Text, profile: AnswerProfile) -> Iterator[Failure]:
    if not answer.words.strip():
        yield Failure("empty", "The answer is empty.")
        return
    if spans := broken_encoding(text.words, answer.words):
        yield Failure("encoding", "The answer has characters that were broken by a wrong encoding.", spans)
    if spans := broken_output(text, answer):
        yield Failure("broken", "The answer is what a program left there, or has no blanks.", spans)
    if spans := unlike_a_translation("chatter", text.words, answer.words):
        yield Failure("chatter", "The answer speaks about the translation, or is none.", spans)
    if is_copy(text, answer):
        has_more = len(answer.words.strip()) > len(text.words.strip())
        yield Failure(
            "copy", f"The answer {'has' if has_more else 'is'} a copy of the text{' in it' if has_more else ''}."
        )
    if is_wordless(text, answer):
        yield Failure("wordless", "The answer has no letter.")
    if spans := unlike_a_translation("wrapped", text.words, answer.words) or profile.wrapped(text.words, answer.words):
        yield Failure("wrapped", "The answer has something in it or around it that is no translation.", spans)
    if found := loop(text.words, answer.words):
        yield Failure("loop", f"The answer says the same {found.times} times in a row.", [[found.start, found.end]])
    if count := profile.repeated(answer.words):
        yield Failure("repeated", f"The same answer was given to {count} different texts.")
    if code := wrong_language(text, answer):
        yield Failure("language", _other_language(code, answer.lang))
    if bounds := profile.out_of_proportion(text, answer):
        low, high = bounds
        yield Failure(
            "length",
            f"The answer has {len(answer.words)} characters; for the {len(text.words)} of the text, {low} to {high}"
            " were expected.",
        )


def _other_language(code: str, lang: str) -> str:
    """A sentence about the language or, of four letters, the script that an answer is in."""
    if len(code) == 4:
        return f"The answer is in {script_name(code)} script, in which {language_name(lang)} is not written."
    return f"The answer is in another language than {language_name(lang)}: it looks like {language_name(code)}."
