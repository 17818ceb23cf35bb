-- +goose Up

-- Work for later, owned by package job.
CREATE TABLE job (
    id               TEXT    NOT NULL PRIMARY KEY,
    kind             TEXT    NOT NULL,
    args             TEXT    NOT NULL,
    state            TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    attempt          BIGINT  NOT NULL,
    max_attempts     BIGINT  NOT NULL,
    -- When a worker may take the job: the end of the lease while it runs, NULL when it has ended.
    due_at           BIGINT,
    -- Microseconds between two runs of a periodic job, 0 for one that runs once.
    repeat_every     BIGINT  NOT NULL,
    holder           TEXT    NOT NULL,
    cancel_requested BOOLEAN NOT NULL,
    progress         TEXT,
    last_error       TEXT    NOT NULL,
    created_at       BIGINT  NOT NULL,
    started_at       BIGINT,
    finished_at      BIGINT
);

CREATE INDEX job_due ON job (due_at);
CREATE INDEX job_finished ON job (finished_at);
