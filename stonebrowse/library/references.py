"""What a reference names: a citation string, an ID (shortened too), or `chunk:`, `version:`, `file:`.

A citation string may be read in several ways, since paths and headings may themselves hold ` § ` or
` (Line 3)`: what the library knows decides (CONTRACT section 2).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library import tokens
from stonebrowse.library.passages import PassageView, view
from stonebrowse.library.reading import Document
from stonebrowse.text.citations import escape, escape_path, readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stonebrowse.library.folder import Folder
    from stonebrowse.store import File, Store, Version
    from stonebrowse.text.citations import Reading

KINDS = {
    "f": "a File",
    "v": "a version",
    "p": "a passage",
    "e": "an entity",
    "r": "a relationship",
    "w": "a workspace",
    "c": "a held citation",
    "q": "a question",
}
ID = re.compile(r"([a-z])_([0-9a-hjkmnp-tv-z]{0,12})\Z")
# A byte that is no UTF-8, as Python holds it (PEP 383): in the store it is escaped.
_SURROGATE = re.compile("[\ud800-\udfff]")
SCHEMES = {"chunk": "p", "version": "v", "file": "f"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference leads to.

    Attributes:
        file, version: the version it names.
        passage: the passage it names; None for a whole File or version.
        span: the bytes that a token cites; None for anything else.
        notice: what is to be said about it (an older version, a trashed or renamed File); empty if nothing.
    """

    file: File
    version: Version
    passage: PassageView | None
    notice: str = ""
    span: tuple[int, int] | None = None


