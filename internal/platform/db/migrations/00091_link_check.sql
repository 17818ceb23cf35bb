-- +goose Up

-- External addresses that the live content of a space links to, when they are checked.
CREATE TABLE link_external (
    space_id TEXT NOT NULL,
    url      TEXT NOT NULL,
    PRIMARY KEY (space_id, url)
);

CREATE INDEX link_external_url ON link_external (url);

-- The content of a space whose external addresses are in link_external.
CREATE TABLE link_external_space (
    space_id     TEXT NOT NULL PRIMARY KEY,
    content_root BYTEA NOT NULL
);

-- What asking an address has found. reason is '' while it answers; failures counts the times in a row that it did not;
-- next_at is when it is to be asked again.
CREATE TABLE link_check (
    url        TEXT NOT NULL PRIMARY KEY,
    reason     TEXT NOT NULL,
    failures   BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    next_at    BIGINT NOT NULL
);

CREATE INDEX link_check_due ON link_check (next_at);
