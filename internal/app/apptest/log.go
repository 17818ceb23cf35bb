package apptest

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// seen has the secrets of all requests and answers, whichever server they were for.
var seen secrets

// secrets are those of requests and answers, each with where it was seen.
type secrets struct {
	mu    sync.Mutex
	where map[string]string
}

const (
	// shortestSecret is how many characters a secret has at least, and shortestForm what has the form of one.
	shortestSecret = 16
	shortestForm   = 12
	// inviteForm begins an invite's id, and linkLength is how long the secret of a link is.
	inviteForm = "invite_"
	linkLength = 32
)

var (
	// secretForm is written apart from the masks of the log, so that a slip there is found here.
	secretForm = regexp.MustCompile(
		`rc[a-z]_[a-z2-7]{10}|invite_[a-z2-7]{28}|eyJ[A-Za-z0-9_-]{10,}\.eyJ|/[a-z2-7]{32}(/|"|$)|~/visitor/[A-Za-z0-9]|signature=[A-Za-z0-9]`)
	// secretFields are members of answers that hold secrets, secretParameters those of addresses.
	secretFields     = []string{`"token":"`, `"secret":"`, `"privateKey":"`, `"ticket":"`, `"code":"`, `"apiToken":"`}
	secretParameters = []string{"signature=", "ticket=", "jwt_token=", "token=", "shareKey="}
	// addressForms are parts of addresses that stand before a secret, but not in one run of characters with it.
	addressForms = [][]byte{[]byte("~/visitor/"), []byte("signature=")}
)

// inSecret says which characters a secret can have, inName which those of identifiers.
var inSecret, inName = characters("-_.~"), characters("_")

func characters(also string) (in [256]bool) {
	for c := range in {
		in[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || strings.IndexByte(also,
			byte(c)) >= 0
	}
	return in
}

// runs calls visit with where each longest part of a text lies that has such characters only and that many at least.
func runs(text []byte, in *[256]bool, shortest int, visit func(from, to int)) {
	from := 0
	for at, c := range text {
		if in[c] {
			continue
		}
		if at-from >= shortest {
			visit(from, at)
		}
		from = at + 1
	}
	if len(text)-from >= shortest {
		visit(from, len(text))
	}
}

// isBase32 reports whether a text has the characters of base32 only.
func isBase32(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return (r < 'a' || 'z' < r) && (r < '2' || '7' < r) }) < 0
}

// add notes secrets.
func (s *secrets) add(where string, texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.where == nil {
		s.where = map[string]string{}
	}
	for _, text := range texts {
		if len(text) >= shortestSecret {
			s.where[text] = where
		}
	}
}

// exchange notes the secrets of a request and its answer.
func (s *secrets) exchange(request *http.Request, got Answer) {
	found := []string{strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")}
	for _, cookie := range request.Cookies() {
		found = append(found, cookie.Value)
	}
	for _, cookie := range (&http.Response{Header: got.Header}).Cookies() {
		found = append(found, cookie.Value)
	}
	for _, text := range [][]byte{[]byte(request.URL.RequestURI()), got.Body} {
		for _, field := range secretFields {
			found = appendBehind(found, text, field, "", "\"\\", "\"")
		}
		for _, parameter := range secretParameters {
			found = appendBehind(found, text, parameter, "?&", "&\"#\\", "&\"#\\")
		}
	}
	if strings.Contains(got.Header.Get("Content-Type"), "json") {
		found = appendLinks(found, got.Body)
	}
	s.add(request.Method+" "+request.URL.Path, found...)
}

// appendBehind appends what stands in a text behind a word and before the first character of end, or the end of the
// text. When before is not empty, one of its characters has to stand before the word. What ends it has to be in
// closing.
func appendBehind(found []string, text []byte, word, before, end, closing string) []string {
	for rest := text; ; {
		at := bytes.Index(rest, []byte(word))
		if at < 0 {
			return found
		}
		preceded := before == "" || at > 0 && strings.IndexByte(before, rest[at-1]) >= 0
		rest = rest[at+len(word):]
		length := bytes.IndexAny(rest, end)
		if length < 0 && before == "" {
			return found
		}
		if length < 0 {
			length = len(rest)
		} else if strings.IndexByte(closing, rest[length]) < 0 {
			continue
		}
		if preceded {
			found = append(found, string(rest[:length]))
		}
	}
}

// appendLinks appends the secrets of invites and share links, wherever they stand in a text.
func appendLinks(found []string, text []byte) []string {
	runs(text, &inName, linkLength, func(from, to int) {
		run := text[from:to]
		if len(run) == linkLength && isBase32(run) {
			found = append(found, string(run))
			return
		}
		at := bytes.Index(run, []byte(inviteForm))
		if secret := at + len(inviteForm); at >= 0 && secret+linkLength <= len(run) &&
			isBase32(run[secret:secret+linkLength]) {
			found = append(found, string(run[at:secret+linkLength]))
		}
	})
	return found
}

// leaks returns the lines of a log with a secret in them, or with what has the form of one.
func (s *secrets) leaks(log []byte) (found []string) {
	s.mu.Lock()
	known := maps.Clone(s.where)
	s.mu.Unlock()
	checked := map[string]bool{}
	for line := range bytes.Lines(log) {
		line = bytes.TrimSpace(line)
		formed := false
		for _, form := range addressForms {
			formed = formed || bytes.Contains(line, form) && secretForm.Match(line)
		}
		runs(line, &inSecret, shortestForm, func(from, to int) {
			if checked[string(line[from:to])] {
				return
			}
			run := string(line[from:to])
			checked[run] = true
			if where, ok := known[run]; ok {
				found = append(found, "the secret of "+where+" is in: "+string(line))
			}
			// What stands around it is part of the form.
			formed = formed || secretForm.Match(line[max(0, from-1):min(len(line), to+1)])
		})
		if formed {
			found = append(found, string(line))
		}
	}
	return found
}

// Log is the log of one server: warnings go to the test, everything to text.
type Log struct {
	t    *testing.T
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns everything that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// audit fails the test when a secret that any test has seen so far stands in the log.
func (l *Log) audit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if leaks := seen.leaks(l.text.Bytes()); len(leaks) > 0 {
		l.t.Errorf("secrets are in the log, in %d lines, such as:\n%s", len(leaks),
			strings.Join(leaks[:min(5, len(leaks))], "\n"))
	}
}

// logger returns a log that goes to the text and the test.
func (l *Log) logger() *slog.Logger {
	return slog.New(both{
		slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}),
		slog.NewTextHandler(testWriter{l.t}, &slog.HandlerOptions{Level: slog.LevelWarn}),
	})
}

// testWriter sends the program's log to the test's.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
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
