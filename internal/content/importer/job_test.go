package importer_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func page(limit int) paging.Request { return paging.Request{Limit: limit} }

// await waits for an import to end.
func (h *fixture) await(t *testing.T, importID id.Import) importer.Import {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		record, err := h.Get(t.Context(), h.admin, h.organization, importID)
		if err != nil {
			t.Fatal(err)
		}
		switch record.State {
		case importer.Done, importer.Failed, importer.Cancelled:
			return record
		}
	}
	t.Fatal("the import does not end")
	return importer.Import{}
}

func (h *fixture) work(t *testing.T) {
	t.Helper()
	if err := h.jobs.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := h.jobs.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestBackgroundImports(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.work(t)
		spaceID := h.newSpace(t)
		started, err := h.Start(t.Context(), h.admin, importer.Request{Space: spaceID,
			Upload: bytes.NewReader(pack(t, dialectTree)), Name: "docs.zip"})
		if err != nil {
			t.Fatal(err)
		}
		if started.State != importer.Pending || started.Organization != h.organization ||
			started.CreatedBy != h.admin.User.ID {
			t.Errorf("started: %+v", started)
		}
		record := h.await(t, started.ID)
		if record.State != importer.Done || record.Revision != h.head(t, spaceID).Revision().ID ||
			record.Report.Pages != 10 || record.Report.Broken.Total == 0 || record.Done != record.Total ||
			record.Done != 15 {
			t.Errorf("ended: %+v", record)
		}
		failed, err := h.Start(t.Context(), h.admin, importer.Request{Space: spaceID,
			Upload: strings.NewReader("PK\x03\x04")})
		if err != nil {
			t.Fatal(err)
		}
		if record := h.await(t, failed.ID); record.State != importer.Failed || !strings.Contains(record.Message,
			"ZIP") {
			t.Errorf("a damaged archive: %+v", record)
		}
		imports, err := h.List(t.Context(), h.admin, h.organization, page(1))
		if err != nil || imports.Count != 2 || len(imports.Items) != 1 || imports.Items[0].ID != failed.ID ||
			imports.Next == nil {
			t.Fatalf("list: %v %d %v %v", imports.Items, imports.Count, imports.Next, err)
		}
		imports, err = h.List(t.Context(), h.admin, h.organization, paging.Request{Limit: 1, After: imports.Next})
		if err != nil || len(imports.Items) != 1 || imports.Items[0].ID != started.ID || imports.Next != nil {
			t.Errorf("second page: %v %v %v", imports.Items, imports.Next, err)
		}
		if imports, err := h.List(t.Context(), h.reader, h.organization, page(10)); err != nil ||
			imports.Count != 0 || len(imports.Items) != 0 {
			t.Errorf("a reader sees the imports of others: %v %v", imports.Items, err)
		}
		if _, err := h.Get(t.Context(), h.admin, "org_00000000000000000000000000", started.ID); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("under another organization: %v", err)
		}
	})
}

func TestCancelledImports(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		before := h.head(t, spaceID).Revision().ID
		request := func() importer.Request {
			return importer.Request{Space: spaceID, Upload: bytes.NewReader(pack(t, dialectTree))}
		}
		waiting, err := h.Start(t.Context(), h.admin, request())
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Cancel(t.Context(), h.reader, h.organization, waiting.ID); !errs.Is(err, errs.Forbidden) {
			t.Errorf("cancelled by a reader: %v", err)
		}
		if err := h.Cancel(t.Context(), h.admin, h.organization, waiting.ID); err != nil {
			t.Fatal(err)
		}
		if err := h.Cancel(t.Context(), h.admin, h.organization, waiting.ID); !errs.Is(err, errs.Conflict) {
			t.Errorf("cancelled twice: %v", err)
		}
		h.work(t)
		reached := make(chan struct{}, 100)
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			reached <- struct{}{}
			<-r.Context().Done()
		}))
		defer server.Close()
		running, err := h.Start(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceWebsite,
			URL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		<-reached
		if err := h.Cancel(t.Context(), h.admin, h.organization, running.ID); err != nil {
			t.Fatal(err)
		}
		for _, id := range []id.Import{waiting.ID, running.ID} {
			if record := h.await(t, id); record.State != importer.Cancelled {
				t.Errorf("%+v", record)
			}
		}
		if after := h.head(t, spaceID).Revision().ID; after != before {
			t.Error("a cancelled import has changed the space")
		}
	})
}

