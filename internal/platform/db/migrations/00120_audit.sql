-- +goose Up

-- The audit log: what changed people, access, sites and tokens of an organization. actor_id and token_id name who did it
-- and stay when the user or the token is gone, so they refer to nothing. details is a JSON object.
CREATE TABLE audit_entry (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    actor_id        TEXT NOT NULL,
    token_id        TEXT NOT NULL,
    action          TEXT NOT NULL,
    target_kind     TEXT NOT NULL,
    target_id       TEXT NOT NULL,
    target_title    TEXT NOT NULL,
    details         TEXT NOT NULL,
    address         TEXT NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE INDEX audit_entry_order ON audit_entry (organization_id, id);
CREATE INDEX audit_entry_actor ON audit_entry (organization_id, actor_id, id);
CREATE INDEX audit_entry_action ON audit_entry (organization_id, action, id);
