package httpx

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/rectodocs/recto/internal/base/id"
)

// logged is a log that a test can read.
type logged struct{ bytes.Buffer }

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(l, nil)) }

// lines returns the lines with a message.
func (l *logged) lines(t *testing.T, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(l.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

func get(t *testing.T, handler http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response
}

func TestRequestID(t *testing.T) {
	var log logged
	var inside string
	handler := Edge{Log: log.logger()}.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside = RequestID(r.Context())
	}))
	tests := map[string]bool{ // whether the client's id is kept
		"":                       false,
		"abc-123_X.y":            true,
		strings.Repeat("a", 64):  true,
		strings.Repeat("a", 65):  false,
		"with space":             false,
		"line\nfeed":             false,
		`"quote`:                 false,
		"é":                      false,
		"<script>alert</script>": false,
	}
	for given, kept := range tests {
		response := get(t, handler, "/", "X-Request-Id", given)
		got := response.Header().Get("X-Request-Id")
		if got != inside {
			t.Errorf("the answer has the id %q and the handler %q", got, inside)
		}
		if kept && got != given || !kept && !id.Valid("request", got) {
			t.Errorf("%q became %q", given, got)
		}
	}
	if RequestID(t.Context()) != "" {
		t.Error("there is a request id outside a request")
	}
}

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "203.0.113.9:1234", nil, "203.0.113.9"},
		{"header of a stranger", "203.0.113.9:1234", []string{"198.51.100.1"}, "203.0.113.9"},
		{"one proxy", "10.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		{"client made one up", "10.0.0.1:1234", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:1234", []string{"1.1.1.1, 198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"two headers", "10.0.0.1:1234", []string{"1.1.1.1", "198.51.100.1"}, "198.51.100.1"},
		{"garbage before", "10.0.0.1:1234", []string{"garbage, 198.51.100.1"}, "198.51.100.1"},
		{"garbage last", "10.0.0.1:1234", []string{"198.51.100.1, garbage"}, "10.0.0.1"},
		{"proxies all the way", "10.0.0.1:1234", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"with a port", "10.0.0.1:1234", []string{"198.51.100.1:5555"}, "198.51.100.1"},
		{"IPv6", "[fd00::1]:1234", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 with a port", "[fd00::1]:1234", []string{"[2001:db8::1]:443"}, "2001:db8::1"},
		{"mapped", "[::ffff:10.0.0.1]:1234", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"empty header", "10.0.0.1:1234", []string{""}, "10.0.0.1"},
		{"no peer", "@", []string{"198.51.100.1"}, "invalid IP"},
	}
	for _, test := range tests {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		request.RemoteAddr = test.peer
		for _, value := range test.forwarded {
			request.Header.Add("X-Forwarded-For", value)
		}
		var got netip.Addr
		var log logged
		Edge{Log: log.logger(), TrustedProxies: trusted}.
			Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = ClientAddress(r.Context())
			})).ServeHTTP(httptest.NewRecorder(), request)
		if got.String() != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestAccessLog(t *testing.T) {
	var log logged
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/spaces/{space}", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "short and stout")
	})
	handler := Edge{Log: log.logger()}.Wrap(mux)
	get(t, handler, "/v1/spaces/space_1?token=secret", "X-Request-Id", "abc", "User-Agent", "test")
	lines := log.lines(t, "request")
	if len(lines) != 1 {
		t.Fatalf("there are %d lines:\n%s", len(lines), log.String())
	}
	got := lines[0]
	if _, ok := got["duration"]; !ok {
		t.Error("the line has no duration")
	}
	for _, varying := range []string{"time", "duration", "msg", "level"} {
		delete(got, varying)
	}
	want := map[string]any{
		"request": "abc", "method": "GET", "host": "example.com", "path": "/v1/spaces/space_1",
		"route":  "GET /v1/spaces/{space}",
		"status": 418.0, "bytes": 15.0, "client": "192.0.2.1", "agent": "test",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
}

