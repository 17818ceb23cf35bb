-- +goose Up

-- What an import that is over has brought; absent for what is not one, and for one that has failed.
ALTER TABLE notification ADD COLUMN import_pages BIGINT;
ALTER TABLE notification ADD COLUMN import_files BIGINT;
