-- +goose Up

-- What has happened to a change request beside what was written, said and reviewed: see change.Event. person_id is whom it
-- was about, number that of another change request or how many.
CREATE TABLE change_request_event (
    id                TEXT NOT NULL PRIMARY KEY,
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    kind              TEXT NOT NULL,
    actor_id          TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    person_id         TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    before_text       TEXT NOT NULL,
    after_text        TEXT NOT NULL,
    number            BIGINT NOT NULL,
    created_at        BIGINT NOT NULL
);

CREATE INDEX change_request_event_order ON change_request_event (change_request_id, created_at, id);
CREATE INDEX change_request_event_actor ON change_request_event (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX change_request_event_person ON change_request_event (person_id) WHERE person_id IS NOT NULL;

-- The head of main for which it was last found out whether an update would meet conflicts, and how many those were.
ALTER TABLE change_request ADD COLUMN foreseen_revision_id TEXT;
ALTER TABLE change_request ADD COLUMN foreseen BIGINT NOT NULL DEFAULT 0;
