package app_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

// TestStopLosesNothing holds that a server which is told to end writes what it has in memory of readers: which pages
// they have viewed, and that they have used a share link, also those who come while requests under way are finished.
func TestStopLosesNothing(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "share-link", apptest.OnePage)
		_, link := site.Link("Press")
		_, late := site.Link("Late")
		s.Publish("parrot", map[string]any{"script": "export default { async fetch() {} };", "runtime": "v2",
			"scopes": []string{"site:views:read"}})
		at := "/v1/integrations/parrot/installations/" + s.Install("parrot").ID
		s.Call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.Path[strings.LastIndexByte(site.Path,
			'/')+1:]}, http.StatusCreated, nil)
		s.Stop()

		settings := config.Defaults(s.Storage.Data)
		settings.Storage, settings.BaseURL, settings.RateLimit = s.Storage, s.Base, 0
		program, err := app.New(t.Context(), settings, "test", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		running, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- program.Run(running, listener) }()
		open := func(address string) {
			t.Helper()
			asked, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			entered := httptest.NewRecorder()
			program.Handler().ServeHTTP(entered, httptest.NewRequest(http.MethodGet, asked.Path, nil))
			request := httptest.NewRequest(http.MethodGet, entered.Header().Get("Location"), nil)
			for _, cookie := range entered.Result().Cookies() {
				request.AddCookie(cookie)
			}
			shown := httptest.NewRecorder()
			program.Handler().ServeHTTP(shown, request)
			if shown.Code != http.StatusOK || !strings.Contains(shown.Body.String(), "The whole text") {
				t.Fatalf("%s: %d", address, shown.Code)
			}
		}
		open(link)

		// A request whose body is still on its way keeps the server from ending at once.
		under, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer under.Close()
		if err := under.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(under, "POST /v1/orgs/%s/sites HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
			s.Organization, s.Token)
		answers := bufio.NewReader(under)
		if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q, %v", line, err)
		}
		stop()
		for end := time.Now().Add(20 * time.Second); ; {
			health := httptest.NewRecorder()
			program.Handler().ServeHTTP(health, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			if health.Code != http.StatusOK {
				break
			}
			if time.Now().After(end) {
				t.Fatal("the server does not end")
			}
		}
		open(late)
		fmt.Fprint(under, "{}")
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := program.Close(); err != nil {
			t.Fatal(err)
		}

		stored, err := db.Open(t.Context(), db.Config{URL: s.Storage.Database()})
		if err != nil {
			t.Fatal(err)
		}
		defer stored.Close()
		for what, query := range map[string]string{
			"views":      `SELECT count(*) FROM integration_event WHERE kind = 'site_view'`,
			"used links": `SELECT count(*) FROM share_link WHERE last_used_at IS NOT NULL`,
		} {
			var count int
			if err := stored.Read().QueryRowContext(t.Context(), query).Scan(&count); err != nil || count != 2 {
				t.Errorf("%s: %d, %v", what, count, err)
			}
		}
	})
}
