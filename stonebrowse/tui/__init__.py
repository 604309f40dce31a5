"""The browser: what a person at a terminal sees and presses.

Here live the app, its screens, panes and the one list of actions; `reader/` holds the document view. Here may
not live SQL, Whoosh, or the reading of files: everything comes from one `library.Library`, whose calls run in
worker threads. Whatever a document, a file name or a query says is data: it is drawn as plain text with its
control characters made visible, never as markup, never as a control sequence.

Units: widths and heights in terminal cells, offsets in bytes of a version's text, lines one-based.
"""
