-- +goose Up

-- What readers of published pages answered to the question whether a page helped. page_id names a page of the space's
-- content, which is not a row.
CREATE TABLE site_feedback (
    id         TEXT NOT NULL PRIMARY KEY,
    site_id    TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    space_id   TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    page_id    TEXT NOT NULL,
    page_title TEXT NOT NULL,
    helpful    BOOLEAN NOT NULL,
    comment    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX site_feedback_order ON site_feedback (site_id, id);
CREATE INDEX site_feedback_page ON site_feedback (site_id, page_id, id);
CREATE INDEX site_feedback_space ON site_feedback (space_id);

-- The answers to each page, counted.
CREATE TABLE site_feedback_count (
    site_id     TEXT NOT NULL REFERENCES site (id) ON DELETE CASCADE,
    space_id    TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    page_id     TEXT NOT NULL,
    page_title  TEXT NOT NULL,
    helpful     BIGINT NOT NULL,
    not_helpful BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (site_id, space_id, page_id)
);

CREATE INDEX site_feedback_count_order ON site_feedback_count (site_id, not_helpful, space_id, page_id);
CREATE INDEX site_feedback_count_space ON site_feedback_count (space_id);
