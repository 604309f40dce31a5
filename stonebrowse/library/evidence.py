"""What may be cited, and how a citation is checked before anything is built on it.

The two forms of CONTRACT section 7: a token alone, or File ID, version ID and digest, with or without a
passage ID. Checked in the order given there: shape and limits, a File that stonebrowse wrote, what cannot be
opened, the digest, the quoted words.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stonebrowse.errors import (
    EvidenceDigestMismatch,
    EvidenceQuoteMismatch,
    EvidenceUnavailable,
    FileNotEvidence,
    InputInvalid,
    NotFound,
    StonebrowseError,
    StoreDamaged,
)
from stonebrowse.library import tokens
from stonebrowse.library.reading import Document
from stonebrowse.library.saying import check_note
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.parts import MAX_PASSAGE

if TYPE_CHECKING:
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.references import References
    from stonebrowse.store import File, Store, Version

MAX_TEXT: Final = MAX_PASSAGE
"""Bytes of cited text, blank lines at its ends not counted."""

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_BLANK_START: Final = re.compile(rb"(?:[ \t]*(?:\r\n?|\n))*")
_HEAD_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation that was checked: all of it is true now.

    Attributes:
        file, version: what it cites.
        passage: the passage it names, or in which its quote begins; None for a whole version.
        chunk_id: the passage ID, in that form; else None.
        start, end: the quoted bytes of the text, in the form of a token; else None.
        quote: the quoted words, in the form of a token; else None.
        note: what the person who cites says of it; may be empty.
    """

    file: File
    version: Version
    passage: PassageView | None
    chunk_id: str | None = None
    start: int | None = None
    end: int | None = None
    quote: str | None = None
    note: str = ""


