// Package endpoints answers at the public addresses of integrations: of an integration, of an installation, and of one
// on a space or site. A request of any method becomes an event for the script, and what the script answers is the
// answer. Addresses of sites have the script that the integration puts on pages, too.
//
// What scripts answer is foreign code on this server's origin. So it is promised that a script never sees a cookie or a
// token of this server's, that no answer sets one but for what a script keeps while it signs a visitor in, which comes
// back to it alone (cookies.go), and that a browser takes what is a page for one of an origin of its
// own: every answer has a policy with sandbox, beside that of the integration.
package endpoints

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/dispatch"
)

// Prefix is the path below which all addresses are.
const Prefix = "/integrations/"

// Deps is what a Server stands on.
type Deps struct {
	// Send calls a script. It asks for the body only when there is one to be called.
	Send func(ctx context.Context, to dispatch.Target, event dispatch.Event,
		body dispatch.Body) (*dispatch.Answer, error)
	// ScriptState identifies what the script of an installation on a site depends on, see
	// integration.Service.ScriptState.
	ScriptState func(ctx context.Context, name, installationID string, siteID id.Site) (string, error)
	// Homes returns the addresses at which a site is, each with a slash at its end. It is an errs.NotFound when the
	// site is not published.
	Homes func(ctx context.Context, siteID id.Site) ([]string, error)
	// BaseURL is the public address of the server without a slash at its end.
	BaseURL string
	// Cookieless says that this server's host keeps no cookies.
	Cookieless bool `optional:"cookies of visitors are kept"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// Limit bounds how often one address may call; nil does not.
	Limit *httpx.Limiter `optional:"no limit"`
	Log   *slog.Logger
}

// Server answers at the addresses of integrations.
type Server struct {
	deps    Deps
	scripts scripts
}

// New returns a Server.
func New(deps Deps) *Server {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Server{deps: deps, scripts: newScripts()}
}

// maxBody is the largest body of a request.
const maxBody = 10 << 20

// sandbox makes a browser give a page an origin of its own.
const sandbox = "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals " +
	"allow-downloads"

// target is what the path of an address names, and what is left of it.
func target(path string) (to dispatch.Target, rest string, ok bool) {
	parts := strings.Split(strings.TrimPrefix(path, Prefix), "/")
	name, err := url.PathUnescape(parts[0])
	if err != nil || name == "" {
		return to, "", false
	}
	to.Integration, parts = name, parts[1:]
	if len(parts) >= 2 && parts[0] == "installations" && id.Valid("installation", parts[1]) {
		to.Installation, parts = parts[1], parts[2:]
		switch {
		case len(parts) >= 2 && parts[0] == "spaces" && id.Valid("space", parts[1]):
			to.Space, parts = id.Space(parts[1]), parts[2:]
		case len(parts) >= 2 && parts[0] == "sites" && id.Valid("site", parts[1]):
			to.Site, parts = id.Site(parts[1]), parts[2:]
		}
	}
	return to, strings.Join(parts, "/"), true
}

// ServeHTTP answers every request below Prefix.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpx.SetRoute(r.Context(), Prefix)
	if s.deps.Limit != nil {
		decision := s.deps.Limit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
		if !decision.OK {
			decision.SetHeaders(w.Header())
			refuse(w, errs.New(errs.TooMany, "Too many requests. Wait and try again."), http.StatusTooManyRequests)
			return
		}
	}
	to, rest, ok := target(r.URL.EscapedPath())
	if !ok {
		refuse(w, errs.NotFoundf("There is no integration at this address."), http.StatusNotFound)
		return
	}
	if to.Site != "" && rest == "script.js" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		s.script(w, r, to)
		return
	}
	if to.Site != "" && (rest == SignInPath || rest == SignOutPath) &&
		(r.Method == http.MethodGet || r.Method == http.MethodHead) {
		s.visitor(w, r, to, rest == SignOutPath)
		return
	}
	sent := headers(r.Header)
	var kept map[string]cookie
	if to.Site != "" {
		kept = s.cookies(r)
		if own := cookieHeader(kept); own != "" {
			sent["cookie"] = own
		}
	}
	event := dispatch.Event{"type": "fetch", "request": map[string]any{
		"method": strings.ToLower(r.Method), "url": s.deps.BaseURL + r.URL.RequestURI(), "headers": sent,
	}}
	if to.Installation != "" {
		event["installationId"] = to.Installation
	}
	if to.Space != "" {
		event["spaceId"] = to.Space
	}
	if to.Site != "" {
		event["siteId"] = to.Site
	}
	answer, err := s.deps.Send(r.Context(), to, event, func() ([]byte, error) { return body(w, r) })
	if errors.Is(err, errSlow) {
		refuse(w, errSlow, http.StatusRequestTimeout)
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	// The way through a sign-in ends at a call-back, which has what signing out needs later on.
	if to.Site != "" && answer.SignsIn {
		if s.refused(w, r, to, answer) {
			return
		}
		s.keep(w, to, kept, answer)
	}
	write(w, r, answer)
}

// errSlow says that the body of a request is not there in time.
var errSlow = errs.New(errs.Invalid, "The body of the request came too slowly. Send it again.")

// body reads the body of a request; nil is none.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	read, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, errs.New(errs.TooLarge, "The request has more than %d MB.", maxBody>>20)
	}
	if err != nil {
		return nil, errSlow
	}
	if len(read) == 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		return nil, nil
	}
	return read, nil
}

// fail answers when there is no answer of a script.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	switch errs.KindOf(err) {
	case errs.NotFound:
		status = http.StatusNotFound
	case errs.TooMany:
		status = http.StatusTooManyRequests
	case errs.Unavailable:
		status = http.StatusServiceUnavailable
	case errs.TooLarge:
		status = http.StatusRequestEntityTooLarge
	case errs.Internal:
		s.deps.Log.ErrorContext(r.Context(), "call an integration", slog.Any("error", err))
		err = errs.New(errs.Internal, "The integration could not be called.")
	}
	refuse(w, err, status)
}

// refuse writes an error as JSON.
func refuse(w http.ResponseWriter, err error, status int) {
	message := err.Error()
	if known, ok := err.(*errs.Error); ok {
		message = known.Message
	}
	body, encodeErr := json.Marshal(map[string]any{"error": map[string]any{"code": status, "message": message}})
	if encodeErr != nil {
		body = []byte(`{}`)
	}
	guard(w.Header(), "")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// notSent are headers of a request that a script does not get: cookies and sessions are this server's own.
var notSent = []string{"Cookie", "Proxy-Authorization", "Connection", "Upgrade"}

// headers are those of a request, with names in lower case, as an event has them.
func headers(header http.Header) map[string]string {
	sent := make(map[string]string, len(header))
	for name, values := range header {
		if slices.Contains(notSent, name) {
			continue
		}
		value := strings.Join(values, ", ")
		// A token of somebody is for this server alone.
		if name == "Authorization" && (strings.Contains(value, " rc") || strings.Contains(value, " RC")) {
			continue
		}
		sent[strings.ToLower(name)] = value
	}
	return sent
}

// notAnswered are headers of an answer that would be this server's word: cookies, what stands for the whole origin, and
// what the connection decides.
var notAnswered = []string{"set-cookie", "set-cookie2", "clear-site-data", "service-worker-allowed",
	"strict-transport-security", "content-security-policy", "content-security-policy-report-only", "x-frame-options",
	"access-control-allow-credentials", "connection", "transfer-encoding", "content-length", "keep-alive", "upgrade",
	"trailer", "alt-svc", "public-key-pins", "report-to", "nel", "reporting-endpoints", "sourcemap",
	"content-encoding", "www-authenticate", "proxy-authenticate", "x-content-type-options", "expect-ct",
	"origin-agent-cluster", "document-policy", "speculation-rules", "server", "date", "use-as-dictionary"}

// guard sets the headers that every answer has.
func guard(header http.Header, policy string) {
	header.Set("X-Content-Type-Options", "nosniff")
	if policy := header.Get("Referrer-Policy"); policy != "no-referrer" && policy != "same-origin" {
		header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	}
	header["Content-Security-Policy"] = []string{sandbox}
	if policy != "" {
		header.Add("Content-Security-Policy", policy)
	}
}

// write writes what a script answered.
func write(w http.ResponseWriter, r *http.Request, answer *dispatch.Answer) {
	header, location := w.Header(), ""
	for _, each := range answer.Header {
		name := strings.ToLower(each[0])
		switch {
		case name == "location":
			location = each[1]
		case name == "refresh" || strings.HasPrefix(name, "proxy-") || slices.Contains(notAnswered, name):
			// Not a script's to say.
		default:
			header.Add(name, each[1])
		}
	}
	guard(header, answer.Policy)
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-cache")
	}
	status := answer.Status
	if status < http.StatusOK || status > 599 {
		status = http.StatusBadGateway
	}
	if location != "" && status >= 300 && status < 400 {
		httpx.Redirect(w, status, httpx.ChosenLocation(location))
		return
	}
	if len(answer.Body) > 0 && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified {
		_, _ = w.Write(answer.Body)
	}
}
