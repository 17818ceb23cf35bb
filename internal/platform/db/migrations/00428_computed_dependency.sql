-- +goose Up

-- The spaces that results of content sources are made from, so that an edit of a space finds them by one key. They are
-- written with the result, of which they are a part.
CREATE TABLE computed_dependency (
    space_id    TEXT NOT NULL,
    computed_id TEXT NOT NULL REFERENCES computed_source (id) ON DELETE CASCADE,
    PRIMARY KEY (space_id, computed_id)
);

CREATE INDEX computed_dependency_computed ON computed_dependency (computed_id);

INSERT INTO computed_dependency (space_id, computed_id)
SELECT s.id, c.id FROM computed_source c JOIN space s ON s.organization_id = c.organization_id
WHERE c.source LIKE '%"space":"' || s.id || '"%';
