-- +goose Up

-- Links that let people read a site whose visibility is share-link. token_sealed is the secret as the server can read it
-- back, token_hash its SHA-256, by which visitors are let in.
CREATE TABLE share_link (
    id           TEXT NOT NULL PRIMARY KEY,
    site_id      TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    token_sealed TEXT NOT NULL,
    token_hash   TEXT NOT NULL,
    active       BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
);

CREATE UNIQUE INDEX share_link_token ON share_link (token_hash);
CREATE INDEX share_link_order ON share_link (site_id, id);

-- How a site knows its visitors: the key that their tokens are signed with, sealed, and for a while the one before it.
CREATE TABLE site_publishing_auth (
    site_id         TEXT NOT NULL PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE,
    key_sealed      TEXT NOT NULL,
    previous_sealed TEXT,
    previous_until  BIGINT,
    fallback_url    TEXT,
    logout_url      TEXT,
    updated_at      BIGINT NOT NULL
);

-- What a site may know of its visitors, as a JSON Schema.
CREATE TABLE site_adaptive_schema (
    site_id     TEXT NOT NULL PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE,
    json_schema TEXT NOT NULL,
    updated_at  BIGINT NOT NULL
);
