-- +goose Up

-- Nodes of the link indexes, by the SHA-256 of their bytes. touched_at says when a writer last needed the node.
CREATE TABLE link_node (
    hash       BYTEA NOT NULL PRIMARY KEY,
    touched_at BIGINT NOT NULL,
    bytes      BYTEA NOT NULL
);

-- The link index of a content, by the root of its entries. version names the rules that made it. The numbers count
-- links by how they are decided; see package link.
CREATE TABLE link_index (
    content_root BYTEA NOT NULL,
    version      TEXT NOT NULL,
    root         BYTEA NOT NULL,
    broken       BIGINT NOT NULL,
    in_app       BIGINT NOT NULL,
    inside       BIGINT NOT NULL,
    outside      BIGINT NOT NULL,
    elsewhere    BIGINT NOT NULL,
    written      BIGINT NOT NULL,
    used_at      BIGINT NOT NULL,
    PRIMARY KEY (content_root, version)
);

CREATE INDEX link_index_used ON link_index (used_at);

-- The revision of a space whose links were asked for last: where the next index is derived from when no ancestor has one.
CREATE TABLE link_latest (
    space_id    TEXT NOT NULL PRIMARY KEY,
    revision_id TEXT NOT NULL,
    made_at     BIGINT NOT NULL
);
