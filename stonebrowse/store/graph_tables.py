"""The tables of the graph; what they mean is said in `graph`."""

from __future__ import annotations

from typing import Final

TABLES: Final = """
CREATE TABLE workspaces (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'committed', 'discarded')),
    made_us INTEGER NOT NULL
) STRICT;

-- Entities (e_) and relationships (r_). `current`: the number of the newest revision, 0 before the first.
CREATE TABLE things (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    current INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE revisions (
    key INTEGER PRIMARY KEY,
    thing INTEGER NOT NULL REFERENCES things,
    number INTEGER NOT NULL CHECK (number >= 1),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    properties TEXT NOT NULL,
    source INTEGER REFERENCES things,
    target INTEGER REFERENCES things,
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    recorded_us INTEGER NOT NULL,
    UNIQUE (thing, number)
) STRICT;
-- Of entities, and of relationships: a page of them in their order.
CREATE INDEX revisions_by_name ON revisions (name, kind) WHERE source IS NULL;
CREATE INDEX revisions_by_kind ON revisions (kind) WHERE source IS NOT NULL;
CREATE INDEX revisions_by_source ON revisions (source) WHERE source IS NOT NULL;
CREATE INDEX revisions_by_target ON revisions (target) WHERE target IS NOT NULL;

-- `passage`: the chunk-id of that form. `start_byte`: the quoted words of the form of a token. `version`: NULL
-- where it was imported and this library has no such version.
CREATE TABLE citations (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER REFERENCES versions,
    passage TEXT,
    start_byte INTEGER,
    end_byte INTEGER,
    note TEXT NOT NULL,
    CHECK ((start_byte IS NULL) = (end_byte IS NULL)),
    CHECK (passage IS NULL OR start_byte IS NULL)
) STRICT;
CREATE INDEX citations_by_version ON citations (version);

-- What an imported citation cites in the library where it was captured, if that gave the version another ID.
CREATE TABLE citation_origins (
    citation INTEGER PRIMARY KEY REFERENCES citations,
    path TEXT NOT NULL,
    file TEXT NOT NULL,
    version TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    passage TEXT,
    start_byte INTEGER,
    end_byte INTEGER
) STRICT;

CREATE TABLE held (
    revision INTEGER NOT NULL REFERENCES revisions,
    position INTEGER NOT NULL,
    citation INTEGER NOT NULL REFERENCES citations,
    PRIMARY KEY (revision, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_by_citation ON held (citation);

CREATE TABLE staged (
    key INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    thing INTEGER NOT NULL REFERENCES things,
    base INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    properties TEXT NOT NULL,
    source INTEGER REFERENCES things,
    target INTEGER REFERENCES things,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    UNIQUE (workspace, thing)
) STRICT;
CREATE INDEX staged_by_thing ON staged (thing);
CREATE TABLE staged_citations (
    staged INTEGER NOT NULL REFERENCES staged ON DELETE CASCADE,
    position INTEGER NOT NULL,
    citation INTEGER NOT NULL REFERENCES citations,
    PRIMARY KEY (staged, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_citations_by_citation ON staged_citations (citation);

-- Does this citation still support the entity as it now reads?
CREATE TABLE questions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    before INTEGER NOT NULL REFERENCES revisions,
    after INTEGER NOT NULL REFERENCES revisions,
    citation INTEGER NOT NULL REFERENCES citations,
    answer TEXT CHECK (answer IN ('keep', 'drop')),
    note TEXT NOT NULL DEFAULT '',
    answered_us INTEGER
) STRICT;
CREATE INDEX questions_open ON questions (key) WHERE answer IS NULL;
CREATE INDEX questions_by_after ON questions (after);

CREATE TRIGGER revisions_are_kept BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is never deleted'); END;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is never changed'); END;
CREATE TRIGGER held_citations_are_kept BEFORE DELETE ON held
BEGIN SELECT RAISE(ABORT, 'what a revision holds is never changed'); END;
CREATE TRIGGER held_citations_stay BEFORE UPDATE ON held
BEGIN SELECT RAISE(ABORT, 'what a revision holds is never changed'); END;
CREATE TRIGGER citations_stay BEFORE UPDATE ON citations WHEN NOT (
    -- What an imported one cites may be found later; nothing else of it changes.
    OLD.version IS NULL AND (NEW.key, NEW.id, NEW.note) = (OLD.key, OLD.id, OLD.note)
)
BEGIN SELECT RAISE(ABORT, 'a citation is never changed'); END;
"""
