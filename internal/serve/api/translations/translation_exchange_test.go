package translations_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/exchange/gettext"
	"github.com/rectodocs/recto/internal/engine/exchange/xliff"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

type translationReport struct {
	Applied, Unchanged, Pages int
	ChangeRequest             string
	Problems                  []struct {
		Segment, Message string
		Line             int
	}
}

func export(s *apptest.Server, at, query string) []byte {
	s.T.Helper()
	got := s.Raw(http.MethodGet, at+"/export"+query, s.Token, nil)
	if got.Status != http.StatusOK {
		s.T.Fatalf("export: %d %.300s", got.Status, got.Body)
	}
	return got.Body
}

func importTranslations(s *apptest.Server, at string, data []byte) translationReport {
	s.T.Helper()
	request, err := http.NewRequestWithContext(s.T.Context(), http.MethodPost, s.Base+at+"/import",
		bytes.NewReader(data))
	if err != nil {
		s.T.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	request.Header.Set("Content-Type", "application/octet-stream")
	got := s.Send(request)
	var report translationReport
	if got.Status != http.StatusOK {
		s.T.Fatalf("import: %d %.500s", got.Status, got.Body)
	}
	if err := json.Unmarshal(got.Body, &report); err != nil {
		s.T.Fatal(err)
	}
	return report
}

// translatedXLIFF translates a file as a translator's tool would.
func translatedXLIFF(t *testing.T, data []byte) []byte {
	t.Helper()
	d, err := xliff.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Files {
		for j := range d.Files[i].Units {
			u := &d.Files[i].Units[j]
			u.Target, u.HasTarget, u.State, u.SubState = apptest.Pseudo(u.Source), true, xliff.Final, ""
		}
	}
	var b bytes.Buffer
	if err := xliff.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTheBookIsTranslated takes a real book out, translated, and in again, in both formats: every text arrives, and
// what is no text stays to the byte. Which format a text came in is nothing of the database's: on PostgreSQL it is one.
func TestTheBookIsTranslated(t *testing.T) {
	archive, err := os.ReadFile("../../../content/importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatal(err)
	}
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("The book")
		s.Upload(space, "book.zip", archive)
		all := "/v1/orgs/" + s.Organization + "/translations"
		began := time.Now()
		var made apptest.TranslationSettings
		s.Call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
			"languages": []string{"de", "fr"}}, http.StatusCreated, &made)
		de, fr := all+"/"+made.ID+"/languages/de", all+"/"+made.ID+"/languages/fr"
		first := s.Followed(de)
		s.Followed(fr)
		t.Logf("two variants of %d pages, %d texts, %d words: %v", first.Counts.Pages, first.Counts.Missing,
			first.Counts.Words, time.Since(began))
		if first.Counts.Missing < 4000 || first.Counts.Translated+first.Counts.Stale != 0 {
			t.Fatalf("first: %+v", first)
		}

		began = time.Now()
		exported := export(s, de, "?format=xliff")
		t.Logf("export of XLIFF, %d bytes: %v", len(exported), time.Since(began))
		began = time.Now()
		report := importTranslations(s, de, translatedXLIFF(t, exported))
		t.Logf("import of XLIFF: %v", time.Since(began))
		if report.Applied != first.Counts.Missing || len(report.Problems) > 0 {
			t.Fatalf("imported %d of %d, %d problems: %+v", report.Applied, first.Counts.Missing, len(report.Problems),
				report.Problems[:min(5, len(report.Problems))])
		}
		began = time.Now()
		second := s.Followed(de)
		t.Logf("counted: %v", time.Since(began))
		if second.Counts.Translated != first.Counts.Missing || second.Counts.Missing+second.Counts.Stale != 0 {
			t.Fatalf("second: %+v", second)
		}
		again, err := xliff.Read(export(s, de, "?format=xliff"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range again.Files {
			for _, u := range f.Units {
				if u.Target != apptest.Pseudo(u.Source) || u.State != xliff.Translated {
					t.Fatalf("%s %s is %q, want %q", f.Original, u.ID, u.Target, apptest.Pseudo(u.Source))
				}
			}
		}
		if report := importTranslations(s, de, export(s, de, "?format=xliff")); report.Applied != 0 ||
			report.Unchanged != first.Counts.Missing {
			t.Errorf("importing what is there: %+v", report)
		}

		// The code blocks and the targets of links are those of the source.
		pages := allPages(s, "/v1/spaces/"+space+"/content")
		there := allPages(s, "/v1/spaces/"+second.Space+"/change-requests/"+second.ChangeRequest+"/content")
		for id, source := range pages {
			if diff := cmp.Diff(codeAndLinks(t, source), codeAndLinks(t, there[id])); diff != "" {
				t.Fatalf("page %s: code or links differ:\n%s", id, diff)
			}
		}

		// The same by gettext, into the other language.
		if !s.OnPostgres() {
			byGettext(s, fr, first.Counts.Missing)
		}

		// A page of the source changes: the variants follow.
		began = time.Now()
		for id := range pages {
			edit(s, space, id, "Something else altogether.\n")
			break
		}
		third := s.Followed(de)
		t.Logf("follow one change: %v", time.Since(began))
		if third.Counts.Missing != 1 {
			t.Errorf("third: %+v", third)
		}
	})
}

// byGettext translates all texts of a language.
func byGettext(s *apptest.Server, at string, texts int) {
	s.T.Helper()
	catalog, err := gettext.Read(export(s, at, "?format=po"))
	if err != nil {
		s.T.Fatal(err)
	}
	for i := range catalog.Messages {
		catalog.Messages[i].Text = apptest.Pseudo(catalog.Messages[i].ID)
	}
	var b bytes.Buffer
	if err := gettext.Write(&b, catalog); err != nil {
		s.T.Fatal(err)
	}
	if report := importTranslations(s, at, b.Bytes()); report.Applied != texts || len(report.Problems) > 0 {
		s.T.Errorf("imported by gettext: %d of %d, problems %+v", report.Applied, texts,
			report.Problems[:min(5, len(report.Problems))])
	}
	if got := s.Followed(at); got.Counts.Translated != texts {
		s.T.Errorf("by gettext: %+v", got)
	}
}

// allPages returns the Markdown of all pages by id.
func allPages(s *apptest.Server, content string) map[string]string {
	s.T.Helper()
	type page struct {
		ID, Type string
		Pages    []page
	}
	var tree struct{ Pages []page }
	s.Call(http.MethodGet, content+"/pages", nil, http.StatusOK, &tree)
	found := map[string]string{}
	var walk func([]page)
	walk = func(pages []page) {
		for _, p := range pages {
			if p.Type == "document" {
				found[p.ID] = markdownOf(s, content+"/page/"+p.ID)
			}
			walk(p.Pages)
		}
	}
	walk(tree.Pages)
	return found
}

// codeAndLinks lists the blocks of code and where links lead to.
func codeAndLinks(t *testing.T, text string) []string {
	t.Helper()
	d, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for n := range d.All() {
		switch data := n.Data.(type) {
		case *doc.CodeData:
			found = append(found, data.Syntax+": "+n.PlainText())
		case *doc.ContentRefData:
			found = append(found, data.Ref.URL)
		}
	}
	return found
}
