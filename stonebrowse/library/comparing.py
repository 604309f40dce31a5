"""Comparing two versions: section by section for people, line by line as a unified diff.

Which section of the old version is which of the new is found as `check` finds it (`text/alignment.py`): by what is
equal, never by what is alike.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from stonebrowse.text.alignment import align
from stonebrowse.text.citations import citation
from stonebrowse.text.differences import Marks, Run, runs, split_lines, word_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stonebrowse.library.reading import Document

CONTEXT_LINES = 3
# Of one section; what is longer is cut short, and says so.
MOST_LINES = 2_000

SectionKind = Literal["added", "removed", "moved", "edited"]
LineKind = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class LineDiff:
    """One line of a comparison.

    Attributes:
        kind: ` ` as it was, `-` only in the old version, `+` only in the new one.
        text: the line without its line end; raw, to be made safe where it is shown.
        old_line, new_line: its one-based number in the versions that have it.
        marks: stretches [start, end) of characters that changed inside the line; empty: all of it, or nothing.
    """

    kind: LineKind
    text: str
    old_line: int | None
    new_line: int | None
    marks: Marks = ()

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "kind": self.kind,
            "text": self.text,
            "old_line": self.old_line,
            "new_line": self.new_line,
            "marks": [list(mark) for mark in self.marks],
        }


@dataclass(frozen=True, slots=True)
class SectionDiff:
    """What became of one section.

    Attributes:
        kind: moved: its text is as it was, and stands below other headings or in another order.
        was: its citation in the old version; None for an added one.
        now: its citation in the new version; None for a removed one.
        trail: the headings above it, its own last, now, or then for a removed one.
        lines: what changed, with some lines around; for a moved one none.
        old_text, new_text: its text in each version; empty where it has none.
        truncated: more lines changed than `lines` holds.
    """

    kind: SectionKind
    was: str | None
    now: str | None
    trail: tuple[str, ...]
    lines: tuple[LineDiff, ...]
    old_text: bytes
    new_text: bytes
    truncated: bool = False

    @property
    def citation(self) -> str:
        """Its citation now, or the last one it had."""
        return self.now or self.was or ""


class Pair(NamedTuple):
    """A section of the old version and the same one of the new; None where one of them has it not."""

    kind: Literal["unchanged"] | SectionKind
    old: int | None
    new: int | None


class _Sections:
    """The sections of one version and what they are recognised by."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.cut = document.cut
        self.text = document.read(0, document.size)
        self.sections = list(self.cut.sections())
        self.trails = [self.cut.trail(index) for index in range(len(self.sections))]

    def citation(self, index: int) -> str:
        section = self.sections[index]
        return citation(self.document.file.path, section.heading, section.line)

    def raw(self, index: int) -> bytes:
        section = self.sections[index]
        return self.text[section.start : section.end]


def compare(old: Document, new: Document) -> list[SectionDiff]:
    """What changed from one version to another, in the order in which it is read.

    Args:
        old: the earlier version.
        new: the later one, of the same File or of another.

    Returns:
        Each section that was added, removed, moved or edited.

    Raises:
        NotFound: the bytes of one of them were pruned.
        StoreDamaged: what is stored is not what was recorded.
    """
    before, after = _Sections(old), _Sections(new)
    return [_section(pair, before, after) for pair in _paired(before, after) if pair.kind != "unchanged"]


def _section(pair: Pair, before: _Sections, after: _Sections) -> SectionDiff:
    assert pair.kind != "unchanged"
    was = None if pair.old is None else before.citation(pair.old)
    now = None if pair.new is None else after.citation(pair.new)
    if pair.new is not None:
        trail = after.trails[pair.new]
    else:
        trail = before.trails[pair.old] if pair.old is not None else ()
    old_text = b"" if pair.old is None else before.raw(pair.old)
    new_text = b"" if pair.new is None else after.raw(pair.new)
    lines: list[LineDiff] = []
    if pair.kind != "moved":
        old_line = 1 if pair.old is None else _first_line(before, pair.old)
        new_line = 1 if pair.new is None else _first_line(after, pair.new)
        lines = list(_lines(old_text, new_text, old_line, new_line))
    truncated = len(lines) > MOST_LINES
    return SectionDiff(
        pair.kind, was, now, trail, tuple(lines[:MOST_LINES]), old_text, new_text, truncated=truncated
    )


