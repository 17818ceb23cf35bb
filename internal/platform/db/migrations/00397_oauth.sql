-- +goose Up

-- Programs that have registered themselves to be let in by people (RFC 7591). redirect_uris is a JSON array of addresses on the
-- computer that the program runs on. used_at is when somebody last let it in, null for nobody yet.
CREATE TABLE oauth_client (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT
);

CREATE INDEX oauth_client_unused ON oauth_client (created_at) WHERE used_at IS NULL;

-- What a person lets a program do in their name, with the code that the program exchanges for its first token: of the code only its
-- SHA-256 is kept. challenge is the S256 challenge of PKCE, scopes a JSON array, none for all that the person may do. vouched_by and
-- through are those of the session in which the person agreed. ended_at is when the person, the program or a misuse ended it.
CREATE TABLE oauth_authorization (
    id              TEXT NOT NULL PRIMARY KEY,
    client_id       TEXT NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    scopes          TEXT NOT NULL,
    redirect_uri    TEXT NOT NULL,
    challenge       TEXT NOT NULL,
    code_hash       BYTEA NOT NULL,
    code_expires_at BIGINT NOT NULL,
    code_used_at    BIGINT,
    vouched_by      TEXT NOT NULL,
    through         TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    refreshed_at    BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    ended_at        BIGINT
);

CREATE UNIQUE INDEX oauth_authorization_code ON oauth_authorization (code_hash);
CREATE INDEX oauth_authorization_client ON oauth_authorization (client_id);
CREATE INDEX oauth_authorization_user ON oauth_authorization (user_id, id);
CREATE INDEX oauth_authorization_expires ON oauth_authorization (expires_at);

-- Refresh tokens, each good for once; of the secret only its SHA-256 is kept. One that comes again ends its authorization.
CREATE TABLE oauth_refresh (
    secret_hash      BYTEA NOT NULL PRIMARY KEY,
    authorization_id TEXT NOT NULL REFERENCES oauth_authorization (id) ON DELETE CASCADE,
    created_at       BIGINT NOT NULL,
    used_at          BIGINT
);

CREATE INDEX oauth_refresh_authorization ON oauth_refresh (authorization_id);

-- The tokens that programs were given so; null for those that people make themselves.
ALTER TABLE account_token ADD COLUMN authorization_id TEXT REFERENCES oauth_authorization (id) ON DELETE CASCADE;

CREATE INDEX account_token_authorization ON account_token (authorization_id) WHERE authorization_id IS NOT NULL;