func TestPanicBecomesOne500(t *testing.T) {
	var log logged
	metrics := NewMetrics()
	edge := Edge{Log: log.logger(), Metrics: metrics, OnPanic: func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, "sorry, %s", RequestID(r.Context()))
	}}
	response := get(t, edge.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Content-Length", "5000")
		panic("secret reason")
	})), "/", "X-Request-Id", "abc")
	if response.Code != 500 || response.Body.String() != "sorry, abc" || response.Header().Get("ETag") != "" ||
		response.Header().Get("Content-Length") != "" {
		t.Errorf("got %d %q %v", response.Code, response.Body, response.Header())
	}
	panics := log.lines(t, "panic in a handler")
	if len(panics) != 1 || panics[0]["request"] != "abc" || panics[0]["panic"] != "secret reason" ||
		!strings.Contains(fmt.Sprint(panics[0]["stack"]), "httpx_test.go") {
		t.Errorf("log:\n%s", log.String())
	}
	if lines := log.lines(t, "request"); len(lines) != 1 || lines[0]["status"] != 500.0 {
		t.Errorf("access log: %v", lines)
	}
	if plain := get(t, Edge{Log: log.logger()}.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic("x")
	})), "/"); plain.Code != 500 || strings.Contains(plain.Body.String(), "x") {
		t.Errorf("without OnPanic: %d %q", plain.Code, plain.Body)
	}
}

func TestPanicAfterTheHeaderCutsTheConnection(t *testing.T) {
	var log logged
	server := httptest.NewServer(
		Edge{Log: log.logger()}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
			panic("too late")
		})))
	defer server.Close()
	response, err := http.Get(server.URL)
	if err == nil {
		defer response.Body.Close()
		_, err = io.ReadAll(response.Body)
	}
	if err == nil {
		t.Error("the client took half an answer for a whole one")
	}
}

func TestRecorderPassesThrough(t *testing.T) {
	var log logged
	server := httptest.NewServer(
		Edge{Log: log.logger()}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Errorf("deadline: %v", err)
			}
			_, _ = io.WriteString(w, "a")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("flush: %v", err)
			}
			w.(http.Flusher).Flush()
			if _, err := io.Copy(w, strings.NewReader("bcd")); err != nil {
				t.Errorf("copy: %v", err)
			}
		})))
	response, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "abcd" {
		t.Errorf("got %q, error %v", body, err)
	}
	response.Body.Close()
	server.Close()
	if lines := log.lines(t, "request"); len(lines) != 1 || lines[0]["bytes"] != 4.0 || lines[0]["status"] != 200.0 {
		t.Errorf("access log: %v", lines)
	}
}

func TestMetrics(t *testing.T) {
	var log logged
	metrics := NewMetrics()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{thing}", func(_ http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /named", func(_ http.ResponseWriter, r *http.Request) { SetRoute(r.Context(), "listThings") })
	handler := Edge{Log: log.logger(), Metrics: metrics}.Wrap(mux)
	get(t, handler, "/things/1")
	get(t, handler, "/things/2")
	get(t, handler, "/named")
	get(t, handler, "/nowhere/1")
	get(t, handler, "/nowhere/2")
	request := httptest.NewRequestWithContext(t.Context(), "BREW", "/nowhere", nil)
	handler.ServeHTTP(httptest.NewRecorder(), request)

	shown := get(t, metrics.Handler(), "/metrics").Body.String()
	for _, want := range []string{
		`recto_http_request_duration_seconds_count{method="GET",route="GET /things/{thing}",status="200"} 2`,
		`recto_http_request_duration_seconds_count{method="GET",route="listThings",status="200"} 1`,
		`recto_http_request_duration_seconds_count{method="GET",route="other",status="404"} 2`,
		`recto_http_request_duration_seconds_count{method="other",route="other",status="404"} 1`,
		"recto_http_requests_in_flight 0",
		"go_goroutines",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

func TestHealth(t *testing.T) {
	var log logged
	var failure error
	health := NewHealth(log.logger(),
		Check{Name: "database", Run: func(context.Context) error { return failure }},
		Check{Name: "blobs", Run: func(context.Context) error { return nil }})
	ready := func(want int, body string) {
		t.Helper()
		response := get(t, http.HandlerFunc(health.Ready), "/readyz")
		if response.Code != want || strings.TrimSpace(response.Body.String()) != body {
			t.Errorf("ready: %d %s, want %d %s", response.Code, response.Body, want, body)
		}
	}
	ready(200, `{"blobs":"ok","database":"ok","status":"ok"}`)
	failure = errors.New("dial postgres://user:hidden@host")
	ready(503, `{"blobs":"ok","database":"failed","status":"not ready"}`)
	failure = nil
	health.Drain()
	ready(503, `{"status":"draining"}`)
	if response := get(t, http.HandlerFunc(health.Live), "/healthz"); response.Code != 200 {
		t.Errorf("live: %d", response.Code)
	}
	if len(log.lines(t, "readiness check failed")) != 1 {
		t.Errorf("log:\n%s", log.String())
	}
}

func TestServeDrains(t *testing.T) {
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	started, release := make(chan struct{}), make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	drained := make(chan struct{})
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, listener, ServerConfig{
			Log:     slog.New(slog.DiscardHandler),
			OnDrain: func() { close(drained) },
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(started)
				<-release
				if err := r.Context().Err(); err != nil {
					t.Errorf("the request's context ended with the server's: %v", err)
				}
				_, _ = io.WriteString(w, "done")
			}),
		})
	}()
	answer := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answer <- string(body)
	}()
	<-started
	end()
	<-drained
	close(release)
	if got := <-answer; got != "done" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if connection, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		connection.Close()
		t.Error("the server still listens")
	}
}

