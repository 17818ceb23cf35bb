-- +goose Up

-- Nodes of the entity tries and the path tries, by the SHA-256 of their bytes. touched_at says when a writer last
-- needed the node; garbage collection spares what was touched lately. It stands before the bytes so that touching a
-- node rewrites no overflow page.
CREATE TABLE content_node (
    hash       BYTEA NOT NULL PRIMARY KEY,
    touched_at BIGINT NOT NULL,
    bytes      BYTEA NOT NULL
);

-- Markdown bodies of pages and reusable contents, by the SHA-256 of their bytes.
CREATE TABLE content_body (
    hash       BYTEA NOT NULL PRIMARY KEY,
    touched_at BIGINT NOT NULL,
    size       BIGINT NOT NULL,
    bytes      BYTEA NOT NULL
);

-- Files whose bytes are in the blob store, by their hex SHA-256. Only what has a row here is ever collected there.
CREATE TABLE content_blob (
    hash       TEXT NOT NULL PRIMARY KEY,
    touched_at BIGINT NOT NULL,
    size       BIGINT NOT NULL
);

-- Revisions are never changed, only deleted with their space. generation is one more than the highest of the parents'.
CREATE TABLE content_revision (
    id          TEXT NOT NULL PRIMARY KEY,
    space_id    TEXT NOT NULL,
    branch_id   TEXT NOT NULL,
    generation  BIGINT NOT NULL,
    parents     TEXT NOT NULL,
    type        TEXT NOT NULL CHECK (type IN ('edits', 'merge', 'rollback', 'update', 'computed')),
    root        BYTEA NOT NULL,
    paths_root  BYTEA NOT NULL,
    author      TEXT NOT NULL,
    message     TEXT NOT NULL,
    merged_from TEXT,
    created_at  BIGINT NOT NULL
);

-- The history of a branch, newest first; also a second lock on the door: a branch cannot fork.
CREATE UNIQUE INDEX content_revision_branch ON content_revision (branch_id, generation);
CREATE INDEX content_revision_space ON content_revision (space_id, id);

-- base_revision_id is the newest revision of main that a change request contains, and the base of its merge.
CREATE TABLE content_branch (
    id                  TEXT NOT NULL PRIMARY KEY,
    space_id            TEXT NOT NULL,
    kind                TEXT NOT NULL CHECK (kind IN ('main', 'change-request')),
    head_revision_id    TEXT NOT NULL REFERENCES content_revision (id) ON DELETE RESTRICT,
    initial_revision_id TEXT NOT NULL,
    base_revision_id    TEXT NOT NULL,
    created_at          BIGINT NOT NULL,
    moved_at            BIGINT NOT NULL
);

CREATE UNIQUE INDEX content_branch_main ON content_branch (space_id) WHERE kind = 'main';
CREATE INDEX content_branch_space ON content_branch (space_id, id);
CREATE INDEX content_branch_head ON content_branch (head_revision_id);

-- Spaces that are gone for good; garbage collection deletes their revisions, then the row.
CREATE TABLE content_dropped (
    space_id   TEXT NOT NULL PRIMARY KEY,
    dropped_at BIGINT NOT NULL
);
