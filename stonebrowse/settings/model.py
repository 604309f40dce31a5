"""Every setting: its name, its default, what it may hold.

The dotted key of a setting is its table and its field, as `reader.width`; `theme` stands above the tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .kinds import Choice, Command, KeyTable, Kind, Name, Number, Suffixes, Toggle, Whole

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


def _setting(default: T, kind: Kind) -> T:
    """A field with its default and its kind. Typed as the default, as `dataclasses.field` itself is."""
    value: T = field(default=default, metadata={"kind": kind})
    return value


@dataclass(frozen=True)
class LibrarySettings:
    """`[library]`: which files of the folder are documents."""

    suffixes: tuple[str, ...] = _setting((".md", ".markdown", ".mdown", ".mkd"), Suffixes())
    """Endings of the names that are read, in lower case with their dot; names match in any case."""

    gitignore: bool = _setting(True, Toggle())
    """Whether what `.gitignore` files name is left out."""

    max_file_bytes: int = _setting(256 * 1024 * 1024, Whole(1, 2**32))
    """A larger file is skipped, and said to be. Bytes."""


@dataclass(frozen=True)
class SearchSettings:
    """`[search]`: how the library is searched."""

    limit: int = _setting(20, Whole(1, 1000))
    """How many hits a search gives where its caller names no number."""


@dataclass(frozen=True)
class ReaderSettings:
    """`[reader]`: how a document is shown."""

    width: int = _setting(100, Whole(20, 1000))
    """The widest that text is set. Columns."""

    raw: bool = _setting(False, Toggle())
    """Whether documents open as their source with line numbers."""


@dataclass(frozen=True)
class WatchSettings:
    """`[watch]`: how changes in the folder are noticed."""

    polling: str = _setting("auto", Choice("auto", "always", "never"))
    """`auto`: the kernel's events, and polling where they cannot be had; `always`, `never`: as they say."""

    poll_seconds: float = _setting(2.0, Number(0.1, 3600))
    """The time between two looks at the folder while polling. Seconds."""


@dataclass(frozen=True)
class AskSettings:
    """`[ask]`: the model command."""

    command: tuple[str, ...] = _setting((), Command())
    """The program that answers, with its arguments: prompt on its standard input, answer on its output."""

    max_characters: int = _setting(24_000, Whole(1_000, 10_000_000))
    """How much text of documents a model is handed for one question. Characters."""

    silence_seconds: float = _setting(120.0, Number(1, 86_400))
    """A model that has written nothing for so long is given up. Seconds."""


@dataclass(frozen=True)
class EditorSettings:
    """`[editor]`: the editor."""

    command: tuple[str, ...] = _setting((), Command())
    """The editor, with its arguments (see `editor.command_line`). None: `VISUAL`, `EDITOR`, `vi`."""


@dataclass(frozen=True)
class Settings:
    """All settings. `Settings()` are the defaults."""

    theme: str = _setting("auto", Name("a theme's name"))
    """The theme's name; `auto` follows the terminal (see `themes.Themes.choose`)."""

    restore: bool = _setting(True, Toggle())
    """Whether the browser begins where it was left: place, panes and query."""

    library: LibrarySettings = LibrarySettings()
    """Which files are documents."""

    search: SearchSettings = SearchSettings()
    """How the library is searched."""

    reader: ReaderSettings = ReaderSettings()
    """How a document is shown."""

    watch: WatchSettings = WatchSettings()
    """How changes are noticed."""

    ask: AskSettings = AskSettings()
    """The model command."""

    editor: EditorSettings = EditorSettings()
    """The editor."""

    keys: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}), metadata={"kind": KeyTable()}
    )
    """Keys of the person's own: action → keys, several between commas."""


class Field(NamedTuple):
    """One setting, as reading, changing and showing need it."""

    key: str
    """Its dotted key."""

    kind: Kind
    """What it may hold."""

    default: Any
    """Its default."""

    def of(self, settings: Settings) -> Any:
        """Its value in these settings."""
        value: Any = settings
        for part in self.key.split("."):
            value = getattr(value, part)
        return value


def _all_fields() -> dict[str, Field]:
    found: dict[str, Field] = {}
    defaults = Settings()
    for outer in fields(Settings):
        value = getattr(defaults, outer.name)
        if is_dataclass(value):
            for inner in fields(value):
                key = f"{outer.name}.{inner.name}"
                found[key] = Field(key, inner.metadata["kind"], getattr(value, inner.name))
        else:
            found[outer.name] = Field(outer.name, outer.metadata["kind"], value)
    return found


FIELDS: Mapping[str, Field] = MappingProxyType(_all_fields())
"""Every setting by its dotted key, in the order in which they are shown; `keys` is its whole table."""

TABLES: tuple[str, ...] = (*dict.fromkeys(key.split(".")[0] for key in FIELDS if "." in key), "keys")
"""The names of the tables."""


def with_values(base: Settings, values: Mapping[str, Any]) -> Settings:
    """Settings with other values.

    Args:
        base: where every value comes from that is not named.
        values: dotted key → value, checked already.

    Returns:
        New settings.
    """
    from dataclasses import replace

    top: dict[str, Any] = {}
    for key, value in values.items():
        table, _, name = key.partition(".")
        top[table] = replace(top.get(table, getattr(base, table)), **{name: value}) if name else value
    return replace(base, **top)