def _first_line(sections: _Sections, index: int) -> int:
    """The number of the line in which a section's text begins: blank lines may stand above the first heading."""
    return sections.sections[index].line if index else 1


def _paired(before: _Sections, after: _Sections) -> list[Pair]:
    """Which section is which, in reading order: removed ones after what stood before them."""
    found = align(before.text, before.cut, after.text, after.cut)
    added = set(found.added)
    match: dict[int, Pair] = {}
    for old, fate in enumerate(found.fates):
        if fate.kind == "ambiguous":
            # One of several with the same text: any that is left will do, since nothing of it changed.
            new = next((place for place in fate.candidates if place in added), None)
            if new is not None:
                added.discard(new)
                match[new] = Pair("unchanged", old, new)
        elif fate.kind != "removed" and fate.new is not None:
            match[fate.new] = Pair(fate.kind, old, fate.new)
    kept = {pair.old for pair in match.values()}
    return _in_order(match, {old for old in range(len(found.fates)) if old not in kept}, len(after.sections))


def _in_order(match: dict[int, Pair], removed: set[int], count: int) -> list[Pair]:
    found: list[Pair] = []

    def remove_after(old: int) -> None:
        while old + 1 in removed:
            old += 1
            removed.discard(old)
            found.append(Pair("removed", old, None))

    remove_after(-1)
    for new in range(count):
        pair = match.get(new, Pair("added", None, new))
        found.append(pair)
        if pair.old is not None:
            remove_after(pair.old)
    return found


# -- lines ---------------------------------------------------------------------------------------------------


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _lines(old: bytes, new: bytes, old_line: int, new_line: int) -> Iterator[LineDiff]:
    """What changed from one text to another, with some lines around each change."""
    olds = [_bare(line).decode() for line in split_lines(old)]
    news = [_bare(line).decode() for line in split_lines(new)]
    found = runs(olds, news)
    for number, run in enumerate(found):
        if not run.equal:
            yield from _changed(run, olds, news, old_line, new_line)
            continue
        size = run.old_end - run.old_start
        first = size if number == 0 else min(CONTEXT_LINES, size)
        last = size if number == len(found) - 1 else min(CONTEXT_LINES, size)
        steps = {
            *range(first if number else 0),
            *(range(size - last, size) if number < len(found) - 1 else ()),
        }
        for step in sorted(steps):
            yield LineDiff(
                " ",
                olds[run.old_start + step],
                old_line + run.old_start + step,
                new_line + run.new_start + step,
            )


def _changed(run: Run, olds: list[str], news: list[str], old_line: int, new_line: int) -> Iterator[LineDiff]:
    """The lines of a change: line by line beside each other, the words that differ marked."""
    removed, added = range(run.old_start, run.old_end), range(run.new_start, run.new_end)
    marks = [word_marks(olds[old], news[new]) for old, new in zip(removed, added, strict=False)]
    for place, old in enumerate(removed):
        mark = marks[place] if place < len(marks) else None
        yield LineDiff("-", olds[old], old_line + old, None, mark[0] if mark else ())
    for place, new in enumerate(added):
        mark = marks[place] if place < len(marks) else None
        yield LineDiff("+", news[new], None, new_line + new, mark[1] if mark else ())


