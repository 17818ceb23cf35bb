-- +goose Up

-- Translation settings of organizations, owned by package translation. source_space_id is the space that is translated,
-- NULL when none was named or it is gone for good. instructions and glossary are JSON. updated_by is the user in whose
-- name the variants follow the source. The counters are about what machines have translated.
CREATE TABLE translation (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    title           TEXT NOT NULL,
    source_space_id TEXT REFERENCES space (id) ON DELETE SET NULL,
    source_language TEXT NOT NULL,
    instructions    TEXT NOT NULL,
    glossary        TEXT NOT NULL,
    on_sites        BOOLEAN NOT NULL,
    updated_by      TEXT REFERENCES account_user (id) ON DELETE SET NULL,
    runs            BIGINT NOT NULL,
    total_words     BIGINT NOT NULL,
    total_pages     BIGINT NOT NULL,
    total_duration  BIGINT NOT NULL,
    latest_words    BIGINT NOT NULL,
    latest_pages    BIGINT NOT NULL,
    latest_duration BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

CREATE INDEX translation_organization ON translation (organization_id, id);
CREATE INDEX translation_source ON translation (source_space_id);
CREATE INDEX translation_updated_by ON translation (updated_by);

-- A language of a translation and the space that is its variant. generation counts the requests to follow the source,
-- done_generation is the last one that was met. main_source and work_source are the revisions of the source that the
-- main content of the variant, and the content that is worked on (of the open change request, if there is one), have
-- followed; work_target is the revision of the latter. shown counts what readers of the variant could see differently.
CREATE TABLE translation_language (
    id                TEXT NOT NULL PRIMARY KEY,
    translation_id    TEXT NOT NULL REFERENCES translation (id) ON DELETE CASCADE,
    language          TEXT NOT NULL,
    space_id          TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    state             TEXT NOT NULL CHECK (state IN ('pending', 'running', 'completed', 'failed')),
    error             TEXT NOT NULL,
    generation        BIGINT NOT NULL,
    done_generation   BIGINT NOT NULL,
    progress_done     BIGINT NOT NULL,
    progress_total    BIGINT NOT NULL,
    change_request_id TEXT NOT NULL,
    main_source       TEXT NOT NULL,
    work_source       TEXT NOT NULL,
    work_target       TEXT NOT NULL,
    shown             BIGINT NOT NULL,
    machine           TEXT NOT NULL,
    machine_job       TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL
);

CREATE UNIQUE INDEX translation_language_language ON translation_language (translation_id, language);
CREATE UNIQUE INDEX translation_language_space ON translation_language (space_id);

-- A page (or reusable content) of a variant and the states of its texts. source_key and target_key are what the states were
-- made from; position is its place in the order of reading. main_* are those of the variant's main content.
CREATE TABLE translation_page (
    language_id  TEXT NOT NULL REFERENCES translation_language (id) ON DELETE CASCADE,
    entry_id     TEXT NOT NULL,
    position     BIGINT NOT NULL,
    kind         TEXT NOT NULL,
    title        TEXT NOT NULL,
    source_key   TEXT NOT NULL,
    target_key   TEXT NOT NULL,
    translated   BIGINT NOT NULL,
    stale        BIGINT NOT NULL,
    missing      BIGINT NOT NULL,
    machine      BIGINT NOT NULL,
    words        BIGINT NOT NULL,
    words_done   BIGINT NOT NULL,
    main_key     TEXT NOT NULL,
    main_translated BIGINT NOT NULL,
    main_stale   BIGINT NOT NULL,
    main_missing BIGINT NOT NULL,
    PRIMARY KEY (language_id, entry_id)
);

CREATE INDEX translation_page_position ON translation_page (language_id, position, entry_id);

-- The memory of a variant: which text has stood for which text of a page. content is JSON (package segment); it is the
-- source text itself where origin is 'source'. Rows are never taken back, so the state of any two revisions follows.
CREATE TABLE translation_memory (
    language_id TEXT NOT NULL REFERENCES translation_language (id) ON DELETE CASCADE,
    entry_id    TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    target_hash TEXT NOT NULL,
    origin      TEXT NOT NULL CHECK (origin IN ('source', 'carried', 'human', 'import', 'machine')),
    content     TEXT NOT NULL,
    made_at     BIGINT NOT NULL,
    PRIMARY KEY (language_id, entry_id, source_hash, target_hash)
);
