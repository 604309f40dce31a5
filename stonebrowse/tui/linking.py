"""Links of the page: numbered, and followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.links import Outside, anchor_section, find, nearest_anchors, nearest_paths, read_link

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stonebrowse.store import File
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.page import Page
    from stonebrowse.tui.sending import Sending
    from stonebrowse.tui.status import Notice

FOOTNOTE = "#^"


class Linking:
    """Numbers the visible links, and goes where one leads."""

    def __init__(
        self,
        page: Page,
        opening: Opening,
        lane: Lane,
        sending: Sending,
        notice: Notice,
        files: Callable[[], Mapping[str, File]],
    ) -> None:
        """Made of what it works on; `files` gives the library's Files by path."""
        self._page = page
        self._opening = opening
        self._lane = lane
        self._sending = sending
        self._notice = notice
        self._files = files
        self._targets: dict[int, str] = {}

    @property
    def numbered(self) -> bool:
        """Whether the links carry numbers now."""
        return bool(self._targets)

    def number(self) -> None:
        """Numbers the visible links; once more, takes the numbers away."""
        if self._targets:
            self.hide()
            return
        self._targets = {link.number: link.target for link in self._page.show_hints()}
        if not self._targets:
            self._notice.tell("No links on this part of the page")

    def hide(self) -> None:
        """Takes the numbers away."""
        self._targets = {}
        self._page.hide_hints()

    def sure(self, typed: str) -> bool:
        """Whether a number cannot become the number of another link by a further digit."""
        return int(typed) in self._targets and int(typed) * 10 > max(self._targets)

    def choose(self, number: int) -> None:
        """Follows the link with this number."""
        target = self._targets.get(number)
        self.hide()
        if target is None:
            self._notice.tell(f"There is no link {number}", warning=True)
        else:
            self.follow(target)

    def follow(self, target: str) -> None:
        """Goes where a link leads. What leads out of the library is shown and copied, never opened."""
        document = self._opening.document
        if document is None:
            return
        if target.startswith(FOOTNOTE):
            offset = self._page.footnote(target.removeprefix(FOOTNOTE))
            if offset is not None:
                self._opening.go_to(offset, align=1 / 3)
            return
        link = read_link(target, document.file.path)
        if isinstance(link, Outside):
            self._sending.copy("Link out of the library, its address", link.url)
            return
        files = self._files()
        if not link.paths:
            self._to_anchor(link.anchor)
        elif (path := find(link, files)) is None:
            self._lane.ask(
                lambda: nearest_paths(link, files),
                lambda near: self._broken("Nothing in the library is called so:", target, near),
            )
        else:
            self._opening.open_file(files[path], link.anchor, self._no_anchor)

    def _no_anchor(self, anchor: str, near: Sequence[str]) -> None:
        self._broken("No heading of this page is called so:", f"#{anchor}", [f"#{name}" for name in near])

    def _broken(self, said: str, target: str, near: Sequence[str]) -> None:
        meant = ["The nearest:", *near] if near else []
        self._notice.tell(said, [target, *meant], warning=True)

    def _to_anchor(self, anchor: str) -> None:
        document = self._opening.document
        assert document is not None
        if not anchor:
            self._opening.go_to(0)
            return

        def work() -> tuple[int | None, list[str]]:
            section = anchor_section(document.cut, anchor)
            return section, [] if section is not None else nearest_anchors(document.cut, anchor)

        def done(found: tuple[int | None, list[str]]) -> None:
            section, near = found
            if section is None:
                self._no_anchor(anchor, near)
            elif self._opening.document is document:
                self._opening.go_to(document.cut.section(section).start)

        self._lane.ask(work, done)
