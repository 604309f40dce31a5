"""`store`: how much there is, and dropping bytes of versions."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Group, Progress, Session

if TYPE_CHECKING:
    from stonebrowse.library.library import Library

# How long pruning packs closer what is left; the rest is done when nothing else is to be.
TIDY_SECONDS = 10.0


@click.group(cls=Group)
def store() -> None:
    """See what the store takes, and drop bytes of old versions."""


@store.command()
@click.option(
    "-n", "--number", "largest", type=click.IntRange(0, 1000), default=10, metavar="N", help="How many files."
)
@click.pass_context
def stats(context: click.Context, largest: int) -> None:
    """Show how many versions there are, what they take, and the largest files."""
    session = context.ensure_object(Session)
    with session.library() as library:
        sizes, index = library.store.sizes(largest), library.index_bytes()
        if session.json:
            session.output.json(
                {
                    "files": sizes.files,
                    "trashed": sizes.trashed,
                    "versions": sizes.versions,
                    "pruned": sizes.pruned,
                    "bytes_raw": sizes.bytes_raw,
                    "bytes_pruned": sizes.bytes_pruned,
                    "bytes_kept": sizes.bytes_kept,
                    "index_bytes": index,
                    "largest": [
                        {
                            "file_id": each.file_id,
                            "path": each.path,
                            "state": each.state,
                            "versions": each.versions,
                            "bytes_raw": each.bytes_raw,
                            "bytes_kept": each.bytes_kept,
                        }
                        for each in sizes.largest
                    ],
                }
            )
            return
        session.output.table(
            [
                ("files", str(sizes.files)),
                ("trashed files", str(sizes.trashed)),
                ("versions", str(sizes.versions)),
                ("pruned versions", str(sizes.pruned)),
                ("bytes of all versions", str(sizes.bytes_raw)),
                ("bytes that were pruned", str(sizes.bytes_pruned)),
                ("bytes of the store", str(sizes.bytes_kept)),
                ("bytes of the index", str(index)),
            ],
            right=frozenset({1}),
        )
        if sizes.largest:
            session.output.line()
            session.output.table(
                [
                    (str(each.bytes_raw), str(each.bytes_kept), str(each.versions), each.file_id, each.path)
                    for each in sizes.largest
                ],
                right=frozenset({0, 1, 2}),
            )


@store.command()
@click.option(
    "--keep-days",
    "days",
    type=click.IntRange(0, 1_000_000),
    required=True,
    metavar="N",
    help="Keep all that was the newest at some time in the last N days.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be dropped.")
@click.pass_context
def prune(context: click.Context, days: int, dry_run: bool) -> None:
    """Drop the bytes of versions that were replaced more than N days ago.

    Never of the newest version of a file, in the library or trashed, and never of one that is cited, or held by the
    tray, a mark or a review. IDs and digests stay.
    """
    session = context.ensure_object(Session)
    before = datetime.now(UTC) - timedelta(days=min(days, 365_000))
    with session.library(write=True) as library:
        dropped = library.store.prune(before, dry_run=dry_run)
        if not dry_run and dropped.versions:
            _give_back(session, library)
        if session.json:
            session.output.json(
                {
                    "versions": dropped.versions,
                    "bytes_raw": dropped.bytes_raw,
                    "bytes_kept": dropped.bytes_kept,
                    "dry_run": dry_run,
                }
            )
            return
        verb = "would be" if dry_run else "were"
        session.output.line(
            f"the bytes of {dropped.versions} {'version' if dropped.versions == 1 else 'versions'} {verb} dropped:"
            f" {dropped.bytes_raw}, in {dropped.bytes_kept} bytes of the store"
        )


def _give_back(session: Session, library: Library) -> None:
    """Gives the room back to the disk, as far as that is quickly done."""
    progress = Progress(session.output)
    deadline = time.monotonic() + TIDY_SECONDS
    while library.store.tidy() and time.monotonic() < deadline:
        progress.tell("giving room back …")
    progress.end()


@store.command()
@click.argument("version")
@click.pass_context
def forget(context: click.Context, version: str) -> None:
    """Drop the bytes of one version for good, as of one that holds a secret.

    VERSION is a version ID. Versions with the same bytes are forgotten with it. The current version of a file is
    refused: edit the file first. Other versions that hold the same secret, and backups, are not touched. IDs and
    digests stay.
    """
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        forgotten = library.forget(library.find_version_id(version))
        if session.sync:
            progress = Progress(session.output)
            library.update(say=session.output.warn, on_status=progress.show)
            progress.end()
        if session.json:
            session.output.json({"versions": [each.version_id for each in forgotten]})
            return
        for each in forgotten:
            path = library.find_file(each.file_id).path
            session.output.plain(f"forgot version {each.number} ({each.version_id}) of {path}")
