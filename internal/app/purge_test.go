package app_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/db"
)

// rareWord is what the tests of purging look for. It has no part that another word has.
const rareWord = "Xyzzyquinox"

// TestNothingOfAPurgedSpaceIsLeft puts one word wherever a space can hold it, deletes the space for good, lets the
// collectors run, and wants no trace of the word in the database (its free pages and its log included) and in the data
// folder.
func TestNothingOfAPurgedSpaceIsLeft(t *testing.T) {
	t.Parallel() // it waits most of the time
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		database := s.Database()
		before := traces(s, database)
		if len(before) > 0 {
			t.Fatalf("the word is there before it was written: %v", before)
		}
		gone := fillWithRareWord(s)
		kept, _ := s.Documented("Kept", map[string]string{"Stays": "About marmalade."})
		s.Find(kept, "marmalade", 1)
		found := traces(s, database)
		for _, want := range []string{"content_body", "content_node", "comment", "audit_entry", "change_request",
			"translation_memory", "link_node", "print_pdf", "import", "blobs"} {
			if !slices.ContainsFunc(found, func(place string) bool { return strings.Contains(place, want) }) {
				t.Errorf("the word is not in %s, so that the test does not look there; it is in %v", want, found)
			}
		}

		for _, space := range gone {
			s.Call(http.MethodDelete, "/v1/spaces/"+space, nil, http.StatusNoContent, nil)
		}
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/openapi/rare", nil, http.StatusResetContent, nil)
		age(s, database)
		for _, kind := range []string{"space.purge", "content.collect", "link.collect", "content.collect"} {
			runJob(s, database, kind)
		}

		if left := traces(s, database); len(left) > 0 {
			t.Errorf("the word is still in %v", left)
		}
		indexes, err := filepath.Glob(filepath.Join(s.Storage.Search(), "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, index := range indexes {
			if filepath.Base(index) != kept {
				t.Errorf("the search index %s is left", index)
			}
		}
		s.Find(kept, "marmalade", 1)
	})
}

// fillWithRareWord makes a space and its translation with the word in everything that they hold, and returns their ids.
func fillWithRareWord(s *apptest.Server) []string {
	s.T.Helper()
	w := rareWord
	space := s.Space("About " + w)
	path := "/v1/spaces/" + space
	s.Upload(space, w+".zip", apptest.Zipped(s.T, map[string]string{
		"README.md": "# Start\n\nThe word is " + w + ". [Broken](" + w + ".md), [outside](https://" + w +
			".example/).\n\n" +
			"![](.gitbook/assets/" + w + ".svg)\n\n{% include \".gitbook/includes/note.md\" %}\n",
		strings.ToLower(w) + ".md": "---\ndescription: About " + w + "\n---\n\n# Page " + w + "\n\n" +
			strings.Repeat("More "+w+".\n\n", 2000),
		".gitbook/includes/note.md":     "---\ntitle: Note " + w + "\n---\n\nReused " + w + ".\n",
		".gitbook/assets/" + w + ".svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- " + w + " --></svg>",
		".gitbook/vars.yaml":            "rare: " + w + "\n",
		".gitbook/assets/" + w + ".txt": w + " in a file.\n",
		".gitbook.yaml":                 "redirects:\n  old-" + strings.ToLower(w) + ": README.md\n",
	}))
	for i := range 30 { // what is written over is deleted as well
		s.Call(http.MethodPost, path+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "insert_page", "title": fmt.Sprint(w, " ", i),
			"document": map[string]any{"markdown": strings.Repeat(fmt.Sprint(w, i, " "), 100)},
		}}}, http.StatusOK, nil)
	}
	s.Call(http.MethodPost, path+"/comments",
		map[string]any{"body": map[string]any{"markdown": "I do not know " + w + "."}}, http.StatusOK, nil)
	s.Call(http.MethodPost, path+"/change-requests", map[string]any{"subject": "Explain " + w}, http.StatusCreated, nil)
	s.Call(http.MethodPost, path+"/change-requests/1/content", map[string]any{"changes": []any{map[string]any{
		"operation": "insert_page", "title": "Proposed " + w, "document": map[string]any{"markdown": "Another " + w},
	}}}, http.StatusOK, nil)
	s.Call(http.MethodPost, path+"/change-requests/1/comments",
		map[string]any{"body": map[string]any{"markdown": w + "?"}}, http.StatusOK, nil)
	s.PutSpec("rare", `{"openapi":"3.1.0","info":{"title":"`+w+`","version":"1"},"paths":{"/`+w+
		`":{"get":{"responses":{"200":{"description":"ok"}}}}}}`, http.StatusCreated)

	s.PublishedSite("Docs", space)
	s.Call(http.MethodGet, path+"/links", nil, http.StatusOK, nil)
	s.FetchPDF(s.Order(path + "/pdf"))
	s.Find(space, w, 20)

	translations := "/v1/orgs/" + s.Organization + "/translations"
	var made apptest.TranslationSettings
	s.Call(http.MethodPost, translations, map[string]any{"title": "Translated", "source": map[string]any{"space": space,
		"language": "en"}, "languages": []string{"de"}}, http.StatusCreated, &made)
	at := translations + "/" + made.ID + "/languages/de"
	language := s.Followed(at)
	segment := s.Segments(at, "")[0]
	s.Call(http.MethodPut, at+"/segments/"+segment.ID, map[string]any{"target": "Wort " + w}, http.StatusOK, nil)
	s.Find(language.Space, w, 20)
	return []string{space, language.Space}
}

