-- +goose Up

-- A PDF with pages that are made from API specifications is good as long as these are the same: made_from says which they
-- were, '' for none.
ALTER TABLE print_pdf ADD COLUMN made_from TEXT NOT NULL DEFAULT '';

DROP INDEX print_pdf_what;
CREATE UNIQUE INDEX print_pdf_what ON print_pdf (revision_id, made_from, page_id, only_page, title, subtitle);
