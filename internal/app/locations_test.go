package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/httpx/httpxtest"
)

// doors are addresses of a server with sites, each with a place where a stranger may put what they like. What is put
// there never leads a browser to another origin.
type doors struct {
	handler http.Handler
	token   string
	// ways are host and what comes before and after a path, each of another way by which a request finds its handler.
	ways [][3]string
	// signed ends an address of the site at its own host with a token that counts, shared begins one with a share link.
	signed, shared string
}

// openDoors makes a site at a host of its own, with a share link and tokens of visitors. It does not listen anywhere,
// so that a fuzz target has it too.
func openDoors(t testing.TB, storage config.Storage) doors {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	made, err := app.Init(t.Context(), storage, app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"}, log)
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Defaults(storage.Data)
	settings.Storage, settings.BaseURL, settings.RateLimit, settings.SitesDomain = storage, "http://recto.test", 0,
		apptest.SitesDomain
	settings.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	program, err := app.New(t.Context(), settings, "test", log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := program.Close(); err != nil {
			t.Error(err)
		}
	})
	d := doors{handler: program.Handler(), token: made.Secret}
	organization := "/v1/orgs/" + string(made.Organization.ID)
	var space, site apptest.Identified
	d.call(t, http.MethodPost, organization+"/spaces", `{"title":"Handbook"}`, &space)
	d.call(t, http.MethodPost, "/v1/spaces/"+space.ID+"/content", `{"changes":[`+apptest.OnePage+`]}`, nil)
	d.call(t, http.MethodPost, organization+"/sites", `{"title":"Handbook","visibility":"public","spaces":["`+space.ID+
		`"]}`, &site)
	at := organization + "/sites/" + site.ID
	d.call(t, http.MethodPost, at+"/publish", "", nil)
	d.call(t, http.MethodPatch, at, `{"proxy":"`+apptest.ProxyHost+`/help"}`, nil)
	var link struct{ URLs struct{ Published string } }
	d.call(t, http.MethodPost, at+"/share-links", `{"name":"Customers"}`, &link)
	d.call(t, http.MethodPut, at+"/adaptive-schema",
		`{"jsonSchema":{"type":"object","properties":{"plan":{"type":"string"}},"additionalProperties":false}}`, nil)
	d.call(t, http.MethodPatch, at, `{"adaptiveContent":{"enabled":true}}`, nil)
	var auth struct{ PrivateKey string }
	d.call(t, http.MethodGet, at+"/publishing/auth", "", &auth)
	database, err := db.Open(t.Context(), db.Config{URL: storage.Database()})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	// What the site is looked up by is a proof in the name service, which no test has.
	if _, err := database.Write().ExecContext(t.Context(),
		`UPDATE site SET custom_hostname = $1, hostname_proven = true WHERE id = $2`, apptest.OwnHost,
		site.ID); err != nil {
		t.Fatal(err)
	}
	d.signed = "?jwt_token=" + apptest.SignClaims(t, auth.PrivateKey, map[string]any{"plan": "pro"})
	d.shared = "/" + path.Base(link.URLs.Published)
	below := made.Organization.Hostname + "." + apptest.SitesDomain
	for _, each := range []struct{ host, root string }{{apptest.OwnHost, ""}, {below, "/handbook"},
		{"recto.test", "/sites/" + made.Organization.Hostname + "/handbook"}} {
		for _, way := range [][2]string{
			{"", ""}, {"", d.signed}, {"/", d.signed}, {d.shared, ""}, {d.shared + "/", ""}, {d.shared + "/", "?a=1"},
			{"/~/auth/login?location=", ""}, {"/~/auth/logout?location=", ""},
			{"/~/changes/", ""}, {"/~/visitor/", ""}, {"/~/files/", ""}, {"/~/feedback/", ""}, {"/?", ""},
			{"/start/", ""},
		} {
			d.ways = append(d.ways, [3]string{each.host, each.root + way[0], way[1]})
		}
	}
	for _, before := range []string{"", "/sites/", "/signin?next=", "/signin/sso?next=", "/account", "/signin/saml/",
		"/v1", "/-"} {
		d.ways = append(d.ways, [3]string{"recto.test", before, ""})
	}
	d.ways = append(d.ways, [3]string{below, "", ""})
	return d
}

