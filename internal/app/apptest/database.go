package apptest

import (
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/platform/db"
)

// Database opens the server's database beside it.
func (s *Server) Database() *db.DB {
	s.T.Helper()
	database, err := db.Open(s.T.Context(), db.Config{URL: s.Storage.Database()})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() {
		if err := database.Close(); err != nil {
			s.T.Error(err)
		}
	})
	return database
}

// OnPostgres reports whether the server's database is PostgreSQL, for tests that try some of their cases on one
// database alone.
func (s *Server) OnPostgres() bool { return strings.HasPrefix(s.Storage.DatabaseURL, "postgres") }

// Find wants a search of a space to find that many pages on its first page of results.
func (s *Server) Find(space, text string, want int) {
	s.T.Helper()
	var found struct{ Items []any }
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?limit=20&query="+text, nil, http.StatusOK, &found)
	if len(found.Items) != want {
		s.T.Errorf("searching %s for %q found %d pages, want %d", space, text, len(found.Items), want)
	}
}
