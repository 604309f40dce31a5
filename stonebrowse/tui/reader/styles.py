"""The names of the styles of a document, with their default colours.

Each name is a component class of `DocumentView` (`reader--NAME`), so that a style sheet may change it:

    DocumentView > .reader--heading-1 { color: $accent; text-style: bold underline; }

The defaults use the variables of Textual's themes, so that any theme gives a whole picture. What a style says
is also said without colour, by a mark or by bold, underline or reverse: `NO_COLOR` loses nothing.
"""

from __future__ import annotations

from typing import Final

STYLES: Final[dict[str, str]] = {
    # headings
    "heading-1": "color: $text-accent; text-style: bold;",
    "heading-2": "color: $text-primary; text-style: bold;",
    "heading-3": "color: $text-primary; text-style: bold;",
    "heading-4": "color: $text-success; text-style: bold;",
    "heading-5": "color: $text-success; text-style: bold;",
    "heading-6": "color: $text-success; text-style: bold;",
    "heading-mark": "color: $foreground 50%; text-style: not bold;",
    "heading-rule": "color: $foreground 35%;",
    # inline
    "emphasis": "text-style: italic;",
    "strong": "text-style: bold;",
    "strike": "text-style: strike;",
    "underline": "text-style: underline;",
    "code": "color: $text-accent; background: $surface-lighten-1;",
    "key": "color: $foreground; background: $surface-lighten-2; text-style: bold;",
    "highlight": "color: $text; background: $warning-muted;",
    "link": "color: $text-primary; text-style: underline;",
    "footnote": "color: $text-primary;",
    "image": "color: $text-success;",
    "image-path": "color: $foreground 55%;",
    "html": "color: $foreground 55%;",
    # blocks
    "bullet": "color: $text-accent;",
    "task-open": "color: $foreground 60%;",
    "task-done": "color: $text-success; text-style: bold;",
    "quote": "color: $foreground 75%;",
    "quote-bar": "color: $foreground 40%;",
    "rule": "color: $foreground 35%;",
    "front-matter": "color: $foreground 55%;",
    "definition": "color: $foreground 55%;",
    "footnote-label": "color: $text-primary; text-style: bold;",
    # callouts
    "note": "color: $text-primary; text-style: bold;",
    "tip": "color: $text-success; text-style: bold;",
    "important": "color: $text-secondary; text-style: bold;",
    "warning": "color: $text-warning; text-style: bold;",
    "caution": "color: $text-error; text-style: bold;",
    # tables
    "table-head": "text-style: bold;",
    "table-line": "color: $foreground 30%;",
    # code
    "code-block": "color: $foreground; background: $surface;",
    "code-label": "color: $foreground 45%;",
    "code-wrap": "color: $foreground 35%;",
    "code-keyword": "color: $text-secondary; text-style: bold;",
    "code-name": "color: $text-primary;",
    "code-string": "color: $text-success;",
    "code-number": "color: $text-warning;",
    "code-comment": "color: $foreground 50%; text-style: italic;",
    "code-tag": "color: $text-primary; text-style: bold;",
    "code-added": "color: $text-success;",
    "code-removed": "color: $text-error;",
    # the raw source
    "raw-number": "color: $foreground 35%;",
    "raw-heading": "text-style: bold;",
    # the view itself
    "mark": "color: $accent; text-style: bold;",
    "lit": "color: $text; background: $warning; text-style: bold;",
    "hint": "color: $text; background: $accent; text-style: bold;",
    "more": "color: $accent;",
    "empty": "color: $foreground 55%; text-style: italic;",
}
"""Name → CSS. `mark` is the bar beside the marked passage, `lit` the words searched for."""

COMPONENT_PREFIX: Final = "reader--"

COMPONENT_CLASSES: Final = frozenset(COMPONENT_PREFIX + name for name in STYLES)

STYLE_SHEET: Final = "".join(
    f"    & > .{COMPONENT_PREFIX}{name} {{ {rules} }}\n" for name, rules in STYLES.items()
)
"""The defaults as rules nested in the view's own."""
