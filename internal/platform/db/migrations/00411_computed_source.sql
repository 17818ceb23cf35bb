-- +goose Up

-- What sources of content of integrations have made for computed pages, owned by package computed. key is a hash of the
-- source, its properties and what it depends on, source the same as JSON. state is what the last attempt was made from,
-- pages what the last good one gave, as JSON, and error why the last one was not good, both '' for none. asked_at is
-- when a job was asked for it, 0 when none is on the way.
CREATE TABLE computed_source (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    space_id        TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    installation_id TEXT NOT NULL REFERENCES integration_installation (id) ON DELETE CASCADE,
    key             TEXT NOT NULL,
    source          TEXT NOT NULL,
    state           TEXT NOT NULL,
    pages           TEXT NOT NULL,
    error           TEXT NOT NULL,
    failures        BIGINT NOT NULL,
    asked_at        BIGINT NOT NULL,
    due_at          BIGINT NOT NULL,
    used_at         BIGINT NOT NULL,
    made_at         BIGINT NOT NULL,
    changed_at      BIGINT NOT NULL
);

CREATE UNIQUE INDEX computed_source_key ON computed_source (space_id, installation_id, key);
CREATE INDEX computed_source_organization ON computed_source (organization_id);
CREATE INDEX computed_source_installation ON computed_source (installation_id);
CREATE INDEX computed_source_due ON computed_source (due_at);
