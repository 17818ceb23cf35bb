-- +goose Up

-- The picture in a browser's tab as JSON, which is a part of settings, for lists of sites; '' for none.
ALTER TABLE site_customization ADD COLUMN favicon TEXT NOT NULL DEFAULT '';

UPDATE site_customization SET favicon = COALESCE(json_extract(settings, '$.favicon'), '') WHERE settings <> '';
