-- +goose Up

-- Tells whether a revision still has a content: what was derived from one that no revision has is forgotten with it.
CREATE INDEX content_revision_root ON content_revision (root);
