"""The families of translation models: which languages each tokenizer knows, and how it selects them."""

import importlib
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from concord.errors import UserError
from concord.language.codes import normalise
from concord.language.models import first_line
from concord.model import Direction
from concord.translators._names import our_codes

_NLLB = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}")
_PREFIX = re.compile(r">>([A-Za-z_]+)<<")
_NAME = re.compile(r"opus-mt-(?:tc-)?(?:bible-)?(?:(?:big|base|tiny)-)?([A-Za-z_]+)-([A-Za-z_]+)")
# Groups of languages that OPUS-MT puts in the place of a code (ISO 639-5), from Afro-Asiatic to West Slavic.
_GROUPS = """
aav afa alv art bat ber bnt cau ccs cel cpf cpp cus dra fiu gem gmq gmw grk iir inc ine ira itc map mkh mul
myn nic phi poz roa sal sem sit sla sqj tai trk tut urj wak zle zls zlw
"""
# What users write, and the code of ours that the model has for it.
_ALSO = {"zh": "zh-Hans", "zh-Hans": "zh", "fil": "tl"}


class TokenizerFamily(ABC):
    """A tokenizer that knows its languages. `encode` gives the tokens of the network: numbers or pieces."""

    directions: frozenset[Direction] = frozenset()
    longest: int = sys.maxsize
    """How many tokens a text may have: the tokenizer's limit, lowered to the positions of the network."""

    @abstractmethod
    def encode(self, text: str, source: str, target: str) -> list[Any]: ...

    @abstractmethod
    def decode(self, tokens: Sequence[Any]) -> str: ...

    @abstractmethod
    def spelled(self, tokens: Sequence[Any]) -> list[str]:
        """The tokens as the vocabulary spells them."""

    @abstractmethod
    def unspelled(self, pieces: Sequence[str]) -> list[Any]: ...

    def opening(self, target: str) -> str | None:
        """The piece that every answer begins with, where it selects the target language."""
        return None


class _Transformers(TokenizerFamily):
    """The base of families with a tokenizer of the library transformers."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.longest = min(self.longest, int(tokenizer.model_max_length))

    def decode(self, tokens: Sequence[Any]) -> str:
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True)).strip()

    def spelled(self, tokens: Sequence[Any]) -> list[str]:
        return list(self._tokenizer.convert_ids_to_tokens(list(tokens)))

    def unspelled(self, pieces: Sequence[str]) -> list[Any]:
        return list(self._tokenizer.convert_tokens_to_ids(list(pieces)))

    def _encoded(self, text: str) -> list[int]:
        # Not verbose: a text that is too long is refused by name, not remarked on in a log.
        return list(self._tokenizer.encode(text, verbose=False))


class CodedTokenizer(_Transformers):
    """M2M-100 and NLLB: one code opens the source, another one every answer."""

    def __init__(self, tokenizer: Any, pieces: Mapping[str, str], languages: "NamedLanguages") -> None:
        super().__init__(tokenizer)
        self._pieces = pieces
        self._codes = _by_ours(pieces)
        self.directions = languages.among(permutations(self._codes, 2))

    def encode(self, text: str, source: str, target: str) -> list[Any]:
        self._tokenizer.src_lang = self._codes[source]
        return self._encoded(text)

    def opening(self, target: str) -> str:
        return self._pieces[self._codes[target]]


class Marian(_Transformers):
    """OPUS-MT: the direction is the model's; with several targets, a prefix such as `>>spa<<` chooses."""

    def __init__(self, tokenizer: Any, name: str, languages: "NamedLanguages") -> None:
        super().__init__(tokenizer)
        self._prefixes = prefixes_in(tokenizer.get_vocab())
        stated = (tokenizer.source_lang, tokenizer.target_lang)
        self.directions = languages.of_marian(name, stated, self._prefixes)

    def encode(self, text: str, source: str, target: str) -> list[Any]:
        prefix = self._prefixes.get(target)
        return self._encoded(f"{prefix} {text}" if prefix else text)


