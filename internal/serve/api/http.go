package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/serve/api/failure"
)

// Panicked answers a request whose handler panicked; the edge has logged it.
func (a *API) Panicked(w http.ResponseWriter, _ *http.Request) {
	failure.Write(w, failure.New(http.StatusInternalServerError, failure.InternalMessage))
}

// Crowded answers a request whose body may not come because too many others are on their way.
func (a *API) Crowded(w http.ResponseWriter, _ *http.Request) {
	failure.Write(w, failure.New(http.StatusServiceUnavailable,
		"Too many requests are on their way to the server from "+
			"people who have not said who they are. Try again in a moment."))
}

// patternMux is the router that huma registers on. It lets {pagePath} take the rest of the path, so that both a/b and
// a%2Fb reach the operation, while the OpenAPI document keeps the plain name.
type patternMux struct{ *http.ServeMux }

// HandleFunc registers a handler.
func (m patternMux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.ServeMux.HandleFunc(strings.Replace(pattern, "{pagePath}", "{pagePath...}", 1), handler)
}

// strictJSON is huma's JSON, but for text that is not UTF-8: encoding/json would put replacement characters for what it
// does not understand, and the caller would find them where their text was.
var strictJSON = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(data []byte, into any) error {
		if !utf8.Valid(data) {
			return errors.New("has to be UTF-8, and holds bytes that are not")
		}
		return json.Unmarshal(data, into)
	},
}