func TestServeCutsWhatDoesNotEnd(t *testing.T) {
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	started, cut := make(chan struct{}), make(chan struct{})
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, listener, ServerConfig{
			Log: slog.New(slog.DiscardHandler), Drain: 50 * time.Millisecond,
			Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(started)
				<-r.Context().Done()
				close(cut)
			}),
		})
	}()
	go func() {
		if response, err := http.Get("http://" + listener.Addr().String()); err == nil {
			response.Body.Close()
		}
	}()
	<-started
	end()
	if err := <-served; err == nil || !strings.Contains(err.Error(), "50ms") {
		t.Errorf("got error %v, want one that names the limit", err)
	}
	<-cut
}

func TestListenSaysWhatToDo(t *testing.T) {
	taken, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := Listen(t.Context(), taken.Addr().String()); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("got %v", err)
	}
	if _, err := Listen(t.Context(), "nonsense"); err == nil {
		t.Error("listened on nonsense")
	}
}

func TestCompress(t *testing.T) {
	text := strings.Repeat("all work and no play ", 1000)
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		if NotModified(w, r, `"tag"`) {
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	})
	handler, err := Compress(plain)
	if err != nil {
		t.Fatal(err)
	}
	decode := map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	tests := []struct{ accept, contentType, encoding string }{
		{"", "text/html", ""},
		{"gzip", "text/html", "gzip"},
		{"gzip, deflate, br, zstd", "text/html", "zstd"},
		{"gzip;q=0", "text/html", ""},
		{"gzip, zstd", "application/json", "zstd"},
		{"gzip, zstd", "image/png", ""},
	}
	for _, test := range tests {
		response := get(t, handler, "/?type="+test.contentType, "Accept-Encoding", test.accept)
		encoding := response.Header().Get("Content-Encoding")
		if encoding != test.encoding {
			t.Errorf("%+v: encoded as %q", test, encoding)
			continue
		}
		reader, err := decode[encoding](response.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reader)
		if err != nil || string(body) != text {
			t.Errorf("%+v: %d bytes came through, error %v", test, len(body), err)
		}
		tag := response.Header().Get("ETag")
		if want := map[string]string{"": `"tag"`, "gzip": `"tag-z-gzip"`,
			"zstd": `"tag-z-zstd"`}[encoding]; tag != want {
			t.Errorf("%+v: the tag is %s, want %s", test, tag, want)
		}
		if again := get(t, handler, "/?type="+test.contentType, "Accept-Encoding", test.accept, "If-None-Match",
			tag); again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%+v: with its own tag: %d", test, again.Code)
		}
		if !strings.Contains(response.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%+v: Vary is %q", test, response.Header().Get("Vary"))
		}
	}
	if part := get(t, handler, "/?type=text/html", "Accept-Encoding", "gzip", "Range", "bytes=4-7"); part.Code != 206 &&
		part.Code != 200 {
		t.Errorf("a range got %d", part.Code)
	}
}

