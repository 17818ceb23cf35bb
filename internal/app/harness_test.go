package app_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// server is the whole program answering on loopback, with its first admin.
type server struct {
	t            *testing.T
	storage      config.Storage
	base         string
	app          *app.App
	organization string
	token        string
	document     map[string]any
	log          *logBook
	opened       *db.DB // for what no operation changes; see exec
	// stop ends the program; it may be called more than once.
	stop func()
}

// inSQLite and inPostgres are storage with all tables and no rows.
func inSQLite(t *testing.T) config.Storage {
	return config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.SQLiteURL(t)}
}

func inPostgres(t *testing.T) config.Storage {
	return config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.PostgresURL(t)}
}

// onBoth runs a test on a server with SQLite and on one with PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, s *server)) {
	t.Helper()
	onBothWith(t, nil, test)
}

// onBothWith is onBoth with other settings. The two run beside each other, and it returns after both: the tests of this
// package are the longest and would else keep one core busy at the end.
func onBothWith(t *testing.T, change func(*config.Serve), test func(t *testing.T, s *server)) {
	t.Helper()
	t.Run("on", func(t *testing.T) {
		t.Run("sqlite", func(t *testing.T) {
			t.Parallel()
			test(t, start(t, inSQLite(t), change))
		})
		t.Run("postgres", func(t *testing.T) {
			t.Parallel()
			test(t, start(t, inPostgres(t), change))
		})
	})
}

// onSQLite starts one server for tests in which no SQL is involved.
func onSQLite(t *testing.T, change func(*config.Serve)) *server {
	return start(t, inSQLite(t), change)
}

// fetching lets a server fetch from this machine, where the tests' own sources are.
func fetching(settings *config.Serve) {
	settings.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
}

