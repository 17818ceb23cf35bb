package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// logged is what all servers of the tests have logged. At the end no secret that a test has seen may stand in it.
var logged logAudit

// logAudit collects the words of logs and the secrets of requests and answers, and finds what is both.
type logAudit struct {
	mu      sync.Mutex
	lines   int
	words   map[string]string // with the first line that has it
	secrets map[string]string // with where it was seen
	formed  []string          // lines with something that has the form of a secret
}

var (
	// word is what a secret can be a whole or the end of.
	word = regexp.MustCompile(`[A-Za-z0-9_.~-]{16,}`)
	// secretForm is written apart from the masks of the log, so that a slip there is found here.
	secretForm = regexp.MustCompile(
		`rc[a-z]_[a-z2-7]{10}|invite_[a-z2-7]{28}|eyJ[A-Za-z0-9_-]{10,}\.eyJ|/[a-z2-7]{32}(/|"|$)|~/visitor/[A-Za-z0-9]|signature=[A-Za-z0-9]`)
	// secretField is a member of an answer that holds a secret.
	secretField = regexp.MustCompile(`"(?:token|secret|privateKey|ticket|code|apiToken)":"([^"\\]{16,})"`)
	// secretParameter is one in an address.
	secretParameter = regexp.MustCompile(`[?&](?:signature|ticket|jwt_token|token|shareKey)=([^&"#\\]{16,})`)
	// linkSecret is that of an invite or a share link, wherever it stands.
	linkSecret = regexp.MustCompile(`invite_[a-z2-7]{32}|\b[a-z2-7]{32}\b`)
)

// line takes a line of a log.
func (l *logAudit) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil {
		l.words = map[string]string{}
	}
	l.lines++
	for _, found := range word.FindAllString(text, -1) {
		if _, ok := l.words[found]; !ok {
			l.words[found] = text
		}
	}
	if len(l.formed) < 10 && secretForm.MatchString(text) {
		l.formed = append(l.formed, text)
	}
}

// secret notes a secret.
func (l *logAudit) secret(text, where string) {
	if len(text) < 16 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.secrets == nil {
		l.secrets = map[string]string{}
	}
	l.secrets[text] = where
}

// exchange notes the secrets of a request and its answer.
func (l *logAudit) exchange(request *http.Request, got answer) {
	where := request.Method + " " + request.URL.Path
	l.secret(strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer "), where)
	for _, cookie := range request.Cookies() {
		l.secret(cookie.Value, where)
	}
	for _, cookie := range (&http.Response{Header: got.header}).Cookies() {
		l.secret(cookie.Value, where)
	}
	for _, form := range []*regexp.Regexp{secretField, secretParameter} {
		for _, found := range form.FindAllSubmatch(append([]byte(request.URL.RequestURI()+"\n"), got.body...), -1) {
			l.secret(string(found[1]), where)
		}
	}
	if strings.Contains(got.header.Get("Content-Type"), "json") {
		for _, found := range linkSecret.FindAll(got.body, -1) {
			l.secret(string(found), where)
		}
	}
}

// leaks returns the lines with a secret.
func (l *logAudit) leaks() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.formed
	for secret, where := range l.secrets {
		if line, ok := l.words[secret]; ok {
			found = append(found, "the secret of "+where+" is in: "+line)
		}
	}
	return found
}

// logBook is the log of one server: warnings go to the test, everything to the audit and to text.
type logBook struct {
	t    *testing.T
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *logBook) Write(p []byte) (int, error) {
	logged.line(strings.TrimSpace(string(p)))
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns everything that was logged.
func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// logger returns a log that goes to the book.
func (b *logBook) logger() *slog.Logger {
	return slog.New(both{
		slog.NewJSONHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}),
		slog.NewTextHandler(testWriter{b.t}, &slog.HandlerOptions{Level: slog.LevelWarn}),
	})
}

// both hands records to two handlers.
type both struct{ all, some slog.Handler }

// Enabled says that the first takes everything.
func (h both) Enabled(ctx context.Context, level slog.Level) bool { return h.all.Enabled(ctx, level) }

