-- +goose Up

-- The source of a translation is written in the language that the translation says, so that sites can tell its variants apart.
-- Settings made before this did not say so to the space.
UPDATE space SET language = (SELECT MIN(t.source_language) FROM translation t WHERE t.source_space_id = space.id)
WHERE language = '' AND EXISTS (SELECT 1 FROM translation t WHERE t.source_space_id = space.id);
