-- +goose Up

-- Where a site is beside its own address. custom_hostname is a host of its own, '' for none; it serves nothing before its owner
-- has proven with hostname_token, in a record of its domain, that it is theirs. proxy is a host and path of another server that
-- passes requests on, '' for none.
ALTER TABLE site ADD COLUMN custom_hostname TEXT NOT NULL DEFAULT '';
ALTER TABLE site ADD COLUMN hostname_token TEXT NOT NULL DEFAULT '';
ALTER TABLE site ADD COLUMN hostname_proven BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE site ADD COLUMN proxy TEXT NOT NULL DEFAULT '';

CREATE UNIQUE INDEX site_custom_hostname ON site (custom_hostname) WHERE hostname_proven;
CREATE INDEX site_pending_hostname ON site (id) WHERE custom_hostname <> '' AND NOT hostname_proven;

-- What people say that leads elsewhere. source is a path below the root of the site with a slash in front, without the star of a
-- wildcard, which covers all below it. destination_kind says which of the destination columns count; what it names may go, and
-- the redirect leads nowhere then.
CREATE TABLE site_redirect (
    id               TEXT NOT NULL PRIMARY KEY,
    site_id          TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    source           TEXT NOT NULL,
    wildcard         BOOLEAN NOT NULL,
    capture          BOOLEAN NOT NULL,
    draft            BOOLEAN NOT NULL,
    permanent        BOOLEAN NOT NULL,
    destination_kind TEXT NOT NULL CHECK (destination_kind IN ('site-section', 'site-space', 'site-page', 'external')),
    section_id       TEXT NOT NULL,
    site_space_id    TEXT NOT NULL,
    page_id          TEXT NOT NULL,
    url              TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL
);

CREATE UNIQUE INDEX site_redirect_source ON site_redirect (site_id, source, wildcard);
CREATE INDEX site_redirect_created ON site_redirect (site_id, created_at, id);
CREATE INDEX site_redirect_updated ON site_redirect (site_id, updated_at, id);
CREATE INDEX site_redirect_wildcard ON site_redirect (site_id, source) WHERE wildcard;
CREATE INDEX site_proxy ON site (proxy) WHERE proxy <> '';
