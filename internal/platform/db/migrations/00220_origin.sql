-- +goose Up

-- Which state of a Git repository content was imported from, as JSON, '' for none: of a revision, of what a branch was last
-- imported from, and of an import that was asked for.
ALTER TABLE content_revision ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE content_branch ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE import ADD COLUMN origin TEXT NOT NULL DEFAULT '';
