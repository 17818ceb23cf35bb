-- +goose Up

-- Hostnames that an organization has had. Addresses below them lead to where its sites are now, so that no other organization gets one
-- while it stands here.
CREATE TABLE organization_former_hostname (
    hostname        TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    left_at         BIGINT NOT NULL
);

CREATE INDEX organization_former_hostname_left ON organization_former_hostname (organization_id, left_at, hostname);
