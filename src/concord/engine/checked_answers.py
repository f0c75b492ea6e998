"""The function `translate` of one check, which notes the answers that are no translations.

A case that needs such an answer is not judged: `sane` flags the answer, and no other relation counts it again.
"""

from collections.abc import Awaitable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.bounds import judgeable
from concord.errors import NOT_JUDGED, NotJudged
from concord.language.sanity import Sanity
from concord.model import ROLES, Case, Text


@dataclass(slots=True)
class CheckedAnswers:
    """`translate(x, to)` and `translate.each(xs, to)`, and which answers of this check failed."""

    translate: Any  # of `concord.model.Translate`, or None in a check that does not ask for it
    sanity: Sanity | None
    failed: dict[Text, str] = field(default_factory=dict)

    def __call__(self, x: Text, to: str) -> Awaitable[Text]:
        if self.failed:
            self._refuse([x])
        return PendingAnswer(self, x, self.translate(x, to))

    async def each(self, xs: Sequence[Text], to: str) -> list[Text]:
        if self.failed:
            self._refuse(xs)
        return [self.noted(x, answer) for x, answer in zip(xs, await self.translate.each(xs, to), strict=True)]

    def between(self, source: str, target: str) -> tuple[str, ...]:
        pivots: tuple[str, ...] = self.translate.between(source, target)
        return pivots

    def judged(self, cases: Sequence[Case]) -> tuple[list[Case], str | None]:
        """The cases that need no failed answer, and why the others are not judged."""
        if not self.failed:
            return list(cases), None
        reasons = [next((self.failed[text] for text in _texts(case) if text in self.failed), None) for case in cases]
        sound = [case for case, reason in zip(cases, reasons, strict=True) if reason is None]
        why = next(filter(None, reasons), None)
        return sound, f"{NOT_JUDGED}{why}" if why else None

    def _refuse(self, texts: Sequence[Text]) -> None:
        """Refuse to translate an answer that is no translation: it would cost money and tell nothing."""
        for text in texts:
            if text in self.failed:
                raise NotJudged(self.failed[text])

    def noted(self, text: Text, answer: Text) -> Text:
        """The answer; raises NotJudged if it is too long to be compared."""
        if answer.lang != text.lang:
            judgeable(text.words, answer.words)
            if self.sanity and (failure := self.sanity(text, answer)):
                self.failed[answer] = failure.message(text)
        return answer


@dataclass(slots=True, eq=False)
class PendingAnswer:
    """One text that was sent; awaiting it, once or more often, gives the answer."""

    answers: CheckedAnswers
    text: Text
    pending: Awaitable[Text]

    def __await__(self) -> Generator[Any, None, Text]:
        return self.answers.noted(self.text, (yield from self.pending.__await__()))


def _texts(case: Case) -> list[Text]:
    return [*(getattr(case, role) for role in ROLES), *case.steps.values()]
