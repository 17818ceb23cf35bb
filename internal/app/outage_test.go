package app_test

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// unfinished are the records of jobs that say that work goes on. A record may say so only while there is a job for it.
var unfinished = map[string]string{
	"imports":        `SELECT count(*) FROM import WHERE state IN ('pending', 'running')`,
	"PDFs":           `SELECT count(*) FROM print_pdf WHERE state IN ('pending', 'running')`,
	"specifications": `SELECT count(*) FROM openapi_spec WHERE state IN ('pending', 'progress')`,
	"translations":   `SELECT count(*) FROM translation_language WHERE state IN ('pending', 'running')`,
	"machine translation": `SELECT count(*) FROM translation_language WHERE machine LIKE '%"pending"%'
		OR machine LIKE '%"running"%'`,
}

// TestDatabaseGoesAwayDuringJobs cuts the server off from its database again and again while jobs of every kind run,
// and looks whether each record and its job agree once the database is back.
func TestDatabaseGoesAwayDuringJobs(t *testing.T) {
	gate, address := dbtest.PostgresGate(t)
	s := apptest.Start(t, config.Storage{Data: t.TempDir(), DatabaseURL: address}, apptest.WithModel(t,
		&apptest.TranslationModel{}))
	watch, err := db.Open(t.Context(), db.Config{URL: address, MaxConnections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = watch.Close() })
	count := func(query string) (count int, err error) {
		return count, watch.Read().QueryRowContext(t.Context(), query).Scan(&count)
	}

	space := s.Space("Guide")
	s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
	at, _ := s.Translating()
	description := func(version string) string {
		return `{"openapi":"3.1.0","info":{"title":"Things","version":"` + version +
			`"},"paths":{"/things":{"get":{"responses":{"200":{"description":"All"}}}}}}`
	}
	s.PutSpec("things", description("0"), http.StatusCreated)

	for round := range 6 {
		// Requests may fail from here on: what counts is what the records say in the end.
		importLater(s, space, apptest.Zipped(t, map[string]string{"round.md": "# Round\n\n" + strings.Repeat("word ",
			round+1) +
			"\n", "more.md": "# More\n"}))
		s.Raw(http.MethodGet, "/v1/spaces/"+space+"/pdf", s.Token, nil)
		s.Raw(http.MethodPut, "/v1/orgs/"+s.Organization+"/openapi/things", s.Token,
			map[string]any{"source": map[string]any{"text": description(strings.Repeat("1", round+1))}})
		s.Raw(http.MethodPost, at+"/follow", s.Token, nil)
		s.Raw(http.MethodPost, at+"/machine", s.Token, map[string]any{})
		time.Sleep(rand.N(60 * time.Millisecond))
		gate.Shut()
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		gate.Open()
		time.Sleep(rand.N(200 * time.Millisecond))
	}

	// A claim that was written but not read back waits for the end of its lease, half a minute.
	deadline := time.Now().Add(2 * time.Minute)
	for {
		jobs, err := count(`SELECT count(*) FROM job WHERE state IN ('queued', 'running') AND repeat_every = 0`)
		if err == nil && jobs == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs do not end: %v", jobs, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	for name, query := range unfinished {
		if open, err := count(query); err != nil || open != 0 {
			t.Errorf("%s: %d say that work goes on for which there is no job any more: %v", name, open, err)
		}
	}
	for _, kind := range []string{"import", "print.pdf", "spec.process", "translation.follow", "translation.machine"} {
		if ran, err := count(`SELECT count(*) FROM job WHERE kind = '` + kind + `'`); err != nil || ran == 0 {
			t.Errorf("no job of the kind %s ran: %v", kind, err)
		}
	}
}

// importLater uploads an archive that a job imports.
func importLater(s *apptest.Server, space string, archive []byte) apptest.Answer {
	s.T.Helper()
	request, err := http.NewRequestWithContext(s.T.Context(), http.MethodPost, s.Base+"/v1/spaces/"+space+
		"/content/upload?name=docs.zip", bytes.NewReader(archive))
	if err != nil {
		s.T.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	request.Header.Set("Prefer", "respond-async")
	return s.Send(request)
}
