-- +goose Up

-- Imports, owned by package importer: what was asked for, how far it is, and what came of it. source is empty when the
-- upload itself says what it is; upload is the hash of bytes that wait for a worker. report is JSON.
CREATE TABLE import (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    space_id        TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    created_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    source          TEXT NOT NULL CHECK (source IN ('', 'website', 'markdown', 'html', 'zip')),
    url             TEXT NOT NULL,
    name            TEXT NOT NULL,
    upload          TEXT NOT NULL,
    page_limit      BIGINT NOT NULL,
    target_page     TEXT NOT NULL,
    job_id          TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'cancelled')),
    done            BIGINT NOT NULL,
    total           BIGINT NOT NULL,
    message         TEXT NOT NULL,
    revision        TEXT NOT NULL,
    report          TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE INDEX import_order ON import (organization_id, created_at, id);
CREATE INDEX import_user ON import (created_by, created_at);
CREATE INDEX import_space ON import (space_id);
CREATE INDEX import_upload ON import (upload, state);
CREATE INDEX import_running ON import (updated_at) WHERE state = 'running';
