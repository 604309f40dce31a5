"""The tools: what each is called, takes and gives, and the call of `Library` that it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_types import Tool, ToolAnnotations

from stonebrowse.mcp import graph_tools, reading_tools
from stonebrowse.mcp.answers import Answer
from stonebrowse.mcp.arguments import Parameter, checked, schema

if TYPE_CHECKING:
    from stonebrowse.library.library import Library


Call = Callable[["Library", dict[str, Any]], Answer]

CITATIONS: dict[str, Any] = {"type": "array", "items": {"type": "object", "required": ["citation_id"]}}
THING: dict[str, dict[str, Any]] = {
    "citations": CITATIONS,
    "truncated": {"type": "boolean"},
    "withheld": {"type": "integer"},
}


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool.

    Attributes:
        name: its name.
        says: what it does, for the model.
        parameters: its arguments.
        gives: the properties of its structured content, as JSON Schema; those that are `always` there.
        call: what it does.
        writes: whether it changes the store.
        destroys: whether what it changes takes something away.
    """

    name: str
    says: str
    parameters: tuple[Parameter, ...]
    gives: dict[str, dict[str, Any]]
    always: tuple[str, ...]
    call: Call
    writes: bool = False
    destroys: bool = False

    def tool(self) -> Tool:
        """The tool as MCP lists it."""
        return Tool(
            name=self.name,
            description=self.says,
            input_schema=schema(self.parameters),
            output_schema={"type": "object", "properties": self.gives, "required": list(self.always)},
            annotations=ToolAnnotations(
                read_only_hint=not self.writes,
                destructive_hint=self.destroys,
                idempotent_hint=not self.writes,
                open_world_hint=False,
            ),
        )

    def run(self, library: Library, given: dict[str, Any] | None) -> Answer:
        """Checks the arguments, and does it.

        Raises:
            StonebrowseError: refused; nothing is changed then.
        """
        return self.call(library, checked(self.parameters, given))


def _several(*always: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "required": list(always)}}


TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer"}
PAGE = {"next_offset": {"type": ["integer", "null"]}, "total": COUNT}
OFFSET = Parameter("offset", "After so many.", "number", most=10_000_000)
WORKSPACE = Parameter("workspace_id", "The workspace (w_…).", required=True, most=64)

