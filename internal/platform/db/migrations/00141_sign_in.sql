-- +goose Up

-- Passwords, as argon2id in the PHC string format.
CREATE TABLE account_password (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES account_user (id) ON DELETE CASCADE,
    hash       TEXT NOT NULL,
    changed_at BIGINT NOT NULL
);

-- One-time links with which a person sets a password; of the secret only its SHA-256 is kept. A link that was used is
-- gone; mailed says that it went to the address of its user alone.
CREATE TABLE account_link (
    secret_hash BYTEA NOT NULL PRIMARY KEY,
    user_id     TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    mailed      BOOLEAN NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);

CREATE INDEX account_link_user ON account_link (user_id);
CREATE INDEX account_link_end ON account_link (expires_at);

-- Attempts to sign in that failed, by what they are counted for: an account, an address, a browser that is known. The
-- names are hashes, since an account may be one that is not there.
CREATE TABLE account_attempt (
    name          TEXT NOT NULL PRIMARY KEY,
    failures      BIGINT NOT NULL,
    counted_at    BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL
);

CREATE INDEX account_attempt_age ON account_attempt (counted_at);
