"""The use cases: what a person can do with a library, one module each.

Here live walking and syncing the folder, watching it, indexing, searching, reading, resolving references
and checking the store; and `Library`, the one object that front ends hold. No SQL, no Whoosh, no Markdown
and nothing of a terminal: those are the rooms below and above. Offsets are bytes of a version's text, lines
are one-based, paths are the escaped form of `text.citations.escape_path`.
"""
