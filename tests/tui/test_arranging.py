"""Which panes have room."""

from __future__ import annotations

import pytest

from stonebrowse.tui.arranging import Pane, arrange


@pytest.mark.parametrize("at", ["list", "document", "outline"])
def test_a_hundred_columns_show_three_panes(at: Pane) -> None:
    shown = arrange(100, 30, at)
    assert shown.list_width == 35
    assert shown.document
    assert shown.outline_width >= 26


def test_sixty_columns_show_two_panes_and_the_outline_takes_the_lists_place() -> None:
    assert (arrange(60, 24, "list").list_width > 0, arrange(60, 24, "list").outline_width) == (True, 0)
    assert (arrange(99, 24, "outline").list_width, arrange(99, 24, "outline").outline_width > 0) == (0, True)
    assert arrange(80, 24, "document").document


@pytest.mark.parametrize("at", ["list", "document", "outline"])
@pytest.mark.parametrize("width", [1, 20, 59])
def test_below_that_one_pane_has_the_whole_width(width: int, at: Pane) -> None:
    shown = arrange(width, 5, at)
    assert [shown.shows("list"), shown.shows("document"), shown.shows("outline")] == [
        at == "list",
        at == "document",
        at == "outline",
    ]


def test_the_page_alone_is_alone_at_any_width() -> None:
    shown = arrange(200, 50, "document", alone=True)
    assert (shown.list_width, shown.outline_width, shown.document) == (0, 0, True)


def test_low_screens_leave_titles_and_keys_out() -> None:
    assert not arrange(120, 5, "list").titles
    assert not arrange(120, 5, "list").keys
    assert arrange(120, 24, "list").keys


@pytest.mark.parametrize("width", range(1, 300, 7))
def test_the_page_always_has_room(width: int) -> None:
    shown = arrange(width, 24, "document")
    assert max(shown.list_width, 0) + max(shown.outline_width, 0) <= width * 2 // 3
