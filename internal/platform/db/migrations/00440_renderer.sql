-- +goose Up

-- What the renderer of the operator is still to be told of, owned by package renderer: a row for each tag. change is
-- another text after each change, so that one that comes while the renderer is being told is told, too; since is when
-- the first one was that it has not been told of.
CREATE TABLE renderer_tag (
    tag    TEXT   NOT NULL PRIMARY KEY,
    change TEXT   NOT NULL,
    since  BIGINT NOT NULL
);

CREATE INDEX renderer_tag_since ON renderer_tag (since);

-- The job that tells it: its one row is there while there is something to tell. A job with another turn has nothing to
-- do.
CREATE TABLE renderer_job (
    the_one BIGINT NOT NULL PRIMARY KEY CHECK (the_one = 1),
    turn    TEXT   NOT NULL
);
