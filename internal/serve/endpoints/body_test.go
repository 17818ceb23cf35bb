package endpoints_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/serve/endpoints"
)

// counted counts how much of a body is read, and fails at its end when it is told to.
type counted struct {
	io.Reader
	read int
	end  error
}

func (c *counted) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.read += n
	if errors.Is(err, io.EOF) && c.end != nil {
		err = c.end
	}
	return n, err
}

// TestBodiesAreReadForWhatIsThere holds that a body is asked for by what calls the script, and by nothing before it.
func TestBodiesAreReadForWhatIsThere(t *testing.T) {
	for _, c := range []struct {
		name, path, method string
		body               counted
		status, read       int
		got                string
	}{
		{"nothing is there", "none", http.MethodPost, counted{Reader: strings.NewReader("words")}, 404, 0, ""},
		{"a body", "some", http.MethodPost, counted{Reader: strings.NewReader("words")}, 200, 5, `"words"`},
		{"an empty body", "some", http.MethodPost, counted{Reader: strings.NewReader("")}, 200, 0, `""`},
		{"no body", "some", http.MethodGet, counted{Reader: strings.NewReader("")}, 200, 0, "nil"},
		{"a body that breaks off", "some", http.MethodPost,
			counted{Reader: strings.NewReader("wor"), end: io.ErrUnexpectedEOF}, 408, 3, ""},
		{"too large a body", "some", http.MethodPost,
			counted{Reader: io.LimitReader(endless{}, 11<<20)}, 413, 10<<20 + 1, ""},
	} {
		got, asked := "", 0
		server := endpoints.New(requiredtest.Fill(endpoints.Deps{
			Send: func(_ context.Context, to dispatch.Target, _ dispatch.Event,
				body dispatch.Body) (*dispatch.Answer, error) {
				asked++
				if to.Integration == "none" {
					return nil, errs.NotFoundf("There is none.")
				}
				sent, err := body()
				if err != nil {
					return nil, err
				}
				got = "nil"
				if sent != nil {
					got = `"` + string(sent) + `"`
				}
				return &dispatch.Answer{Status: http.StatusOK}, nil
			},
			BaseURL: "http://recto.test", Log: slog.New(slog.DiscardHandler),
		}))
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), c.method, "/integrations/"+c.path+"/x",
			&c.body))
		if read := min(c.body.read, 10<<20+1); answer.Code != c.status || read != c.read || got != c.got || asked != 1 {
			t.Errorf("%s: %d, %d bytes read, the script gets %s, asked %d times: %s", c.name, answer.Code, c.body.read,
				got, asked, answer.Body)
		}
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(into []byte) (int, error) { return len(into), nil }
