"""The page in which the browser is shown, and what it may load: nothing that this server does not give."""

from __future__ import annotations

import html
from functools import cache
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

FONT_SIZE: Final = 16
TITLE: Final = "stonebrowse"


def policy(host: str) -> str:
    """The Content-Security-Policy: everything from this server, nothing from elsewhere (CSP Level 3).

    Args:
        host: the Host header, checked before.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            # The terminal in the page writes its own style elements.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def page(host: str) -> str:
    """The page's HTML, for the server as it was called.

    Args:
        host: the Host header, checked before.
    """
    text = Template(own("page.html").decode())
    return text.substitute(title=TITLE, socket=html.escape(f"ws://{host}/ws"), size=FONT_SIZE)


@cache
def own(name: str) -> bytes:
    """One of this room's own files."""
    return resources.files("stonebrowse.web").joinpath("static", name).read_bytes()


@cache
def terminal(path: str) -> bytes:
    """One of the files of the terminal in the page, which textual-serve brings."""
    place = resources.files("textual_serve").joinpath("static")
    for part in path.split("/"):
        place = place.joinpath(part)
    return place.read_bytes()


FILES: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "page.css": ("text/css", lambda: own("page.css")),
    "page.js": ("text/javascript", lambda: own("page.js")),
    "terminal.css": ("text/css", lambda: terminal("css/xterm.css")),
    "terminal.js": ("text/javascript", lambda: terminal("js/textual.js")),
}
"""What the page loads: name → type, and where its bytes come from."""
