// Package programs answers what programs ask that people let in by OAuth 2.1: where to ask (RFC 8414 and 9728), to be
// registered (RFC 7591), to get tokens for a code or a refresh token, and to give tokens back (RFC 7009). The page on
// which people agree is one of package web.
//
// It promises that no answer depends on a cookie, that none is kept by caches but what says where to ask, and that an
// address which asks too much has to wait.
package programs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Paths are the patterns below which Server answers, for http.ServeMux.
var Paths = []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource",
	"/.well-known/oauth-protected-resource/", "/oauth/register", "/oauth/token", "/oauth/revoke"}

// maxBody bounds the body of a request.
const maxBody = 32 << 10

// Deps is what a Server stands on.
type Deps struct {
	OAuth *oauth.Service
	// Issuer is the public address of the server without a slash at its end.
	Issuer string
	// Scopes are those that a token may have.
	Scopes []string
	// Registrations bounds how often one address registers programs, Requests what else it asks; nil does not.
	Registrations *httpx.Limiter `optional:"no limit"`
	Requests      *httpx.Limiter `optional:"no limit"`
	Log           *slog.Logger
}

// Server answers programs.
type Server struct {
	deps Deps
	mux  *http.ServeMux
}

// New returns a Server.
func New(deps Deps) *Server {
	required.Must(deps)
	s := &Server{deps: deps, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /.well-known/oauth-authorization-server", s.server)
	s.mux.HandleFunc("GET /.well-known/oauth-protected-resource", s.resource)
	s.mux.HandleFunc("GET /.well-known/oauth-protected-resource/v1", s.resource)
	s.mux.HandleFunc("POST /oauth/register", s.limited(deps.Registrations, s.register))
	s.mux.HandleFunc("POST /oauth/token", s.limited(deps.Requests, s.token))
	s.mux.HandleFunc("POST /oauth/revoke", s.limited(deps.Requests, s.revoke))
	return s
}

// ServeHTTP answers every request below Paths.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpx.SecurityHeaders{ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
		HSTS: strings.HasPrefix(s.deps.Issuer, "https://")}.Set(w.Header())
	s.mux.ServeHTTP(w, r)
}

// metadata is what RFC 8414 says of the server.
type metadata struct {
	Issuer                string   `json:"issuer"`
	Authorization         string   `json:"authorization_endpoint"`
	Token                 string   `json:"token_endpoint"`
	Registration          string   `json:"registration_endpoint"`
	Revocation            string   `json:"revocation_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	NamesIssuer           bool     `json:"authorization_response_iss_parameter_supported"`
	Documentation         string   `json:"service_documentation"`
}

func (s *Server) server(w http.ResponseWriter, _ *http.Request) {
	issuer := s.deps.Issuer
	w.Header().Set("Cache-Control", "public, max-age=300")
	write(w, http.StatusOK, metadata{
		Issuer: issuer, Authorization: issuer + "/oauth/authorize", Token: issuer + "/oauth/token",
		Registration: issuer + "/oauth/register", Revocation: issuer + "/oauth/revoke", Scopes: s.deps.Scopes,
		ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes:  []string{"authorization_code", "refresh_token"},
		AuthMethods: []string{"none"}, RevocationAuthMethods: []string{"none"}, ChallengeMethods: []string{"S256"},
		NamesIssuer: true, Documentation: issuer + "/v1/docs",
	})
}

func (s *Server) resource(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	write(w, http.StatusOK, map[string]any{
		"resource": s.deps.Issuer, "authorization_servers": []string{s.deps.Issuer},
		"scopes_supported": s.deps.Scopes, "bearer_methods_supported": []string{"header"},
		"resource_documentation": s.deps.Issuer + "/v1/docs",
	})
}

// registration is what RFC 7591 sends to and fro, as far as it is read here.
type registration struct {
	ID            string   `json:"client_id,omitempty"`
	IssuedAt      int64    `json:"client_id_issued_at,omitempty"`
	Name          string   `json:"client_name,omitempty"`
	RedirectURIs  []string `json:"redirect_uris"`
	AuthMethod    string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes    []string `json:"grant_types,omitempty"`
	ResponseTypes []string `json:"response_types,omitempty"`
}

func (s *Server) register(_ http.ResponseWriter, r *http.Request) (int, any, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return 0, nil, &oauth.Refusal{Code: oauth.InvalidMetadata, Description: "Send JSON as application/json."}
	}
	var in registration
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return 0, nil, &oauth.Refusal{Code: oauth.InvalidMetadata,
			Description: "The body is not the JSON of RFC 7591, or has more than 32 KB."}
	}
	client, err := s.deps.OAuth.Register(r.Context(), oauth.NewClient{Name: in.Name, RedirectURIs: in.RedirectURIs,
		AuthMethod: in.AuthMethod, GrantTypes: in.GrantTypes, ResponseTypes: in.ResponseTypes})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, registration{
		ID: client.ID, IssuedAt: client.CreatedAt.Unix(), Name: client.Name, RedirectURIs: client.RedirectURIs,
		AuthMethod: "none", GrantTypes: []string{"authorization_code", "refresh_token"},
		ResponseTypes: []string{"code"},
	}, nil
}

// tokens is the answer of the token endpoint.
type tokens struct {
	Access    string `json:"access_token"`
	Kind      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"`
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope,omitempty"`
}

