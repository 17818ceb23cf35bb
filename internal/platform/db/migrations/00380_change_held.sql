-- +goose Up

-- Until when live sessions of the change request take no text, since it is about to be merged or archived; see
-- change.Request.IsHeld. 0 when nobody waits for that.
ALTER TABLE change_request ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;