// call sends a request of the API that has to succeed.
func (d doors) call(t testing.TB, method, target, body string, out any) {
	t.Helper()
	request := httptest.NewRequest(method, "http://recto.test"+target, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+d.token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, request)
	if answer.Code >= 300 {
		t.Fatalf("%s %s: %d\n%s", method, target, answer.Code, answer.Body)
	}
	if out != nil {
		if err := json.Unmarshal(answer.Body.Bytes(), out); err != nil {
			t.Fatal(err)
		}
	}
}

// ask sends a request as it stands on the wire, and returns the status and where the answer leads. The status is 0 for
// what no server takes, and for what asks for another host by itself.
func (d doors) ask(t testing.TB, host, target, forwarded string) (status int, location string) {
	t.Helper()
	written := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nX-Forwarded-Host: %s\r\n\r\n", target,
		host, forwarded)
	request, err := http.ReadRequest(bufio.NewReader(strings.NewReader(written)))
	if err != nil || request.Host != host {
		return 0, ""
	}
	request.RemoteAddr = "127.0.0.1:1"
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, request.WithContext(t.Context()))
	return answer.Code, answer.Header().Get("Location")
}

// try sends a hostile text through each door.
func (d doors) try(t testing.TB, hostile string) {
	t.Helper()
	for _, way := range d.ways {
		target := way[1] + hostile + way[2]
		if !strings.HasPrefix(target, "/") {
			target = "/" + target
		}
		for _, forwarded := range []string{"", apptest.ProxyHost} {
			status, location := d.ask(t, way[0], target, forwarded)
			leads := status >= 300 && status < 400 && status != http.StatusNotModified
			if leads != (location != "") {
				t.Errorf("%s%q: %d leads to %q", way[0], target, status, location)
			}
			want := "http://" + way[0]
			if got, ok := httpxtest.Origin(want, location); leads && (!ok || got != want) {
				t.Errorf("%s%q answers %d and leads to %q by %q", way[0], target, status, got, location)
			}
		}
	}
}

// TestNoLocationLeavesTheOrigin: whatever somebody puts into an address of a site or of the product's pages, no answer
// leads to another server.
func TestNoLocationLeavesTheOrigin(t *testing.T) {
	for name, storage := range map[string]func(*testing.T) config.Storage{"sqlite": apptest.InSQLite,
		"postgres": apptest.InPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opened := openDoors(t, storage(t))
			for _, hostile := range httpxtest.HostilePaths {
				opened.try(t, hostile)
			}
			random := rand.New(rand.NewPCG(3, 4))
			for range 120 {
				opened.try(t, httpxtest.HostilePath(random))
			}
		})
	}
}

func FuzzLocations(f *testing.F) {
	for _, hostile := range httpxtest.HostilePaths {
		f.Add(hostile)
	}
	opened := openDoors(f, config.Storage{Data: f.TempDir(), DatabaseURL: dbtest.SQLiteURL(f)})
	f.Fuzz(func(t *testing.T, hostile string) {
		if len(hostile) <= 2000 {
			opened.try(t, hostile)
		}
	})
}

// TestShareLinkKeepsToItsSite: the addresses that led away, one by one, and where they lead now.
func TestShareLinkKeepsToItsSite(t *testing.T) {
	opened := openDoors(t, apptest.InSQLite(t))
	for target, want := range map[string]string{
		"//evil.example" + opened.signed:    "/evil.example",
		opened.shared + "//evil.example":    "/evil.example",
		opened.shared + "/%5Cevil.example":  "/%5Cevil.example",
		opened.shared + "//evil.example?x=": "/evil.example?x=",
	} {
		if code, got := opened.ask(t, apptest.OwnHost, target, ""); code != http.StatusSeeOther || got != want {
			t.Errorf("%s answers %d and leads to %q, not %q", target, code, got, want)
		}
	}
}
