"""Any masked language model of Hugging Face: it reads the sentence with a gap and proposes words that may fill it.

`masked:FOLDER` or, for a model of the hub, `masked:google-bert/bert-base-cased`, which is downloaded once. `top` is how
many words the model proposes for each gap; their probabilities are the scores, and words below `least` are not used.
A word that the vocabulary cuts into pieces has a mask for each of them, and in languages with blanks a single one as
well; of a phrase every word is masked at once. The same gate as for the lexicon follows. Code that comes with a model
is never run.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from concord.errors import Refused, ServiceError, UserError
from concord.language.codes import base, is_spaced
from concord.language.english.inflection import cased, with_article
from concord.language.english.lexicon import lexicon, variants
from concord.language.models import BatchSize, Device, digest, needed
from concord.language.phrases import is_word
from concord.language.substitutes import PHRASE, Embed, Parse, Slot, Substitute
from concord.language.substitutes._gate import VERSION as GATE
from concord.language.substitutes._gate import Meaning, Rarest, SubstituteGate
from concord.language.substitutes._mask_filler import Filling, Gap, MaskFiller
from concord.language.substitutes._slot import Place, places
from concord.language.trees import Tree
from concord.model import Text
from concord.options import Count, Share


class Substitutes:
    """Substitutes from a masked language model, in a folder or by its name on the hub."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the model, or its name on the hub."] = "",
        top: Annotated[Count, "How many words the model is asked for in each gap."] = 50,
        least: Annotated[Share, "Least probability of a substitute."] = 0.0,
        rarest: Rarest = 25_000,
        meaning: Meaning = 0.5,
        batch: BatchSize = 32,
        device: Device = "auto",
        parse: Parse | None = None,
        embed: Embed | None = None,
    ) -> None:
        needed("huggingface", "torch", "transformers")
        if not argument:
            raise UserError("there is no model. Write it like masked:FOLDER or masked:google-bert/bert-base-cased")
        self.id = f"masked:{argument}"
        self._top, self._least = top, least
        self._filler = MaskFiller(argument, batch, device)
        # The papers parse whatever the model proposes.
        self._gate = SubstituteGate(parse, embed, rarest, meaning, trust=top)

    @property
    def rejected(self) -> Counter[str]:
        """How many candidates were rejected, by reason."""
        return self._gate.rejected

    def version(self) -> str:
        """The version of the gate, and a digest of the weights and the vocabulary."""
        return f"{GATE}-{digest(self._filler.files())}"

    def languages(self) -> None:
        return None

    def substitutes(self, requests: Sequence[Slot]) -> list[list[Substitute] | ServiceError]:
        errors: dict[int, ServiceError] = {}
        asked: list[tuple[int, list[Place], Gap]] = []
        for number, slot in enumerate(requests):
            try:
                open_places = places(slot)
            except Refused as error:
                errors[number] = error
                continue
            self.rejected["no content word"] += not open_places
            asked += [(number, masked, gap) for masked, gap in self._gaps(slot, open_places)]
        candidates: list[list[Substitute]] = [[] for _ in requests]
        fillings = self._filler.fill([gap for _, _, gap in asked], self._top) if asked else []
        for (number, masked, gap), found in zip(asked, fillings, strict=True):
            if isinstance(found, Refused):
                errors[number] = found
            else:
                candidates[number] += self._substitutes(requests[number], masked, gap, found)
        admitted = self._gate.admitted(list(zip(requests, candidates, strict=True)))
        return [errors.get(number, substitutes) for number, substitutes in enumerate(admitted)]

    def _gaps(self, slot: Slot, open_places: Sequence[Place]) -> Iterator[tuple[list[Place], Gap]]:
        """The gaps of a slot, each with the content words in it: one for each word, or one for all of a phrase."""
        text = Text(slot.tree.text, slot.lang)
        if slot.kinds == (PHRASE,):
            words = [leaf for leaf in _words(slot) if is_word(leaf.words)]
            masks = [len(self._filler.pieces(leaf.words)) for leaf in words]
            content = {place.leaf.start for place in open_places}
            spans, barred = [(leaf.start, leaf.end) for leaf in words], [leaf.start in content for leaf in words]
            if content:
                yield list(open_places), Gap(text, tuple(spans), tuple(masks), tuple(barred))
            return
        for place in open_places:
            pieces = len(self._filler.pieces(place.word))
            for masks_of_word in sorted({1, pieces} if is_spaced(slot.lang) else {pieces}):
                yield [place], Gap(text, ((place.leaf.start, place.leaf.end),), (masks_of_word,), (False,))

    def _substitutes(
        self, slot: Slot, masked: Sequence[Place], gap: Gap, fillings: Sequence[Filling]
    ) -> Iterator[Substitute]:
        whole = slot.kinds == (PHRASE,)
        kind = PHRASE if whole else "masked"
        changing = "antonym" in slot.kinds and "synonym" not in slot.kinds
        start, end = gap.spans[0][0], gap.spans[-1][1]
        for filling in fillings:
            new = {span[0]: word for span, word in zip(gap.spans, filling.words, strict=True)}
            if reason := self._fault(filling, [(place, new[place.leaf.start]) for place in masked], whole, changing):
                self.rejected[reason] += 1
                continue
            words = _replaced(gap, filling)
            phrase = words[start : len(words) - (len(gap.text.words) - end)]
            # An article before the word may have changed its length.
            word = phrase if whole else _cased(gap, filling.words)[0]
            yield Substitute(Text(words, slot.lang), start, end, word, round(filling.probability, 6), kind)

    def _fault(self, filling: Filling, replaced: Sequence[tuple[Place, str]], whole: bool, changing: bool) -> str:
        """Why new words cannot be used; empty if they can. That a word is no variant, the gate asks of single words.

        Words of a whole phrase are no variants of the old ones, and words that are to change the meaning no synonyms.
        """
        if filling.probability < self._least:
            return "probability"
        for place, word in replaced:
            if not word.isalpha() and place.tag not in ("CD", "NUM"):
                return "not a word"
            if whole and variants(place.word, word):
                return "variant"
            if changing and _synonyms(place, word):
                return "synonym"
        return ""


def _words(slot: Slot) -> list[Tree]:
    return [leaf for leaf in slot.tree.leaves() if slot.start <= leaf.start and leaf.end <= slot.end]


def _cased(gap: Gap, words: Sequence[str]) -> list[str]:
    """New words in the case of the old ones: a model has seen the case of the neighbours, but not that of the word."""
    return [cased(word, gap.text.words[start:end]) for word, (start, end) in zip(words, gap.spans, strict=True)]


def _replaced(gap: Gap, filling: Filling) -> str:
    text = gap.text.words
    for word, (start, end) in reversed(list(zip(_cased(gap, filling.words), gap.spans, strict=True))):
        text = text[:start] + word + text[end:]
        if base(gap.text.lang) == "en":
            text = with_article(text, start)
    return text


def _synonyms(place: Place, word: str) -> bool:
    """Whether the thesaurus has two words as synonyms; it knows English."""
    pairs = [(old, new) for old in lexicon().forms(place.word, place.tag) for new in lexicon().forms(word, place.tag)]
    return any(lexicon().kind(old, new) == "synonym" for old, new in pairs)
