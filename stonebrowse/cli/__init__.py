"""The command line: parse, call `Library`, show.

Results go to standard output, everything else to standard error. No SQL, no Whoosh, no reading of the folder;
the browser and the library are imported only by the commands that need them.
"""

from __future__ import annotations

from stonebrowse.cli.main import main

__all__ = ["main"]