// age makes everything look as if it had been written long ago: spaces were deleted before the time in which they can
// be restored, and what the collectors spare while it is young is old.
func age(s *apptest.Server, database *db.DB) {
	s.T.Helper()
	for _, statement := range []string{
		`UPDATE space SET deleted_at = 1 WHERE deleted_at IS NOT NULL`,
		`UPDATE content_node SET touched_at = 1`, `UPDATE content_body SET touched_at = 1`,
		`UPDATE content_blob SET touched_at = 1`,
		`UPDATE link_node SET touched_at = 1`, `DELETE FROM job WHERE finished_at IS NOT NULL`,
	} {
		if _, err := database.Write().ExecContext(s.T.Context(), statement); err != nil {
			s.T.Fatal(err)
		}
	}
	long := time.Now().Add(-30 * 24 * time.Hour)
	files(s, func(path string) {
		if strings.Contains(path, "/blobs/") {
			if err := os.Chtimes(path, long, long); err != nil {
				s.T.Fatal(err)
			}
		}
	})
}

// runJob lets the server run a periodic job now, and waits for its end.
func runJob(s *apptest.Server, database *db.DB, kind string) {
	s.T.Helper()
	if _, err := database.Write().ExecContext(s.T.Context(),
		`UPDATE job SET due_at = 1, finished_at = NULL WHERE id = $1`, "every_"+kind); err != nil {
		s.T.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var state, failure string
		var due int64
		err := database.Read().QueryRowContext(s.T.Context(), `SELECT state, due_at, last_error FROM job WHERE id = $1`,
			"every_"+kind).Scan(&state, &due, &failure)
		if err != nil {
			s.T.Fatal(err)
		}
		if state == "queued" && due > time.Now().UnixMicro() {
			if failure != "" {
				s.T.Fatalf("%s: %s", kind, failure)
			}
			return
		}
		if time.Now().After(deadline) {
			s.T.Fatalf("%s is %s and due at %d: %s", kind, state, due, failure)
		}
	}
}

// traces lists the tables and files that hold the rare word in any case.
func traces(s *apptest.Server, database *db.DB) []string {
	s.T.Helper()
	places := map[string]bool{}
	for _, table := range tables(s, database) {
		rows, err := database.Read().QueryContext(s.T.Context(), `SELECT * FROM "`+table+`"`)
		if err != nil {
			s.T.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			s.T.Fatal(err)
		}
		for rows.Next() {
			values, targets := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
			if err := rows.Scan(targets...); err != nil {
				s.T.Fatal(err)
			}
			for i, value := range values {
				text, isText := value.(string)
				data, isData := value.([]byte)
				if isText && holdsRareWord([]byte(text)) || isData && holdsRareWord(data) {
					places["table "+table+"."+columns[i]] = true
				}
			}
		}
		if err := rows.Err(); err != nil {
			s.T.Fatal(err)
		}
		rows.Close()
	}
	files(s, func(path string) {
		content, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return // an index tidies itself
		}
		if err != nil {
			s.T.Fatal(err)
		}
		if holdsRareWord(content) || holdsRareWord([]byte(path)) {
			places["file "+path] = true
		}
	})
	var all []string
	for place := range places {
		all = append(all, place)
	}
	slices.Sort(all)
	return all
}

func holdsRareWord(data []byte) bool {
	lower, word := bytes.ToLower(data), []byte(strings.ToLower(rareWord))
	return bytes.Contains(lower, word) || bytes.Contains(lower, []byte(hex.EncodeToString(word)))
}

// tables lists the tables of the database.
func tables(s *apptest.Server, database *db.DB) []string {
	s.T.Helper()
	query := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if database.Dialect() == db.Postgres {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	rows, err := database.Read().QueryContext(s.T.Context(), query)
	if err != nil {
		s.T.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			s.T.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		s.T.Fatal(err)
	}
	return names
}

// files visits the files of the data folder and, where it is a file, of the database.
func files(s *apptest.Server, visit func(path string)) {
	s.T.Helper()
	roots := []string{s.Storage.Data}
	if path, ok := strings.CutPrefix(s.Storage.Database(), "sqlite:"); ok {
		roots = append(roots, filepath.Dir(path))
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				visit(path)
			}
			if os.IsNotExist(err) {
				return nil
			}
			return err
		})
		if err != nil {
			s.T.Fatal(err)
		}
	}
}
