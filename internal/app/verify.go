package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Problem is something that a verification has found.
type Problem struct {
	// Part is database, relations, content, files, links or search.
	Part string `json:"part"`
	// Where says what is concerned, Problem what is wrong with it.
	Where   string `json:"where"`
	Problem string `json:"problem"`
	// Mended says that it is no more.
	Mended bool `json:"mended"`
}

// Verification is what Verify has looked at and found.
type Verification struct {
	// OK says that there are no problems, or that all are mended.
	OK bool `json:"ok"`
	// Checked counts what was looked at.
	Checked map[string]int `json:"checked"`
	// Skipped counts the search indexes that a running server has open.
	Skipped  int       `json:"skipped"`
	Problems []Problem `json:"problems"`
}

// Verify looks at everything that a server keeps: the database, the relations that it does not keep itself, content,
// files, link indexes and search indexes. With mend it gives up indexes that are damaged, which are made anew; what
// else is damaged has to come from a backup, and a file also mends when it is uploaded again. It changes nothing
// without mend, and may run beside a server. found is told of each problem when it is found; nil for nobody.
func Verify(ctx context.Context, storage config.Storage, mend bool, found func(Problem)) (Verification, error) {
	database, err := openDatabase(ctx, storage, orphansRefused)
	if err != nil {
		return Verification{}, err
	}
	blobs, err := blob.OpenStore(storage.Blobs())
	if err != nil {
		return Verification{}, errors.Join(fmt.Errorf("open the store of files: %w", err), database.Close())
	}
	contents := store.New(store.Deps{DB: database, Blobs: blobs})
	v := verifier{
		db: database, blobs: blobs, content: contents, links: link.New(link.Deps{DB: database, Content: contents}),
		search: storage.Search(), mend: mend, found: found,
		result: Verification{OK: true, Checked: map[string]int{}, Problems: []Problem{}},
	}
	for _, step := range []func(context.Context) error{v.database, v.relations, v.contents, v.files, v.indexes} {
		if err = step(ctx); err != nil {
			break
		}
	}
	return v.result, errors.Join(err, database.Close())
}

type verifier struct {
	db      *db.DB
	blobs   blob.Store
	content *store.Service
	links   *link.Service
	search  string
	mend    bool
	found   func(Problem)
	result  Verification
}

func (v *verifier) report(part, where, problem string, mended bool) {
	p := Problem{Part: part, Where: where, Problem: problem, Mended: mended}
	v.result.Problems = append(v.result.Problems, p)
	v.result.OK = v.result.OK && mended
	if v.found != nil {
		v.found(p)
	}
}

// database asks SQLite whether its file is as it should be. PostgreSQL has tools of its own for that, and keeps its
// relations.
func (v *verifier) database(ctx context.Context) error {
	if v.db.Dialect() != db.SQLite {
		return nil
	}
	found, err := db.All(ctx, v.db.Read(), "check the database file", db.Column[string], `PRAGMA integrity_check(100)`)
	if err != nil {
		return err
	}
	for _, each := range found {
		if each != "ok" {
			v.report("database", "file", each, false)
		}
	}
	return db.Each(ctx, v.db.Read(), "check the relations of the database", func(row db.Scanner) error {
		var table, rowID, parent, key sql.Null[string]
		err := row.Scan(&table, &rowID, &parent, &key)
		if err == nil {
			v.report("database", "table "+table.V, "row "+rowID.V+" refers to a row of "+parent.V+" that is not there",
				false)
		}
		return err
	}, `PRAGMA foreign_key_check`)
}

// relations are those between tables of different packages, which no foreign key holds because content is collected
// later than its space goes. Each statement returns the ids of what breaks one.
var relations = []struct{ where, problem, query string }{
	{"space", "has no content", `SELECT id FROM space WHERE NOT EXISTS
		(SELECT 1 FROM content_branch b WHERE b.space_id = space.id AND b.kind = 'main')`},
	{"branch", "is of a space that is gone",
		`SELECT id FROM content_branch WHERE NOT EXISTS (SELECT 1 FROM space s WHERE s.id = content_branch.space_id)
		AND NOT EXISTS (SELECT 1 FROM content_dropped d WHERE d.space_id = content_branch.space_id)`},
	{"branch", "began at a revision that is gone", `SELECT id FROM content_branch WHERE NOT EXISTS
		(SELECT 1 FROM content_revision r WHERE r.id = content_branch.base_revision_id)`},
	{"revision", "is of a space that is gone",
		`SELECT id FROM content_revision WHERE NOT EXISTS (SELECT 1 FROM space s WHERE s.id = content_revision.space_id)
		AND NOT EXISTS (SELECT 1 FROM content_dropped d WHERE d.space_id = content_revision.space_id)`},
	{"change request", "has no branch", `SELECT id FROM change_request WHERE NOT EXISTS
		(SELECT 1 FROM content_branch b WHERE b.id = change_request.branch_id)`},
}

