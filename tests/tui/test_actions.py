"""The one list of actions."""

from __future__ import annotations

import pytest
from textual.binding import Binding
from textual.keys import _get_key_aliases

from stonebrowse.tui.actions import ACTIONS, GROUPS, grouped, shown_key, split_keys, with_keys


def test_every_action_has_a_name_of_its_own_and_a_sentence() -> None:
    names = [action.name for action in ACTIONS]
    assert len(names) == len(set(names))
    assert all(action.description and action.label for action in ACTIONS)
    assert {action.group for action in ACTIONS} == set(GROUPS)


def test_no_key_belongs_to_two_actions() -> None:
    keys = [
        binding.key
        for action in ACTIONS
        for binding in Binding.make_bindings([Binding(action.keys, action.name)])
    ]
    aliased = {alias for key in keys for alias in _get_key_aliases(key)}
    assert len(keys) == len(set(keys))
    assert aliased.issuperset(keys)


def test_the_keys_of_the_design_do_what_it_says() -> None:
    keys = {key: action.name for action in ACTIONS for key in split_keys(action.keys)}
    wanted = {
        "s": "search",
        "ctrl+f": "search",
        "t": "files",
        "o": "outline",
        "v": "versions",
        "tab": "next_pane",
        "j": "down",
        "k": "up",
        "d": "half_page_down",
        "u": "half_page_up",
        "space": "page_down",
        "b": "page_up",
        "g": "top",
        "G": "bottom",
        "[": "previous_heading",
        "]": "next_heading",
        "n": "next_hit",
        "N": "previous_hit",
        "enter": "open",
        "escape": "close",
        "y": "copy_citation",
        "Y": "copy_quote",
        "r": "raw",
        "e": "edit",
        "?": "help",
        ":": "palette",
        "ctrl+p": "palette",
        "q": "quit",
        "f": "links",
        "backspace": "back",
        "H": "back",
        "L": "forward",
    }
    assert {key: keys.get(key) for key in wanted} == wanted


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("s", "s"),
        ("G", "G"),
        ("ctrl+f", "Ctrl+F"),
        ("shift+tab", "Shift+Tab"),
        ("space", "Space"),
        ("f1", "F1"),
        ("[", "["),
    ],
)
def test_keys_are_shown_as_people_write_them(key: str, shown: str) -> None:
    assert shown_key(key) == shown


def test_a_persons_own_key_replaces_the_default_and_is_taken_from_its_former_action() -> None:
    actions, faults = with_keys({"search": "q"})
    by_name = {action.name: action for action in actions}
    assert by_name["search"].keys == "q"
    assert by_name["quit"].keys == ""
    assert faults == []


def test_what_is_wrong_with_a_persons_keys_is_said_and_changes_nothing() -> None:
    actions, faults = with_keys({"serch": "x", "quit": "ctrl+", "help": "F 1"})
    assert actions == ACTIONS
    assert len(faults) == 3
    assert "did you mean search?" in faults[0]
    assert all(fault.startswith("keys.") for fault in faults)


def test_a_key_that_two_actions_ask_for_goes_to_the_first() -> None:
    actions, faults = with_keys({"help": "x", "quit": "x,ctrl+x"})
    by_name = {action.name: action.keys for action in actions}
    assert (by_name["help"], by_name["quit"]) == ("x", "ctrl+x")
    assert len(faults) == 1


def test_every_action_stands_in_one_group_of_the_help() -> None:
    listed = [action for _, members in grouped(ACTIONS) for action in members]
    assert sorted(action.name for action in listed) == sorted(action.name for action in ACTIONS)
