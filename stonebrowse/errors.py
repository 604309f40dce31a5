"""The tree of errors. Each leaf carries its code and its exit status.

StonebrowseError
├── InputInvalid                2   input_invalid
├── NotFound                    3   not_found
├── Refused                     4
│   ├── FileNotEvidence             file_not_evidence
│   ├── EvidenceUnavailable         evidence_unavailable
│   ├── EvidenceDigestMismatch      evidence_digest_mismatch
│   └── EvidenceQuoteMismatch       evidence_quote_mismatch
├── Unusable                    5
│   ├── StoreUnavailable            store_unavailable
│   ├── StoreDamaged                store_damaged
│   └── FolderUnavailable           folder_unavailable
└── Internal                    70  internal

A message is one sentence that says what to do. It may hold text from documents or file names: front ends
escape it before they print it. What is expected to go wrong for some files (unreadable, no text, too
large) is a value in a report, not an error.
"""

from __future__ import annotations

from typing import ClassVar


class StonebrowseError(Exception):
    """Anything that stonebrowse refuses or cannot do.

    Attributes:
        code: the word that stands in messages, in JSON and over MCP.
        exit_status: what the command line exits with.
    """

    code: ClassVar[str] = "internal"
    exit_status: ClassVar[int] = 70

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InputInvalid(StonebrowseError):
    """Wrong use or a wrong value."""

    code = "input_invalid"
    exit_status = 2


class NotFound(StonebrowseError):
    """What was asked for is not there."""

    code = "not_found"
    exit_status = 3


class Refused(StonebrowseError):
    """Refused as evidence."""

    exit_status = 4


class FileNotEvidence(Refused):
    """A File that stonebrowse wrote."""

    code = "file_not_evidence"


class EvidenceUnavailable(Refused):
    """Unknown, trashed, processing, pruned or unreadable."""

    code = "evidence_unavailable"


class EvidenceDigestMismatch(Refused):
    """The digest is not that of the version named."""

    code = "evidence_digest_mismatch"


class EvidenceQuoteMismatch(Refused):
    """The quoted words do not stand there."""

    code = "evidence_quote_mismatch"


class Unusable(StonebrowseError):
    """The folder, the store or the index cannot be used now."""

    exit_status = 5


class StoreUnavailable(Unusable):
    """Permission, lock, full disk, newer schema, or a store of another folder."""

    code = "store_unavailable"


class StoreDamaged(Unusable):
    """Bytes of the store are not what was written."""

    code = "store_damaged"


class FolderUnavailable(Unusable):
    """The folder is missing, unreadable, or not the one that was there."""

    code = "folder_unavailable"


class Internal(StonebrowseError):
    """A fault in stonebrowse itself."""
