"""concord-en: English trees by Concord's own small parser, which needs no download (docs/parser.md)."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal

from concord.errors import Refused, ServiceError, UserError
from concord.language.models import first_line
from concord.language.parse import _penn
from concord.language.parse._model import Parsed, ParserModel
from concord.language.parse._spans import no_word, refused
from concord.language.parse._weights import read
from concord.language.trees import DEEPEST, Chance, Tree
from concord.model import Text

SHIPPED = Path(__file__).with_name("concord_en.npz")
REINSTALL = "pip install --force-reinstall --no-deps concord-mt"

_ROOM = 8
_Sentences = list[list[_penn.Span]]


class Parser:
    """Constituency trees of English texts, with the probabilities of phrases.

    A text of several sentences is one tree with a child for each. `model` is a file that the training
    recipe made, in place of the one that ships.

    >>> Parser().parse([Text("The cat sat on the mat.", "en")])[0].phrases("NP")[0].words
    'The cat'
    """

    id = "concord_en"
    kind: Literal["full", "shallow"] = "full"

    def __init__(
        self, *, model: Annotated[str, "Model file of the training recipe; by default the one that ships."] = ""
    ) -> None:
        self._file = Path(model) if model else SHIPPED

    def version(self) -> str:
        """A fingerprint of the model file: other weights may give other trees."""
        return f"1+{_model(self._file).digest}"

    def languages(self) -> frozenset[str]:
        """English alone."""
        return frozenset({"en"})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One tree for every text, in order, or the reason why there is none."""
        cut = [_sentences(text) for text in texts]
        words = [
            [text.words[start:end] for start, end in sentence]
            for text, sentences in zip(texts, cut, strict=True)
            if isinstance(sentences, list)
            for sentence in sentences
        ]
        parsed = _model(self._file).parsed(words)
        return [
            _tree(text.words, sentences, parsed) if isinstance(sentences, list) else sentences
            for text, sentences in zip(texts, cut, strict=True)
        ]


@cache
def _model(file: Path) -> ParserModel:
    try:
        return ParserModel(read(file))
    except Exception as error:  # what is no model, or a damaged one, can fail in any way
        why = "there is no such file" if isinstance(error, FileNotFoundError) else first_line(error)
    if file == SHIPPED:
        raise UserError(f"the model of concord_en, {file}, cannot be read ({why}). Reinstall Concord: {REINSTALL}")
    raise UserError(
        f"{file} is not a model of concord_en ({why}). Without the option model, the one that ships is used"
    )


def _sentences(text: Text) -> _Sentences | Refused:
    reason = refused(text, "concord_en", "en")
    if reason is None and _foreign(text.words):
        reason = Refused("concord_en parses English, but most letters of this text are not Latin")
    return reason or list(_penn.sentences(text.words)) or no_word()


def _foreign(words: str) -> bool:
    if words.isascii():
        return False
    letters = [letter for letter in words if letter.isalpha()]
    latin = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * latin < len(letters)


def _tree(text: str, sentences: _Sentences, parsed: Iterator[Parsed]) -> Tree:
    parses = [(words, next(parsed)) for words in sentences]
    chances = tuple(
        Chance(label, words[start][0], words[end - 1][1], probability)
        for words, parse in parses
        for label, start, end, probability in parse.chances
    )
    node = partial(Tree, text=text, chances=chances)
    grown = tuple(_grown(node, words, parse) for words, parse in parses)
    return node("ROOT", grown[0].start, grown[-1].end, grown)


def _grown(node: partial[Tree], words: list[_penn.Span], parse: Parsed) -> Tree:
    """The tree, built from the innermost phrases to the outermost; a phrase takes the nodes from its first word on."""
    grown = [(node(tag, *span), index + 1, 1) for index, (tag, span) in enumerate(zip(parse.tags, words, strict=True))]
    for label, start, end in reversed(parse.phrases):
        children, height, index = [], 0, start
        while index < end:
            child, index, below = grown[index]
            children.append(child)
            height = max(height, below + 1)
        # Only nonsense is nested this deeply; phrases around it are left out, but for the sentence itself.
        if height < DEEPEST - _ROOM or end - start == len(words):
            grown[start] = (node(label, children[0].start, children[-1].end, tuple(children)), end, height)
    return grown[0][0]
