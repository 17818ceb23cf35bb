-- +goose Up

-- Imports into change requests, and from more sources.
ALTER TABLE import DROP CONSTRAINT import_source_check;
ALTER TABLE import ADD CONSTRAINT import_source_check
    CHECK (source IN ('', 'website', 'docx', 'markdown', 'html', 'zip', 'confluence', 'github-wiki', 'notion', 'google-docs'));
ALTER TABLE import ADD COLUMN change_request_id TEXT REFERENCES change_request (id) ON DELETE CASCADE;

CREATE INDEX import_change_request ON import (change_request_id);
