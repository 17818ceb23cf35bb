-- +goose Up

-- One row that readiness checks write, to find out whether the database takes writes.
CREATE TABLE instance_probe (
    id         BIGINT NOT NULL PRIMARY KEY,
    written_at BIGINT NOT NULL
);
