-- +goose Up

-- Identity providers of organizations, of SAML and of OpenID Connect; what the other kind has is empty. certificate holds
-- PEM blocks, client_secret is sealed. default_role is null for guests.
CREATE TABLE identity_provider (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    kind            TEXT NOT NULL CHECK (kind IN ('saml', 'oidc')),
    label           TEXT NOT NULL,
    sso_url         TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    certificate     TEXT NOT NULL,
    issuer          TEXT NOT NULL,
    client_id       TEXT NOT NULL,
    client_secret   TEXT NOT NULL,
    default_team_id TEXT REFERENCES org_team (id) ON DELETE SET NULL,
    default_role    TEXT CHECK (default_role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE INDEX identity_provider_order ON identity_provider (organization_id, kind, id);
CREATE INDEX identity_provider_team ON identity_provider (default_team_id);

-- Which account a provider's subject is. confirmed: the account's owner connected the two while signed in otherwise.
CREATE TABLE identity_link (
    provider_id  TEXT NOT NULL REFERENCES identity_provider (id) ON DELETE CASCADE,
    subject      TEXT NOT NULL,
    user_id      TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    confirmed    BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    PRIMARY KEY (provider_id, subject)
);

CREATE INDEX identity_link_user ON identity_link (user_id, provider_id);

-- Assertions that were used, by the SHA-256 of their id, until none of them could be used any more.
CREATE TABLE identity_assertion (
    provider_id TEXT NOT NULL REFERENCES identity_provider (id) ON DELETE CASCADE,
    id_hash     BYTEA NOT NULL,
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (provider_id, id_hash)
);

CREATE INDEX identity_assertion_expiry ON identity_assertion (expires_at);

-- What a provider has said of somebody who is still to be let in, by the SHA-256 of the ticket that the browser has.
-- attempt is the id of the sign-in that it answers, or empty when the provider began.
CREATE TABLE identity_arrival (
    ticket_hash BYTEA NOT NULL PRIMARY KEY,
    provider_id TEXT NOT NULL REFERENCES identity_provider (id) ON DELETE CASCADE,
    attempt     TEXT NOT NULL,
    subject     TEXT NOT NULL,
    email       TEXT NOT NULL,
    name        TEXT NOT NULL,
    return_to   TEXT NOT NULL,
    expires_at  BIGINT NOT NULL
);

CREATE INDEX identity_arrival_provider ON identity_arrival (provider_id);
CREATE INDEX identity_arrival_expiry ON identity_arrival (expires_at);

-- The one code of an organization that lets the admin who made it in without the provider; only its SHA-256 is kept.
CREATE TABLE identity_emergency_code (
    organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    code_hash       BYTEA NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE UNIQUE INDEX identity_emergency_code_hash ON identity_emergency_code (code_hash);
CREATE INDEX identity_emergency_code_user ON identity_emergency_code (user_id);
