"""The document view of the browser: bytes of a version → styled rows on the screen.

What lives here: the Markdown renderer for the screen, the layout (wrapping, heights, places) and the
widget `DocumentView`. Only what is visible is parsed and wrapped.

What may not: reading files, the store, the index, or anything of the library. A document comes in through
the protocol `Source` (`source.py`), and goes nowhere but onto the screen. Whatever stands in a document is
data: no control character, no bidi override and no markup language of a terminal library passes
`safety.visible`.

Units: places are byte offsets into the text (UTF-8), never rows; widths are terminal cells; a *chunk* is a
passage of the text's `Cut`, known by its ordinal; a *line* of the model is a logical line before wrapping,
a *row* is what stands in one row of the screen.

The way through: `stretches` and `boundaries` (which text must be parsed together, so that a chunk looks as in
the whole document) → `grammar` (markdown-it-py) → `render` with `inlines`, `containers`, `tables`, `code`,
`html_blocks` and others (tokens → lines) → `layout` and `wrapping` (lines → rows) → `window` (which rows are on
the screen) → `painting` (rows → strips) → `view`. `references` finds what links and footnotes lead to.
"""
