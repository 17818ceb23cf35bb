-- +goose Up

-- Imports into change requests, and from more sources. SQLite cannot change a CHECK, so the table is made anew.
CREATE TABLE import_wider (
    id                TEXT NOT NULL PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    space_id          TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    created_by        TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    source            TEXT NOT NULL CHECK (source IN ('', 'website', 'docx', 'markdown', 'html', 'zip', 'confluence', 'github-wiki', 'notion', 'google-docs')),
    url               TEXT NOT NULL,
    name              TEXT NOT NULL,
    upload            TEXT NOT NULL,
    page_limit        BIGINT NOT NULL,
    target_page       TEXT NOT NULL,
    job_id            TEXT NOT NULL,
    state             TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'cancelled')),
    done              BIGINT NOT NULL,
    total             BIGINT NOT NULL,
    message           TEXT NOT NULL,
    revision          TEXT NOT NULL,
    report            TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    change_request_id TEXT REFERENCES change_request (id) ON DELETE CASCADE
);

INSERT INTO import_wider (id, organization_id, space_id, created_by, source, url, name, upload, page_limit, target_page, job_id, state, done, total,
    message, revision, report, created_at, updated_at)
SELECT id, organization_id, space_id, created_by, source, url, name, upload, page_limit, target_page, job_id, state, done, total,
    message, revision, report, created_at, updated_at FROM import;

DROP TABLE import;
ALTER TABLE import_wider RENAME TO import;

CREATE INDEX import_order ON import (organization_id, created_at, id);
CREATE INDEX import_user ON import (created_by, created_at);
CREATE INDEX import_space ON import (space_id);
CREATE INDEX import_upload ON import (upload, state);
CREATE INDEX import_running ON import (updated_at) WHERE state = 'running';
CREATE INDEX import_change_request ON import (change_request_id);
