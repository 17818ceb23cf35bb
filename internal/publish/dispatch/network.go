package dispatch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// host is what the script of an engine reaches. It is attached to one call at a time.
type host struct {
	service *Service

	mu   sync.Mutex
	ctx  context.Context
	note *note
}

func (h *host) attach(ctx context.Context, n *note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ctx, h.note = ctx, n
}

func (h *host) detach() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ctx, h.note = nil, nil
}

func (h *host) log(level script.Level, message string) {
	h.mu.Lock()
	n := h.note
	h.mu.Unlock()
	if n != nil {
		n.log(level, message)
	}
}

// kept are headers that a request of a script does not have: those of the connection, those that name its sender, and
// cookies. What a proxy in front of this server would say is among them, since requests to the own API pass none.
var kept = []string{"Host", "Connection", "Content-Length", "Transfer-Encoding", "Keep-Alive", "Proxy-Authorization",
	"Proxy-Connection", "Te", "Trailer", "Upgrade", "Cookie", "Cookie2", "Accept-Encoding", "Forwarded", "Via",
	"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Expect", "Origin", "Sec-Fetch-Site"}

func headerOf(pairs [][2]string) http.Header {
	header := http.Header{}
	for _, each := range pairs {
		name := http.CanonicalHeaderKey(each[0])
		if slices.Contains(kept, name) || strings.HasPrefix(name, "X-Forwarded-") || strings.HasPrefix(name, "Proxy-") {
			continue
		}
		header.Add(name, each[1])
	}
	return header
}

// fetch sends a request of a script: through the guarded fetcher, or to this server's own API without the network.
func (h *host) fetch(ctx context.Context, request *script.Request) (*script.Response, error) {
	h.mu.Lock()
	call := h.ctx
	h.mu.Unlock()
	if call == nil {
		return nil, errors.New("there is no network before the first call")
	}
	header := headerOf(request.Header)
	if path, ok := h.service.own(request.URL); ok {
		ctx = context.WithValue(ctx, depthKey{}, call.Value(depthKey{}))
		ctx = context.WithValue(ctx, handledKey{}, call.Value(handledKey{}))
		return h.service.ask(ctx, request, path, header)
	}
	answer, err := h.service.deps.Fetch.Send(ctx, request.Method, request.URL, header, request.Body,
		fetch.Limits{Bytes: maxBody, Time: longTime, Redirects: -1})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return read(answer)
}

// own returns the path and query of an address of this server that scripts may ask without the network: those of the
// API and of integrations.
func (s *Service) own(address string) (string, bool) {
	rest, ok := strings.CutPrefix(address, s.deps.BaseURL)
	if !ok || !strings.HasPrefix(rest, "/v1/") && !strings.HasPrefix(rest, "/integrations/") {
		return "", false
	}
	return rest, true
}

// nobody is the address that requests of scripts come from: one that no network has (RFC 6666).
const nobody = "[100::1]:1"

// ask lets this server answer a request of a script.
func (s *Service) ask(ctx context.Context, request *script.Request, path string,
	header http.Header) (*script.Response, error) {
	path, _, _ = strings.Cut(path, "#")
	target, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, errors.New("the address is none")
	}
	base, err := url.Parse(s.deps.BaseURL)
	if err != nil {
		return nil, err
	}
	in := (&http.Request{
		Method: request.Method, URL: target, RequestURI: path, Host: base.Host, RemoteAddr: nobody, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(bytes.NewReader(request.Body)),
		ContentLength: int64(len(request.Body)),
	}).WithContext(ctx)
	w := &recorder{header: http.Header{}}
	s.hooks.Get().Serve(w, in)
	if w.full {
		return nil, errors.New("the answer is too large")
	}
	return &script.Response{Status: max(w.status, http.StatusOK), Header: pairs(w.header), Body: w.body.Bytes()}, nil
}

// recorder keeps an answer within bounds.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	full   bool
}

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len()+len(data) > maxBody {
		w.full = true
		return 0, errors.New("the answer is too large")
	}
	return w.body.Write(data)
}

// read reads an answer from outside.
func read(answer *fetch.Response) (*script.Response, error) {
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return &script.Response{Status: answer.Status, Header: pairs(answer.Header), Body: body}, nil
}

// pairs are the headers of an answer, without cookies: a script keeps none.
func pairs(header http.Header) [][2]string {
	var list [][2]string
	for name, values := range header {
		if name == "Set-Cookie" || name == "Set-Cookie2" {
			continue
		}
		for _, value := range values {
			list = append(list, [2]string{strings.ToLower(name), value})
		}
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}
