"""Laws of the settings file: nothing in it raises, what is set is read back, the rest is kept."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path
from typing import Any

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.errors import InputInvalid
from stonebrowse.settings import FIELDS, load, set_value, show
from stonebrowse.settings.sources import Source

NAMES = st.sampled_from(
    [*{part for key in FIELDS for part in key.split(".")}, "thme", "a b", "", '"', "\x1b", "日本"]
)
LEAVES = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(max_size=20)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=5)


def written(folder: str, raw: bytes) -> Path:
    file = Path(folder) / "settings.toml"
    file.write_bytes(raw)
    return file


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_raise(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        loaded = load(written(folder, raw))
    assert all(fault.message.isprintable() for fault in loaded.faults)


@given(TABLES)
def test_no_values_raise_and_every_fault_has_its_line(data: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        loaded = load(written(folder, tomli_w.dumps(data).encode()))
        again = load(written(folder, show(loaded.settings).encode()))
    assert all(fault.message.isprintable() and fault.line is not None for fault in loaded.faults)
    assert again.settings == loaded.settings
    assert again.faults == ()


@given(TABLES)
def test_every_key_is_found_where_it_stands(data: dict[str, Any]) -> None:
    text = tomli_w.dumps(data)
    source = Source(text, tomllib.loads(text))
    for entry in source.entries:
        value: Any = data
        for part in entry.path:
            # Below a list of tables a key names a place in each of them.
            if not isinstance(value, dict):
                break
            value = value[part]
        else:
            literal = text[entry.value_start : entry.value_end]
            assert tomllib.loads(f"value = {literal}")["value"] == value
    assert all(source.line_of(name) is not None for name in data)


@settings(max_examples=60)
@given(
    TABLES, st.sampled_from([*FIELDS, "keys.quit"]), st.text(max_size=10) | st.sampled_from(["30", "true"])
)
def test_what_is_set_is_read_back_and_the_rest_kept(data: dict[str, Any], key: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = written(folder, tomli_w.dumps(data).encode())
        before = file.read_bytes()
        try:
            value = set_value(file, key, text)
        except InputInvalid:
            assert file.read_bytes() == before
            return
        after = tomllib.loads(file.read_text())
        loaded = load(file).settings
    table, _, name = key.partition(".")
    if table == "keys":
        assert loaded.keys[name] == value
    else:
        assert FIELDS[key].of(loaded) == value
    held = after[table].pop(name) if name else after.pop(table)
    assert held is not None
    wanted = {**data}
    if name:
        wanted[table] = {inner: kept for inner, kept in data.get(table, {}).items() if inner != name}
    else:
        wanted.pop(table, None)
    assert after == wanted
