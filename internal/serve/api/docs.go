package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/reference"
)

// docsHome is the path of the pages for people.
const docsHome = "/v1/docs"

// mountDocs serves the OpenAPI document and its pages for people. They describe the operations and are none themselves.
func (a *API) mountDocs() {
	document := sync.OnceValues(func() ([]byte, error) { return newDocument(a.Deps).openAPI.MarshalJSON() })
	scopes := sync.OnceValue(func() map[string]string {
		scopes := map[string]string{}
		for _, op := range newDocument(a.Deps).table {
			if op.Audience != operation.Public {
				scopes[op.OperationID] = op.Scope
			}
		}
		return scopes
	})
	pages := reference.New(reference.Source{
		Description: document, Icon: a.Icon, Home: a.BaseURL + docsHome, Version: a.Version,
		Operation: func(id string) reference.Operation { return reference.Operation{Scope: scopes()[id]} },
	})
	a.mux.HandleFunc("GET /v1/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		raw, err := document()
		a.still(w, r, "application/json", raw, err)
	})
	const html = "text/html; charset=utf-8"
	a.mux.HandleFunc("GET "+docsHome, func(w http.ResponseWriter, r *http.Request) {
		page, err := pages.Page(r.Context(), "")
		a.still(w, r, html, page, err)
	})
	a.mux.HandleFunc("GET "+docsHome+"/{page...}", func(w http.ResponseWriter, r *http.Request) {
		page, err := pages.Page(r.Context(), r.PathValue("page"))
		a.still(w, r, html, page, err)
	})
	a.mux.HandleFunc("GET "+docsHome+"/search", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		query := r.URL.Query().Get("q")
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			page, err := pages.Results(r.Context(), query)
			a.still(w, r, html, page, err)
			return
		}
		answer, err := pages.Search(r.Context(), query)
		raw, problem := json.Marshal(answer)
		if err == nil {
			err = problem
		}
		a.still(w, r, "application/json", raw, err)
	})
	a.mux.HandleFunc("GET "+docsHome+"/reference.css", func(w http.ResponseWriter, r *http.Request) {
		a.still(w, r, "text/css; charset=utf-8", reference.Style, nil)
	})
	a.mux.HandleFunc("GET "+docsHome+"/assets/{file}", func(w http.ResponseWriter, r *http.Request) {
		a.Asset(w, r, r.PathValue("file"))
	})
}

// docsPolicy is the Content-Security-Policy of the pages for people.
const docsPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// still answers with bytes that stay the same while the process lives, or with what went wrong.
func (a *API) still(w http.ResponseWriter, r *http.Request, contentType string, raw []byte, err error) {
	if err != nil {
		body, defect := failure.Of(err)
		if defect {
			failure.Log(r.Context(), a.Log, "docs", err)
		}
		failure.Write(w, body)
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-cache")
	httpx.SecurityHeaders{ContentSecurityPolicy: docsPolicy}.Set(header)
	if httpx.NotModified(w, r, httpx.ETag(string(raw))) {
		return
	}
	_, _ = w.Write(raw) // the client went away: nobody is left to tell
}