class PieceTokenizer(TokenizerFamily):
    """A model of one direction without a transformers tokenizer: SentencePiece models for source and target.

    `prefixes` are the pieces that choose a target; `end` is what the network wants after a text, and `opening` the
    piece that every answer begins with.
    """

    def __init__(
        self,
        models: tuple[Path, Path],
        directions: frozenset[Direction],
        *,
        prefixes: Mapping[str, str] = MappingProxyType({}),
        end: Sequence[str] = (),
        opening: str | None = None,
    ) -> None:
        processor = importlib.import_module("sentencepiece").SentencePieceProcessor
        try:
            self._source, self._target = (processor(model_file=str(path)) for path in models)
        except (OSError, RuntimeError) as error:
            raise UserError(f"the tokenizer in {models[0].parent} cannot be loaded: {first_line(error)}") from error
        self.directions, self._prefixes, self._end, self._opening = directions, prefixes, end, opening

    def opening(self, target: str) -> str | None:
        return self._opening

    def encode(self, text: str, source: str, target: str) -> list[Any]:
        prefix = self._prefixes.get(target)
        return [*([prefix] if prefix else []), *self._source.encode(text, out_type=str), *self._end]

    def decode(self, tokens: Sequence[Any]) -> str:
        # Pieces that the SentencePiece model lacks come back as they are: Argos' packages hold the source's model only.
        return str(self._target.decode(list(tokens))).replace("\N{LOWER ONE EIGHTH BLOCK}", " ").strip()

    def spelled(self, tokens: Sequence[Any]) -> list[str]:
        return list(tokens)

    def unspelled(self, pieces: Sequence[str]) -> list[Any]:
        return list(pieces)


SourceLanguages = Annotated[tuple[str, ...], "Source languages, if not all, or if the model does not name them."]
TargetLanguages = Annotated[tuple[str, ...], "Target languages, if not all, or if the model does not name them."]


class NamedLanguages:
    """The languages that the user has named, as normalised codes; none where the model decides."""

    def __init__(self, source: Iterable[str], target: Iterable[str]) -> None:
        self.source = tuple(map(normalise, source))
        self.target = tuple(map(normalise, target))

    def among(self, directions: Iterable[Direction]) -> frozenset[Direction]:
        """Those of the directions that are between the named languages."""
        return frozenset(
            (a, b)
            for a, b in directions
            if (not self.source or a in self.source) and (not self.target or b in self.target)
        )

    def of_marian(
        self, name: str, stated: tuple[str | None, str | None], prefixes: Mapping[str, str]
    ) -> frozenset[Direction]:
        """The directions of a Marian model: as the user names them, or else the tokenizer, or else the model's name."""
        match = _NAME.search(Path(name).name)
        sources, targets = (_languages_of(stated[i]) or _languages_of(match[i + 1] if match else None) for i in (0, 1))
        sources = self.source or sources
        targets = self.target or (*prefixes, *(code for code in targets if code not in prefixes))
        if not sources or not targets:
            lacking = " and ".join(["source"] * (not sources) + ["target"] * (not targets))
            raise UserError(
                f"the model {name} does not say its {lacking} language. Say it after the model: "
                + ",".join(f"{side}=CODE" for side in lacking.split(" and "))
            )
        unknown = [code for code in targets if prefixes and code not in prefixes] if self.target else []
        if unknown:
            raise UserError(f"the model {name} has no target {', '.join(unknown)}. It has: {', '.join(prefixes)}")
        return frozenset((a, b) for a in sources for b in targets if a != b)


def recognised(tokenizer: Any, name: str, languages: NamedLanguages) -> TokenizerFamily:
    """The family that a tokenizer belongs to, by what it can do: its class is called differently in each release."""
    codes = [token for token in tokenizer.get_added_vocab() if _NLLB.fullmatch(token)]
    if codes:
        return CodedTokenizer(tokenizer, {code: code for code in codes}, languages)
    if hasattr(tokenizer, "lang_code_to_token"):
        return CodedTokenizer(tokenizer, dict(tokenizer.lang_code_to_token), languages)
    if hasattr(tokenizer, "spm_source"):
        return Marian(tokenizer, name, languages)
    raise UserError(
        f"the tokenizer of {name} is a {type(tokenizer).__name__}. "
        "Known are those of Marian (OPUS-MT), M2M-100 and NLLB-200"
    )


def _languages_of(code: str | None) -> tuple[str, ...]:
    """The language of a code; none for a group of languages, or an unknown code."""
    return () if not code or code.lower() in _GROUPS.split() else our_codes(code)


def _by_ours(codes: Iterable[str]) -> dict[str, str]:
    """The model's codes by ours."""
    theirs: dict[str, str] = {}
    for code in codes:
        # M2M-100 writes Northern Sotho with two letters that are no code.
        for ours in _languages_of("nso" if code == "ns" else code):
            theirs.setdefault(ours, code)
    return theirs | {also: theirs[ours] for also, ours in _ALSO.items() if also not in theirs and ours in theirs}


def prefixes_in(vocabulary: Iterable[str]) -> dict[str, str]:
    """The pieces that choose a target, by our codes."""
    pieces = {match[1]: piece for piece in vocabulary if (match := _PREFIX.fullmatch(piece))}
    return {ours: pieces[code] for ours, code in _by_ours(pieces).items()}
