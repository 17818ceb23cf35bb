-- +goose Up

-- A PDF of what only some visitors see: audience tells apart those for whom it is another one, '' for readers of whom nothing
-- is known. claims are those of one of them, as JSON, and kept only until it is made.
ALTER TABLE print_pdf ADD COLUMN audience TEXT NOT NULL DEFAULT '';
ALTER TABLE print_pdf ADD COLUMN claims TEXT NOT NULL DEFAULT '';

DROP INDEX print_pdf_what;
CREATE UNIQUE INDEX print_pdf_what ON print_pdf (revision_id, made_from, page_id, only_page, title, subtitle, audience);
