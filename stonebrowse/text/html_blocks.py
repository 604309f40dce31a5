"""Which lines open an HTML block, and what ends it: CommonMark 0.31.2, "HTML blocks"."""

from __future__ import annotations

import re
from enum import Enum

# fmt: off
BLOCK_NAMES = (  # start condition 6
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
    "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup",
    "option", "p", "param", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
    "title", "tr", "track", "ul",
)
# fmt: on


class HtmlEnd(Enum):
    """What ends a block that has no end mark of its own."""

    BLANK = "a blank line"
    BLANK_NO_INTERRUPT = "a blank line, and it cannot begin below a line of a paragraph"


# `\s` on `str`, and ASCII names only, as in markdown-it-py.
_MARKED = (
    (
        re.compile(r"<(?a:script|pre|style|textarea)(?=\s|>|$)", re.IGNORECASE),
        re.compile(rb"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r"<!--"), re.compile(rb"-->")),
    (re.compile(r"<\?"), re.compile(rb"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(rb">")),
    (re.compile(r"<!\[CDATA\["), re.compile(rb"\]\]>")),
)
_NAMED = re.compile(rf"</?(?a:{'|'.join(BLOCK_NAMES)})(?=\s|/?>|$)", re.IGNORECASE)
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
_ATTRIBUTE = rf"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*{_VALUE})?)"
_TAG_ALONE = re.compile(rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*$")


def html_end(line: bytes) -> re.Pattern[bytes] | HtmlEnd | None:
    """What ends the HTML block that a line opens.

    Args:
        line: from its `<` to its end, without the line end.

    Returns:
        The end mark, which may stand in the line itself; or a blank line; or None where it opens no block.
    """
    source = line.decode("utf-8", "replace").replace("\0", "\ufffd")
    for opening, end in _MARKED:
        if opening.match(source):
            return end
    if _NAMED.match(source):
        return HtmlEnd.BLANK
    return HtmlEnd.BLANK_NO_INTERRUPT if _TAG_ALONE.match(source) else None
