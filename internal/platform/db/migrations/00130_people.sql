-- +goose Up

-- When somebody has shown that mail to their address reaches them, or the operator has vouched for it; null before that.
-- search_key is the name and the address in lower case, for lists that are searched.
ALTER TABLE account_user ADD COLUMN email_verified_at BIGINT;
ALTER TABLE account_user ADD COLUMN search_key TEXT NOT NULL DEFAULT '';

UPDATE account_user SET search_key = lower(display_name) || ' ' || email_key, email_verified_at = created_at;

-- Organizations: whether single sign-on is enforced, whether features with language models are on, what the organization is for, the site
-- that members see first, and the logo as the hash and the name of a blob.
ALTER TABLE organization ADD COLUMN sso BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organization ADD COLUMN ai BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organization ADD COLUMN use_case TEXT NOT NULL DEFAULT '';
ALTER TABLE organization ADD COLUMN default_site_id TEXT REFERENCES site (id) ON DELETE SET NULL;
ALTER TABLE organization ADD COLUMN logo_blob TEXT NOT NULL DEFAULT '';
ALTER TABLE organization ADD COLUMN logo_name TEXT NOT NULL DEFAULT '';

CREATE INDEX organization_default_site ON organization (default_site_id);
CREATE INDEX organization_logo ON organization (logo_blob) WHERE logo_blob <> '';

-- The e-mail domains of organizations, one a row, which are a JSON array of organization too; for asking by domain.
CREATE TABLE org_email_domain (
    domain          TEXT NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    PRIMARY KEY (domain, organization_id)
);

CREATE INDEX org_email_domain_organization ON org_email_domain (organization_id);

-- Members: when they were last there, and whether they sign in through the organization's identity provider.
ALTER TABLE organization_member ADD COLUMN last_seen_at BIGINT;
ALTER TABLE organization_member ADD COLUMN sso BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX organization_member_joined ON organization_member (organization_id, joined_at, user_id);
CREATE INDEX organization_member_role_joined ON organization_member (organization_id, role, joined_at, user_id);
CREATE INDEX organization_member_seen ON organization_member (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
CREATE INDEX organization_member_role_seen ON organization_member (organization_id, role, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;

-- People whom an admin removed: they do not come back by themselves.
CREATE TABLE org_removed_member (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    removed_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);

CREATE INDEX org_removed_member_user ON org_removed_member (user_id);

-- Teams: what a member is in the team, and the title in lower case for lists that are searched.
ALTER TABLE org_team_member ADD COLUMN role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'member'));
ALTER TABLE org_team ADD COLUMN title_key TEXT NOT NULL DEFAULT '';

DROP INDEX org_team_member_user;
CREATE INDEX org_team_member_user ON org_team_member (organization_id, user_id, team_id);

UPDATE org_team SET title_key = lower(title);

-- Invites by e-mail that nobody has accepted yet. Of the secret in the mail only its SHA-256 is kept. role is null for
-- guests. One address has one invite to an organization.
CREATE TABLE org_invite (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    email           TEXT NOT NULL,
    email_key       TEXT NOT NULL,
    secret_hash     BYTEA NOT NULL,
    role            TEXT CHECK (role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    sso             BOOLEAN NOT NULL,
    created_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);

CREATE UNIQUE INDEX org_invite_address ON org_invite (organization_id, email_key);
CREATE UNIQUE INDEX org_invite_secret ON org_invite (secret_hash);
CREATE INDEX org_invite_email ON org_invite (email_key);
CREATE INDEX org_invite_creator ON org_invite (created_by);
CREATE INDEX org_invite_expiry ON org_invite (expires_at);

-- The teams that somebody joins who accepts an invite.
CREATE TABLE org_invite_team (
    invite_id TEXT NOT NULL REFERENCES org_invite (id) ON DELETE CASCADE,
    team_id   TEXT NOT NULL REFERENCES org_team (id) ON DELETE CASCADE,
    role      TEXT NOT NULL CHECK (role IN ('owner', 'member')),
    PRIMARY KEY (invite_id, team_id)
);

CREATE INDEX org_invite_team_team ON org_invite_team (team_id);

-- Invite links, to the organization or to one space or collection of it. The secret of a link is what admins see as its
-- id: it is found by its SHA-256 and read back with the server's key. role is what the link gives there; null gives a
-- guest's place, or no access.
CREATE TABLE org_invite_link (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    secret_hash     BYTEA NOT NULL,
    secret_sealed   TEXT NOT NULL,
    space_id        TEXT REFERENCES space (id) ON DELETE CASCADE,
    collection_id   TEXT REFERENCES collection (id) ON DELETE CASCADE,
    role            TEXT CHECK (role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    created_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK (space_id IS NULL OR collection_id IS NULL)
);

CREATE UNIQUE INDEX org_invite_link_secret ON org_invite_link (secret_hash);
CREATE INDEX org_invite_link_order ON org_invite_link (organization_id, id);
CREATE INDEX org_invite_link_space ON org_invite_link (space_id);
CREATE INDEX org_invite_link_collection ON org_invite_link (collection_id);
CREATE INDEX org_invite_link_creator ON org_invite_link (created_by);

-- The audit log is read by time.
DROP INDEX audit_entry_order;
DROP INDEX audit_entry_actor;
DROP INDEX audit_entry_action;
CREATE INDEX audit_entry_order ON audit_entry (organization_id, created_at, id);
CREATE INDEX audit_entry_actor ON audit_entry (organization_id, actor_id, created_at, id);
CREATE INDEX audit_entry_action ON audit_entry (organization_id, action, created_at, id);
CREATE INDEX audit_entry_target ON audit_entry (organization_id, target_id, created_at, id);
