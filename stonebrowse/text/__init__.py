"""From bytes to words that can be cited: the one room that knows Markdown.

What lives here: pure functions, no files, no clock, no settings. `decoding` turns the bytes of a version into
its text; `lines`, `front_matter` and `headings` say what stands where in it; `passages` cuts it into the
pieces that are found and cited; `citations` makes and reads the strings that name them; `words` folds and
splits text for the search. `authority` is markdown-it-py, asked only where the scanner is not certain.

What may not: opening anything, SQL, the index, printing.

Units: a text is `bytes` of valid UTF-8, and every `start` and `end` is a byte offset into it, half open. A
`line` is one-based. A `heading` is plain text of at most 256 characters, raw; in a label, a citation or a
trail it is escaped. A `path` is always the escaped, `/`-separated form.
"""
