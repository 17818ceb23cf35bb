package pub

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/httpx"
	"github.com/rectodocs/recto/internal/print"
)

// How readers get PDFs.
const (
	// pdfPatience is how long a request waits for a PDF before it answers with a page that says how far it is.
	pdfPatience = 1500 * time.Millisecond
	// pdfPause is how often that page asks again, in seconds.
	pdfPause = 2
	// maxPDFsKnown is how many PDFs are remembered, so that sending one again costs no write.
	maxPDFsKnown = 10_000
)

// printable reports whether readers get PDFs of the space. A PDF is one for all, so there is none where what a reader sees
// depends on who they are.
func (s *scope) printable() bool {
	return s.customization().PDF.Enabled && s.preview == nil && !s.adaptive && s.server.deps.Prints != nil
}

// servePDF sends a PDF of the space or of one of its pages: there is one for each revision, made when somebody first asks.
// It shows what readers without claims see.
func (s *scope) servePDF(w http.ResponseWriter, r *http.Request) error {
	if !s.printable() {
		return s.missing(w, r, "")
	}
	wanted := print.Published{Space: s.space.Space, Revision: s.space.Head, Title: s.title()}
	name := s.space.Path
	if s.space.Default {
		name = s.site.Site.Basename
	}
	if page := r.URL.Query().Get("page"); page != "" {
		node := s.edition.tree.ByID[page]
		if !s.edition.exists(node) || node.Entry.Type != entity.PageDocument {
			return s.missing(w, r, "")
		}
		if _, computed := s.edition.computed[node.Entry.ID]; computed {
			return s.missing(w, r, "")
		}
		wanted.Scope = print.Scope{Page: node.Entry.ID, Only: true}
		wanted.Title, wanted.Subtitle = plainTitle(title(node.Entry)), wanted.Title
		name = entity.Slugify(wanted.Title)
	}
	made, err := s.orderPDF(w, r, wanted)
	if errs.Is(err, errs.TooMany) {
		return s.pdfMessage(w, r, http.StatusTooManyRequests, func(v *view) { v.Heading, v.Description = s.look().words.PDFFailed, s.look().words.PDFBusy })
	}
	if err != nil {
		return err
	}
	switch made.State {
	case print.Done:
		return s.sendPDF(w, r, made, name)
	case print.Failed:
		return s.pdfMessage(w, r, http.StatusServiceUnavailable, func(v *view) {
			v.Heading = s.look().words.PDFFailed
			if made.Mendable {
				v.Description = made.Message
			}
		})
	}
	return s.pdfMessage(w, r, http.StatusAccepted, func(v *view) {
		words := s.look().words
		v.Heading, v.Description, v.Refresh = words.MakingPDF, words.MakingPDFHint, pdfPause
		if made.Total > 0 {
			v.Count = fmt.Sprintf(words.PDFProgress, made.Done, made.Total)
		}
		w.Header().Set("Retry-After", strconv.Itoa(pdfPause))
	})
}

// orderPDF returns a PDF as it is now. Only an order that nobody has given counts against the limits: one address can have
// few PDFs made, and all together no more than the workers have time for.
func (s *scope) orderPDF(w http.ResponseWriter, r *http.Request, wanted print.Published) (print.PDF, error) {
	prints := s.server.deps.Prints
	key := fmt.Sprintf("%s %s %q %q", wanted.Revision, wanted.Scope.Page, wanted.Title, wanted.Subtitle)
	if id, ok := s.server.pdfs.Get(key); ok {
		found, err := prints.Await(r.Context(), id, pdfPatience)
		if err == nil && (found.State != print.Failed || time.Until(found.ExpiresAt) > print.Life-time.Minute) {
			return found, nil
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			return print.PDF{}, err
		}
	}
	address := s.server.pdfLimit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
	if all := s.server.pdfLimit.Allow("all"); !address.OK || !all.OK {
		if address.OK {
			address = all
		}
		address.SetHeaders(w.Header())
		return print.PDF{}, errs.New(errs.TooMany, "too many PDFs are being made")
	}
	ordered, err := prints.OrderPublished(r.Context(), wanted)
	if err != nil {
		return print.PDF{}, err
	}
	s.server.pdfs.Set(key, ordered.ID)
	return prints.Await(r.Context(), ordered.ID, pdfPatience)
}

// sendPDF sends the file.
func (s *scope) sendPDF(w http.ResponseWriter, r *http.Request, made print.PDF, name string) error {
	body, _, err := s.server.deps.Prints.Open(r.Context(), made)
	if err != nil {
		return err
	}
	defer body.Close()
	header := w.Header()
	httpx.SetFileHeaders(header, name+".pdf")
	header.Set("ETag", `"`+made.ID+`"`)
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Robots-Tag", "noindex")
	http.ServeContent(w, r, "", time.Time{}, body)
	return nil
}

// pdfMessage answers with a page about a PDF that is not there.
func (s *scope) pdfMessage(w http.ResponseWriter, r *http.Request, status int, fill func(*view)) error {
	v := s.newView()
	v.NoIndex = true
	v.Navigation = s.navigation(nil)
	fill(v)
	v.Title = v.Heading + " · " + v.Site.Title
	answer, err := s.page(v, "message", status)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.header.Set("Cache-Control", "no-store")
	answer.serve(w, r)
	return nil
}