TOOLS: tuple[Definition, ...] = (
    Definition(
        "search",
        'Finds sections by their words, best first. Words are joined by and; "a phrase", prefix*, -without,'
        " a OR b, heading:word, path:word and tag:word work. Open what you use with `read`.",
        (
            Parameter("query", "The words.", required=True),
            Parameter("limit", "How many hits; 10 unless said.", "number", least=1, most=50),
            Parameter("path", "Only in files whose path matches this glob.", most=4096),
        ),
        {"hits": _several("passage_id", "citation"), "total": COUNT, "complete": {"type": "boolean"}},
        ("hits", "total", "complete"),
        reading_tools.search,
    ),
    Definition(
        "read",
        "Opens a passage (chunk:p_…, while its version is current), a window of a version (version:v_…) or of a"
        " file's newest version (file:f_…, a path), or a citation string. With `text`, exactly as it stands there"
        " and there once, it gives a token that cites these words.",
        (
            Parameter("reference", "What to open.", required=True, most=16_384),
            Parameter("text", "The exact words to be cited, at most 4,096 bytes."),
            Parameter("start", "The first byte of a window; 0 unless said.", "number", most=1 << 40),
            Parameter(
                "max_bytes", "The bytes of a window; 16,384 unless said.", "number", least=4, most=65_536
            ),
        ),
        {
            "file_id": TEXT,
            "version_id": TEXT,
            "number": COUNT,
            "digest": TEXT,
            "citation": TEXT,
            "start": COUNT,
            "end": COUNT,
            "size": COUNT,
            "current": {"type": "boolean"},
            "end_of_text": {"type": "boolean"},
            "token": TEXT,
        },
        ("file_id", "version_id", "number", "digest", "citation", "start", "end", "current"),
        reading_tools.read,
    ),
    Definition(
        "list_files",
        "Lists the files of the repository by path.",
        (Parameter("limit", "How many; 100 unless said.", "number", least=1, most=500), OFFSET),
        {"files": _several("file_id", "version_id"), **PAGE},
        ("files", "total", "next_offset"),
        reading_tools.list_files,
    ),
    Definition(
        "versions",
        "Lists the versions of a file, newest first.",
        (
            Parameter("file", "A File ID, or a path.", required=True, most=16_384),
            Parameter("limit", "How many; 100 unless said.", "number", least=1, most=500),
            OFFSET,
        ),
        {"versions": _several("version_id", "number", "digest"), **PAGE},
        ("versions", "total", "next_offset"),
        reading_tools.versions,
    ),
    Definition(
        "explore",
        "Who cites a file, one version of it, or what an entity and its relationships cite: name exactly one."
        " Each citation names its version and says whether that is current.",
        (
            Parameter("file_id", "A File ID (f_…).", most=64),
            Parameter("version_id", "A version ID (v_…).", most=64),
            Parameter("entity_id", "An entity ID (e_…).", most=64),
            Parameter(
                "limit", "How many entities and relationships; 20 unless said.", "number", least=1, most=50
            ),
            OFFSET,
        ),
        {"entities": _several("entity_id"), "relationships": _several("relationship_id"), **PAGE},
        ("entities", "relationships", "total", "next_offset"),
        graph_tools.explore,
    ),
    Definition(
        "read_entity",
        "An entity or a relationship as it reads now, its citations opened at the versions they name.",
        (
            Parameter("entity_id", "Its ID (e_… or r_…).", required=True, most=64),
            Parameter("limit", "How many citations; 10 unless said.", "number", most=32),
        ),
        {"entity_id": TEXT, "relationship_id": TEXT, "revision": COUNT, **THING},
        ("revision", "citations", "truncated", "withheld"),
        graph_tools.read_entity,
    ),
    Definition(
        "stage_entity",
        "Stages a new entity, or with entity_id an edit of one, in a workspace; without workspace_id in a new one."
        " Nothing is changed until `commit`. An edit keeps what it does not name, its citations too.",
        (
            Parameter("workspace_id", "The workspace (w_…); without it one is made.", most=64),
            Parameter("name", "Its name."),
            Parameter("kind", "What kind of thing it is."),
            Parameter("properties", "Texts by their names; an empty one takes it away.", "named texts"),
            Parameter("entity_id", "The entity to be edited (e_…).", most=64),
            Parameter("drop_citations", "IDs (c_…) of citations that the edit does not keep.", "texts"),
            Parameter("remove", "Take the entity away; its history stays.", "yes or no"),
        ),
        {"workspace_id": TEXT, "entity_id": TEXT},
        ("workspace_id", "entity_id"),
        graph_tools.stage_entity,
        writes=True,
    ),
    Definition(
        "stage_relationship",
        "Stages a relationship between two entities, or with relationship_id an edit of one.",
        (
            Parameter("workspace_id", "The workspace (w_…); without it one is made.", most=64),
            Parameter("from", "The entity it comes from (e_…).", most=64),
            Parameter("to", "The entity it leads to (e_…).", most=64),
            Parameter("kind", "What it says of the two."),
            Parameter("relationship_id", "The relationship to be edited (r_…).", most=64),
            Parameter("remove", "Take it away; its history stays.", "yes or no"),
        ),
        {"workspace_id": TEXT, "relationship_id": TEXT},
        ("workspace_id", "relationship_id"),
        graph_tools.stage_relationship,
        writes=True,
    ),
    Definition(
        "capture",
        "Stages a citation onto a staged or known entity or relationship: a token alone; or file_id, version_id and"
        " digest together, with chunk_id for one passage of it. At most 32 on one, of at most 4,096 bytes each.",
        (
            WORKSPACE,
            Parameter("on", "The entity or relationship it supports (e_… or r_…).", required=True, most=64),
            Parameter("token", "A token from `read`.", most=4096),
            Parameter("file_id", "A File ID (f_…).", most=64),
            Parameter("version_id", "A version ID (v_…).", most=64),
            Parameter("digest", "Its digest, sha256:…", most=128),
            Parameter("chunk_id", "A passage ID (p_…).", most=64),
            Parameter("note", "What is said of it: at most 500 characters."),
        ),
        {"citation_id": TEXT},
        ("citation_id",),
        graph_tools.capture,
        writes=True,
    ),
    Definition(
        "commit",
        "Makes one new revision of each thing that is staged in a workspace, all or none.",
        (WORKSPACE,),
        {"committed": _several("revision")},
        ("committed",),
        graph_tools.commit,
        writes=True,
        destroys=True,
    ),
)

BY_NAME = {each.name: each for each in TOOLS}
