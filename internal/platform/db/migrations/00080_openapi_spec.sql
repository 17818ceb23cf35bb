-- +goose Up

-- OpenAPI specifications of organizations and their versions, owned by package spec. A specification comes from an
-- address (source_url) or from a text (source_blob, the hash of its bytes); one of the two is empty. generation counts
-- the requests to process it: what an older request finds is dropped. due_at is when it is looked at again, NULL when
-- nothing is left to do; changed_at is when its newest version, or the specification itself, came to be. errors is JSON.
CREATE TABLE openapi_spec (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    slug            TEXT NOT NULL,
    source_url      TEXT NOT NULL,
    source_blob     TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('pending', 'progress', 'complete')),
    error_code      TEXT NOT NULL CHECK (error_code IN ('', 'FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
    errors          TEXT NOT NULL,
    last_version_id TEXT NOT NULL,
    generation      BIGINT NOT NULL,
    processed_at    BIGINT,
    due_at          BIGINT,
    changed_at      BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE UNIQUE INDEX openapi_spec_slug ON openapi_spec (organization_id, slug);
CREATE INDEX openapi_spec_changed ON openapi_spec (organization_id, changed_at);
CREATE INDEX openapi_spec_due ON openapi_spec (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX openapi_spec_blob ON openapi_spec (source_blob);

-- number counts the versions of one specification from 1. raw_blob is the hash of the document as it was written,
-- bundle_blob that of the document in the newest form with all it refers to; address is where relative ones start from.
CREATE TABLE openapi_spec_version (
    id          TEXT NOT NULL PRIMARY KEY,
    spec_id     TEXT NOT NULL REFERENCES openapi_spec (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    format      TEXT NOT NULL CHECK (format IN ('json', 'yaml')),
    address     TEXT NOT NULL,
    raw_blob    TEXT NOT NULL,
    raw_size    BIGINT NOT NULL,
    bundle_blob TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);

CREATE UNIQUE INDEX openapi_spec_version_number ON openapi_spec_version (spec_id, number);
CREATE INDEX openapi_spec_version_raw ON openapi_spec_version (raw_blob);
CREATE INDEX openapi_spec_version_bundle ON openapi_spec_version (bundle_blob);
