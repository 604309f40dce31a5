"""`python -m tests.bench`."""

import signal
import sys

from tests.bench.run import main

if __name__ == "__main__":
    # Stopped in whatever way, it shows what it has and takes its temporary place away.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    sys.exit(main())
