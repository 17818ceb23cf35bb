// Package apptest runs the whole program for tests, on loopback and on a database of its own, with an organization and
// its first admin. It owns how tests ask a server and what they need there first: a space, people with a role, a site.
//
// It promises that each answer to Call and CallAs is as the OpenAPI document describes it, and that no secret which a
// test has seen stands in the log of a server: the end of a test looks, whatever the test does. Only tests import it.
package apptest

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
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// Server is the whole program answering on loopback, with its first admin.
type Server struct {
	T       *testing.T
	Storage config.Storage
	// Base is the server's address, without a slash at its end.
	Base string
	App  *app.App
	// Organization is the id of the first organization, Token that of its admin, Ada.
	Organization string
	Token        string
	// Document is the OpenAPI document.
	Document map[string]any
	Log      *Log
	// Transport takes requests to the server; nil is the network.
	Transport http.RoundTripper
	opened    *db.DB  // for what no operation changes; see Exec
	people    *people // what Member and Team use; nil opens the database for each
	// paths has those of the document by method.
	paths map[string][]knownPath
	// Stop ends the program; it may be called more than once.
	Stop func()
}

// InSQLite is SQLite with all tables and no rows.
func InSQLite(t *testing.T) config.Storage {
	return config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.SQLiteURL(t)}
}

// InPostgres is PostgreSQL with all tables and no rows.
func InPostgres(t *testing.T) config.Storage {
	return config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.PostgresURL(t)}
}

// OnBoth runs a test on a server with SQLite and on one with PostgreSQL.
func OnBoth(t *testing.T, test func(t *testing.T, s *Server)) {
	t.Helper()
	OnBothWith(t, nil, test)
}

// OnBothWith is OnBoth with other settings. The two run beside each other, and it returns after both: these
// tests are the longest and would else keep one core busy at the end.
func OnBothWith(t *testing.T, change func(*config.Serve), test func(t *testing.T, s *Server)) {
	t.Helper()
	t.Run("on", func(t *testing.T) {
		t.Run("sqlite", func(t *testing.T) {
			t.Parallel()
			test(t, Start(t, InSQLite(t), change))
		})
		t.Run("postgres", func(t *testing.T) {
			t.Parallel()
			test(t, Start(t, InPostgres(t), change))
		})
	})
}

// OnSQLite starts one server for tests in which no SQL is involved.
func OnSQLite(t *testing.T, change func(*config.Serve)) *Server {
	return Start(t, InSQLite(t), change)
}

// Fetching lets a server fetch from this machine, where the tests' own sources are.
func Fetching(settings *config.Serve) {
	settings.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
}

// Tests keep little and make much garbage: collecting it four times as seldom saves a fifth of their time. GOGC says
// otherwise.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// Start starts a server on a storage; change may be nil, or change its settings. It ends with the test.
func Start(t *testing.T, storage config.Storage, change func(*config.Serve)) *Server {
	t.Helper()
	book := &Log{t: t}
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
	settings.RateLimit, settings.CheapPasswords, settings.SettleTime = 0, true, 20*time.Millisecond
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
	t.Cleanup(func() {
		end()
		book.audit()
	})
	read, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	return &Server{
		T: t, Storage: storage, Base: settings.BaseURL, App: program,
		Organization: string(made.Organization.ID), Token: made.Secret, Document: read.document, paths: read.paths,
		Log: book, Stop: end,
	}
}

// In returns the same server for a test within the one that it was started in, which fails in its place.
func (s *Server) In(t *testing.T) *Server {
	within := *s
	within.T, within.opened = t, nil
	return &within
}

// contract is the OpenAPI document, and the schemas in it that answers were held against.
type contract struct {
	document map[string]any
	paths    map[string][]knownPath
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
	c.paths = describe(c.document)
	c.schemas.DefaultDraft(jsonschema.Draft2020)
	resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return c, c.schemas.AddResource("openapi.json", resource)
})

// Document returns the OpenAPI document of all servers, for tests that start none.
func Document(t *testing.T) map[string]any {
	t.Helper()
	described, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	return described.document
}

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

// Answer is what the server said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Raw sends a request and checks nothing.
func (s *Server) Raw(method, path, token string, body any) Answer {
	s.T.Helper()
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
			s.T.Fatal(err)
		}
		reader, contentType = bytes.NewReader(encoded), "application/json"
	}
	address := path
	if strings.HasPrefix(path, "/") {
		address = s.Base + path
	}
	request, err := http.NewRequestWithContext(s.T.Context(), method, address, reader)
	if err != nil {
		s.T.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return s.Send(request)
}

