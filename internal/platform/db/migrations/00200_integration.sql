-- +goose Up

-- Integrations that organizations have published, and where they are installed; owned by package integration. A name
-- stays its organization's after it was unpublished (published is false): nobody else gets it, and version goes on.
-- name_key is the name in lower case, search_key what a search looks through. scopes, categories, blocks,
-- content_sources, configurations and external_links are JSON; secrets is sealed, '' for none.
CREATE TABLE integration (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    name_key        TEXT NOT NULL,
    search_key      TEXT NOT NULL,
    published       BOOLEAN NOT NULL,
    version         BIGINT NOT NULL,
    runtime         TEXT NOT NULL CHECK (runtime IN ('v1', 'v2')),
    title           TEXT NOT NULL,
    description     TEXT NOT NULL,
    summary         TEXT NOT NULL,
    visibility      TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    target          TEXT NOT NULL CHECK (target IN ('all', 'organization', 'site', 'space')),
    scopes          TEXT NOT NULL,
    categories      TEXT NOT NULL,
    blocks          TEXT NOT NULL,
    content_sources TEXT NOT NULL,
    configurations  TEXT NOT NULL,
    external_links  TEXT NOT NULL,
    has_blocks      BOOLEAN NOT NULL,
    has_sources     BOOLEAN NOT NULL,
    policy          TEXT NOT NULL,
    secrets         TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE UNIQUE INDEX integration_name ON integration (name_key);
CREATE INDEX integration_listed ON integration (visibility, name_key) WHERE published;
CREATE INDEX integration_target ON integration (target, name_key) WHERE published;
CREATE INDEX integration_blocks ON integration (has_blocks, name_key) WHERE published;
CREATE INDEX integration_sources ON integration (has_sources, name_key) WHERE published;
CREATE INDEX integration_owner ON integration (organization_id, name_key);

-- What integrations are found by besides their own columns: categories, scopes, and the domains of links that their
-- blocks can show.
CREATE TABLE integration_label (
    kind           TEXT NOT NULL CHECK (kind IN ('category', 'scope', 'domain')),
    value          TEXT NOT NULL,
    integration_id TEXT NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, value, integration_id)
);

CREATE INDEX integration_label_integration ON integration_label (integration_id);

-- Published versions, the newest ones: the hash of the script's bytes and what it was to run with.
CREATE TABLE integration_version (
    integration_id TEXT NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    number         BIGINT NOT NULL,
    runtime        TEXT NOT NULL CHECK (runtime IN ('v1', 'v2')),
    script_blob    TEXT NOT NULL,
    script_size    BIGINT NOT NULL,
    policy         TEXT NOT NULL,
    created_by     TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (integration_id, number)
);

CREATE INDEX integration_version_blob ON integration_version (script_blob);
CREATE INDEX integration_version_user ON integration_version (created_by);

-- Pictures: number 0 is the icon, 1 to 3 are previews. media_type is what the bytes were found to be.
CREATE TABLE integration_image (
    integration_id TEXT NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    number         BIGINT NOT NULL,
    blob           TEXT NOT NULL,
    media_type     TEXT NOT NULL,
    PRIMARY KEY (integration_id, number)
);

CREATE INDEX integration_image_blob ON integration_image (blob);

-- Installations. One without a parent is that of an organization; below it are those of single spaces and sites.
-- The selections say whether all spaces and sites of the organization are in it, and matter for an organization's only.
-- configuration is sealed; external_ids is JSON.
CREATE TABLE integration_installation (
    id              TEXT NOT NULL PRIMARY KEY,
    integration_id  TEXT NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    parent_id       TEXT REFERENCES integration_installation (id) ON DELETE CASCADE,
    space_id        TEXT REFERENCES space (id) ON DELETE CASCADE,
    site_id         TEXT REFERENCES site (id) ON DELETE CASCADE,
    space_selection TEXT NOT NULL CHECK (space_selection IN ('all', 'selected')),
    site_selection  TEXT NOT NULL CHECK (site_selection IN ('all', 'selected')),
    configuration   TEXT NOT NULL,
    external_ids    TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK ((parent_id IS NULL) = (space_id IS NULL AND site_id IS NULL)),
    CHECK (space_id IS NULL OR site_id IS NULL)
);

CREATE UNIQUE INDEX integration_installation_root ON integration_installation (integration_id, organization_id) WHERE parent_id IS NULL;
CREATE UNIQUE INDEX integration_installation_in_space ON integration_installation (parent_id, space_id) WHERE space_id IS NOT NULL;
CREATE UNIQUE INDEX integration_installation_in_site ON integration_installation (parent_id, site_id) WHERE site_id IS NOT NULL;
CREATE INDEX integration_installation_organization ON integration_installation (organization_id, id);
CREATE INDEX integration_installation_space ON integration_installation (space_id);
CREATE INDEX integration_installation_site ON integration_installation (site_id);

-- The same ids as external_ids, to find installations by.
CREATE TABLE integration_external_id (
    external_id     TEXT NOT NULL,
    installation_id TEXT NOT NULL REFERENCES integration_installation (id) ON DELETE CASCADE,
    PRIMARY KEY (external_id, installation_id)
);

CREATE INDEX integration_external_id_installation ON integration_external_id (installation_id);
