"""The browser in a web page: a small server on this machine, and one browser process for each open page.

Here lives what speaks HTTP: the door (who may come in), the page, and the way between a page's websocket and
its browser process. No document is read here and nothing of the library is known: the browser of `tui` does
all that, in a process of its own. Sizes are columns and rows, times are seconds.

`textual_serve` and `aiohttp` (the optional install `stonebrowse[web]`) are imported in this room only.
"""
