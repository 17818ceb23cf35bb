-- +goose Up

-- The generator of sites that whoever asked for an import said the pages are of; empty for what is found out.
ALTER TABLE import ADD COLUMN generator TEXT NOT NULL DEFAULT '';
