"""Requests for lines in free words (as KB13, Kushman and Barzilay 2013), read as what people mean by them.

    clauses    clause (and|or clause)*             starts with 'a' or does not contain a digit
    clause     [not] verb (and verb)* objects      start and end with a vowel
    objects    relation (and|but not relation)*    'a' or 'b', but not 'c'
    relation   choice (followed by|after choice)*  'a' or 'b' before a digit, 'c' between two digits
    choice     item (or item)*
    item       [no] [how many] noun [how often] [in a row] [where]

What is found has an expression for each verb that governs it (`contain`, `start`, `end`, `be`, `only`), and for `text`,
where it stands beside something else.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from concord.language.numbers.english import RANKS
from concord.relations.semmt.regex import plain_expressions as meant
from concord.relations.semmt.regex.lexicon import MASTER, PIECES
from concord.relations.semmt.regex.phrases import MASK, QUOTED, bounds, cut, in_figures, literal
from concord.relations.semmt.regex.plain_expressions import Amount, Found
from concord.relations.semmt.tables import from_pieces, read_table

T = TypeVar("T")
_TABLES: dict[str, dict[str, str]] = read_table(__package__, "plain.json")
_FILLED = from_pieces({**PIECES, "RANK": "|".join(RANKS), **_TABLES["pieces"]}, {})
_PHRASES = {name: re.compile(rf"(?:{_FILLED(words)})(?!\w)\s*", re.I) for name, words in _TABLES["phrases"].items()}
_CLASSES = {re.compile(rf"(?:{words})(?!\w)\s*", re.I): regex for words, regex in _TABLES["classes"].items()}
_RELATIONS = {"then_now": ("", 1), "then": (".*", 1), "after_now": ("", -1), "after": (".*", -1)}
"""What is between two things, and in which order they come."""
_VERBS = ("only", "start", "end", "contain", "be")
_AFTER_NOUNS = (*_VERBS, *_RELATIONS, "rel", "not", "and", "or", "filler", "between", "unfollowed")
_QUOTE, _FIRST_QUOTE = re.compile(r"[\ue000-\uf8ff]\s*"), 0xE000
_BARE = re.compile(r"(?:[b-z]|[A-Z]+|[^\w\s,\ue000-\uf8ff]+)(?![\w\ue000-\uf8ff])\s*")
"""A letter, a word in capitals or a sign, which stands for itself."""
_NEXT, _ANY = re.compile(r"[^\s,\ue000-\uf8ff]+\s*"), re.compile(r"\S+\s*")
_LETTERED = re.compile(_FILLED(r"\b(<NUMBER>(?: or more)?)[ -](letter|digit)s? (?:long )?(word|number)s?\b"), re.I)
"""`5 letter words`, which are words of 5 letters."""
_ABOUT = re.compile(r"\b(?:line|row|string|word|sentence)s?\b", re.I)
_MOST_WORDS, _MOST_LETTERS, _MOST_STEPS = 64, 2_000, 20_000
"""The longest request, quotations aside, and the most phrases that are looked for in it; people need a few hundred."""
_BEFORE_QUOTE = 20
"""How many characters before a quotation may say that it is a string."""


def asked_freely(sentence: str) -> bool:
    """Whether a request has words by which people ask and the benchmark never does, or a quotation by itself."""
    starts = (quoted.start() for quoted in QUOTED.finditer(sentence))
    names = (sentence[max(0, at - _BEFORE_QUOTE) : at].lower().rstrip() for at in starts)
    free = _PHRASES["free"].search(sentence) or not all(name.endswith("string") for name in names)
    return not MASK.search(sentence) and bool(free or cut(sentence).unknown)


class PlainRequest:
    """A request in free words: its expression (empty if it has none), and the words that were `skipped`."""

    def __init__(self, sentence: str) -> None:
        self._quoted: list[str] = []
        text = QUOTED.sub(self._hidden, _QUOTE.sub(" ", sentence).replace("’", "'"))
        text = re.sub(r"\b(do|does|did|is|are|has|have|ca)nt\b", r"\1n't", text)
        text = re.sub(r"\bw/? ", "with ", text).replace("w/o ", "without ")
        text = _LETTERED.sub(r"\3s of \1 \2s", text)
        self._text = re.sub(r"\s+,", ",", " ".join(in_figures(text).split())).rstrip(".?! ")
        # The capital that has two small letters would move all that follows it.
        self._lower, self._denials = self._text.replace("İ", "I").lower(), 0
        self._at, self._dot, self._verb, self._edge, self._edges = 0, ".", "contain", "", False
        short = self._text.count(" ") < _MOST_WORDS and len(self._text) <= _MOST_LETTERS
        self._steps = _MOST_STEPS if short else 0
        self.skipped: list[str] = []
        self.regex = self._read()

    def _hidden(self, quotation: re.Match[str]) -> str:
        self._quoted.append(literal(next(part for part in quotation.groups() if part)))
        return f" {chr(_FIRST_QUOTE + len(self._quoted) - 1)} "

    def _take(self, name: str) -> re.Match[str] | None:
        return self._match(_PHRASES[name])

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._steps -= 1
        match = pattern.match(self._text, self._at) if self._steps > 0 else None
        self._at = match.end() if match else self._at
        return match

    def _first(self, *names: str) -> str:
        """The first of these phrases that stands here, which is taken."""
        return next((name for name in names if self._take(name)), "")

    def _behind(self, name: str, part: Callable[[], T | None]) -> T | None:
        """What comes behind a phrase; nothing is taken if it does not."""
        start = self._at
        found = part() if self._take(name) else None
        self._at = self._at if found else start
        return found

    def _read(self) -> str:
        self._take("lead")
        found = self._clauses()
        while found and self._at < len(self._text) and (word := self._match(_ANY)):
            self.skipped.append(word[0].strip())
            more = self._clauses()
            found = meant.joined("&", [found, more]) if more else found
        unsure = not _ABOUT.search(self._text) and (self.skipped or " " not in self._text)
        return found if self._steps > 0 and not unsure else ""

    # -- clauses

    def _clauses(self, *, first: bool = True) -> str:
        choices: list[list[str]] = []
        joint, start = "or", self._at
        while clause := self._clause(first=first and not choices):
            if joint == "or":
                choices.append([])
            choices[-1].append(clause)
            start = self._at
            joint = self._first("or", "and", "comma")
        self._at = start
        return meant.joined("|", [meant.joined("&", parts) for parts in choices])

    def _clause(self, *, first: bool) -> str:
        start = self._at
        self._first("subject")
        self._first("rel")
        turned = self._take("not")
        self._first("rel")
        found = self._statement(first=first or bool(turned))
        self._take("filler")
        if not found:
            self._at = start
        return f"~({found})" if found and turned else found

    def _statement(self, *, first: bool) -> str:
        """Objects with their verbs, or the place of a character: `whose second letter is a vowel`."""
        if (place := self._take("place")) and (objects := self._objects()):
            rank, text = place["rank"].lower(), objects("text", self._dot)
            number = RANKS.get(rank) or int(re.sub(r"\D", "", rank) or 1)
            return f"{self._dot}*{text}" if rank == "last" else f"{self._dot}{{{number - 1}}}{text}{self._dot}*"
        verbs = [self._first(*_VERBS)]
        while verb := self._behind("and_verb", lambda: self._first(*_VERBS)):
            verbs.append(verb)
        self._verb = verbs[-1]
        objects = self._objects() if self._verb or first else None
        return meant.joined("&", [objects(verb or "contain", self._dot) for verb in verbs]) if objects else ""

    # -- objects

    def _objects(self) -> Found | None:
        self._edges = False
        parts, found = list[Found](), self._relation()
        while found:
            parts.append(found)
            joints = ("and", "comma") if self._dot == "." else ()
            found = next(filter(None, (self._behind(joint, self._relation) for joint in joints)), None)
        self._edge = ""
        if parts[1:]:
            return meant.row(parts, ".*") if self._take("in_order") else partial(meant.joint, "&", parts)
        return parts[0] if parts else None

    def _relation(self) -> Found | None:
        left = self._choice()
        while left and (found := self._related(left)):
            left = found
        return left

    def _related(self, left: Found) -> Found | None:
        for name, (gap, order) in _RELATIONS.items():
            if right := self._behind(name, self._choice):
                return meant.row([left, right][::order], gap)
        if right := self._behind("unfollowed", self._choice):
            return partial(meant.unfollowed, left, right)
        if right := self._behind("between", partial(self._item, paired=True)):
            return meant.row([right, left, self._behind("and", self._item) or right], "")
        return None

    def _choice(self) -> Found | None:
        if self._take("neither"):
            found = self._choice()
            return found and partial(meant.denied, found)
        if found := self._behind("no_or", self._alternatives):
            return partial(meant.denied, found)
        return self._alternatives(alone=True)

    def _alternatives(self, *, alone: bool = False) -> Found | None:
        """Items with "or" between; unless one may stand `alone`, several without a "no" of their own."""
        items, start, self._denials = list[Found](), self._at, 0
        self._edge = self._edge if self._edges else ""
        found = self._item()
        while found:
            items.append(found)
            start = start if items[1:] else self._at
            found = self._behind("comma", self._item)
        if items[1:] and not _PHRASES["or"].match(self._text, self._at):
            # Only the commas before an "or" are those of alternatives.
            self._at, items = start, items[:1]
        while items and (found := self._behind("or", self._item)):
            items.append(found)
        if not alone and (not items[1:] or self._denials):
            return None
        if items[1:]:
            return partial(meant.one_of, items) if self._take("not_both") else partial(meant.joint, "|", items)
        return items[0] if items else None

    # -- items

    def _item(self, *, paired: bool = False) -> Found | None:
        start = self._at
        turned = self._take("no")
        self._denials += bool(turned)
        self._take("either")
        amount, run = self._amount("bound"), bool(self._take("run"))
        self._take("any")
        text = self._noun()
        if not text:
            self._at = start
            return None
        several = self._text[: self._at].rstrip().endswith("s")
        self._take("sign")
        while more := self._class():
            text += more
        self._take("filler")
        often = self._behind("verbed", lambda: self._amount("count", "often")) or self._amount("count", "often")
        amount = often or amount or ((1, None, False) if several else None)
        run = bool(self._take("run")) or run
        found = self._moved(partial(meant.counted, text, None if paired else amount, run))
        self._take("filler")
        return partial(meant.denied, found) if turned else found

    def _moved(self, what: Found) -> Found:
        """What is said to be at a place: `'a' at the beginning or at the end`."""
        places, at = list[Found](), self._first("at_start", "at_end")
        while at:
            places.append(partial(meant.with_verb, what, at[3:]))
            at = self._behind("or", lambda: self._first("at_start", "at_end")) or ""
        return partial(meant.joint, "|", places) if places else what

    def _amount(self, *kinds: str) -> Amount | None:
        match = MASTER.match(self._lower, self._at)
        kind, _, key = (match.lastgroup or "").partition("_") if match else ("", "", "")
        if match is None or kind not in kinds:
            return None
        self._at = match.end()
        low, high = bounds(key.partition("_")[0], match[0])
        return low, high, low == high and not match[0].startswith("exactly")

    def _noun(self) -> str:
        if quote := self._match(_QUOTE):
            text = f"({self._quoted[ord(quote[0][0]) - _FIRST_QUOTE]})"
            return f"{self._edge}{text}{self._edge}"
        if text := self._named() or self._class():
            return text
        for name, of in (("word", "[<LET>]"), ("number", "[<NUM>]")):
            if self._dot == "." and self._take(name):
                return self._word(of)
        if example := self._behind("like", lambda: self._match(_NEXT)):
            return meant.shaped(example[0].strip())
        bare = self._match(_BARE)
        if not bare and self._verb in ("start", "end") and not self._any_of(_AFTER_NOUNS):
            bare = self._match(_NEXT)
        return f"({literal(bare[0].strip())})" if bare else ""

    def _named(self) -> str:
        """`the word 'x'`, `the letters 'x' and 'y'`, `the number 11`"""
        start = self._at
        for name, edge in (("naming_word", r"\b"), ("naming", "")):
            if naming := self._take(name):
                self._edge, self._edges = edge, naming[0].strip().endswith("s")
                if self._text[self._at : self._at + 1] >= chr(_FIRST_QUOTE):
                    return self._noun()
                if not self._any_of(_AFTER_NOUNS) and (named := self._match(_NEXT)):
                    return f"{edge}({literal(named[0].strip())}){edge}"
                self._edge = ""
                break
        self._at = start
        return ""

    def _any_of(self, names: tuple[str, ...]) -> bool:
        return any(_PHRASES[name].match(self._text, self._at) for name in names)

    def _class(self) -> str:
        for pattern, regex in _CLASSES.items():
            if self._match(pattern):
                return regex
        return ""

    def _word(self, of: str) -> str:
        """A word, and what is said of it: `a word that starts with 'x'`, `a number of 4 digits`."""
        outer, self._dot = (self._dot, self._verb), of
        inside = self._clauses(first=False)
        self._dot, self._verb = outer
        return rf"\b(({of}+)&({inside}))\b" if inside else rf"\b{of}+\b"
