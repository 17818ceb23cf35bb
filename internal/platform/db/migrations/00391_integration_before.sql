-- +goose Up

-- What was configured before, for an event on that which waits: sealed, '' for nothing and once it was delivered.
ALTER TABLE integration_event ADD COLUMN before_sealed TEXT NOT NULL DEFAULT '';

-- The integration that lets visitors of a site in, by its id; NULL for a program of the organization's own.
ALTER TABLE site_publishing_auth ADD COLUMN integration_id TEXT REFERENCES integration (id) ON DELETE SET NULL;
