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

	"github.com/rectodocs/recto/internal/platform/db"
)

// rareWord is what the tests of purging look for. It has no part that another word has.
const rareWord = "Xyzzyquinox"

// TestNothingOfAPurgedSpaceIsLeft puts one word wherever a space can hold it, deletes the space for good, lets the
// collectors run, and wants no trace of the word in the database (its free pages and its log included) and in the data
// folder.
func TestNothingOfAPurgedSpaceIsLeft(t *testing.T) {
	onBothWith(t, fetching, func(t *testing.T, s *server) {
		database := s.database()
		before := s.traces(database)
		if len(before) > 0 {
			t.Fatalf("the word is there before it was written: %v", before)
		}
		gone := s.fillWithRareWord()
		kept, _ := s.documented("Kept", map[string]string{"Stays": "About marmalade."})
		s.find(kept, "marmalade", 1)
		found := s.traces(database)
		for _, want := range []string{"content_body", "content_node", "comment", "audit_entry", "change_request",
			"translation_memory", "link_node", "print_pdf", "import", "blobs"} {
			if !slices.ContainsFunc(found, func(place string) bool { return strings.Contains(place, want) }) {
				t.Errorf("the word is not in %s, so that the test does not look there; it is in %v", want, found)
			}
		}

		for _, space := range gone {
			s.call(http.MethodDelete, "/v1/spaces/"+space, nil, http.StatusNoContent, nil)
		}
		s.call(http.MethodDelete, "/v1/orgs/"+s.organization+"/openapi/rare", nil, http.StatusResetContent, nil)
		s.age(database)
		for _, kind := range []string{"space.purge", "content.collect", "link.collect", "content.collect"} {
			s.runJob(database, kind)
		}

		if left := s.traces(database); len(left) > 0 {
			t.Errorf("the word is still in %v", left)
		}
		indexes, err := filepath.Glob(filepath.Join(s.storage.Search(), "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, index := range indexes {
			if filepath.Base(index) != kept {
				t.Errorf("the search index %s is left", index)
			}
		}
		s.find(kept, "marmalade", 1)
	})
}

// database opens the server's database beside it.
func (s *server) database() *db.DB {
	s.t.Helper()
	database, err := db.Open(s.t.Context(), db.Config{URL: s.storage.Database()})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := database.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return database
}

// fillWithRareWord makes a space and its translation with the word in everything that they hold, and returns their ids.
func (s *server) fillWithRareWord() []string {
	s.t.Helper()
	w := rareWord
	space := s.space("About " + w)
	path := "/v1/spaces/" + space
	s.upload(space, w+".zip", zipped(s.t, map[string]string{
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
		s.call(http.MethodPost, path+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "insert_page", "title": fmt.Sprint(w, " ", i),
			"document": map[string]any{"markdown": strings.Repeat(fmt.Sprint(w, i, " "), 100)},
		}}}, http.StatusOK, nil)
	}
	s.call(http.MethodPost, path+"/comments",
		map[string]any{"body": map[string]any{"markdown": "I do not know " + w + "."}}, http.StatusOK, nil)
	s.call(http.MethodPost, path+"/change-requests", map[string]any{"subject": "Explain " + w}, http.StatusCreated, nil)
	s.call(http.MethodPost, path+"/change-requests/1/content", map[string]any{"changes": []any{map[string]any{
		"operation": "insert_page", "title": "Proposed " + w, "document": map[string]any{"markdown": "Another " + w},
	}}}, http.StatusOK, nil)
	s.call(http.MethodPost, path+"/change-requests/1/comments",
		map[string]any{"body": map[string]any{"markdown": w + "?"}}, http.StatusOK, nil)
	s.putSpec("rare", `{"openapi":"3.1.0","info":{"title":"`+w+`","version":"1"},"paths":{"/`+w+
		`":{"get":{"responses":{"200":{"description":"ok"}}}}}}`, http.StatusCreated)

	s.publishedSite("Docs", space)
	s.call(http.MethodGet, path+"/links", nil, http.StatusOK, nil)
	s.fetchPDF(s.order(path + "/pdf"))
	s.find(space, w, 20)

	translations := "/v1/orgs/" + s.organization + "/translations"
	var made translationSettings
	s.call(http.MethodPost, translations, map[string]any{"title": "Translated", "source": map[string]any{"space": space,
		"language": "en"}, "languages": []string{"de"}}, http.StatusCreated, &made)
	at := translations + "/" + made.ID + "/languages/de"
	language := s.followed(at)
	segment := s.segments(at, "")[0]
	s.call(http.MethodPut, at+"/segments/"+segment.ID, map[string]any{"target": "Wort " + w}, http.StatusOK, nil)
	s.find(language.Space, w, 20)
	return []string{space, language.Space}
}

