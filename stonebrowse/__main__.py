"""`python -m stonebrowse`."""

from __future__ import annotations

import sys

from stonebrowse.cli import main

if __name__ == "__main__":
    sys.exit(main())