func TestNotModified(t *testing.T) {
	tests := []struct {
		method, header string
		want           int
	}{
		{"GET", "", 200},
		{"GET", `"tag"`, 304},
		{"HEAD", `"tag"`, 304},
		{"POST", `"tag"`, 200},
		{"GET", `W/"tag"`, 304},
		{"GET", `"tag-z-gzip"`, 304},
		{"GET", `W/"tag-z-zstd"`, 304},
		{"GET", `"tag-z"`, 200},
		{"GET", `"other", "tag"`, 304},
		{"GET", `"a,b","tag"`, 304},
		{"GET", `*`, 304},
		{"GET", `tag`, 200},
		{"GET", `"tag`, 200},
		{"GET", `"tagg"`, 200},
		{"GET", `"other"`, 200},
		{"GET", `W/`, 200},
		{"GET", ` , ,`, 200},
	}
	for _, test := range tests {
		request := httptest.NewRequestWithContext(t.Context(), test.method, "/", nil)
		if test.header != "" {
			request.Header.Set("If-None-Match", test.header)
		}
		response := httptest.NewRecorder()
		if NotModified(response, request, `"tag"`) != (test.want == 304) || response.Code != test.want {
			t.Errorf("%s %q: got %d, want %d", test.method, test.header, response.Code, test.want)
		}
		if response.Header().Get("ETag") != `"tag"` {
			t.Errorf("%s %q: no entity tag", test.method, test.header)
		}
	}
}

func TestETag(t *testing.T) {
	if ETag("a", "bc") == ETag("ab", "c") || ETag("a") == ETag("a", "") {
		t.Error("the tag does not depend on the parts alone")
	}
	if tag := ETag("a"); tag[0] != '"' || tag[len(tag)-1] != '"' || len(tag) != 26 {
		t.Errorf("the tag is %s", tag)
	}
}

func FuzzMatches(f *testing.F) {
	f.Add(`"a", W/"b,c" , *`)
	f.Fuzz(func(t *testing.T, header string) {
		if Matches([]string{header}, `"tag"`) && !strings.Contains(header, "tag") && !strings.Contains(header, "*") {
			t.Errorf("%q matches", header)
		}
	})
}

func TestSecurityHeaders(t *testing.T) {
	header := http.Header{}
	SecurityHeaders{ContentSecurityPolicy: "default-src 'none'", HSTS: true}.Set(header)
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
		"Strict-Transport-Security": "max-age=31536000", "X-Frame-Options": "DENY",
		"Referrer-Policy": "strict-origin-when-cross-origin",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	guarded := get(t, GuardData(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	})), "/").Header()
	if guarded.Get("X-Content-Type-Options") != "nosniff" || guarded.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Errorf("data has the headers %v, want nosniff and what its handler set", guarded)
	}
}

func TestRequireBearer(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	guarded := RequireBearer("sesame", answer)
	for _, c := range []struct {
		authorization string
		want          int
	}{
		{"Bearer sesame", 204}, {"bearer sesame", 204}, {"", 401}, {"Bearer", 401}, {"Bearer ", 401},
		{"Bearer sesam", 401}, {"Bearer sesame2", 401},
		{"Basic sesame", 401}, {"sesame", 401},
	} {
		got := get(t, guarded, "/metrics", "Authorization", c.authorization)
		if got.Code != c.want {
			t.Errorf("%q: status %d, want %d", c.authorization, got.Code, c.want)
		}
		if asks := got.Header().Get("WWW-Authenticate"); (asks != "") != (c.want == 401) {
			t.Errorf("%q: WWW-Authenticate %q", c.authorization, asks)
		}
	}
	if got := get(t, RequireBearer("", answer), "/metrics"); got.Code != http.StatusNoContent {
		t.Errorf("without a token: status %d", got.Code)
	}
}