// Handle implements slog.Handler.
func (h both) Handle(ctx context.Context, record slog.Record) error {
	if h.some.Enabled(ctx, record.Level) {
		if err := h.some.Handle(ctx, record.Clone()); err != nil {
			return err
		}
	}
	return h.all.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h both) WithAttrs(attributes []slog.Attr) slog.Handler {
	return both{h.all.WithAttrs(attributes), h.some.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (h both) WithGroup(name string) slog.Handler {
	return both{h.all.WithGroup(name), h.some.WithGroup(name)}
}

// TestNoSecretStandsInTheLog asks for every address that has a secret in its path, and for ones with a secret where
// none belongs. What the other tests log is looked at by TestMain.
func TestNoSecretStandsInTheLog(t *testing.T) {
	s := onSQLite(t, nil)
	var invite struct{ ID string }
	organization := "/v1/orgs/" + s.organization
	s.call(http.MethodPost, organization+"/link-invites", `{"role":"read"}`, http.StatusCreated, &invite)
	site := s.audienceSite("Docs", "share-link", onePage)
	_, shared := site.link("Friends")
	share := strings.Trim(strings.TrimPrefix(shared, site.home), "/")
	if len(invite.ID) != len("invite_")+32 || len(share) != 32 {
		t.Fatalf("the secrets are %q and %q", invite.ID, share)
	}
	ticket := "user_01k.1999999999.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
	claims := "eyJwbGFuIjoicHJvIn0"
	shown := strings.TrimPrefix(site.home, s.base)
	addresses := []string{
		"/invites/" + s.organization + "/" + invite.ID, "/v1/orgs/" + s.organization + "/nothing/" + invite.ID,
		shown + share + "/", shown + share + "/start", "/" + share, shown + "~/visitor/" + claims + "/start",
		shown + "x/~/visitor/" + claims,
		"/v1/" + s.token, "/signin/sso/finish?ticket=" + ticket, "/" + ticket,
		"/v1/downloads/a/b/c?expires=1&signature=" + share,
		"/signin/password?token=rcl_" + share, "/signin/password/rcl_" + share,
	}
	for _, address := range addresses {
		s.raw(http.MethodGet, address, "", nil)
	}
	s.raw(http.MethodPost, organization+"/invites/"+invite.ID, s.token, nil)
	s.call(http.MethodDelete, organization+"/link-invites/"+invite.ID, nil, http.StatusResetContent, nil)
	s.stop()
	text := s.log.String()
	for _, secret := range []string{invite.ID, share, s.token, ticket, claims} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%.12s… is in the log: …%.300s", secret, text[max(0, i-200):])
		}
	}
	paths := map[string]int{}
	for line := range strings.Lines(text) {
		var entry struct{ Msg, Path string }
		if err := json.Unmarshal([]byte(line), &entry); err == nil && entry.Msg == "request" {
			paths[entry.Path]++
		}
	}
	for _, path := range []string{"/invites/" + s.organization + "/invite_…", shown + "…/start",
		shown + "~/visitor/…/start", "/v1/rct_…", organization + "/link-invites/invite_…"} {
		if paths[path] == 0 {
			t.Errorf("the access log has no request for %s: %v", path, paths)
		}
	}
}

// TestTheAuditOfLogsFindsSecrets holds that what TestMain relies on can fail.
func TestTheAuditOfLogsFindsSecrets(t *testing.T) {
	for line, secret := range map[string]string{
		`{"path":"/invites/x/invite_` + strings.Repeat("a", 32) + `"}`: "",
		`{"path":"/docs/` + strings.Repeat("b", 32) + `/start"}`:       "",
		`{"path":"/docs/some-very-secret-words/start"}`:                "some-very-secret-words",
	} {
		var audit logAudit
		audit.line(line)
		audit.secret(secret, "a test")
		if len(audit.leaks()) != 1 {
			t.Errorf("%s: %v", line, audit.leaks())
		}
	}
	var audit logAudit
	audit.line(`{"path":"/docs/start","request":"request_01jd3k9m8n7p6q5r4s3t2v1w0x"}`)
	audit.exchange(
		&http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/a", RawQuery: "signature=0123456789abcdef"},
			Header: http.Header{"Authorization": {"Bearer rct_aaaaaaaaaaaaaaaa"}}},
		answer{header: http.Header{"Content-Type": {"application/json"}, "Set-Cookie": {"a=cookie-of-sixteen"}},
			body: []byte(`{"id":"invite_` + strings.Repeat("c", 32) + `","privateKey":"0123456789abcdefg"}`)},
	)
	if len(audit.leaks()) != 0 || len(audit.secrets) != 5 {
		t.Errorf("leaks %v, secrets %v", audit.leaks(), audit.secrets)
	}
}

// checkLogged ends the tests of the package: it returns the lines with secrets, for TestMain.
func checkLogged() error {
	if leaks := logged.leaks(); len(leaks) > 0 {
		return fmt.Errorf("secrets are in the log, in %d lines, such as:\n%s", len(leaks),
			strings.Join(leaks[:min(5, len(leaks))], "\n"))
	}
	return nil
}