func (v *verifier) relations(ctx context.Context) error {
	for _, relation := range relations {
		found, err := db.All(ctx, v.db.Read(), "check relations", db.Column[string], relation.query)
		if err != nil {
			return err
		}
		for _, each := range found {
			v.report("relations", relation.where+" "+each, relation.problem, false)
		}
	}
	return nil
}

func (v *verifier) contents(ctx context.Context) error {
	counted, err := v.content.Verify(ctx, func(where, problem string) { v.report("content", where, problem, false) })
	maps.Copy(v.result.Checked, map[string]int{
		"revisions": counted.Revisions, "nodes": counted.Nodes, "bodies": counted.Bodies, "entries": counted.Entries,
	})
	return err
}

// needed are the files that are kept for other things than content, by what needs them.
var needed = []struct{ where, query string }{
	{"PDF", `SELECT id, blob FROM print_pdf WHERE state = 'done' AND blob <> ''`},
	{"logo of organization", `SELECT id, logo_blob FROM organization WHERE logo_blob <> ''`},
	{"specification", `SELECT id, source_blob FROM openapi_spec WHERE source_blob <> ''`},
	{"version of a specification", `SELECT id, raw_blob FROM openapi_spec_version WHERE raw_blob <> ''`},
	{"version of a specification", `SELECT id, bundle_blob FROM openapi_spec_version WHERE bundle_blob <> ''`},
	{"picture of integration", `SELECT integration_id, blob FROM integration_image WHERE blob <> ''`},
	{"script of integration", `SELECT integration_id, script_blob FROM integration_version WHERE script_blob <> ''`},
	{"upload of import", `SELECT id, upload FROM import WHERE state IN ('pending', 'running') AND upload <> ''`},
}

// files reads every file, and looks for those that something beside content needs.
func (v *verifier) files(ctx context.Context) error {
	there := map[string]bool{}
	for info, err := range v.blobs.List(ctx) {
		if err != nil {
			return fmt.Errorf("list the files: %w", err)
		}
		there[info.Hash] = true
		v.result.Checked["files"]++
		err := blob.Verify(ctx, v.blobs, info.Hash)
		switch {
		case errors.Is(err, blob.ErrDamaged):
			v.report("files", "file "+info.Hash,
				"its bytes are not those that its name says; upload it again, or restore it from a backup", false)
		case err != nil && !errors.Is(err, blob.ErrNotFound): // which was deleted meanwhile
			return fmt.Errorf("read the files: %w", err)
		}
	}
	for _, need := range needed {
		err := db.Each(ctx, v.db.Read(), "look for files", func(row db.Scanner) error {
			var of, file string
			if err := row.Scan(&of, &file); err != nil || there[file] {
				return err
			}
			if _, err := v.blobs.Stat(ctx, file); err != nil { // it may have come meanwhile
				v.report("files", need.where+" "+of, "its file "+file+" is not there", false)
			}
			return nil
		}, need.query)
		if err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) indexes(ctx context.Context) error {
	var err error
	v.result.Checked["linkIndexes"], err = v.links.Verify(ctx, v.mend, func(where, problem string, mended bool) {
		v.report("links", where, problem, mended)
	})
	if err != nil {
		return err
	}
	v.result.Checked["searchIndexes"], v.result.Skipped, err = search.Verify(ctx, v.content, v.search, v.mend,
		func(where, problem string, mended bool) { v.report("search", where, problem, mended) })
	return err
}

// How fast files are verified in the background, in bytes a second, and how long one run takes at most.
const (
	scrubRate = 20 << 20
	scrubTime = 30 * time.Minute
)

// scheduleScrub registers the work that reads all files from time to time and says which are damaged. It goes on where
// the last run has stopped, in whatever process that was.
func (a *App) scheduleScrub(files *blob.Verified) {
	a.every("files.verify", 6*time.Hour, func(ctx context.Context) error {
		var after string
		err := a.db.Read().QueryRowContext(ctx, `SELECT after_hash FROM instance_scrub WHERE id = 1`).Scan(&after)
		if err != nil && !errors.Is(err, db.ErrNoRows) {
			return fmt.Errorf("read how far files are verified: %w", err)
		}
		limited, cancel := context.WithTimeout(ctx, scrubTime)
		defer cancel()
		last, verified, damaged, err := files.Scrub(limited, after, scrubRate)
		for _, hash := range damaged {
			a.log.ErrorContext(ctx, "a file is damaged: upload it again, or restore it from a backup",
				slog.String("file", hash))
		}
		if err != nil {
			return fmt.Errorf("verify files: %w", err)
		}
		a.log.InfoContext(ctx, "verified files", slog.Int("files", verified), slog.Int("damaged", len(damaged)))
		_, err = a.db.Write().ExecContext(ctx, `INSERT INTO instance_scrub (id, after_hash) VALUES (1, $1)
			ON CONFLICT (id) DO UPDATE SET after_hash = excluded.after_hash`, last)
		return err
	})
}
