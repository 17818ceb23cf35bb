-- +goose Up

-- Until when the identity provider lets a session last that begins with the arrival, 0 when it does not say.
ALTER TABLE identity_arrival ADD COLUMN session_until BIGINT NOT NULL DEFAULT 0;
