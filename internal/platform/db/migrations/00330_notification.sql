-- +goose Up

-- What people are told of. kind is what happened; title is what the change request was called then, excerpt the
-- beginning of the comment. A notification goes with the comment or reply that it is about, and with its space. mail_at
-- is when it is to be sent by mail unless it is read before that; NULL when it is not, or was.
CREATE TABLE notification (
    id                    TEXT NOT NULL PRIMARY KEY,
    user_id               TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    organization_id       TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    space_id              TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    kind                  TEXT NOT NULL,
    actor_id              TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    change_request_id     TEXT NOT NULL,
    change_request_number BIGINT NOT NULL,
    page_id               TEXT NOT NULL,
    comment_id            TEXT REFERENCES comment (id) ON DELETE CASCADE,
    reply_id              TEXT REFERENCES comment_reply (id) ON DELETE CASCADE,
    title                 TEXT NOT NULL,
    excerpt               TEXT NOT NULL,
    created_at            BIGINT NOT NULL,
    read_at               BIGINT,
    mail_at               BIGINT
);

CREATE INDEX notification_list ON notification (user_id, organization_id, created_at, id);
CREATE INDEX notification_unread ON notification (user_id, organization_id, created_at, id) WHERE read_at IS NULL;
CREATE INDEX notification_mail ON notification (mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX notification_age ON notification (created_at);
CREATE INDEX notification_organization ON notification (organization_id);
CREATE INDEX notification_space ON notification (space_id);
CREATE INDEX notification_comment ON notification (comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX notification_reply ON notification (reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX notification_actor ON notification (actor_id) WHERE actor_id IS NOT NULL;

-- When somebody gets mail about what they are told of; who has no row gets a digest once a day.
CREATE TABLE notification_setting (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES account_user (id) ON DELETE CASCADE,
    mail    TEXT NOT NULL CHECK (mail IN ('at-once', 'daily', 'never'))
);
