package app_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

// verified verifies storage and returns what was found, a line for each problem.
func verified(t *testing.T, storage config.Storage, mend bool) (app.Verification, string) {
	t.Helper()
	var told int
	result, err := app.Verify(t.Context(), storage, mend, func(app.Problem) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, p := range result.Problems {
		text.WriteString(p.Part + ": " + p.Where + ": " + p.Problem + "\n")
	}
	if told != len(result.Problems) {
		t.Errorf("told of %d problems, returned %d", told, len(result.Problems))
	}
	return result, text.String()
}

// copied returns storage with the same database and a copy of the data folder, in which no server has an index open.
func copied(s *apptest.Server) config.Storage {
	s.T.Helper()
	storage := config.Storage{Data: s.T.TempDir(), DatabaseURL: s.Storage.Database()}
	if err := os.CopyFS(storage.Data, os.DirFS(s.Storage.Data)); err != nil {
		s.T.Fatal(err)
	}
	return storage
}

// run runs a statement.
func run(t *testing.T, database *db.DB, statement string, args ...any) {
	t.Helper()
	err := database.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, statement, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// flip changes a byte in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 0xff
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestVerify damages every part of what a server keeps, one after the other, and wants each to be found and named,
// nothing to be changed without being asked, and indexes to be mended when asked; and nothing to be found in what is
// sound.
func TestVerify(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		database := s.Database()
		space := s.Space("Guide")
		files := map[string]string{
			"README.md": "# Start\n\nSee [the other](other.md) and " +
				"![](.gitbook/assets/picture.svg).\n",
			"other.md":                    "# Other\n\nAbout marmalade.\n",
			".gitbook/assets/picture.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- a picture --></svg>",
			".gitbook/includes/shared.md": "---\ntitle: Shared\n---\n\nShared.\n",
		}
		s.Upload(space, "guide.zip", apptest.Zipped(t, files))
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"More"}`, http.StatusCreated, nil)
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/links", nil, http.StatusOK, nil)
		s.Find(space, "marmalade", 1)
		s.FetchPDF(s.Order("/v1/spaces/" + space + "/pdf"))

		result, text := verified(t, s.Storage, false)
		if !result.OK || text != "" || result.Skipped != 1 || result.Checked["files"] < 2 ||
			result.Checked["bodies"] < 3 || result.Checked["linkIndexes"] == 0 || result.Checked["entries"] < 4 {
			t.Fatalf("beside the server: %+v\n%s", result, text)
		}
		storage := copied(s)
		if result, text = verified(t, storage, false); !result.OK || result.Checked["searchIndexes"] != 1 ||
			result.Skipped != 0 {
			t.Fatalf("without the server: %+v\n%s", result, text)
		}

		// expect wants a verification to find certain things and nothing else.
		expect := func(what string, want ...string) {
			t.Helper()
			result, text := verified(t, storage, false)
			if result.OK {
				t.Errorf("%s: nothing was found", what)
			}
			for _, each := range want {
				if !strings.Contains(text, each) {
					t.Errorf("%s: %q was not found in\n%s", what, each, text)
				}
			}
			for line := range strings.Lines(text) {
				named := false
				for _, each := range want {
					named = named || strings.Contains(line, each)
				}
				if !named {
					t.Errorf("%s: it was also found: %s", what, line)
				}
			}
		}

		// The content.
		var hash, body []byte
		if err := database.Read().QueryRowContext(t.Context(),
			`SELECT hash, bytes FROM content_body ORDER BY size DESC LIMIT 1`).Scan(&hash, &body); err != nil {
			t.Fatal(err)
		}
		run(t, database, `UPDATE content_body SET bytes = $1 WHERE hash = $2`, append([]byte("x"), body[1:]...), hash)
		expect("a changed body", "content: body ")
		run(t, database, `DELETE FROM content_body WHERE hash = $1`, hash)
		expect("a lost body", "content: entry ")
		run(t, database, `INSERT INTO content_body (hash, touched_at, size, bytes) VALUES ($1, 1, $2, $3)`, hash,
			len(body), body)

		var node []byte
		if err := database.Read().QueryRowContext(t.Context(),
			`SELECT n.hash, n.bytes FROM content_node n JOIN content_revision r ON r.root = n.hash
			JOIN content_branch b ON b.head_revision_id = r.id WHERE b.space_id = $1 AND b.kind = 'main'`,
			space).Scan(&hash, &node); err != nil {
			t.Fatal(err)
		}
		run(t, database, `UPDATE content_node SET bytes = $1 WHERE hash = $2`, append([]byte("x"), node[1:]...), hash)
		// What is derived from the content cannot be compared then.
		expectContent := func(what string) {
			t.Helper()
			if result, err := app.Verify(t.Context(), config.Storage{Data: t.TempDir(),
				DatabaseURL: storage.DatabaseURL, BlobURL: storage.Blobs()}, false, nil); err != nil || result.OK {
				t.Errorf("%s: %+v, %v", what, result, err)
			}
		}
		expectContent("a changed node")
		run(t, database, `DELETE FROM content_node WHERE hash = $1`, hash)
		expectContent("a lost node")
		run(t, database, `INSERT INTO content_node (hash, touched_at, bytes) VALUES ($1, 1, $2)`, hash, node)
		if result, text := verified(t, storage, false); !result.OK {
			t.Fatalf("put right again: %s", text)
		}

		// Relations.
		run(t, database, `UPDATE content_branch SET space_id = 'space_none' WHERE space_id = $1 AND kind <> 'main'`,
			space)
		expect("a branch without a space", "relations: branch ")
		run(t, database, `UPDATE content_branch SET space_id = $1 WHERE space_id = 'space_none'`, space)

		// Files.
		blobs, err := filepath.Glob(filepath.Join(storage.Data, "blobs", "??", "*"))
		if err != nil || len(blobs) < 2 {
			t.Fatal(blobs, err)
		}
		for _, path := range blobs {
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			flip(t, path)
			expect("a changed file", "files: file "+filepath.Base(path))
			if err := os.WriteFile(path, before, 0o600); err != nil {
				t.Fatal(err)
			}
		}

		// Indexes, which mend.
		mends := func(what, want string) {
			t.Helper()
			expect(what, want)
			if result, text := verified(t, storage, true); !result.OK || !strings.Contains(text, want) {
				t.Errorf("%s, mended: %+v", what, result)
			}
			if result, text := verified(t, storage, false); !result.OK {
				t.Errorf("%s, after mending: %s", what, text)
			}
		}
		segments, err := filepath.Glob(filepath.Join(storage.Search(), "v*", space, "store", "*.zap"))
		if err != nil || len(segments) == 0 {
			t.Fatal(segments, err)
		}
		flip(t, segments[0])
		mends("a damaged search index", "search: search index of "+space)
		layout := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(segments[0]))))
		if err := os.CopyFS(filepath.Join(storage.Search(), layout, "space_none"),
			os.DirFS(filepath.Join(s.Storage.Search(), layout, space))); err != nil {
			t.Fatal(err)
		}
		mends("the search index of a space that is gone", "search: search index of space_none: its space is gone")
		run(t, database, `UPDATE link_node SET bytes = $1`, []byte("x"))
		mends("damaged link indexes", "links: ")
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/links", nil, http.StatusOK, nil)
	})
}

// TestDamagedFilesAreNotServed holds that a file whose bytes have changed on disk is no answer with 200, on a site or
// in the API, and that uploading it again mends it.
func TestDamagedFilesAreNotServed(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		picture := "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- a picture --></svg>"
		archive := apptest.Zipped(t, map[string]string{"README.md": "# Start\n\n![](.gitbook/assets/picture.svg)\n",
			".gitbook/assets/picture.svg": picture})
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", archive)
		blobs, err := filepath.Glob(filepath.Join(s.Storage.Data, "blobs", "??", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range blobs {
			flip(t, path)
		}
		var listed struct {
			Items []struct{ DownloadURL string }
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/files", nil, http.StatusOK, &listed)
		address := listed.Items[0].DownloadURL
		if got := s.Raw(http.MethodGet, address, "", nil); got.Status != http.StatusInternalServerError ||
			strings.Contains(string(got.Body), "picture") {
			t.Errorf("a damaged file: %d %s", got.Status, got.Body)
		}
		s.Upload(space, "again.zip", archive)
		if got := s.Raw(http.MethodGet, address, "", nil); got.Status != http.StatusOK || string(got.Body) != picture {
			t.Errorf("uploaded again: %d %s", got.Status, got.Body)
		}
		runJob(s, s.Database(), "files.verify")
	})
}
