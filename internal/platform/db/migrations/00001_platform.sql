-- +goose Up

-- Random keys that all processes of an installation share, such as the one that signs cursors.
CREATE TABLE instance_secret (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);
