-- +goose Up

-- Updates of change requests that met conflicts: the revisions of the merge, main being what was brought in. Together
-- with the settlements they say what content each further settlement makes.
CREATE TABLE change_request_update (
    id                TEXT NOT NULL PRIMARY KEY,
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    base_revision_id  TEXT NOT NULL,
    own_revision_id   TEXT NOT NULL,
    main_revision_id  TEXT NOT NULL,
    created_at        BIGINT NOT NULL
);

CREATE INDEX change_request_update_of ON change_request_update (change_request_id);

-- Conflicts of updates, by an id that is made of what is in conflict. place says where, for a later update with another
-- conflict there. data is the conflict as JSON, choice the settlement as JSON.
CREATE TABLE change_request_conflict (
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    id                TEXT NOT NULL,
    update_id         TEXT NOT NULL REFERENCES change_request_update (id) ON DELETE CASCADE,
    position          BIGINT NOT NULL,
    place             TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (status IN ('open', 'settled')),
    data              TEXT NOT NULL,
    choice            TEXT,
    settled_by        TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    settled_at        BIGINT,
    created_at        BIGINT NOT NULL,
    PRIMARY KEY (change_request_id, id)
);

CREATE INDEX change_request_conflict_order ON change_request_conflict (change_request_id, status, created_at, position, id);
CREATE INDEX change_request_conflict_update ON change_request_conflict (update_id);
CREATE INDEX change_request_conflict_settler ON change_request_conflict (settled_by);

-- Reviews. revision_id is the revision of the change request that was reviewed, comment is Markdown.
CREATE TABLE change_request_review (
    id                TEXT NOT NULL PRIMARY KEY,
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    revision_id       TEXT NOT NULL,
    reviewer          TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    requested_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    status            TEXT NOT NULL CHECK (status IN ('approved', 'changes-requested')),
    comment           TEXT NOT NULL,
    created_at        BIGINT NOT NULL
);

CREATE INDEX change_request_review_order ON change_request_review (change_request_id, created_at, id);
CREATE INDEX change_request_review_reviewer ON change_request_review (reviewer);
CREATE INDEX change_request_review_requester ON change_request_review (requested_by);

-- Who was asked for a review, at which revision of the change request.
CREATE TABLE change_request_reviewer (
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    user_id           TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    revision_id       TEXT NOT NULL,
    requested_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at        BIGINT NOT NULL,
    PRIMARY KEY (change_request_id, user_id)
);

CREATE INDEX change_request_reviewer_order ON change_request_reviewer (change_request_id, created_at, user_id);
CREATE INDEX change_request_reviewer_user ON change_request_reviewer (user_id, change_request_id);
CREATE INDEX change_request_reviewer_requester ON change_request_reviewer (requested_by);

-- What a change request needs before it may be merged; rules is JSON. A space without a row inherits.
CREATE TABLE merge_rules_organization (
    organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    rules           TEXT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE TABLE merge_rules_space (
    space_id   TEXT NOT NULL PRIMARY KEY REFERENCES space (id) ON DELETE CASCADE,
    rules      TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