// TestCancelDuringAnImport cancels an import that runs in another goroutine: the commit itself has to notice.
func TestCancelDuringAnImport(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	before := h.head(t, spaceID).Revision().ID
	cancelled := false
	_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID,
		Upload: bytes.NewReader(pack(t, dialectTree))}, func(p importer.Progress) {
		if cancelled || p.Done < 3 {
			return
		}
		cancelled = true
		imports, err := h.List(t.Context(), h.admin, h.organization, page(10))
		if err != nil {
			t.Error(err)
			return
		}
		if err := h.Cancel(t.Context(), h.admin, h.organization, imports.Items[0].ID); err != nil {
			t.Error(err)
		}
	})
	if !errs.Is(err, errs.Conflict) || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("got %v", err)
	}
	if after := h.head(t, spaceID).Revision().ID; after != before {
		t.Error("a cancelled import has changed the space")
	}
}

// TestStaleImportsEnd holds that a record whose process died does not say "running" for ever.
func TestStaleImportsEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		done := h.importFiles(t, spaceID, map[string]string{"a.md": "# A"})
		for _, test := range []struct {
			age  time.Duration
			want importer.State
		}{{time.Minute, importer.Running}, {3 * time.Minute, importer.Failed}} {
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `UPDATE import SET state = 'running', updated_at = $1`,
					time.Now().Add(-test.age).UnixMicro())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if record, err := h.Get(t.Context(), h.admin, h.organization, done.Import); err != nil ||
				record.State != test.want {
				t.Errorf("silent for %s: %s, %v", test.age, record.State, err)
			}
		}
	})
}

// TestImportsThatEarlierVersionsLeftEnd holds that a record whose job has ended, or is forgotten, ends, and one whose
// job waits does not.
func TestImportsThatEarlierVersionsLeftEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		for _, test := range []struct {
			job  string // an assignment to the job's row, or "" to delete it
			want importer.State
		}{
			{"state = 'queued'", importer.Running}, {"state = 'running'", importer.Running},
			{"state = 'failed'", importer.Failed}, {"state = 'done'", importer.Failed},
			{"state = 'cancelled'", importer.Failed}, {"", importer.Failed},
		} {
			started, err := h.Start(t.Context(), h.admin, importer.Request{Space: spaceID,
				Upload: strings.NewReader("# A"), Name: "a.md"})
			if err != nil {
				t.Fatal(err)
			}
			statement := `DELETE FROM job WHERE kind = 'import'`
			if test.job != "" {
				statement = `UPDATE job SET ` + test.job + ` WHERE kind = 'import'`
			}
			for _, each := range []string{statement, `UPDATE import SET state = 'running', updated_at = 1`} {
				if _, err := d.Write().ExecContext(t.Context(), each); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if record, err := h.Get(t.Context(), h.admin, h.organization, started.ID); err != nil ||
				record.State != test.want {
				t.Errorf("job %q: %s, %v; want %s", test.job, record.State, err, test.want)
			}
			if _, err := d.Write().ExecContext(t.Context(), `DELETE FROM import`); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestFullDiskDuringAnImport fills the disk while a job imports: nothing of the import is there, and when there is room
// again it is made in another try.
func TestFullDiskDuringAnImport(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	h.work(t)
	spaceID := h.newSpace(t)
	before := h.head(t, spaceID).Revision().ID
	reached, release := make(chan struct{}, 1), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case reached <- struct{}{}:
		default:
		}
		<-release
		for i := range 20_000 {
			fmt.Fprintf(w, "Paragraph %d: %s\n\n", i, rand.Text())
		}
	}))
	defer server.Close()
	started, err := h.Start(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceMarkdown,
		URL: server.URL + "/a.md"})
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	// The limit is never below what the file has, so it is full from here on.
	if _, err := d.Write().ExecContext(t.Context(), `PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	close(release)
	lastError := ""
	for deadline := time.Now().Add(time.Minute); lastError == ""; time.Sleep(5 * time.Millisecond) {
		if err := d.Read().QueryRowContext(t.Context(), `SELECT last_error FROM job WHERE kind = 'import'`).
			Scan(&lastError); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("the import does not meet the full disk")
		}
	}
	if after := h.head(t, spaceID).Revision().ID; after != before || !strings.Contains(lastError, "full") {
		t.Errorf("the space has changed with %s", lastError)
	}
	if _, err := d.Write().ExecContext(t.Context(), `PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	record := h.await(t, started.ID)
	if record.State != importer.Done || record.Revision != h.head(t, spaceID).Revision().ID ||
		record.Revision == before {
		t.Errorf("ended: %+v", record)
	}
	// The record ends a moment before the job whose last step that was.
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var open int
		err := d.Read().QueryRowContext(t.Context(),
			`SELECT count(*) FROM job WHERE kind = 'import' AND state IN ('queued', 'running')`).Scan(&open)
		if err == nil && open == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs are open after the import has ended: %v", open, err)
		}
	}
}
