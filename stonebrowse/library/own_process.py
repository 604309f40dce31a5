"""Starting a module of this package as a process of its own.

`python -m` would look into the working directory before everything else. That may be the folder that is
browsed, and a `signal.py` or a `stonebrowse/` in it would be run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = (
    "import sys; root, module = sys.argv[1:3]; del sys.argv[1:3]; sys.path.append(root); "
    "import runpy; runpy.run_module(module, run_name='__main__', alter_sys=True)"
)
"""What Python is given. Where the package lies comes last: an installed one is found before."""


def own_command(module: str, *words: str) -> list[str]:
    """The command line that runs a module of this package, with these words after it.

    Args:
        module: its full name, as `stonebrowse.library.keeper_process`.
        words: what it finds in `sys.argv[1:]`.
    """
    return [sys.executable, "-P", "-c", PROGRAM, str(ROOT), module, *words]
