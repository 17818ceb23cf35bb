-- +goose Up

-- Comments on a space (change_request_id '') or on a change request of it. revision_id is the scope's revision at posting.
-- page_id is '' for a comment on the whole; anchor is JSON and says what text of the page it is about, '' for the page as a
-- whole. review_id is '' unless the comment belongs to a review. body is Markdown.
CREATE TABLE comment (
    id                TEXT NOT NULL PRIMARY KEY,
    space_id          TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    change_request_id TEXT NOT NULL,
    review_id         TEXT NOT NULL,
    revision_id       TEXT NOT NULL,
    page_id           TEXT NOT NULL,
    anchor            TEXT NOT NULL,
    body              TEXT NOT NULL,
    posted_by         TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    posted_at         BIGINT NOT NULL,
    edited_at         BIGINT,
    status            TEXT NOT NULL CHECK (status IN ('open', 'resolved')),
    resolved_by       TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    resolved_at       BIGINT
);

-- The order of a scope's list, alone and under each of its filters.
CREATE INDEX comment_order ON comment (space_id, change_request_id, posted_at, id);
CREATE INDEX comment_status ON comment (space_id, change_request_id, status, posted_at, id);
CREATE INDEX comment_page ON comment (space_id, change_request_id, page_id, posted_at, id);
CREATE INDEX comment_author ON comment (posted_by, space_id, change_request_id, posted_at, id);
CREATE INDEX comment_resolver ON comment (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE INDEX comment_review ON comment (review_id) WHERE review_id <> '';

CREATE TABLE comment_reply (
    id         TEXT NOT NULL PRIMARY KEY,
    comment_id TEXT NOT NULL REFERENCES comment (id) ON DELETE CASCADE,
    body       TEXT NOT NULL,
    posted_by  TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    posted_at  BIGINT NOT NULL,
    edited_at  BIGINT
);

CREATE INDEX comment_reply_order ON comment_reply (comment_id, posted_at, id);
CREATE INDEX comment_reply_author ON comment_reply (posted_by);

-- Reactions to a comment (reply_id '') or to a reply of it. emoji is the character itself.
CREATE TABLE comment_reaction (
    comment_id TEXT NOT NULL REFERENCES comment (id) ON DELETE CASCADE,
    reply_id   TEXT NOT NULL,
    emoji      TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    reacted_at BIGINT NOT NULL,
    PRIMARY KEY (comment_id, reply_id, emoji, user_id)
);

CREATE INDEX comment_reaction_user ON comment_reaction (user_id);

-- Members whom the body of a comment (reply_id '') or reply mentions: whom to notify.
CREATE TABLE comment_mention (
    comment_id   TEXT NOT NULL REFERENCES comment (id) ON DELETE CASCADE,
    reply_id     TEXT NOT NULL,
    user_id      TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    mentioned_at BIGINT NOT NULL,
    PRIMARY KEY (comment_id, reply_id, user_id)
);

CREATE INDEX comment_mention_user ON comment_mention (user_id, mentioned_at);

-- Who has comments or replies in a scope, and how many of both together: never zero.
CREATE TABLE comment_commenter (
    space_id          TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    change_request_id TEXT NOT NULL,
    user_id           TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    posts             BIGINT NOT NULL CHECK (posts > 0),
    last_at           BIGINT NOT NULL,
    PRIMARY KEY (space_id, change_request_id, user_id)
);

CREATE INDEX comment_commenter_user ON comment_commenter (user_id);
