package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// refusedStyle is the style of pages that stand by themselves: for those who are not let in, and where no site is
// known. It uses no file of a site.
const refusedStyle = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.6 system-ui,sans-serif;` +
	`background:light-dark(#f6f7f9,#0c0e13);color:light-dark(#273142,#d5dae3)}main{max-width:30rem;margin:1.5rem;padding:2rem 2.25rem;border-radius:14px;` +
	`background:light-dark(#fff,#151922);border:1px solid light-dark(#e3e7ee,#262c38)}h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.3;color:light-dark(#0e1420,#f3f5f9)}` +
	`p{margin:.75rem 0 0}small{display:block;margin-bottom:.25rem;font-weight:600;color:light-dark(#596475,#98a3b3)}main{overflow-wrap:anywhere}a{display:inline-block;margin-top:.5rem;padding:.5rem 1.1rem;border-radius:9px;background:#2f55d4;color:#fff;font-weight:600;text-decoration:none}` +
	`a:focus-visible{outline:3px solid light-dark(#8fb0ff,#8fb0ff);outline-offset:2px}`

// alone is what pages that stand by themselves begin with.
type alone struct {
	Language, Heading string
	Status            int // shown above the heading; 0 for none
}

// Style is the style of the page.
func (alone) Style() template.CSS { return template.CSS(refusedStyle) }

// ServeRefusal answers somebody who is to sign in and cannot simply be sent there: their token is no good, or they are
// no browser that shows a page. It speaks the site's language.
func (p *Pages) ServeRefusal(w http.ResponseWriter, r *http.Request, problem error, to string,
	spoken *words.Words) error {
	said := struct {
		alone
		Words       *words.Words
		Problem, To string
	}{alone: alone{Language: spoken.Tag, Heading: spoken.SignInToRead}, Words: spoken, To: to}
	for _, known := range []error{audience.ErrTokenExpired, audience.ErrTokenInvalid, audience.ErrTokenTooLong} {
		if errors.Is(problem, known) {
			said.Problem = known.Error()
		}
	}
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, "refused", said); err != nil {
		return fmt.Errorf("write refusal: %w", err)
	}
	writeRefused(w, r, http.StatusUnauthorized, &page)
	return nil
}

// writeRefused sends a page that stands by itself, and is kept by nobody.
func writeRefused(w http.ResponseWriter, r *http.Request, status int, page *bytes.Buffer) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", response.PagePolicy(refusedStyle, response.Sources{}))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = page.WriteTo(w) // an error here is a reader who has left
	}
}

// faultHeadings are what the pages of refusals before a site is known are called. They are in English, as all messages
// are that no site has chosen a language for.
var faultHeadings = map[int]string{
	http.StatusNotFound:            "There is nothing here",
	http.StatusBadRequest:          "This address cannot be read",
	http.StatusMethodNotAllowed:    "This cannot be done here",
	http.StatusServiceUnavailable:  "Not available right now",
	http.StatusTooManyRequests:     "Too many requests",
	http.StatusInternalServerError: "Something went wrong",
}

// ServeFault answers with a status and why, when no site is known whose page could say so: as a page for browsers, and
// as plain text for others.
func (p *Pages) ServeFault(w http.ResponseWriter, r *http.Request, status int, message string) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Error(w, message, status)
		return
	}
	said := struct {
		alone
		Message string
	}{alone: alone{Language: "en", Heading: cmp.Or(faultHeadings[status], http.StatusText(status)), Status: status},
		Message: message}
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, "fault", said); err != nil {
		p.deps.Log.ErrorContext(r.Context(), "write refusal", slog.Any("error", err))
		http.Error(w, message, status)
		return
	}
	writeRefused(w, r, status, &page)
}
