-- +goose Up

-- Specifications that nobody has made, but that blocks of pages name by their address. used_at is when a page last asked
-- for one, NULL for all others; those that no page asks for are deleted.
ALTER TABLE openapi_spec ADD COLUMN used_at BIGINT;

CREATE INDEX openapi_spec_address ON openapi_spec (organization_id, source_url);
CREATE INDEX openapi_spec_used ON openapi_spec (used_at) WHERE used_at IS NOT NULL;
