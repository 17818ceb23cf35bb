-- +goose Up

-- Menus of a site, which hold sections and, one level deep, further menus. Groups and sections of one parent share one order:
-- that of position by its bytes, then of id.
CREATE TABLE site_section_group (
    id         TEXT NOT NULL PRIMARY KEY,
    site_id    TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    parent_id  TEXT REFERENCES site_section_group (id) ON DELETE SET NULL,
    title      TEXT NOT NULL,
    icon       TEXT NOT NULL,
    position   TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX site_section_group_site ON site_section_group (site_id, id);
CREATE INDEX site_section_group_parent ON site_section_group (parent_id);

-- Parts of a site, each with the spaces that are its variants. The default one answers at the address of the site.
CREATE TABLE site_section (
    id          TEXT NOT NULL PRIMARY KEY,
    site_id     TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    group_id    TEXT REFERENCES site_section_group (id) ON DELETE SET NULL,
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    icon        TEXT NOT NULL,
    path        TEXT NOT NULL,
    condition   TEXT NOT NULL,
    position    TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL,
    created_at  BIGINT NOT NULL
);

CREATE UNIQUE INDEX site_section_path ON site_section (site_id, path);
CREATE UNIQUE INDEX site_section_default ON site_section (site_id) WHERE is_default;
CREATE INDEX site_section_group_sections ON site_section (group_id);

-- A space is on a site itself, or in one of its sections. Siblings are those of one section, or those of none.
ALTER TABLE site_space ADD COLUMN section_id TEXT REFERENCES site_section (id) ON DELETE CASCADE;
ALTER TABLE site_space ADD COLUMN condition TEXT NOT NULL DEFAULT '';

DROP INDEX site_space_path;
DROP INDEX site_space_default;
CREATE UNIQUE INDEX site_space_path ON site_space (site_id, COALESCE(section_id, ''), path);
CREATE UNIQUE INDEX site_space_default ON site_space (site_id, COALESCE(section_id, '')) WHERE is_default;
CREATE INDEX site_space_section ON site_space (section_id);

-- Addresses at which a space was before its site changed: the path below the site's root, "" or with a slash at its end. They
-- lead to where it is now.
CREATE TABLE site_former_address (
    site_id       TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    address       TEXT NOT NULL,
    site_space_id TEXT NOT NULL REFERENCES site_space (id) ON DELETE CASCADE,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (site_id, address)
);

CREATE INDEX site_former_address_space ON site_former_address (site_space_id);

-- Basenames that a site had before. A site that has one now is found first.
CREATE TABLE site_former_basename (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    basename        TEXT NOT NULL,
    site_id         TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, basename)
);

CREATE INDEX site_former_basename_site ON site_former_basename (site_id);
