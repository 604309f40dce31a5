"""The plain text of a heading, which its label is made of."""

from __future__ import annotations

import re

from stonebrowse.text import authority

MAX_HEADING = 256  # characters; a longer one is cut to 255 and an ellipsis

# Nothing in a heading without these is markup.
_SUSPECT = re.compile(r"[\\`*\[<&_~]")
# Read without the parser, since each binds tighter than what may be around it (CommonMark 0.31.2, 6): a code
# span between single backticks, a plain tag, an escape, a plain link or image.
_SIMPLE = re.compile(
    r"(?<!`)`(?P<code>[^`]+)`(?!`)"
    r"|<[A-Za-z][A-Za-z0-9-]*(?: +[A-Za-z_:][A-Za-z0-9_:.-]*(?:=\"[^\"<>\n]*\")?)* */?>"
    r"|</[A-Za-z][A-Za-z0-9-]* *>"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!?\[(?P<link>[^\[\]`*_<&\\~^\n]+)\]\((?:https?://)?[A-Za-z0-9/.#?=%@+,_-]*\)"
)
# What may be markup in the rest. An asterisk before a blank opens nothing, nor does an underscore inside or
# after a word (6.2); a bracket needs what follows it, or a definition.
_MARKUP = re.compile(
    r"[\\`]|\*(?![* ]|\Z)|(?<![A-Za-z0-9_])_(?!_*(?: |\Z))|~~|<[A-Za-z/!?]|&[#A-Za-z]|\]\(|\[\^"
)
_BLANKS = re.compile("[ \t\r\n]{2,}|[\t\r\n]")
# No inline parse of more characters than this: far more than 256 of a heading's text need.
_PARSED_AT_MOST = 16 * 1024


def heading_text(content: str, env: authority.Env | None = None) -> str:
    """The plain text of a heading, from its inline source, by the rule of the contract.

    Markup, raw tags and footnote marks are gone, entities and escapes resolved, an image is its alt text.
    Runs of space, tab and line ends become one space, the ends are trimmed, and what is too long is cut.

    Args:
        content: the inline source.
        env: the definitions of the document, from `authority.blocks`.
    """
    if "\0" in content:
        content = content.replace("\0", "\ufffd")
    if _SUSPECT.search(content):
        rest = _SIMPLE.sub("\0", content)
        if _MARKUP.search(rest) or (env and "[" in rest):
            content = authority.plain_text(authority.trimmed(content)[:_PARSED_AT_MOST], env)
        else:
            content = _SIMPLE.sub(_simple, content)
    if "  " in content or "\t" in content or "\n" in content or "\r" in content:
        content = _BLANKS.sub(" ", content)
    content = content.strip()
    return content if len(content) <= MAX_HEADING else content[: MAX_HEADING - 1] + "…"


def _simple(found: re.Match[str]) -> str:
    code = found["code"]
    if code is None:
        return found["escaped"] or found["link"] or ""
    code = code.replace("\n", " ")
    # One space at each end is part of the markup (6.1).
    return code[1:-1] if code[0] == code[-1] == " " and code.strip(" ") else code
