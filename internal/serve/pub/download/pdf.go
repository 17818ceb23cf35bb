package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/page"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
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

// ServePDF sends a PDF of the space or of one of its pages: there is one for each revision, made when somebody first
// asks, and where content adapts one for all who see the same.
func (d *Downloads) ServePDF(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	if !s.Printable() || s.Edition.Landing == nil {
		return d.deps.Pages.Missing(w, r, s, "")
	}
	printed := s.Edition.Reading
	wanted := print.Published{Space: s.Space.Space, Revision: s.Space.Head, Title: s.Title()}
	name := s.Space.Path
	if s.Space.Default {
		name = s.Served.Site.Basename
	}
	if page := r.URL.Query().Get("page"); page != "" {
		node := s.Edition.Tree.ByID[page]
		if !s.Edition.Exists(node) || node.Entry.Type != entity.PageDocument {
			return d.deps.Pages.Missing(w, r, s, "")
		}
		printed = []*store.TreeNode{node}
		wanted.Scope = print.Scope{Page: node.Entry.ID, Only: true}
		wanted.Title, wanted.Subtitle = edition.PlainTitle(edition.Title(node.Entry)), wanted.Title
		name = entity.Slugify(wanted.Title)
	}
	var err error
	if wanted.Spaces, err = d.linkedSpaces(r.Context(), s); err != nil {
		return err
	}
	made, err := d.orderPDF(w, r, s, wanted, printed)
	if errs.Is(err, errs.TooMany) {
		return d.pdfMessage(w, r, s, http.StatusTooManyRequests, func(v *page.View) {
			v.Heading, v.Description = s.Theme().Words.PDFFailed, s.Theme().Words.PDFBusy
		})
	}
	if err != nil {
		return err
	}
	switch made.State {
	case print.Done:
		return d.sendPDF(w, r, s, made, name)
	case print.Failed:
		return d.pdfMessage(w, r, s, http.StatusServiceUnavailable, func(v *page.View) {
			v.Heading = s.Theme().Words.PDFFailed
			if made.Mendable {
				v.Description = made.Message
			}
		})
	}
	return d.pdfMessage(w, r, s, http.StatusAccepted, func(v *page.View) {
		words := s.Theme().Words
		v.Heading, v.Description, v.Refresh = words.MakingPDF, words.MakingPDFHint, pdfPause
		if made.Total > 0 {
			v.Count = fmt.Sprintf(words.PDFProgress, made.Done, made.Total)
		}
		w.Header().Set("Retry-After", strconv.Itoa(pdfPause))
	})
}

// linkedSpaces returns the revisions of the other spaces of the site that the pages of this one link to or include
// from, also by way of one another.
func (d *Downloads) linkedSpaces(ctx context.Context, s *scope.Scope) (map[id.Space]id.Revision, error) {
	heads := map[id.Space]id.Revision{}
	for _, each := range s.Served.Spaces {
		if each.Head != "" && each.Space != s.Space.Space {
			heads[each.Space] = each.Head
		}
	}
	if len(heads) == 0 {
		return nil, nil
	}
	linked := map[id.Space]id.Revision{}
	views := []*store.View{s.Edition.View}
	for len(views) > 0 {
		named, err := d.deps.Links.LinkedSpaces(ctx, views[0])
		if err != nil {
			return nil, err
		}
		views = views[1:]
		for _, space := range named {
			head := heads[space]
			if _, known := linked[space]; known || head == "" {
				continue
			}
			linked[space] = head
			view, err := s.Services.Content.View(ctx, head)
			if err != nil {
				return nil, err
			}
			views = append(views, view)
		}
	}
	return linked, nil
}

// orderPDF returns a PDF as it is now. Only an order that nobody has given counts against the limits: one address can
// have few PDFs made, and all together no more than the workers have time for.
func (d *Downloads) orderPDF(w http.ResponseWriter, r *http.Request, s *scope.Scope, wanted print.Published,
	printed []*store.TreeNode) (print.PDF, error) {
	prints := d.deps.Prints
	paid := false
	if s.Adaptive {
		var err error
		pay := func() error { paid = true; return d.payForPDF(w, r, s) }
		if wanted.Audience, err = d.audienceOf(r.Context(), s, wanted.Scope.Page, printed, pay); err != nil {
			return print.PDF{}, err
		}
		wanted.Claims = s.Visitor.Claims
	}
	key := fmt.Sprintf("%s %s %s %q %q %s %v", wanted.Revision, s.Specs, wanted.Scope.Page, wanted.Title,
		wanted.Subtitle, wanted.Audience, wanted.Spaces)
	if id, ok := d.pdfs.Get(key); ok {
		found, err := prints.Await(r.Context(), id, pdfPatience)
		if err == nil && (found.State != print.Failed || time.Until(found.ExpiresAt) > print.Life-time.Minute) {
			return found, nil
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			return print.PDF{}, err
		}
	}
	if !paid {
		if err := d.payForPDF(w, r, s); err != nil {
			return print.PDF{}, err
		}
	}
	ordered, err := prints.OrderPublished(r.Context(), wanted)
	if err != nil {
		return print.PDF{}, err
	}
	d.pdfs.Set(key, ordered.ID)
	return prints.Await(r.Context(), ordered.ID, pdfPatience)
}

// payForPDF counts an order against the limits.
func (d *Downloads) payForPDF(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	address := d.pdfLimit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
	if all := d.pdfLimit.Allow("all"); !address.OK || !all.OK {
		if address.OK {
			address = all
		}
		address.SetHeaders(w.Header())
		return errs.New(errs.TooMany, "Too many PDFs are being made.")
	}
	return nil
}

// audienceOf tells visitors apart as far as a PDF of some pages does: by what came of each condition and value that
// they meet in these pages and in the tree. Claims that are new here are paid for, since all pages are read for them
// once.
func (d *Downloads) audienceOf(ctx context.Context, s *scope.Scope, page string, printed []*store.TreeNode,
	pay func() error) (string, error) {
	key := s.State + "\x00" + string(s.Space.ID) + "\x00" + page + "\x00" + s.Visitor.Key()
	if known, ok := d.printed.Get(key); ok {
		return known, nil
	}
	if err := pay(); err != nil {
		return "", err
	}
	made, err, _ := d.preparing.Do("pdf\x00"+key, func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		sum := sha256.New()
		fmt.Fprintf(sum, "%q", s.Edition.Outcomes)
		if err := s.WriteOutcomes(ctx, sum, printed); err != nil {
			return "", err
		}
		known := hex.EncodeToString(sum.Sum(nil))
		d.printed.Set(key, known)
		return known, nil
	})
	if err != nil {
		return "", err
	}
	return made.(string), nil
}

// sendPDF sends the file.
func (d *Downloads) sendPDF(w http.ResponseWriter, r *http.Request, s *scope.Scope, made print.PDF, name string) error {
	body, _, err := d.deps.Prints.Open(r.Context(), made)
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
func (d *Downloads) pdfMessage(w http.ResponseWriter, r *http.Request, s *scope.Scope, status int,
	fill func(*page.View)) error {
	v := page.NewView(s)
	v.NoIndex = true
	v.Navigation = page.Navigation(s, nil)
	fill(v)
	v.Title = v.Heading + " · " + v.Site.Title
	answer, err := d.deps.Pages.Execute(s, v, "message", status)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.Header.Set("Cache-Control", "no-store")
	answer.Serve(w, r)
	return nil
}