// find wants a search of a space to find that many pages on its first page of results.
func (s *server) find(space, text string, want int) {
	s.t.Helper()
	var found struct{ Items []any }
	s.call(http.MethodGet, "/v1/spaces/"+space+"/search?limit=20&query="+text, nil, http.StatusOK, &found)
	if len(found.Items) != want {
		s.t.Errorf("searching %s for %q found %d pages, want %d", space, text, len(found.Items), want)
	}
}

// age makes everything look as if it had been written long ago: spaces were deleted before the time in which they can
// be restored, and what the collectors spare while it is young is old.
func (s *server) age(database *db.DB) {
	s.t.Helper()
	for _, statement := range []string{
		`UPDATE space SET deleted_at = 1 WHERE deleted_at IS NOT NULL`,
		`UPDATE content_node SET touched_at = 1`, `UPDATE content_body SET touched_at = 1`,
		`UPDATE content_blob SET touched_at = 1`,
		`UPDATE link_node SET touched_at = 1`, `DELETE FROM job WHERE finished_at IS NOT NULL`,
	} {
		if _, err := database.Write().ExecContext(s.t.Context(), statement); err != nil {
			s.t.Fatal(err)
		}
	}
	long := time.Now().Add(-30 * 24 * time.Hour)
	s.files(func(path string) {
		if strings.Contains(path, "/blobs/") {
			if err := os.Chtimes(path, long, long); err != nil {
				s.t.Fatal(err)
			}
		}
	})
}

// runJob lets the server run a periodic job now, and waits for its end.
func (s *server) runJob(database *db.DB, kind string) {
	s.t.Helper()
	if _, err := database.Write().ExecContext(s.t.Context(),
		`UPDATE job SET due_at = 1, finished_at = NULL WHERE id = $1`, "every_"+kind); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var state, failure string
		var due int64
		err := database.Read().QueryRowContext(s.t.Context(), `SELECT state, due_at, last_error FROM job WHERE id = $1`,
			"every_"+kind).Scan(&state, &due, &failure)
		if err != nil {
			s.t.Fatal(err)
		}
		if state == "queued" && due > time.Now().UnixMicro() {
			if failure != "" {
				s.t.Fatalf("%s: %s", kind, failure)
			}
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s is %s and due at %d: %s", kind, state, due, failure)
		}
	}
}

// traces lists the tables and files that hold the rare word in any case.
func (s *server) traces(database *db.DB) []string {
	s.t.Helper()
	places := map[string]bool{}
	for _, table := range s.tables(database) {
		rows, err := database.Read().QueryContext(s.t.Context(), `SELECT * FROM "`+table+`"`)
		if err != nil {
			s.t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			s.t.Fatal(err)
		}
		for rows.Next() {
			values, targets := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
			if err := rows.Scan(targets...); err != nil {
				s.t.Fatal(err)
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
			s.t.Fatal(err)
		}
		rows.Close()
	}
	s.files(func(path string) {
		content, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return // an index tidies itself
		}
		if err != nil {
			s.t.Fatal(err)
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
func (s *server) tables(database *db.DB) []string {
	s.t.Helper()
	query := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if database.Dialect() == db.Postgres {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	rows, err := database.Read().QueryContext(s.t.Context(), query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			s.t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return names
}

// files visits the files of the data folder and, where it is a file, of the database.
func (s *server) files(visit func(path string)) {
	s.t.Helper()
	roots := []string{s.storage.Data}
	if path, ok := strings.CutPrefix(s.storage.Database(), "sqlite:"); ok {
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
			s.t.Fatal(err)
		}
	}
}
