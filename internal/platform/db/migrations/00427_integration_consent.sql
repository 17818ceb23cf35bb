-- +goose Up

-- Whether the script of an integration asks readers of sites about cookies, which its newest version says: such a script
-- is loaded before they have answered. Owned by package integration.
ALTER TABLE integration ADD COLUMN asks_consent BOOLEAN NOT NULL DEFAULT FALSE;
