-- +goose Up

-- Whether a site asks for tokens about the members of its organization: its schema names the claim "member". One that was put
-- before this was known has its own meaning for that name and does not ask, until it is put again.
ALTER TABLE site_adaptive_schema ADD COLUMN members BOOLEAN NOT NULL DEFAULT FALSE;
