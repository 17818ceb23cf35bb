-- +goose Up

-- Who moved a space to the trash; NULL for what is not in it, and when they are gone.
ALTER TABLE space ADD COLUMN deleted_by TEXT REFERENCES account_user (id) ON DELETE SET NULL;

CREATE INDEX space_deleted_by ON space (deleted_by) WHERE deleted_by IS NOT NULL;