# -- the unified diff ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hunk:
    """A piece of a unified diff: changes of one section, with lines around.

    Attributes:
        citation: of the section, in the new version; in the old one where it is no more.
        old_start, old_count, new_start, new_count: as in the `@@` line of a unified diff (POSIX `diff -u`).
        lines: pairs of ` `, `-` or `+` and a line with its own line end.
    """

    citation: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[tuple[LineKind, bytes], ...]

    @property
    def header(self) -> str:
        """The `@@` line, the citation behind it, where other tools name a function."""
        old, new = _range(self.old_start, self.old_count), _range(self.new_start, self.new_count)
        return f"@@ -{old} +{new} @@ {self.citation}"


def _range(start: int, count: int) -> str:
    # A range of no lines names the line before it.
    begin = start if count else start - 1
    return f"{begin}" if count == 1 else f"{begin},{count}"


def unified(old: Document, new: Document) -> list[Hunk]:
    """The unified diff of two versions, no hunk across the changes of two sections.

    Raises:
        NotFound: the bytes of one of them were pruned.
        StoreDamaged: what is stored is not what was recorded.
    """
    before, after = _Lines(old), _Lines(new)
    found = runs(before.lines, after.lines)
    changes = [run for run in found if not run.equal]
    cited = [_cited(run, before, after) for run in changes]
    groups: list[list[int]] = []
    for number, run in enumerate(changes):
        if groups:
            gap = run.old_start - changes[number - 1].old_end
            same = cited[number] == cited[number - 1]
            # With less than two lines between there would be none for one of the hunks: patch needs them.
            if (same and gap <= 2 * CONTEXT_LINES) or gap < 2:
                groups[-1].append(number)
                continue
        groups.append([number])
    return [_hunk(group, changes, cited[group[0]], before, after) for group in groups]


class _Lines:
    """A version's lines, and the section that each stands in."""

    def __init__(self, document: Document) -> None:
        self.document = document
        text = document.read(0, document.size)
        self.lines = split_lines(text)
        self.sections = list(document.cut.sections())
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        self._starts = starts
        self._section_starts = [section.start for section in self.sections]

    def section(self, line: int) -> int:
        """The index of the section that a line, counted from 0, stands in; -1 in a text without any."""
        return bisect_right(self._section_starts, self._starts[line]) - 1

    def begins(self, line: int) -> bool:
        """Whether a section begins with a line."""
        return self.section(line) != (self.section(line - 1) if line else -1)

    def citation(self, line: int) -> str:
        index = self.section(line)
        path = self.document.file.path
        return citation(path, self.sections[index].heading, self.sections[index].line) if index >= 0 else path


def _cited(run: Run, before: _Lines, after: _Lines) -> str:
    if run.new_start < run.new_end:
        return after.citation(run.new_start)
    if run.new_start and not before.begins(run.old_start):
        return after.citation(run.new_start - 1)
    return before.citation(run.old_start)


def _hunk(group: list[int], changes: list[Run], cited: str, before: _Lines, after: _Lines) -> Hunk:
    first, last = changes[group[0]], changes[group[-1]]
    # As many lines below as above, but at the ends of the text: patch takes fewer for such an end.
    context = CONTEXT_LINES
    if group[0]:
        gap = first.old_start - changes[group[0] - 1].old_end
        context = min(context, gap - gap // 2)
    if group[-1] < len(changes) - 1:
        context = min(context, (changes[group[-1] + 1].old_start - last.old_end) // 2)
    above = min(context, first.old_start)
    below = min(context, len(before.lines) - last.old_end)
    lines: list[tuple[LineKind, bytes]] = []
    at = first.old_start - above
    for number in group:
        run = changes[number]
        lines += [(" ", line) for line in before.lines[at : run.old_start]]
        lines += [("-", line) for line in before.lines[run.old_start : run.old_end]]
        lines += [("+", line) for line in after.lines[run.new_start : run.new_end]]
        at = run.old_end
    lines += [(" ", line) for line in before.lines[at : at + below]]
    old_count = last.old_end + below - (first.old_start - above)
    new_count = last.new_end + below - (first.new_start - above)
    return Hunk(
        cited, first.old_start - above + 1, old_count, first.new_start - above + 1, new_count, tuple(lines)
    )
