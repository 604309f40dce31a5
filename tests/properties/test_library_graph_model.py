"""The graph against a plain model of it: stage, capture, commit, discard, edit, trash, restore in any order."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from stonebrowse.errors import EvidenceUnavailable, InputInvalid, NotFound, StonebrowseError
from stonebrowse.library.library import Library
from tests.library.conftest import write

LONG = bool(os.environ.get("STONEBROWSE_LONG"))
pytestmark = pytest.mark.timeout(3600 if LONG else 120)

PATHS = st.sampled_from(["a.md", "sub/b.md"])
CHOICES = st.integers(0, 99)
RARELY = st.sampled_from([False, True, False])
FORMS = st.sampled_from(["version", "passage", "words"])
MORE = ("Do", "More.")
UNKNOWN = "e_000000000000"
NAMES = st.sampled_from(["One", "Two", "Ünique \x1b[2J"])
TEXTS = st.lists(
    st.tuples(st.sampled_from(["Al", "Be", "Co"]), st.sampled_from(["One.", "Two.", "Drei ß."])),
    min_size=1,
    max_size=3,
    unique_by=lambda section: section[0],
)


class Place(NamedTuple):
    """Where a section stands in a text."""

    heading: str
    line: int
    start: int
    end: int


class Text:
    """A document made of sections, and where they are."""

    def __init__(self, sections: list[tuple[str, str]]) -> None:
        self.text = ""
        self.sections = sections
        self.places: list[Place] = []
        for heading, body in self.sections:
            start, line = len(self.text.encode()), self.text.count("\n") + 1
            self.text += f"# {heading}\n\n{body}\n\n"
            self.places.append(Place(heading, line, start, len(self.text.encode())))


@dataclass
class File:
    """A document as it is in the folder, and its versions; trashed by hand or not."""

    there: Text
    versions: list[Text]
    trashed: bool = False


class Cited(NamedTuple):
    """A citation: of a whole version, of a section's passage, or of the words of its heading."""

    path: str
    number: int
    form: str
    section: int
    note: str


class Saying(NamedTuple):
    """What a revision says."""

    name: str
    days: str
    removed: bool
    citations: tuple[str, ...]


@dataclass
class Workspace:
    state: str = "open"
    staged: dict[str, tuple[int, Saying]] = field(default_factory=dict)


@dataclass
class Question:
    entity: str
    before: int
    after: int
    citation: str
    answered: bool = False