class Evidences:
    """Checks citations, and makes tokens, in one library."""

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._references = references

    def check(
        self,
        *,
        token: str | None = None,
        file_id: str | None = None,
        version_id: str | None = None,
        digest: str | None = None,
        chunk_id: str | None = None,
        note: str = "",
    ) -> Evidence:
        """Checks a citation in one of its two forms.

        Args:
            token: a token, alone.
            file_id: with the next two: a whole version; IDs may be shortened.
            version_id: a version of that File.
            digest: its content digest, `sha256:…`.
            chunk_id: with these: one passage of it.
            note: at most 500 characters.

        Raises:
            InputInvalid: mixed, incomplete or malformed, or over a limit.
            FileNotEvidence: a note that stonebrowse engraved.
            EvidenceUnavailable: unknown, trashed, processing, pruned or unreadable, or a passage of
                something else.
            EvidenceDigestMismatch, EvidenceQuoteMismatch: the stored bytes are others.
        """
        check_note(note)
        form = (file_id, version_id, digest)
        if token is not None:
            if any(part is not None for part in (*form, chunk_id)):
                raise InputInvalid("give a token alone, or File ID, version ID and digest, not both")
            return self._by_token(tokens.read(token), note)
        if file_id is None or version_id is None or digest is None:
            raise InputInvalid("give a token, or all of File ID, version ID and digest")
        if not _DIGEST.fullmatch(digest):
            raise InputInvalid(f"{digest!r} is no digest; it is sha256: and 64 hex digits in lower case")
        return self._by_ids(file_id, version_id, digest, chunk_id, note)

    def token(self, document: Document, start: int, end: int) -> str:
        """Makes the token for some words of a version.

        Args:
            document: the version.
            start: the first byte of the text to be cited.
            end: the byte after the last; no character may be split.

        Raises:
            InputInvalid: no text, more than may be cited, or a split character.
            FileNotEvidence: a note that stonebrowse engraved.
        """
        if not 0 <= start < end <= document.size:
            raise InputInvalid("there is no text to be cited there; choose some words")
        if end - start > 2 * MAX_TEXT + _HEAD_BYTES:
            raise InputInvalid(f"too much text to be cited at once; choose at most {MAX_TEXT} bytes")
        quote = document.read(start, end)
        check_size(quote)
        try:
            quote.decode()
        except UnicodeDecodeError:
            raise InputInvalid("the text to be cited begins or ends inside a character") from None
        _refuse_engraved(document)
        version = document.version
        made = tokens.Token(version.version_id, version.digest, start, end - start, tokens.quote_hash(quote))
        return made.write()

    def opened(self, version: Version) -> Document:
        """A version as the source of a note.

        Raises:
            FileNotEvidence: stonebrowse wrote it.
            EvidenceUnavailable: it is trashed, still processing, or cannot be read.
        """
        self._refuse_written(version)
        return self._opened(version)

    # -- the two forms -----------------------------------------------------------------------------------

    def _by_token(self, token: tokens.Token, note: str) -> Evidence:
        if token.length > 2 * MAX_TEXT + _HEAD_BYTES:
            raise InputInvalid(f"the token cites too much text; at most {MAX_TEXT} bytes can be")
        try:
            version = self._store.version(token.version_id)
        except NotFound:
            raise EvidenceUnavailable("the version that the token cites is not in this library") from None
        self._refuse_too_much(version, token)
        self._refuse_written(version)
        document = self._opened(version)
        if version.digest != token.digest:
            raise EvidenceDigestMismatch(
                f"the token names another digest than version {version.number} of {document.file.path} has"
            )
        end = token.start + token.length
        quote = document.read(token.start, end)
        if len(quote) != token.length or tokens.quote_hash(quote) != token.quote_hash:
            raise EvidenceQuoteMismatch(
                f"the words of the token do not stand there in version {version.number} of"
                f" {document.file.path}"
            )
        check_size(quote)
        try:
            words = quote.decode()
        except UnicodeDecodeError:
            raise EvidenceQuoteMismatch("the token cites a part of a character") from None
        passage = document.passage_at(token.start)
        return Evidence(document.file, version, passage, None, token.start, end, words, note)

    def _by_ids(
        self, file_id: str, version_id: str, digest: str, chunk_id: str | None, note: str
    ) -> Evidence:
        named = self._known(file_id, "f"), self._known(version_id, "v")
        passage_id = None if chunk_id is None else self._known(chunk_id, "p")
        self._refuse_file(*named)
        if None in named or (chunk_id is not None and passage_id is None):
            raise EvidenceUnavailable("what is to be cited is not in this library")
        version = self._store.version(str(named[1]))
        if version.file_id != named[0]:
            raise EvidenceUnavailable(f"{version_id} is no version of the File {file_id}")
        document = self._opened(version)
        passage = None
        if passage_id is not None:
            found = self._store.passage(passage_id)
            if found is None or found[0].version_id != version.version_id:
                raise EvidenceUnavailable(f"{chunk_id} is no passage of the version {version_id}")
            passage = document.passage(found[1])
        if version.digest != digest:
            raise EvidenceDigestMismatch(
                f"version {version.number} of {document.file.path} has another digest than the one named"
            )
        return Evidence(document.file, version, passage, passage_id, note=note)

    # -- what comes before whether it can be opened ------------------------------------------------------

    def _refuse_too_much(self, version: Version, token: tokens.Token) -> None:
        """The limit comes first; blank lines at the ends are known only by reading."""
        if token.length <= MAX_TEXT:
            return
        with contextlib.suppress(NotFound, StoreDamaged):
            document = Document(self._store, self._store.file(version.file_id), version)
            _refuse_longer(document.read(token.start, token.start + token.length))

    def _refuse_file(self, file_id: str | None, version_id: str | None) -> None:
        """Refuses a File that stonebrowse wrote, whatever else is wrong with what is named of it."""
        if file_id is None:
            return
        file = self._store.file(file_id)
        version = None if version_id is None else self._store.version(version_id)
        if version is None or version.file_id != file_id:
            version = self._store.version(file.version_id)
        self._refuse_written(version)

    def _refuse_written(self, version: Version) -> None:
        file = self._store.file(version.file_id)
        if file.written_by == "stonebrowse":
            raise FileNotEvidence(f"{file.path} was engraved by stonebrowse; cite the sources it names")
        with contextlib.suppress(NotFound, StoreDamaged):
            _refuse_engraved(Document(self._store, file, version))

    def _known(self, text: str, kind: str) -> str | None:
        """The whole ID; None where there is none like it here."""
        try:
            return self._references.identifier(text, kind)
        except NotFound:
            return None

    def _opened(self, version: Version) -> Document:
        """The version as evidence: of a File that is not trashed, ready, and whole."""
        file = self._store.file(version.file_id)
        if file.state == "trashed":
            raise EvidenceUnavailable(f"{file.path} is trashed; restore it to cite it")
        if version.state != "ready":
            raise EvidenceUnavailable(f"{file.path} is still being processed; try again in a moment")
        try:
            # Every byte of it is compared with its digest.
            self._store.raw(version.version_id)
            document = Document(self._store, file, version)
        except StonebrowseError as error:
            raise EvidenceUnavailable(
                f"version {version.number} of {file.path} cannot be read: {error.message}"
            ) from error
        return document


def is_engraved(document: Document) -> bool:
    """Whether stonebrowse wrote a version, by its record or by what its front matter says."""
    if document.file.written_by == "stonebrowse":
        return True
    found = front_matter(document.read(0, _HEAD_BYTES))
    return found is not None and found.engraved


def _refuse_engraved(document: Document) -> None:
    if is_engraved(document):
        raise FileNotEvidence(f"{document.file.path} was engraved by stonebrowse; cite the sources it names")


def check_size(quote: bytes) -> None:
    """Refuses more text than may be cited, and none.

    Raises:
        InputInvalid: says how much there is.
    """
    if _refuse_longer(quote) <= 0:
        raise InputInvalid("there are only blanks to be cited there; choose some words")


def _refuse_longer(quote: bytes) -> int:
    """Gives how many bytes there are, blank lines at the ends not counted."""
    start = _BLANK_START.match(quote)
    assert start is not None
    size = len(quote.rstrip(b" \t\r\n")) - start.end()
    if size > MAX_TEXT:
        raise InputInvalid(f"the text to be cited has {size} bytes; choose at most {MAX_TEXT}")
    return size
