-- +goose Up

-- How far the files were verified in the background: one row, '' at the beginning.
CREATE TABLE instance_scrub (
    id         BIGINT NOT NULL PRIMARY KEY,
    after_hash TEXT   NOT NULL
);