class GraphMachine(RuleBasedStateMachine):
    @initialize(first=TEXTS, second=TEXTS)
    def begin(self, first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="stonebrowse-"))
        self.files: dict[str, File] = {}
        for path, sections in (("a.md", first), ("sub/b.md", second)):
            text = Text(sections)
            write(self.place / "docs" / path, text.text)
            self.files[path] = File(text, [text])
        self.library = Library.open(self.place / "docs", store=self.place / "store")
        self.library.update()
        self.ids = {path: self.library.find_file(path).file_id for path in self.files}
        self.workspaces: dict[str, Workspace] = {}
        self.revisions: dict[str, list[Saying]] = {}
        self.cited: dict[str, Cited] = {}
        self.asked: list[Question] = []

    def teardown(self) -> None:
        if hasattr(self, "library"):
            exported = self.library.graph.export().text
            done = self.library.graph.load(exported.encode())
            assert set(done.unchanged) == {entity for entity, said in self.revisions.items() if said}
            assert self.library.graph.export().text == exported
            assert self.library.check().faults == []
            self.library.close()
            shutil.rmtree(self.place)

    # -- workspaces

    def space(self, choice: int) -> str:
        """A workspace: mostly the open one that was made last, at times any."""
        named = list(self.workspaces)
        still = [space for space in named if self.workspaces[space].state == "open"]
        if not still:
            return self.create()
        return still[-1] if choice % 4 else named[choice // 4 % len(named)]

    def entity(self, choice: int) -> str:
        """An entity: mostly one that is there, at times one that is staged, discarded or unknown."""
        named = [*self.revisions, UNKNOWN]
        there = [entity for entity, said in self.revisions.items() if said]
        named = there if there and choice % 4 else named
        return named[choice // 4 % len(named)]

    @rule()
    def another(self) -> None:
        self.create()

    def create(self) -> str:
        made = self.library.graph.create()
        self.workspaces[made] = Workspace()
        return made

    @rule(choice=CHOICES)
    def discard(self, choice: int) -> None:
        space = self.space(choice)
        model = self.workspaces[space]
        self.refused(InputInvalid if model.state != "open" else None, self.library.graph.discard, space)
        if model.state == "open":
            self.workspaces[space] = Workspace("discarded")

    @rule(choice=CHOICES)
    def commit(self, choice: int) -> None:
        space = self.space(choice)
        model = self.workspaces[space]
        current = all(len(self.revisions[entity]) == base for entity, (base, _) in model.staged.items())
        ready = model.state == "open" and model.staged and current
        made = self.refused(None if ready else InputInvalid, self.library.graph.commit, space)
        if not ready:
            return
        assert made == [(entity, base + 1) for entity, (base, _) in model.staged.items()]
        for entity, (base, said) in model.staged.items():
            self.revise(entity, said)
            before = self.revisions[entity][base - 1] if base else said
            if before[:2] != said[:2] and not said.removed:
                kept = [each for each in said.citations if each in before.citations]
                self.asked += [Question(entity, base, base + 1, each) for each in kept]
        self.workspaces[space] = Workspace("committed")

    def revise(self, entity: str, said: Saying) -> None:
        self.revisions[entity].append(said)

    # -- staging

    @rule(choice=CHOICES, name=NAMES)
    def stage(self, choice: int, name: str) -> None:
        space = self.space(choice)
        model = self.workspaces[space]
        expected = InputInvalid if model.state != "open" else None
        made = self.refused(
            expected, self.library.graph.stage_entity, space, name=name, properties={"days": "1"}
        )
        if made is not None:
            self.revisions[made] = []
            model.staged[made] = (0, Saying(name, "1", False, ()))

    @rule(choice=CHOICES, which=CHOICES, days=st.sampled_from("1234"), remove=RARELY, drop=RARELY)
    def edit(self, choice: int, which: int, days: str, remove: bool, drop: bool) -> None:
        space, entity = self.space(choice), self.entity(which)
        model = self.workspaces[space]
        base, said = self.staged_or_current(model, entity)
        dropped = said.citations[:1] if said and drop else ()
        self.refused(
            NotFound if said is None else InputInvalid if model.state != "open" else None,
            self.library.graph.stage_entity,
            space,
            entity_id=entity,
            properties={"days": days},
            remove=remove,
            drop=dropped,
        )
        if said is not None and model.state == "open":
            left = tuple(each for each in said.citations if each not in dropped)
            model.staged[entity] = (base, Saying(said.name, days, remove, left))

    def staged_or_current(self, model: Workspace, entity: str) -> tuple[int, Saying | None]:
        said = self.revisions.get(entity, [])
        return model.staged.get(entity) or (len(said), said[-1] if said else None)

    @rule(
        choice=CHOICES,
        which=CHOICES,
        path=PATHS,
        back=st.integers(0, 3),
        form=FORMS,
        section=st.integers(0, 2),
        note=st.sampled_from(["", "so it is"]),
    )
    def capture(
        self, choice: int, which: int, path: str, back: int, form: str, section: int, note: str
    ) -> None:
        space, entity = self.space(choice), self.entity(which)
        model, file = self.workspaces[space], self.files[path]
        number = max(1, len(file.versions) - back)
        section %= len(file.versions[number - 1].places)
        cited = Cited(path, number, form, section, note)
        base, said = self.staged_or_current(model, entity)
        words = self.words(cited)
        expected: type[StonebrowseError] | None = None
        if said is None:
            expected = NotFound
        elif file.trashed:
            expected = EvidenceUnavailable
        elif model.state != "open":
            expected = InputInvalid
        made = self.refused(expected, self.library.graph.capture, space, entity, note=note, **words)
        if made is not None and said is not None:
            self.cited[made] = cited
            model.staged[entity] = (base, replace_citations(said, (*said.citations, made)))

    def words(self, cited: Cited) -> dict[str, Any]:
        file = self.library.find_file(self.ids[cited.path])
        version = self.library.find_version(file, str(cited.number))
        named = {"file_id": version.file_id, "version_id": version.version_id, "digest": version.digest}
        if cited.form == "version":
            return named
        document = self.library.document(version)
        place = self.files[cited.path].versions[cited.number - 1].places[cited.section]
        if cited.form == "words":
            return {"token": self.library.token(document, place.start, place.start + 3)}
        passage = document.passage_at(place.start)
        assert passage is not None
        return {**named, "chunk_id": passage.passage_id}

    @rule(name=NAMES, path=PATHS, days=st.sampled_from("234"), remove=RARELY, form=FORMS)
    def from_beginning_to_end(self, name: str, path: str, days: str, remove: bool, form: str) -> None:
        """A thing is made, cited, committed, edited and committed again, as people do."""
        self.create()
        self.stage(1, name)
        for section in range(2):
            staged = next(reversed(self.workspaces[self.space(1)].staged))
            self.capture(1, 4 * list(self.revisions).index(staged), path, section, form, section, "why")
        self.commit(1)
        self.create()
        self.edit(1, self.last(), days, remove, False)
        self.commit(1)
        self.explore(path)
        self.create()
        self.capture(1, self.last(), path, 0, form, 0, "")
        self.commit(1)
        self.explore(path)

    @rule(path=PATHS)
    def new_edition(self, path: str) -> None:
        """A document gets a section more at its beginning, or loses it; what is cited is confirmed, and cited anew."""
        while self.library.graph.questions():
            self.answer(0, False)
        before = self.files[path].there.sections
        self.edit_file(path, before[1:] if before[0] == MORE else [MORE, *before])
        self.refresh(path)
        for entity in self.revisions:
            self.read(4 * list(self.revisions).index(entity))

    @rule(days=st.sampled_from("567"), drop=RARELY, remove=RARELY)
    def two_at_once(self, days: str, drop: bool, remove: bool) -> None:
        """Two stage edits of one thing; whoever commits second is told."""
        if not any(self.revisions.values()):
            return
        first = self.create()
        self.edit(1, self.last(), days, remove, drop)
        self.create()
        self.edit(1, self.last(), "8", False, False)
        self.commit(1)
        self.commit(4 * list(self.workspaces).index(first))

    def last(self) -> int:
        """The choice of the entity that was made last."""
        there = [entity for entity, said in self.revisions.items() if said]
        return 4 * (len(there) - 1) + 1

    # -- the documents

    @rule(path=PATHS, sections=TEXTS)
    def edit_file(self, path: str, sections: list[tuple[str, str]]) -> None:
        file, text = self.files[path], Text(sections)
        write(self.place / "docs" / path, text.text)
        file.there = text
        if not file.trashed and text.text != file.versions[-1].text:
            file.versions.append(text)
        self.library.update()

    @rule(path=PATHS)
    def trash(self, path: str) -> None:
        self.library.trash(self.library.find_file(self.ids[path]))
        self.files[path].trashed = True

    @rule(path=PATHS)
    def restore(self, path: str) -> None:
        file = self.files[path]
        found = self.library.find_file(self.ids[path])
        self.refused(None if file.trashed else InputInvalid, self.library.restore, found)
        if file.trashed and file.there.text != file.versions[-1].text:
            file.versions.append(file.there)
        file.trashed = False
        self.library.update()

    # -- confirming, refreshing

    @rule(at=st.integers(0, 9), drop=st.booleans())
    def answer(self, at: int, drop: bool) -> None:
        questions = self.library.graph.questions()
        if not questions:
            return
        number = at % len(questions)
        question, model = questions[number][0], [each for each in self.asked if not each.answered][number]
        said = self.revisions[model.entity][-1]
        held = drop and model.citation in said.citations
        made = self.library.graph.answer(question.question_id, "drop" if drop else "keep")
        model.answered = True
        if held:
            left = tuple(each for each in said.citations if each != model.citation)
            self.revise(model.entity, replace_citations(said, left))
        assert made == (len(self.revisions[model.entity]) if held else None)
        self.refused(InputInvalid, self.library.graph.answer, question.question_id, "keep")

    @rule(path=PATHS)
    def refresh(self, path: str) -> None:
        """What it made must be the same text on the newest version; which it left is tested elsewhere."""
        newest = len(self.files[path].versions)
        done = self.library.graph.edition(self.library.find_file(self.ids[path]), refresh=True)
        open_questions = {each.citation for each in self.asked if not each.answered}
        for entity, number in done.revised:
            said = self.revisions[entity][-1]
            fresh = {each.held.citation_id: each.refreshed for each in done.outdated if each.refreshed}
            for old, new in fresh.items():
                if old in said.citations and new is not None:
                    assert old not in open_questions
                    section = self.same(self.cited[old], newest)
                    self.cited[new] = self.cited[old]._replace(number=newest, section=section)
            left = tuple(fresh.get(each) or each for each in said.citations)
            assert left != said.citations
            self.revise(entity, replace_citations(said, left))
            assert len(self.revisions[entity]) == number

    def same(self, cited: Cited, number: int) -> int:
        """The section of another version that has the text of the one that is cited."""
        versions = self.files[cited.path].versions
        before, after = versions[cited.number - 1], versions[number - 1]
        if cited.form == "version":
            assert before.text == after.text
            return cited.section
        texts = [each.text.encode() for each in (before, after)]
        place = before.places[cited.section]
        wanted = texts[0][place.start : place.start + 3 if cited.form == "words" else place.end]
        found = [
            at
            for at, each in enumerate(after.places)
            if texts[1][each.start : each.end].rstrip().startswith(wanted.rstrip())
        ]
        assert len(found) == 1
        return found[0]

    # -- looking

    def refused(self, expected: type[StonebrowseError] | None, work: Any, *args: Any, **more: Any) -> Any:
        if expected is None:
            return work(*args, **more)
        with pytest.raises(expected):
            work(*args, **more)
        return None

    @invariant()
    def staged_and_committed_are_as_in_the_model(self) -> None:
        graph = self.library.graph
        assert {each.workspace_id: (each.state, each.staged) for each in graph.workspaces()} == {
            id_: (model.state, len(model.staged)) for id_, model in self.workspaces.items()
        }
        there = {entity: said[-1] for entity, said in self.revisions.items() if said and not said[-1].removed}
        assert {each.thing_id: (each.name, each.properties["days"]) for each in graph.entities()} == {
            entity: said[:2] for entity, said in there.items()
        }
        asked = [each for each in self.asked if not each.answered]
        found = [question for question, _ in graph.questions()]
        assert [(each.after.thing_id, each.before.number, each.after.number) for each in found] == [
            (each.entity, each.before, each.after) for each in asked
        ]
        assert [each.citation.citation_id for each in found] == [each.citation for each in asked]

    @rule(choice=CHOICES)
    def show(self, choice: int) -> None:
        space = self.space(choice)
        staged = self.library.graph.staged(space)
        model = self.workspaces[space].staged
        assert [each.revision.thing_id for each in staged] == list(model)
        for each in staged:
            base, said = model[each.revision.thing_id]
            assert each.revision.number == base + 1
            self.compare(each, said)

    @rule(which=CHOICES)
    def read(self, which: int) -> None:
        entity = self.entity(which)
        said = self.revisions.get(entity, [])
        found = self.refused(None if said else NotFound, self.library.graph.read, entity, limit=32)
        if found is not None:
            assert found.revision.number == len(said)
            self.compare(found, said[-1])
            for each, model in zip(self.library.graph.history(entity), reversed(said), strict=True):
                self.compare(each, model)

    @rule(path=PATHS)
    def explore(self, path: str) -> None:
        found = self.library.graph.explore(file_id=self.ids[path])
        expected = {}
        for entity, said in self.revisions.items():
            held = [each for each in (said[-1].citations if said else ()) if self.cited[each].path == path]
            if held and not said[-1].removed:
                expected[entity] = held
        assert {
            each.revision.thing_id: [one.fields["citation_id"] for one in each.citations]
            for each in found.entities
        } == expected

    def compare(self, thing: Any, said: Saying) -> None:
        revision = thing.revision
        assert (revision.name, revision.properties["days"], revision.removed) == said[:3]
        assert [each.fields["citation_id"] for each in thing.citations] == list(said.citations)
        assert (thing.withheld, thing.truncated) == (0, False)
        for each in thing.citations:
            cited, fields = self.cited[each.fields["citation_id"]], each.fields
            file = self.files[cited.path]
            place = file.versions[cited.number - 1].places[cited.section]
            whole = cited.form == "version"
            expected = (
                self.ids[cited.path],
                cited.number,
                f"{cited.path} (Line 1)" if whole else f"{cited.path} § {place.heading} (Line {place.line})",
                None if whole else place.start,
                f"# {place.heading[0]}" if cited.form == "words" else None,
                cited.note or None,
                cited.number == len(file.versions) and not file.trashed,
            )
            quote = fields["quote"]
            assert (
                fields["file_id"],
                fields["number"],
                each.citation,
                fields["start"],
                quote,
                fields["note"],
                fields["current"],
            ) == expected


def replace_citations(said: Saying, citations: tuple[str, ...]) -> Saying:
    """The same with other citations."""
    return said._replace(citations=citations)


TestGraph = GraphMachine.TestCase
TestGraph.settings = settings(
    max_examples=400 if LONG else 12,
    stateful_step_count=60 if LONG else 30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