func start(t *testing.T, storage config.Storage, change func(*config.Serve)) *server {
	t.Helper()
	book := &logBook{t: t}
	log := book.logger()
	made, err := app.Init(t.Context(), storage, app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"}, log)
	if err != nil {
		t.Fatal(err)
	}
	// The address has to be known before the program is put together, because its answers hold it.
	var handler http.Handler
	listener := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	settings := config.Defaults(storage.Data)
	settings.Storage = storage
	settings.BaseURL = "http://" + listener.Listener.Addr().String()
	settings.RateLimit = 0
	if change != nil {
		change(&settings)
	}
	program, err := app.New(t.Context(), settings, "test", log)
	if err != nil {
		t.Fatal(err)
	}
	handler = program.Handler()
	running, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- program.Run(running, nil) }()
	listener.Start()
	end := sync.OnceFunc(func() {
		listener.Close()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := program.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	described, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	return &server{
		t: t, storage: storage, base: settings.BaseURL, app: program,
		organization: made.Organization.ID, token: made.Secret, document: described.document, log: book, stop: end,
	}
}

// contract is the OpenAPI document, and the schemas in it that answers were held against.
type contract struct {
	document map[string]any
	mu       sync.Mutex
	schemas  *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// readContract reads the document once for all servers, because it differs in their address alone: with its schemas it
// takes longer than most tests. TestDocumentForClients holds that it is the one that is served.
var readContract = sync.OnceValues(func() (*contract, error) {
	raw, err := app.OpenAPI("http://127.0.0.1", "test")
	if err != nil {
		return nil, err
	}
	c := &contract{schemas: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	if err := json.Unmarshal(raw, &c.document); err != nil {
		return nil, err
	}
	c.schemas.DefaultDraft(jsonschema.Draft2020)
	resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return c, c.schemas.AddResource("openapi.json", resource)
})

// schema is the one that a pointer into the document leads to.
func (c *contract) schema(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.compiled[pointer]; ok {
		return found, nil
	}
	made, err := c.schemas.Compile("openapi.json" + pointer)
	if err == nil {
		c.compiled[pointer] = made
	}
	return made, err
}

// testWriter sends the program's log to the test's.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// answer is what the server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// raw sends a request and checks nothing.
func (s *server) raw(method, path, token string, body any) answer {
	s.t.Helper()
	var reader io.Reader
	contentType := ""
	switch body := body.(type) {
	case nil:
	case string:
		reader, contentType = strings.NewReader(body), "application/json"
	case []byte:
		reader, contentType = bytes.NewReader(body), "application/octet-stream"
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		reader, contentType = bytes.NewReader(encoded), "application/json"
	}
	address := path
	if strings.HasPrefix(path, "/") {
		address = s.base + path
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, address, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return s.send(request)
}

func (s *server) send(request *http.Request) answer {
	s.t.Helper()
	transport := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := transport.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	got := answer{status: response.StatusCode, header: response.Header, body: raw}
	logged.exchange(request, got)
	return got
}

// call sends a request as the first admin, wants a status, checks the answer against the OpenAPI document, and decodes
// it into out unless that is nil.
func (s *server) call(method, path string, body any, want int, out any) answer {
	s.t.Helper()
	return s.callAs(s.token, method, path, body, want, out)
}

func (s *server) callAs(token, method, path string, body any, want int, out any) answer {
	s.t.Helper()
	got := s.raw(method, path, token, body)
	if got.status != want {
		s.t.Fatalf("%s %s: status %d, want %d\n%s", method, path, got.status, want, got.body)
	}
	s.check(method, path, got)
	if out != nil {
		if err := json.Unmarshal(got.body, out); err != nil {
			s.t.Fatalf("%s %s: %v\n%s", method, path, err, got.body)
		}
	}
	return got
}

// check holds an answer against the schema that the OpenAPI document gives for it.
func (s *server) check(method, path string, got answer) {
	s.t.Helper()
	pattern := s.pattern(method, path)
	if pattern == "" {
		s.t.Fatalf("%s %s is not in the OpenAPI document", method, path)
	}
	operations := s.document["paths"].(map[string]any)[pattern].(map[string]any)
	operation := operations[strings.ToLower(method)].(map[string]any)
	responses := operation["responses"].(map[string]any)
	status := fmt.Sprint(got.status)
	if _, described := responses[status]; !described {
		s.t.Errorf("%s %s answers %s, which the OpenAPI document does not say", method, pattern, status)
		return
	}
	if len(got.body) == 0 || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		return
	}
	pointer := "#/paths/" + escapePointer(pattern) + "/" + strings.ToLower(method) + "/responses/" + status +
		"/content/application~1json/schema"
	described, err := readContract()
	if err != nil {
		s.t.Fatal(err)
	}
	schema, err := described.schema(pointer)
	if err != nil {
		s.t.Fatalf("%s %s %s: %v", method, pattern, status, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.body))
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", method, path, err, got.body)
	}
	if err := schema.Validate(value); err != nil {
		s.t.Errorf("%s %s: the answer does not match the OpenAPI document: %v\n%.2000s", method, path, err, got.body)
	}
}

func escapePointer(text string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(text))
}

// pattern finds the path of the OpenAPI document that a request's path belongs to.
func (s *server) pattern(method, path string) string {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, s.base), "?")
	segments := strings.Split(path, "/")
	best := ""
	for candidate, item := range s.document["paths"].(map[string]any) {
		if _, ok := item.(map[string]any)[strings.ToLower(method)]; !ok {
			continue
		}
		parts := strings.Split(candidate, "/")
		if len(parts) != len(segments) && !strings.HasSuffix(candidate, "{pagePath}") {
			continue
		}
		matched := len(segments) >= len(parts)
		for i := 0; matched && i < len(parts); i++ {
			matched = strings.HasPrefix(parts[i], "{") || parts[i] == segments[i]
		}
		// A fixed word beats a parameter.
		if matched && (best == "" || strings.Count(candidate, "{") < strings.Count(best, "{")) {
			best = candidate
		}
	}
	return best
}

// identified is any resource.
type identified struct {
	ID string `json:"id"`
}

// space makes a space.
func (s *server) space(title string) string {
	s.t.Helper()
	var made identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/spaces", map[string]any{"title": title}, http.StatusCreated,
		&made)
	return made.ID
}

// member adds a person with a role and returns their token.
func (s *server) member(role org.Role, email string) string {
	s.t.Helper()
	made, err := app.AddUser(s.t.Context(), s.storage, app.NewMember{
		Email: email, Name: "Someone", Organization: s.organization, Role: cmp.Or(string(role), "guest"),
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Secret
}

// upload imports a file into a space and waits for it.
func (s *server) upload(space, name string, content []byte) {
	s.t.Helper()
	s.call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name="+url.QueryEscape(name), content,
		http.StatusCreated, nil)
}
