"""Inline tokens → spans: what stands inside a paragraph, a heading or a cell.

Each span knows, where it can, at which byte of the document it begins: markdown-it-py gives no places for
inline content, so each piece of text is looked for in the source, from where the one before it ended.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.model import Link, Span
from stonebrowse.tui.reader.safety import cells, clip, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from markdown_it.token import Token

    from stonebrowse.tui.reader.stretches import Stretch

_LOOK_AHEAD: Final = 400  # characters: how far a piece of text may stand behind the one before it
_PATH_CELLS: Final = 48  # of an image's path
_IMAGE_MARK: Final = "▨ "

_STYLE_OF: Final = {"strong": "strong", "em": "emphasis", "s": "strike"}

# Tags whose meaning can be shown; all others stand as they are.
_TAG_STYLES: Final = {
    **{f"h{level}": f"heading-{level}" for level in range(1, 7)},
    **dict.fromkeys(("b", "strong", "summary", "th", "dt"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "var", "dfn", "figcaption"), "emphasis"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "del", "strike"), "strike"),
    **dict.fromkeys(("code", "tt", "samp"), "code"),
    "kbd": "key",
    "mark": "highlight",
    **dict.fromkeys(("sub", "sup", "small", "big", "span", "font", "nobr", "wbr", "abbr", "q"), ""),
    **dict.fromkeys(("p", "div", "center", "pre", "section", "article", "details", "blockquote"), ""),
    **dict.fromkeys(("table", "thead", "tbody", "tr", "td", "ul", "ol", "li", "dl", "dd"), ""),
    **dict.fromkeys(("picture", "source", "figure"), ""),
}
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)((?:\s[^>]*)?)>")
_ATTRIBUTE: Final = re.compile(r"""(?<![A-Za-z-])([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")

# In plain text: wiki links, and bare web addresses as in GitHub's autolinks.
_IN_TEXT: Final = re.compile(
    r"\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]{1,200})?\]\]|\bhttps?://[^\s<>\[\]`\"']*[^\s<>\[\]`\"'.,:;!?*_~()]"
)

Lines = list[list[Span]]


class InlineWriter:
    """Writes inline content as spans; a hard break begins another list of them.

    Args:
        stretch: what the content belongs to, or None where places do not matter.
        first_line: the line in the stretch where it begins.
        last_line: the line after it.
        style: style of all of it.
    """

    def __init__(self, stretch: Stretch | None, first_line: int, last_line: int, style: str = "") -> None:
        self._stretch = stretch
        self._line = first_line
        self._cursor = stretch.line_chars[first_line] if stretch else 0
        self._limit = stretch.line_chars[min(last_line, len(stretch.line_chars) - 1)] if stretch else 0
        self._styles: list[tuple[str, str]] = [("", style)] if style else []
        self._style = style
        self._links: list[Link] = []
        self._soft = False  # a soft break stands before what comes next
        self.lines: Lines = [[]]
        self._handlers: dict[str, Callable[[Token], None]] = {
            "text": self._text,
            "text_special": self._text,
            "softbreak": self._soft_break,
            "hardbreak": self._hard_break,
            "code_inline": self._code,
            "link_open": self._open_link,
            "link_close": self._close_link,
            "image": self._picture,
            "html_inline": self._html,
            "footnote_ref": self._footnote,
        }

    def write(self, tokens: Iterable[Token]) -> Lines:
        """All of the tokens."""
        for token in tokens:
            self._token(token)
        return self.lines

    def _token(self, token: Token) -> None:
        handler = self._handlers.get(token.type)
        if handler:
            handler(token)
        elif token.nesting == 1:
            self._push(token.tag, _STYLE_OF.get(token.tag, ""))
        elif token.nesting == -1:
            self._pop(token.tag)
        elif token.content:
            self.text(token.content)

    def _text(self, token: Token) -> None:
        self.text(token.content)

    def _hard_break(self, token: Token) -> None:  # noqa: ARG002 - a handler's signature
        self._next_line()
        self.lines.append([])

    def _soft_break(self, token: Token) -> None:  # noqa: ARG002 - a handler's signature
        self._next_line()
        self._soft = bool(self.lines[-1])

    def _code(self, token: Token) -> None:
        self._styled(token.content, "code")

    def _open_link(self, token: Token) -> None:
        self._links.append(Link(str(token.attrs.get("href", ""))))
        self._push("a", "link")

    def _close_link(self, token: Token) -> None:  # noqa: ARG002 - a handler's signature
        self._pop("a")
        if self._links:
            self._links.pop()

    def _picture(self, token: Token) -> None:
        children = token.children or ()
        alt = "".join(child.content for child in children if child.type != "image") or token.content
        self._image(alt, str(token.attrs.get("src", "")))

    def _html(self, token: Token) -> None:
        self.tag(token.content)

    def _footnote(self, token: Token) -> None:
        label = token.meta["label"]
        self._add(visible(f"[^{label}]"), "footnote", Link(f"#^{label}"))

    def text(self, text: str) -> None:
        """Plain text, in which wiki links and web addresses are links."""
        if self._links or ("[[" not in text and "://" not in text):
            self._styled(text, "")
            return
        position = 0
        for found in _IN_TEXT.finditer(text):
            if found.start() > position:
                self._styled(text[position : found.start()], "")
            target = f"[[{found[1]}]]" if found[1] else found[0]
            self._styled(found[0], "link", Link(target))
            position = found.end()
        if position < len(text):
            self._styled(text[position:], "")

    def tag(self, source: str) -> None:
        """An HTML tag: shown by its meaning if it is known, else as it stands."""
        found = _TAG.fullmatch(source)
        name = found[2].lower() if found else ""
        if found and name == "br":
            self.lines.append([])
        elif found and name == "img":
            attributes = _attributes(found[3])
            self._image(attributes.get("alt", ""), attributes.get("src", ""))
        elif found and name == "a" and (found[1] or "href" in _attributes(found[3])):
            self._anchor(found)
        elif found and name in _TAG_STYLES:
            if found[1]:
                self._pop(name)
                if name in {"td", "th"}:
                    self._styled("   ", "")
            elif not found[3].endswith("/"):
                if name == "li":
                    self._styled("• ", "bullet")
                self._push(name, _TAG_STYLES[name])
        else:
            self._styled(source, "html")

    def _anchor(self, found: re.Match[str]) -> None:
        if not found[1]:
            self._links.append(Link(_attributes(found[3])["href"]))
            self._push("a", "link")
        elif self._links:
            self._links.pop()
            self._pop("a")

    def _image(self, alt: str, path: str) -> None:
        alt = " ".join(alt.split())
        name = alt or path.rsplit("/", 1)[-1] or "image"
        self._add(_IMAGE_MARK + visible(name), "image", None if self._links else Link(path), find=alt)
        if not self._links and path and alt:
            self._add(f" ({clip(visible(path), _PATH_CELLS)})", "image-path", None, find=path)

    def _next_line(self) -> None:
        if self._stretch:
            found = self._stretch.text.find("\n", self._cursor, self._limit)
            if found >= 0:
                self._cursor = found + 1

    def _styled(self, text: str, style: str, link: Link | None = None) -> None:
        shown = visible(text)
        if shown:
            self._add(shown, style, link, find=text)

    def _add(self, shown: str, style: str, link: Link | None, find: str = "") -> None:
        combined = f"{self._style} {style}" if self._style and style else self._style or style
        if link is None and self._links:
            link = self._links[-1]
        if self._soft:
            self._soft = False
            self._join(shown)
        self.lines[-1].append(Span(shown, combined, link, self._place(find) if find else -1))

    def _join(self, following: str) -> None:
        """A soft break: a blank, but none between wide characters (Chinese, Japanese)."""
        line = self.lines[-1]
        before = line[-1].text[-1:] if line else " "
        if before != " " and not (cells(before) > 1 and cells(following[:1]) > 1):
            line.append(Span(" ", self._style, self._links[-1] if self._links else None))

    def _place(self, text: str) -> int:
        stretch = self._stretch
        if not stretch:
            return -1
        found = stretch.text.find(
            text, self._cursor, min(self._limit, self._cursor + len(text) + _LOOK_AHEAD)
        )
        if found < 0:
            return -1
        self._cursor = found + len(text)
        while self._line + 2 < len(stretch.line_chars) and stretch.line_chars[self._line + 1] <= found:
            self._line += 1
        return stretch.byte_at(found, self._line)

    def _push(self, tag: str, style: str) -> None:
        self._styles.append((tag, style))
        self._restyle()

    def _pop(self, tag: str) -> None:
        for index in range(len(self._styles) - 1, -1, -1):
            if self._styles[index][0] == tag:
                del self._styles[index]
                self._restyle()
                return

    def _restyle(self) -> None:
        self._style = " ".join(style for _, style in self._styles if style)


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): html.unescape(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(text)
    }


def plain(spans: Iterable[Span]) -> str:
    """The text of spans."""
    return "".join([span.text for span in spans])
