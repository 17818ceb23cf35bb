-- +goose Up

-- People who are signed in in a browser. Of the secrets only SHA-256 is kept. secret_hash is the one in use; next_hash was
-- offered to the browser at next_at and takes its place when it is used; previous_hash still works until previous_until,
-- for requests that were on their way. signed_in_at is when the person last proved who they are.
CREATE TABLE account_session (
    id             TEXT NOT NULL PRIMARY KEY,
    user_id        TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    method         TEXT NOT NULL,
    address        TEXT NOT NULL,
    agent          TEXT NOT NULL,
    secret_hash    BYTEA NOT NULL,
    secret_at      BIGINT NOT NULL,
    next_hash      BYTEA,
    next_at        BIGINT,
    previous_hash  BYTEA,
    previous_until BIGINT,
    created_at     BIGINT NOT NULL,
    signed_in_at   BIGINT NOT NULL,
    seen_at        BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL
);

CREATE UNIQUE INDEX account_session_secret ON account_session (secret_hash);
CREATE UNIQUE INDEX account_session_next ON account_session (next_hash);
CREATE UNIQUE INDEX account_session_previous ON account_session (previous_hash);
CREATE INDEX account_session_user ON account_session (user_id, id);
CREATE INDEX account_session_seen ON account_session (seen_at);
CREATE INDEX account_session_end ON account_session (expires_at);
