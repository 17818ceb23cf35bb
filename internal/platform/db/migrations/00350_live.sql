-- +goose Up

-- Whether live sessions of the change request hold text that its branch does not have yet.
ALTER TABLE change_request ADD COLUMN unwritten BOOLEAN NOT NULL DEFAULT FALSE;

-- Live sessions, owned by package live: the body of one page of a change request while people write it together.
-- revision_id is the revision of the branch that the session's text has taken in; version is the number of its steps,
-- written_version that of those which are in the revision. snapshot is the document at snapshot_version, as the engine
-- writes it. author is who wrote last, changed_at when. reason says why an ended session has ended.
CREATE TABLE live_session (
    id                TEXT NOT NULL PRIMARY KEY,
    space_id          TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    branch_id         TEXT NOT NULL,
    page_id           TEXT NOT NULL,
    revision_id       TEXT NOT NULL,
    schema            TEXT NOT NULL,
    snapshot          TEXT NOT NULL,
    snapshot_version  BIGINT NOT NULL,
    version           BIGINT NOT NULL,
    written_version   BIGINT NOT NULL,
    author            TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    changed_at        BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    ended_at          BIGINT,
    reason            TEXT NOT NULL
);

CREATE UNIQUE INDEX live_session_open ON live_session (change_request_id, page_id) WHERE ended_at IS NULL;
CREATE INDEX live_session_of ON live_session (change_request_id);
CREATE INDEX live_session_branch ON live_session (branch_id) WHERE ended_at IS NULL;
CREATE INDEX live_session_unwritten ON live_session (changed_at) WHERE ended_at IS NULL AND version > written_version;
CREATE INDEX live_session_ended ON live_session (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX live_session_space ON live_session (space_id);
CREATE INDEX live_session_author ON live_session (author) WHERE author IS NOT NULL;

-- Steps in the order of a session: version is the number of steps before the batch, step_count how many it has. The
-- primary key decides who is next. client is 'server' for what the server has taken in, and then there is no user.
CREATE TABLE live_batch (
    session_id TEXT NOT NULL REFERENCES live_session (id) ON DELETE CASCADE,
    version    BIGINT NOT NULL,
    step_count BIGINT NOT NULL,
    batch_id   TEXT NOT NULL,
    client     TEXT NOT NULL,
    user_id    TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    steps      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, version)
);

CREATE UNIQUE INDEX live_batch_once ON live_batch (session_id, batch_id);
CREATE INDEX live_batch_user ON live_batch (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX live_batch_age ON live_batch (created_at);

-- Who is or was in a session, by the id that a tab made for itself. seen_at is 0 when they have left.
CREATE TABLE live_person (
    session_id TEXT NOT NULL REFERENCES live_session (id) ON DELETE CASCADE,
    client     TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    seen_at    BIGINT NOT NULL,
    PRIMARY KEY (session_id, client)
);

CREATE INDEX live_person_user ON live_person (user_id);
