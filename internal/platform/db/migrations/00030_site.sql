-- +goose Up

-- Sites. title_key is the title folded to lower case, for the filter by title.
CREATE TABLE site (
    id               TEXT NOT NULL PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    type             TEXT NOT NULL CHECK (type IN ('basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium')),
    title            TEXT NOT NULL,
    title_key        TEXT NOT NULL,
    basename         TEXT NOT NULL,
    visibility       TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth')),
    published        BOOLEAN NOT NULL,
    adaptive_content BOOLEAN NOT NULL,
    agents_context   TEXT NOT NULL CHECK (agents_context IN ('excluded', 'included')),
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL
);

CREATE UNIQUE INDEX site_basename ON site (organization_id, basename);
CREATE INDEX site_order ON site (organization_id, id);

-- The spaces of a site, in the order of position by its bytes. The default one answers at the address of the site itself.
CREATE TABLE site_space (
    id         TEXT NOT NULL PRIMARY KEY,
    site_id    TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    space_id   TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,
    position   TEXT COLLATE "C" NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX site_space_path ON site_space (site_id, path);
CREATE UNIQUE INDEX site_space_default ON site_space (site_id) WHERE is_default;
CREATE INDEX site_space_order ON site_space (site_id, position, id);
CREATE INDEX site_space_space ON site_space (space_id, site_id);