func (s *Server) token(_ http.ResponseWriter, r *http.Request) (int, any, error) {
	form, err := readForm(r)
	if err != nil {
		return 0, nil, err
	}
	var given oauth.Tokens
	switch form.Get("grant_type") {
	case "authorization_code":
		given, err = s.deps.OAuth.Redeem(r.Context(), oauth.Exchange{Client: form.Get("client_id"),
			Code: form.Get("code"), RedirectURI: form.Get("redirect_uri"), Verifier: form.Get("code_verifier")})
	case "refresh_token":
		given, err = s.deps.OAuth.Refresh(r.Context(), form.Get("client_id"), form.Get("refresh_token"),
			form.Get("scope"))
	case "":
		err = &oauth.Refusal{Code: oauth.InvalidRequest, Description: "grant_type is missing."}
	default:
		err = &oauth.Refusal{Code: oauth.UnsupportedGrant,
			Description: "grant_type: authorization_code and refresh_token are accepted."}
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, tokens{Access: given.Access, Kind: "Bearer", ExpiresIn: int(oauth.TokenLife.Seconds()),
		Refresh: given.Refresh, Scope: strings.Join(given.Scopes, " ")}, nil
}

func (s *Server) revoke(_ http.ResponseWriter, r *http.Request) (int, any, error) {
	form, err := readForm(r)
	if err != nil {
		return 0, nil, err
	}
	if form.Get("token") == "" {
		return 0, nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "token is missing."}
	}
	if err := s.deps.OAuth.Revoke(r.Context(), form.Get("client_id"), form.Get("token")); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, struct{}{}, nil
}

// readForm reads the body of a request: a form, in which nothing stands twice. Parameters of the address do not count,
// since addresses are logged.
func readForm(r *http.Request) (url.Values, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return nil, &oauth.Refusal{Code: oauth.InvalidRequest,
			Description: "Send a form as application/x-www-form-urlencoded."}
	}
	if err := r.ParseForm(); err != nil {
		return nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "The form is not readable or too large."}
	}
	for name, values := range r.PostForm {
		if len(values) > 1 {
			return nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "A parameter stands twice: " + name}
		}
	}
	return r.PostForm, nil
}

// handler answers with a status and a JSON value, or says why not.
type handler func(w http.ResponseWriter, r *http.Request) (int, any, error)

// limited makes a handler of what an address may ask only so often.
func (s *Server) limited(limiter *httpx.Limiter, do handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if limiter != nil {
			decision := limiter.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
			if !decision.OK {
				decision.SetHeaders(w.Header())
				write(w, http.StatusTooManyRequests, failure{Code: oauth.Unavailable,
					Description: "Too many requests. Wait and try again."})
				return
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, value, err := do(w, r)
		if err != nil {
			status, value = s.fail(r.Context(), r.URL.Path, err)
		}
		write(w, status, value)
	}
}

// failure is an error as RFC 6749 §5.2 writes it.
type failure struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// fail makes the answer of an error.
func (s *Server) fail(ctx context.Context, path string, err error) (int, failure) {
	if refusal, ok := errors.AsType[*oauth.Refusal](err); ok {
		status := http.StatusBadRequest
		if refusal.Code == oauth.Unavailable {
			status = http.StatusServiceUnavailable
		}
		return status, failure{Code: refusal.Code, Description: refusal.Description}
	}
	if errs.Is(err, errs.Unavailable) {
		return http.StatusServiceUnavailable, failure{Code: oauth.Unavailable, Description: err.Error()}
	}
	if ctx.Err() == nil {
		s.deps.Log.ErrorContext(ctx, "program's request failed", slog.String("path", path),
			slog.String("requestId", httpx.RequestID(ctx)), slog.Any("error", err))
	}
	return http.StatusInternalServerError, failure{Code: "server_error",
		Description: "The server could not do this. Try again in a moment; its log says more."}
}

// write answers with JSON.
func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client went away
}