// Send sends a request, follows no redirect and checks nothing.
func (s *Server) Send(request *http.Request) Answer {
	s.T.Helper()
	transport := &http.Client{Transport: s.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := transport.Do(request)
	if err != nil {
		s.T.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	got := Answer{Status: response.StatusCode, Header: response.Header, Body: raw}
	seen.exchange(request, got)
	return got
}

// Call sends a request as the first admin, wants a status, checks the answer against the OpenAPI document, and decodes
// it into out unless that is nil.
func (s *Server) Call(method, path string, body any, want int, out any) Answer {
	s.T.Helper()
	return s.CallAs(s.Token, method, path, body, want, out)
}

// CallAs is Call with the token of somebody else; "" is nobody.
func (s *Server) CallAs(token, method, path string, body any, want int, out any) Answer {
	s.T.Helper()
	got := s.Raw(method, path, token, body)
	if got.Status != want {
		s.T.Fatalf("%s %s: status %d, want %d\n%s", method, path, got.Status, want, got.Body)
	}
	s.Check(method, path, got)
	if out != nil {
		if err := json.Unmarshal(got.Body, out); err != nil {
			s.T.Fatalf("%s %s: %v\n%s", method, path, err, got.Body)
		}
	}
	return got
}

// Refused sends a request as the first admin, and wants the JSON of an error with a status and a text in its message.
func (s *Server) Refused(method, path string, body any, want int, says string) {
	s.T.Helper()
	var refused struct {
		Error struct {
			Code    int
			Message string
		}
	}
	got := s.Call(method, path, body, want, &refused)
	if refused.Error.Code != want || !strings.Contains(refused.Error.Message, says) {
		s.T.Errorf("%.600s does not say %q", got.Body, says)
	}
}

// Check holds an answer against the schema that the OpenAPI document gives for it.
func (s *Server) Check(method, path string, got Answer) {
	s.T.Helper()
	pattern := s.pattern(method, path)
	if pattern == "" {
		s.T.Fatalf("%s %s is not in the OpenAPI document", method, path)
	}
	operations := s.Document["paths"].(map[string]any)[pattern].(map[string]any)
	operation := operations[strings.ToLower(method)].(map[string]any)
	responses := operation["responses"].(map[string]any)
	status := fmt.Sprint(got.Status)
	if _, described := responses[status]; !described {
		s.T.Errorf("%s %s answers %s, which the OpenAPI document does not say", method, pattern, status)
		return
	}
	if len(got.Body) == 0 || !strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") {
		return
	}
	pointer := "#/paths/" + escapePointer(pattern) + "/" + strings.ToLower(method) + "/responses/" + status +
		"/content/application~1json/schema"
	described, err := readContract()
	if err != nil {
		s.T.Fatal(err)
	}
	schema, err := described.schema(pointer)
	if err != nil {
		s.T.Fatalf("%s %s %s: %v", method, pattern, status, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.Body))
	if err != nil {
		s.T.Fatalf("%s %s: %v\n%s", method, path, err, got.Body)
	}
	if err := schema.Validate(value); err != nil {
		s.T.Errorf("%s %s: the answer does not match the OpenAPI document: %v\n%.2000s", method, path, err, got.Body)
	}
}

func escapePointer(text string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(text))
}

// knownPath is a path of the OpenAPI document that has a method.
type knownPath struct {
	path       string
	parts      []string
	parameters int
}

// describe sorts the paths of the document by their methods, in upper case.
func describe(document map[string]any) map[string][]knownPath {
	methods := map[string][]knownPath{}
	for path, item := range document["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			method = strings.ToUpper(method)
			methods[method] = append(methods[method],
				knownPath{path, strings.Split(path, "/"), strings.Count(path, "{")})
		}
	}
	return methods
}

// pattern finds the path of the OpenAPI document that a request's path belongs to.
func (s *Server) pattern(method, path string) string {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, s.Base), "?")
	segments := strings.Split(path, "/")
	var best knownPath
	for _, each := range s.paths[method] {
		if len(each.parts) != len(segments) && !strings.HasSuffix(each.path, "{pagePath}") {
			continue
		}
		matched := len(segments) >= len(each.parts)
		for i := 0; matched && i < len(each.parts); i++ {
			matched = strings.HasPrefix(each.parts[i], "{") || each.parts[i] == segments[i]
		}
		// A fixed word beats a parameter.
		if matched && (best.path == "" || each.parameters < best.parameters) {
			best = each
		}
	}
	return best.path
}

// Identified is any resource.
type Identified struct {
	ID string `json:"id"`
}

// Space makes a space.
func (s *Server) Space(title string) string {
	s.T.Helper()
	var made Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", map[string]any{"title": title}, http.StatusCreated,
		&made)
	return made.ID
}

// Member adds a person with a role and returns their token.
func (s *Server) Member(role org.Role, email string) string {
	s.T.Helper()
	if s.people != nil {
		if role == Guest {
			role = org.RoleGuest
		}
		made, err := s.people.operator.AddUser(s.T.Context(), org.NewMember{
			Email: email, Name: "Someone", Organization: id.Organization(s.Organization), Role: role,
		})
		if err != nil {
			s.T.Fatal(err)
		}
		return made.Secret
	}
	made, err := app.AddUser(s.T.Context(), s.Storage, app.NewMember{
		Email: email, Name: "Someone", Organization: id.Organization(s.Organization),
		Role: cmp.Or(string(role), "guest"),
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.T.Fatal(err)
	}
	return made.Secret
}

// Upload imports a file into a space and waits for it.
func (s *Server) Upload(space, name string, content []byte) {
	s.T.Helper()
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name="+url.QueryEscape(name), content,
		http.StatusCreated, nil)
}
