-- +goose Up

-- How sites look and behave: a JSON object each, '' for a site that only has spaces with values of their own. version
-- grows with every change of the site or of a space on it.
CREATE TABLE site_customization (
    site_id    TEXT NOT NULL PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE,
    settings   TEXT NOT NULL,
    version    BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- The values that a space on a site has of its own: a JSON object that holds those alone.
CREATE TABLE site_space_customization (
    site_space_id TEXT NOT NULL PRIMARY KEY REFERENCES site_space (id) ON DELETE CASCADE,
    overrides     TEXT NOT NULL,
    updated_at    BIGINT NOT NULL
);
