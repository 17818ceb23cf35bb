-- +goose Up

-- People. email_key is the address folded to lower case: one address, one user.
CREATE TABLE account_user (
    id           TEXT NOT NULL PRIMARY KEY,
    display_name TEXT NOT NULL,
    email        TEXT NOT NULL,
    email_key    TEXT NOT NULL,
    photo_url    TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);

CREATE UNIQUE INDEX account_user_email ON account_user (email_key);

-- API tokens; of the secret only its SHA-256 is kept. scopes is a JSON array of words.
CREATE TABLE account_token (
    id           TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    secret_hash  BYTEA NOT NULL,
    name         TEXT NOT NULL,
    hint         TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT,
    revoked_at   BIGINT
);

CREATE UNIQUE INDEX account_token_secret ON account_token (secret_hash);
CREATE INDEX account_token_user ON account_token (user_id, id);

-- Organizations. email_domains is a JSON array of host names; default_role is null for guests.
CREATE TABLE organization (
    id            TEXT NOT NULL PRIMARY KEY,
    title         TEXT NOT NULL,
    hostname      TEXT NOT NULL,
    type          TEXT NOT NULL CHECK (type IN ('business', 'community')),
    plan          TEXT NOT NULL,
    email_domains TEXT NOT NULL,
    default_role  TEXT CHECK (default_role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    invite_links  BOOLEAN NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE UNIQUE INDEX organization_hostname ON organization (hostname);

-- Who belongs to an organization; role is null for guests.
CREATE TABLE organization_member (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    role            TEXT CHECK (role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    joined_at       BIGINT NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);

CREATE INDEX organization_member_user ON organization_member (user_id, joined_at, organization_id);

-- At most one row: the organization that set this installation up.
CREATE TABLE installation (
    id              BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    organization_id TEXT REFERENCES organization (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL
);

-- Spaces. default_level null means no access, 'inherit' that the space says nothing itself. position orders the spaces
-- of an organization by its bytes, as in Go, and stays while a space is in the trash (deleted_at).
CREATE TABLE space (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    position        TEXT COLLATE "C" NOT NULL,
    title           TEXT NOT NULL,
    emoji           TEXT NOT NULL,
    icon            TEXT NOT NULL,
    visibility      TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private')),
    edit_mode       TEXT NOT NULL CHECK (edit_mode IN ('live', 'locked')),
    language        TEXT NOT NULL,
    default_level   TEXT CHECK (default_level IN ('inherit', 'read', 'comment', 'edit', 'review', 'create', 'admin')),
    created_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    deleted_at      BIGINT
);

CREATE INDEX space_order ON space (organization_id, position, id);
CREATE INDEX space_creator ON space (created_by);
CREATE INDEX space_trash ON space (deleted_at, id) WHERE deleted_at IS NOT NULL;
