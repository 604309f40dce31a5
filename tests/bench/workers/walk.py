"""`walk FOLDER`: nothing but scandir and stat over a folder, the least that a look for changes can cost."""

from __future__ import annotations

import os
import sys
import time

from tests.bench.workers.answer import answer


def walk(folder: str) -> int:
    """Stats every file below a folder; how many there were."""
    files = 0
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    files += 1
    return files


if __name__ == "__main__":
    begun = time.perf_counter()
    files = walk(sys.argv[1])
    answer(wall=time.perf_counter() - begun, files=files)