class References:
    """Resolves references in one library."""

    def __init__(self, store: Store, folder: Folder) -> None:
        self._store = store
        self._folder = folder

    def identifier(self, text: str, kind: str) -> str:
        """The full ID of a kind that a text is, or begins.

        Raises:
            InputInvalid: no ID, one of another kind, too short, or ambiguous (names the candidates).
            NotFound: no such ID here.
        """
        match = ID.match(text)
        if match is None:
            raise InputInvalid(f"{text!r} is no ID; an ID of {KINDS[kind]} looks like {kind}_0a1b2c3d4e5f")
        if match[1] != kind:
            other = KINDS.get(match[1], "something else")
            raise InputInvalid(f"{text} is the ID of {other}, and {KINDS[kind]} ({kind}_…) is needed here")
        found = self._store.find_ids(text)
        if len(found) > 1:
            listed = ", ".join(found[:8]) + (" …" if len(found) > 8 else "")
            raise InputInvalid(f"{text} may be any of {listed}; give more of it")
        if not found:
            raise NotFound(f"{KINDS[kind]} with the ID {text} is not in this library")
        return found[0]

    def file(self, text: str) -> File:
        """The File that a File ID or a path names: its current one, else the one last trashed there.

        A path is relative to the folder, else to the working directory if that lies inside.

        Raises:
            InputInvalid: the ID of something else, too short, or ambiguous.
            NotFound: no such File.
        """
        for path in self._paths(text):
            file = self._store.file_at(path)
            if file is not None:
                return file
        if text.startswith("moment:"):
            raise InputInvalid(f"{text} is a moment of a recording; this library holds text only")
        if ID.match(text):
            return self._store.file(self.identifier(text, "f"))
        raise NotFound(f"{text} is not in this library; `stonebrowse files list` prints what is")

    def version(self, file: File, text: str) -> Version:
        """The version of a File that a version ID or a number names.

        Raises:
            InputInvalid: neither an ID nor a number, or a version of another File.
            NotFound: no such version.
        """
        if text.isascii() and text.isdigit():
            number = int(text)
            if 1 <= number <= file.versions:
                return self._store.version_numbered(file.file_id, number)
            raise NotFound(f"{file.path} has no version {text}; its newest is {file.number}")
        version = self._store.version(self.identifier(text, "v"))
        if version.file_id != file.file_id:
            raise InputInvalid(f"{text} is a version of another File than {file.path}")
        return version

    def resolve(self, text: str) -> Target:
        """What any reference leads to. Text from outside is never more than compared.

        Raises:
            InputInvalid: the reference cannot be one, or is ambiguous.
            NotFound: nothing here is called so.
        """
        as_it_stands, text = text, text.strip()
        if not text:
            raise InputInvalid("give a citation, an ID or a path to open")
        if text.startswith(tokens.PREFIX):
            return self._by_token(text)
        scheme, colon, rest = text.partition(":")
        if colon and scheme == "moment":
            raise InputInvalid(f"{text} is a moment of a recording; this library holds text only")
        if colon and scheme in SCHEMES:
            return self._by_id(self.identifier(rest, SCHEMES[scheme]))
        for spelled in dict.fromkeys((as_it_stands, text)):  # a path may begin with a blank
            cited = self._cited(spelled)
            if cited is not None:
                return cited
        match = ID.match(text)
        if match is not None and match[1] in KINDS:
            if match[1] not in SCHEMES.values():
                raise InputInvalid(f"{text} is the ID of {KINDS[match[1]]}, which cannot be opened")
            return self._by_id(self.identifier(text, match[1]))
        raise NotFound(f"{text} is not in this library; `stonebrowse search` finds what is")

    def _by_token(self, text: str) -> Target:
        """The words that a token cites; they are compared with the stored bytes."""
        token = tokens.read(text)
        try:
            version = self._store.version(token.version_id)
            file = self._store.file(version.file_id)
            document = Document(self._store, file, version)
        except NotFound:
            file = None
        if file is None or file.state == "trashed" or version.digest != token.digest:
            raise NotFound("what the token cites is not in this library")
        span = (token.start, token.start + token.length)
        quote = document.read(*span)
        try:
            quote.decode()
            true = len(quote) == token.length and tokens.quote_hash(quote) == token.quote_hash
        except UnicodeDecodeError:  # no token that was made here begins or ends inside a character
            true = False
        if not true:
            raise NotFound("what the token cites is not in this library")
        return Target(file, version, document.passage_at(span[0]), self._notice(file, version), span)

    def _by_id(self, full: str) -> Target:
        if full.startswith("f_"):
            file = self._store.file(full)
            version = self._store.version(file.version_id)
            return Target(file, version, None, self._notice(file, version))
        if full.startswith("v_"):
            version = self._store.version(full)
            file = self._store.file(version.file_id)
            return Target(file, version, None, self._notice(file, version))
        found = self._store.passage(full)
        if found is None:
            raise NotFound(f"the passage {full} is not in this library")
        version, ordinal = found
        file = self._store.file(version.file_id)
        pieces = self._store.cut(version.version_id)
        assert pieces is not None
        return Target(file, version, view(file, version, pieces, ordinal), self._notice(file, version))

    def _cited(self, text: str) -> Target | None:
        """What a citation string or a path names, in the newest version in which it is literally true."""
        whole = None
        for reading in readings(text):
            for file, path in self.known(reading.path):
                if reading.line is None and reading.heading is None:
                    whole = whole or (file, path)
                    continue
                target = self._literally(file, path, reading)
                if target is not None:
                    return target
        if whole is None:
            return None
        file, path = whole
        version = self._store.version(file.version_id)
        return Target(file, version, None, self._notice(file, version, path))

    def known(self, path: str) -> Iterator[tuple[File, str]]:
        """The Files that are, or once were, at a path; and that path as the library spells it."""
        for spelled in self._paths(path):
            file = self._store.file_at(spelled)
            if file is not None:
                yield file, spelled
            for former in self._store.files_once_at(spelled):
                yield former, spelled

    def _literally(self, file: File, path: str, reading: Reading) -> Target | None:
        """The passage of the newest version in which a citation of this File is literally true."""
        for version in self._store.versions(file.file_id):
            pieces = self._store.cut(version.version_id)
            if pieces is None:
                continue
            for ordinal, passage in enumerate(pieces.passages()):
                if reading.line is None or passage.line == reading.line:
                    heading = escape(pieces.section(passage.section).heading)
                    if heading == (reading.heading or ""):
                        seen = view(file, version, pieces, ordinal)
                        return Target(file, version, seen, self._notice(file, version, path))
        return None

    def _notice(self, file: File, version: Version, path: str | None = None) -> str:
        said = []
        if path is not None and path != file.path:
            said.append(f"{path} was renamed to {file.path}")
        if file.state == "trashed":
            how = "disappeared from the folder" if file.trashed_by == "disappearance" else "was trashed"
            said.append(f"{file.path} {how}")
        if version.number != file.number:
            said.append(f"this is version {version.number} of {file.number}")
        return "; ".join(said)

    def _paths(self, text: str) -> Iterator[str]:
        """The library's paths that a text may mean, as printed first, then as the shell gave it."""
        if not text or "\0" in text:
            return
        try:
            escaped = escape_path(os.fsencode(text))
        except UnicodeEncodeError:  # a surrogate that stands for no byte: no file can be called so
            return
        if not _SURROGATE.search(text):
            yield text
        if escaped != text:
            yield escaped
        if not os.path.isabs(text):
            normal = os.path.normpath(text)
            if normal != text and not normal.startswith(".."):
                yield escape_path(os.fsencode(normal))
        try:
            place = Path(os.path.abspath(text))
        except OSError:  # the working directory was removed
            return
        inside = self._folder.path_of(place) or self._folder.path_of(_with_real_parent(place))
        if inside:
            yield inside


def _with_real_parent(place: Path) -> Path:
    """The same place with links in its folder resolved (the working directory may be reached by one)."""
    return Path(os.path.realpath(place.parent)) / place.name
