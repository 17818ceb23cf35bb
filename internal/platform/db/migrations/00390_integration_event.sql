-- +goose Up

-- Development mode: where events of an integration go instead of its script, '' for nowhere, and whether those of other
-- organizations do, too.
ALTER TABLE integration ADD COLUMN tunnel_url TEXT NOT NULL DEFAULT '';
ALTER TABLE integration ADD COLUMN tunnel_all BOOLEAN NOT NULL DEFAULT FALSE;

-- Calls of scripts, those that wait and those of the last 30 days; owned by package dispatch. queue names those that
-- are delivered one after the other, '' for a call that was answered at once. organization_id is that of the
-- installation, or the owner's for a call of the integration itself; what was removed since may still be named. payload is the
-- event, logs what the script has said of it, both JSON.
CREATE TABLE integration_event (
    id              TEXT NOT NULL PRIMARY KEY,
    integration_id  TEXT NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    queue           TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    installation_id TEXT NOT NULL,
    space_id        TEXT NOT NULL,
    site_id         TEXT NOT NULL,
    kind            TEXT NOT NULL,
    payload         TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('queued', 'success', 'failed')),
    attempts        BIGINT NOT NULL,
    logs            TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT NOT NULL
);

CREATE INDEX integration_event_listed ON integration_event (integration_id, id);
CREATE INDEX integration_event_queued ON integration_event (queue, id) WHERE status = 'queued';
CREATE INDEX integration_event_created ON integration_event (created_at);

-- Queues that a job works on.
CREATE TABLE integration_queue (
    queue TEXT NOT NULL PRIMARY KEY
);
