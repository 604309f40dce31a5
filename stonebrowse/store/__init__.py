"""store: what is kept for ever.

Here lives everything that must outlast a crash: Files and their versions, the bytes of those versions, how
they were cut into passages, and small facts about the library. It is one SQLite database, and all SQL of
stonebrowse is in this room: whoever comes through its door (`Store`, `Writing`) sees records and bytes,
never a row, a cursor or a `sqlite3.Error`, so that another kind of store can take its place.

What may not live here: reading the folder (library), how Markdown is parsed (text), what can be thrown away
and rebuilt (index).

Units: paths are the escaped form of the contract (relative, `/` between parts). Offsets and sizes are bytes;
`size` and `bytes` are of the file's exact bytes, `text_size` and all offsets of windows are of the text as
UTF-8. Times are RFC 3339 in UTC with microseconds. Line numbers and version numbers begin at 1.
"""

from stonebrowse.store.checking import Fault
from stonebrowse.store.desk import Mark, Sitting, TrayItem
from stonebrowse.store.identifiers import FileId, PassageId, VersionId
from stonebrowse.store.measuring import FileSize, Sizes
from stonebrowse.store.pruning import Dropped
from stonebrowse.store.records import File, FolderIdentity, Frame, Stat, Version
from stonebrowse.store.store import Store
from stonebrowse.store.writing import Writing

__all__ = [
    "Dropped",
    "Fault",
    "File",
    "FileId",
    "FileSize",
    "FolderIdentity",
    "Frame",
    "Mark",
    "PassageId",
    "Sitting",
    "Sizes",
    "Stat",
    "Store",
    "TrayItem",
    "Version",
    "VersionId",
    "Writing",
]
