-- +goose Up

-- Passkeys. credential is a JSON object: the public key and what is known of the authenticator.
CREATE TABLE account_passkey (
    id            TEXT NOT NULL PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    credential_id BYTEA NOT NULL,
    credential    TEXT NOT NULL,
    name          TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);

CREATE UNIQUE INDEX account_passkey_credential ON account_passkey (credential_id);
CREATE INDEX account_passkey_user ON account_passkey (user_id, id);

-- Challenges that passkeys have answered, by their SHA-256, until they would have expired: each works once.
CREATE TABLE account_challenge (
    hash       BYTEA NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

CREATE INDEX account_challenge_end ON account_challenge (expires_at);
