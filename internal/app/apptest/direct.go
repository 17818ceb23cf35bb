package apptest

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Hurry prepares the server for a test of thousands of requests, and returns it: they reach its handler without the
// network, and Member and Team use one connection to the database for all that they make. It is called before the
// first request, and in the test that the server was started in.
func (s *Server) Hurry() *Server {
	s.T.Helper()
	s.Transport = direct{s.App.Handler(), s.Base}
	s.people = s.openPeople(s.Database())
	return s
}

// people are the services that make people and teams beside a server.
type people struct {
	operator      *org.Operator
	accounts      *account.Service
	organizations *org.Service
}

// openPeople returns the services on a database.
func (s *Server) openPeople(database *db.DB) *people {
	accounts := accounttest.NewService(account.Deps{DB: database}, account.Hooks{})
	return &people{org.NewOperator(database, accounts), accounts,
		orgtest.NewService(s.T, org.Deps{DB: database, Accounts: accounts}, org.Hooks{})}
}

// direct sends requests for an address to a handler, and all others through the network.
type direct struct {
	handler http.Handler
	base    string
}

// RoundTrip implements http.RoundTripper.
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host != d.base {
		return http.DefaultTransport.RoundTrip(r)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel() // as a server does when the handler has returned
	in := r.Clone(ctx)
	in.Host, in.RequestURI, in.RemoteAddr = cmp.Or(r.Host, r.URL.Host), r.URL.RequestURI(), "127.0.0.1:40000"
	in.URL = &url.URL{Path: cmp.Or(r.URL.Path, "/"), RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	if in.Body == nil {
		in.Body = http.NoBody
	}
	answer := recorder{httptest.NewRecorder()}
	d.handler.ServeHTTP(answer, in)
	got := answer.Result()
	got.Request = r
	return got, nil
}

// recorder takes deadlines, as a connection does.
type recorder struct{ *httptest.ResponseRecorder }

// SetReadDeadline does nothing: what is sent to a recorder is there already.
func (recorder) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (recorder) SetWriteDeadline(time.Time) error { return nil }
