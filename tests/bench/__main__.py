"""`python -m tests.bench`."""

import sys

from tests.bench.run import main

if __name__ == "__main__":
    sys.exit(main())
