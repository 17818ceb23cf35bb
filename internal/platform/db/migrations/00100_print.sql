-- +goose Up

-- PDFs of content, owned by package print. page_id is '' for all pages; only_page and mendable are 0 or 1. blob names the
-- bytes in the store of files once state is done. A PDF is made once for what the unique index names.
CREATE TABLE print_pdf (
    id          TEXT NOT NULL PRIMARY KEY,
    space_id    TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    revision_id TEXT NOT NULL,
    page_id     TEXT NOT NULL,
    only_page   BIGINT NOT NULL,
    title       TEXT NOT NULL,
    subtitle    TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed')),
    done        BIGINT NOT NULL,
    total       BIGINT NOT NULL,
    message     TEXT NOT NULL,
    mendable    BIGINT NOT NULL,
    blob        TEXT NOT NULL,
    size        BIGINT NOT NULL,
    sheets      BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);

CREATE UNIQUE INDEX print_pdf_what ON print_pdf (revision_id, page_id, only_page, title, subtitle);
CREATE INDEX print_pdf_space ON print_pdf (space_id);
CREATE INDEX print_pdf_blob ON print_pdf (blob);
CREATE INDEX print_pdf_expiry ON print_pdf (expires_at);
