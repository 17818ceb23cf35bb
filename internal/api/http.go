package api

import (
	"encoding/json"
	"net/http"
	"strings"
)

// writeError writes an error from outside a handler: the router's misses, and refusals before the handler ran.
func (a *API) writeError(w http.ResponseWriter, body *ErrorBody) {
	for name, values := range body.header {
		if _, set := w.Header()[name]; !set {
			w.Header()[name] = values
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(body.Info.Code)
	_ = json.NewEncoder(w).Encode(body) // the client went away: nobody is left to tell
}

// Panicked answers a request whose handler panicked; the edge has logged it.
func (a *API) Panicked(w http.ResponseWriter, _ *http.Request) {
	a.writeError(w, newError(http.StatusInternalServerError, internalMessage))
}

// patternMux is the router that huma registers on. It lets {pagePath} take the rest of the path, so that both a/b and
// a%2Fb reach the operation, while the OpenAPI document keeps the plain name.
type patternMux struct{ *http.ServeMux }

// HandleFunc registers a handler.
func (m patternMux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.ServeMux.HandleFunc(strings.Replace(pattern, "{pagePath}", "{pagePath...}", 1), handler)
}
