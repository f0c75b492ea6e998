"""Wiki markup: what is left of a page when templates, tables, references, files and headings are taken away.

Pages come from strangers, so every step is one pass: brackets are matched with a stack, never by
a pattern that could go back over them.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

HOLE = "\ufffc"
"""Stands where a formula or a template with words in it was; a sentence with a hole is not whole."""

_DEEPEST_LINK = 8

# Elements whose content is no running text. A formula leaves a hole, a reference does not.
_SILENT = "ref|references|gallery|timeline|imagemap|templatestyles|table|graph|mapframe|maplink|indicator|section"
_HOLLOW = "math|chem|ce|score|hiero|syntaxhighlight|source|code|pre"
_ELEMENT = re.compile(rf"<(?P<close>/?)(?P<name>{_SILENT}|{_HOLLOW})\b(?P<rest>[^<>]*+)>", re.IGNORECASE)
_HOLES = frozenset(_HOLLOW.split("|"))
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_CLOSERS = {"}}": "{{", "|}": "{|"}
_LINKS = re.compile(r"\[\[|\]\]")
_EXTERNAL = re.compile(r"\[(?:[a-z]{2,7}:)?//[^\s\[\]]*+([^\[\]]*+)\]", re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|hr|/?p|/?div|/?li|/?ul|/?ol|/?blockquote|/?center)\b[^<>]*+>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*+>", re.IGNORECASE)
_EMPHASIS = re.compile("'{2,}+")
_SWITCH = re.compile(r"__[^\W\d_]{3,30}+__")
_HEADING = re.compile(r"^=[^\n]*=[^\S\n]*$", re.MULTILINE)
_BLANKS = re.compile(r"[^\S\n]+")
_INTERWIKI = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,8})?\Z")

# The namespaces of pictures and categories in the languages that have word lists here, and a few more.
_NAMESPACES = """
file image media category archivo imagen categoría fitxer imatge categoria ficheiro imaxe imagem arquivo fichier
catégorie immagine datei bild kategorie fil kategori файл изображение категория 文件 檔案 图像 圖像 分类 分類
ファイル 画像 カテゴリ 파일 그림 분류
"""
_HIDDEN = frozenset(_NAMESPACES.split())


def plain(markup: str) -> str:
    """The running text of a page, with an empty line between paragraphs and list items; headings are left out.

    >>> plain("== Life ==\\n'''Ada''' was an [[English people|English]] writer.<ref>Smith</ref>")
    'Ada was an English writer.'
    """
    text = _without_elements(_without_comments(markup))
    text = _without_links(_without_braces(text))
    text = _EXTERNAL.sub(lambda link: link[1].strip(), text)
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _SWITCH.sub("", _EMPHASIS.sub("", text))
    return without_headings(html.unescape(text))


def without_headings(text: str) -> str:
    """The lines that are no headings, as paragraphs with single blanks."""
    lines = (_BLANKS.sub(" ", line).strip() for line in _HEADING.sub("", text).split("\n"))
    return "\n\n".join(line for line in lines if line)


def _without_comments(text: str) -> str:
    kept, at = [], 0
    while (begin := text.find("<!--", at)) >= 0:
        kept.append(text[at:begin])
        end = text.find("-->", begin)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join(kept) + text[at:]


def _without_elements(text: str) -> str:
    found = list(_ELEMENT.finditer(text))
    last_close = {each["name"].lower(): each.start() for each in found if each["close"]}
    kept, at, inside = [], 0, ""
    for each in found:
        name = each["name"].lower()
        if inside:
            if each["close"] and name == inside:
                at, inside = each.end(), ""
            continue
        kept.append(text[at : each.start()])
        at = each.end()
        if name in _HOLES and not each["close"]:
            kept.append(HOLE)
        # One that is never closed takes only itself away, not the rest of the page.
        if not each["close"] and not each["rest"].endswith("/") and last_close.get(name, -1) > each.start():
            inside = name
    return "".join(kept) + text[at:]


def _without_braces(text: str) -> str:
    kept, at = [], 0
    for begin, end in _outermost(text):
        kept.append(text[at:begin])
        if _leaves_a_hole(text, begin, end):
            kept.append(HOLE)
        at = end
    return "".join(kept) + text[at:]


def _outermost(text: str) -> Iterator[tuple[int, int]]:
    """The templates and tables that are closed and stand in no other one."""
    spans: list[tuple[int, int]] = []
    open_ones: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()
    for brace in _BRACES.finditer(text):
        opener = _CLOSERS.get(brace[0])
        if opener is None:
            open_ones.append((brace[0], brace.start()))
            waiting[brace[0]] += 1
        elif waiting[opener]:
            kind, begin = "", 0
            while kind != opener:
                kind, begin = open_ones.pop()
                waiting[kind] -= 1
            while spans and spans[-1][0] > begin:
                spans.pop()
            spans.append((begin, brace.end()))
    return iter(spans)


def _leaves_a_hole(text: str, begin: int, end: int) -> bool:
    """Whether words seem to be missing: a note touches the word before it, a box has its line to itself."""
    before, after = text[begin - 1 : begin], text[end : end + 1]
    if text.startswith("{|", begin) or after in ("", "\n"):
        return False
    return before in (" ", "(", "\u00a0", "\u2009") or (before in ("", "\n") and after == " ")


def _without_links(text: str) -> str:
    levels: list[list[str]] = [[]]
    too_deep, at = 0, 0
    for bracket in _LINKS.finditer(text):
        if not too_deep:
            levels[-1].append(text[at : bracket.start()])
        at = bracket.end()
        if bracket[0] == "[[":
            if len(levels) > _DEEPEST_LINK:
                too_deep += 1
            else:
                levels.append([])
        elif too_deep:
            too_deep -= 1
        elif len(levels) > 1:
            levels[-2].append(_label("".join(levels.pop())))
    levels[-1].append(text[at:])
    return "".join(part for level in levels for part in level)


def _label(link: str) -> str:
    target, _, label = link.partition("|")
    space = target.partition(":")[0].strip() if ":" in target else ""
    if space.lower() in _HIDDEN or _INTERWIKI.match(space):
        return ""
    return label.rpartition("|")[2] or target.strip().removeprefix(":")
