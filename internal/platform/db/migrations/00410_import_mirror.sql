-- +goose Up

-- Whether an import removes the pages that its source does not have, and whether it only says what it would do.
ALTER TABLE import ADD COLUMN mirror BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE import ADD COLUMN dry_run BOOLEAN NOT NULL DEFAULT FALSE;
