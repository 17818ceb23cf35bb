-- +goose Up

-- For the foreign key below, which lets the organization of a change request follow its space.
CREATE UNIQUE INDEX space_of_organization ON space (id, organization_id);

-- Change requests, owned by package change. number counts within a space, without gaps. description is Markdown.
-- initial_revision_id and merged_ancestor_id are revisions of main: where it began, and what was last brought in.
CREATE TABLE change_request (
    id                  TEXT NOT NULL PRIMARY KEY,
    organization_id     TEXT NOT NULL,
    space_id            TEXT NOT NULL,
    number              BIGINT NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('draft', 'open', 'archived', 'merged')),
    subject             TEXT NOT NULL,
    description         TEXT NOT NULL,
    branch_id           TEXT NOT NULL,
    initial_revision_id TEXT NOT NULL,
    merged_ancestor_id  TEXT,
    merged_revision_id  TEXT,
    merged_by           TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    merged_at           BIGINT,
    created_by          TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    FOREIGN KEY (space_id, organization_id) REFERENCES space (id, organization_id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX change_request_number ON change_request (space_id, number);
CREATE UNIQUE INDEX change_request_branch ON change_request (branch_id);
CREATE INDEX change_request_status ON change_request (space_id, status, number);
CREATE INDEX change_request_creator ON change_request (created_by, space_id, number);
CREATE INDEX change_request_merger ON change_request (merged_by);
CREATE INDEX change_request_updated ON change_request (organization_id, status, updated_at, id);
CREATE INDEX change_request_created ON change_request (organization_id, status, created_at, id);

-- How many change requests a space has, which is its last number, and how many of them are open and drafts.
CREATE TABLE change_request_count (
    space_id    TEXT NOT NULL PRIMARY KEY REFERENCES space (id) ON DELETE CASCADE,
    last_number BIGINT NOT NULL,
    open_count  BIGINT NOT NULL,
    draft_count BIGINT NOT NULL
);

-- Who has written in a change request: those who have made revisions of its branch.
CREATE TABLE change_request_contributor (
    change_request_id TEXT NOT NULL REFERENCES change_request (id) ON DELETE CASCADE,
    user_id           TEXT NOT NULL REFERENCES account_user (id) ON DELETE CASCADE,
    revision_count    BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    PRIMARY KEY (change_request_id, user_id)
);

CREATE INDEX change_request_contributor_user ON change_request_contributor (user_id, change_request_id);
