"""Staying at the end of a file that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.desk import browsing, write_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


def log(lines: int) -> dict[str, str]:
    return {"README.md": "# Log\n\n" + "".join(f"Entry {number}.\n\n" for number in range(1, lines + 1))}


async def test_f_stays_at_the_end_as_the_file_grows_until_one_moves_up(make_library: Make) -> None:
    library = make_library(log(100))
    async with browsing(library) as desk:
        await desk.press("F")
        assert desk.focus == "page"
        assert "Entry 100." in desk.text
        assert "following" in desk.status
        for lines in (150, 190):
            write_files(library.folder, log(lines))
            library.update()
            await desk.until(lambda lines=lines: f"Entry {lines}." in desk.text, "the new end")  # type: ignore[misc]
            assert "following" in desk.status
        await desk.press("k", "k")
        assert "following" not in desk.status
        write_files(library.folder, log(250))
        library.update()
        await desk.until(lambda: "v4" in desk.status, "the new version")
        assert "Entry 189." in desk.text
        assert "Entry 250." not in desk.text
