-- +goose Up
-- Imports that have not ended, oldest news first: the sweep looks for those that nobody works on any more.
CREATE INDEX import_open ON import (updated_at) WHERE state IN ('pending', 'running');
DROP INDEX import_running;
