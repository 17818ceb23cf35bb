package httpx

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
)

// RequestIDHeader carries the request id in both directions.
const RequestIDHeader = "X-Request-Id"

// maxRequestID is the most characters that a client's request id may have.
const maxRequestID = 64

// Edge is the outermost handler. It gives each request an id, finds out who asks, writes one line to the access log,
// counts, and turns a panic into an answer.
type Edge struct {
	// Log receives the access log (level info) and panics (level error). It hides the secrets in paths, see package
	// mask.
	Log *slog.Logger
	// TrustedProxies are the networks whose X-Forwarded-For and X-Forwarded-Host headers are trusted.
	TrustedProxies []netip.Prefix
	// Metrics counts the requests; nil counts nothing.
	Metrics *Metrics
	// OnPanic answers a request whose handler panicked before it wrote anything; nil answers a bare 500.
	OnPanic http.HandlerFunc
	// Bodies bound the bodies of requests on their way.
	Bodies BodyLimits
	// OnCrowd answers a request whose body may not come because too many others are on their way; nil answers a bare
	// 503.
	OnCrowd http.HandlerFunc
}

// exchange is what the edge knows about one request; handlers add to it through their context.
type exchange struct {
	requestID string
	client    netip.Addr
	forwarded string
	body      *boundedBody // nil for a request without one

	mutex sync.Mutex
	route string
}

type exchangeKey struct{}

func exchangeFrom(ctx context.Context) *exchange {
	under, _ := ctx.Value(exchangeKey{}).(*exchange)
	return under
}

// RequestID returns the id of the request that ctx belongs to; empty outside one.
func RequestID(ctx context.Context) string {
	if under := exchangeFrom(ctx); under != nil {
		return under.requestID
	}
	return ""
}

// ClientAddress returns the address of whoever made the request that ctx belongs to, behind trusted proxies; the zero
// Addr outside a request and when it is not known.
func ClientAddress(ctx context.Context) netip.Addr {
	if under := exchangeFrom(ctx); under != nil {
		return under.client
	}
	return netip.Addr{}
}

// SetRoute names the route that answers the request, for the log and the metrics: a pattern, never a path, because
// every name becomes a series of its own. Without it the pattern of http.ServeMux counts.
func SetRoute(ctx context.Context, route string) {
	if under := exchangeFrom(ctx); under != nil {
		under.mutex.Lock()
		defer under.mutex.Unlock()
		under.route = route
	}
}

// ForwardedHost returns the host that the reader asked for, when a trusted proxy passed the request on and says so;
// else "".
func ForwardedHost(ctx context.Context) string {
	if under := exchangeFrom(ctx); under != nil {
		return under.forwarded
	}
	return ""
}

// Wrap returns a handler that puts the edge around next.
func (e Edge) Wrap(next http.Handler) http.Handler {
	open := newBodies(e.Bodies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		under := &exchange{requestID: requestID(r.Header.Get(RequestIDHeader))}
		if peer, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
			under.client = peer.Addr().Unmap().WithZone("")
			if isTrusted(under.client, e.TrustedProxies) {
				under.forwarded = forwardedHost(r)
				under.client = clientAddress(r, under.client, e.TrustedProxies)
			}
		}
		w.Header().Set(RequestIDHeader, under.requestID)
		recorder := &recorder{ResponseWriter: w}
		handler := next
		if r.Body != nil && r.ContentLength != 0 {
			if body, ok := open.open(w, r, under.client); ok {
				defer body.leave(recorder)
				r.Body, under.body, recorder.body = body, body, body
			} else {
				handler = crowded(e.OnCrowd)
				// See boundedBody.leave.
				defer func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingerTime)) }()
			}
		} else {
			// The body of a request may be read, and answered with "continue", while its answer is written.
			recorder.conn = joinedFrom(r.Context())
		}
		// The mux notes its pattern in the request that it is given.
		inner := r.WithContext(context.WithValue(r.Context(), exchangeKey{}, under))
		done := e.Metrics.begin()
		start := time.Now()
		defer func() {
			duration := time.Since(start)
			route := under.name(inner)
			done(r.Method, route, recorder.code(), duration)
			e.access(inner, under, route, recorder, duration)
		}()
		e.guard(handler, recorder, inner)
	})
}

// crowded answers without the body, and ends the connection on which it comes.
func crowded(answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", "5")
		if answer == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answer(w, r)
	})
}

// guard runs the handler and answers for it when it panics.
func (e Edge) guard(next http.Handler, w *recorder, r *http.Request) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if reason == http.ErrAbortHandler {
			w.aborted = true
			panic(reason)
		}
		e.Log.LogAttrs(r.Context(), slog.LevelError, "panic in a handler",
			slog.String("request", RequestID(r.Context())), slog.String("method", r.Method),
			slog.String("path", r.URL.Path),
			slog.String("panic", fmt.Sprint(reason)), slog.String("stack", string(debug.Stack())))
		if w.status != 0 {
			// Half an answer must not look like a whole one.
			w.aborted = true
			panic(http.ErrAbortHandler)
		}
		// What the handler was about to send describes an answer that will not come.
		for name := range w.Header() {
			if name != RequestIDHeader {
				w.Header().Del(name)
			}
		}
		if e.OnPanic == nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		e.OnPanic(w, r)
	}()
	next.ServeHTTP(w, r)
}

// access writes the request's line. It holds the path but never the query, which may carry secrets.
func (e Edge) access(r *http.Request, under *exchange, route string, w *recorder, duration time.Duration) {
	if !e.Log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request", under.requestID),
		slog.String("method", r.Method),
		slog.String("host", r.Host),
		slog.String("path", r.URL.Path),
		slog.String("route", route),
		slog.Int("status", w.code()),
		slog.Int64("bytes", w.bytes),
		slog.Duration("duration", duration),
		slog.String("client", under.client.String()),
		slog.String("agent", r.UserAgent()),
	}
	if w.aborted {
		attributes = append(attributes, slog.Bool("aborted", true))
	}
	e.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attributes...)
}

// name returns the route for the log and the metrics.
func (x *exchange) name(r *http.Request) string {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	switch {
	case x.route != "":
		return x.route
	case r.Pattern != "":
		return r.Pattern
	default:
		return "other"
	}
}

// requestID returns a client's id when it is harmless in logs and headers, and a new one otherwise.
func requestID(given string) string {
	if given == "" || len(given) > maxRequestID {
		return id.New("request")
	}
	for i := range len(given) {
		c := given[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return id.New("request")
		}
	}
	return given
}

// clientAddress returns who made a request that a trusted proxy passed on. Each proxy appends the address that it was
// asked by, so the list is read from its end, over the proxies that are trusted, to the first address that is not one
// of them: everything before that may have been made up.
func clientAddress(r *http.Request, proxy netip.Addr, trusted []netip.Prefix) netip.Addr {
	client := proxy
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && isTrusted(client, trusted); i-- {
		hop, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		client = hop
	}
	return client
}

// forwardedHost returns the host that a trusted proxy was asked for, without its port and in lower case; "" when it
// does not say. Of several the last one is what the proxy itself was told.
func forwardedHost(r *http.Request) string {
	hosts := strings.Split(strings.Join(r.Header.Values("X-Forwarded-Host"), ","), ",")
	host := strings.TrimSpace(hosts[len(hosts)-1])
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// parseHop reads one element of X-Forwarded-For; some proxies add the port.
func parseHop(text string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		return address.Unmap().WithZone(""), true
	}
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

func isTrusted(address netip.Addr, trusted []netip.Prefix) bool {
	for _, prefix := range trusted {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
