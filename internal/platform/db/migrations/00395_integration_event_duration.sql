-- +goose Up

-- How long a call of a script took, in milliseconds.
ALTER TABLE integration_event ADD COLUMN duration BIGINT NOT NULL DEFAULT 0;
