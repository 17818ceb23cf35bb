-- +goose Up

-- Collections, owned by package space. parent_id is null at the top; the organization of a collection and of its parent
-- are the same. position is of the order that it shares with the spaces of the organization. default_level null means
-- no access, 'inherit' that the collection says nothing itself.
CREATE TABLE collection (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    parent_id       TEXT REFERENCES collection (id) ON DELETE NO ACTION,
    position        TEXT COLLATE "C" NOT NULL,
    title           TEXT NOT NULL,
    description     TEXT NOT NULL,
    default_level   TEXT CHECK (default_level IN ('inherit', 'read', 'comment', 'edit', 'review', 'create', 'admin')),
    created_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE INDEX collection_order ON collection (organization_id, position, id);
CREATE INDEX collection_top ON collection (organization_id, position, id) WHERE parent_id IS NULL;
CREATE INDEX collection_parent ON collection (parent_id);
CREATE INDEX collection_creator ON collection (created_by);

-- The collection that a space is in; null at the top.
ALTER TABLE space ADD COLUMN parent_id TEXT REFERENCES collection (id) ON DELETE NO ACTION;

CREATE INDEX space_parent ON space (parent_id, position, id);

-- Teams of people, owned by package org.
CREATE TABLE org_team (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    title           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (organization_id, id)
);

CREATE TABLE org_team_member (
    team_id         TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    PRIMARY KEY (team_id, user_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES org_team (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_member (organization_id, user_id) ON DELETE CASCADE
);

CREATE INDEX org_team_member_user ON org_team_member (organization_id, user_id);

-- Grants, owned by package access: what a person or a team may do in a space or in a collection and all below it.
-- role null means no access. They go with whatever they refer to.
CREATE TABLE access_grant (
    organization_id TEXT NOT NULL,
    space_id        TEXT REFERENCES space (id) ON DELETE CASCADE,
    collection_id   TEXT REFERENCES collection (id) ON DELETE CASCADE,
    user_id         TEXT,
    team_id         TEXT,
    role            TEXT CHECK (role IN ('read', 'comment', 'edit', 'review', 'create', 'admin')),
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK ((space_id IS NULL) <> (collection_id IS NULL)),
    CHECK ((user_id IS NULL) <> (team_id IS NULL)),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_member (organization_id, user_id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES org_team (organization_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX access_grant_space_user ON access_grant (space_id, user_id);
CREATE UNIQUE INDEX access_grant_space_team ON access_grant (space_id, team_id);
CREATE UNIQUE INDEX access_grant_collection_user ON access_grant (collection_id, user_id);
CREATE UNIQUE INDEX access_grant_collection_team ON access_grant (collection_id, team_id);
CREATE INDEX access_grant_user ON access_grant (organization_id, user_id);
CREATE INDEX access_grant_team ON access_grant (organization_id, team_id);
