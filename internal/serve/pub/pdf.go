package pub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
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

// printable reports whether readers get PDFs of the space.
func (s *scope) printable() bool {
	return s.customization().PDF.Enabled && s.preview == nil && s.server.deps.Prints != nil
}

// servePDF sends a PDF of the space or of one of its pages: there is one for each revision, made when somebody first
// asks, and where content adapts one for all who see the same.
func (s *scope) servePDF(w http.ResponseWriter, r *http.Request) error {
	if !s.printable() || s.edition.Landing == nil {
		return s.missing(w, r, "")
	}
	printed := s.edition.Reading
	wanted := print.Published{Space: s.space.Space, Revision: s.space.Head, Title: s.title()}
	name := s.space.Path
	if s.space.Default {
		name = s.site.Site.Basename
	}
	if page := r.URL.Query().Get("page"); page != "" {
		node := s.edition.Tree.ByID[page]
		if !s.edition.Exists(node) || node.Entry.Type != entity.PageDocument {
			return s.missing(w, r, "")
		}
		printed = []*store.TreeNode{node}
		wanted.Scope = print.Scope{Page: node.Entry.ID, Only: true}
		wanted.Title, wanted.Subtitle = edition.PlainTitle(edition.Title(node.Entry)), wanted.Title
		name = entity.Slugify(wanted.Title)
	}
	var err error
	if wanted.Spaces, err = s.linkedSpaces(r.Context()); err != nil {
		return err
	}
	made, err := s.orderPDF(w, r, wanted, printed)
	if errs.Is(err, errs.TooMany) {
		return s.pdfMessage(w, r, http.StatusTooManyRequests, func(v *view) {
			v.Heading, v.Description = s.theme().Words.PDFFailed, s.theme().Words.PDFBusy
		})
	}
	if err != nil {
		return err
	}
	switch made.State {
	case print.Done:
		return s.sendPDF(w, r, made, name)
	case print.Failed:
		return s.pdfMessage(w, r, http.StatusServiceUnavailable, func(v *view) {
			v.Heading = s.theme().Words.PDFFailed
			if made.Mendable {
				v.Description = made.Message
			}
		})
	}
	return s.pdfMessage(w, r, http.StatusAccepted, func(v *view) {
		words := s.theme().Words
		v.Heading, v.Description, v.Refresh = words.MakingPDF, words.MakingPDFHint, pdfPause
		if made.Total > 0 {
			v.Count = fmt.Sprintf(words.PDFProgress, made.Done, made.Total)
		}
		w.Header().Set("Retry-After", strconv.Itoa(pdfPause))
	})
}

// linkedSpaces returns the revisions of the other spaces of the site that the pages of this one link to or include
// from, also by way of one another.
func (s *scope) linkedSpaces(ctx context.Context) (map[string]string, error) {
	if s.server.deps.Links == nil {
		return nil, nil
	}
	heads := map[string]string{}
	for _, each := range s.site.Spaces {
		if each.Head != "" && each.Space != s.space.Space {
			heads[each.Space] = each.Head
		}
	}
	if len(heads) == 0 {
		return nil, nil
	}
	linked := map[string]string{}
	views := []*store.View{s.edition.View}
	for len(views) > 0 {
		named, err := s.server.deps.Links.LinkedSpaces(ctx, views[0])
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
			view, err := s.server.deps.Content.View(ctx, head)
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
func (s *scope) orderPDF(w http.ResponseWriter, r *http.Request, wanted print.Published,
	printed []*store.TreeNode) (print.PDF, error) {
	prints := s.server.deps.Prints
	paid := false
	if s.adaptive {
		var err error
		pay := func() error { paid = true; return s.payForPDF(w, r) }
		if wanted.Audience, err = s.audienceOf(r.Context(), wanted.Scope.Page, printed, pay); err != nil {
			return print.PDF{}, err
		}
		wanted.Claims = s.visitor.Claims
	}
	key := fmt.Sprintf("%s %s %s %q %q %s %v", wanted.Revision, s.specs, wanted.Scope.Page, wanted.Title,
		wanted.Subtitle, wanted.Audience, wanted.Spaces)
	if id, ok := s.server.pdfs.Get(key); ok {
		found, err := prints.Await(r.Context(), id, pdfPatience)
		if err == nil && (found.State != print.Failed || time.Until(found.ExpiresAt) > print.Life-time.Minute) {
			return found, nil
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			return print.PDF{}, err
		}
	}
	if !paid {
		if err := s.payForPDF(w, r); err != nil {
			return print.PDF{}, err
		}
	}
	ordered, err := prints.OrderPublished(r.Context(), wanted)
	if err != nil {
		return print.PDF{}, err
	}
	s.server.pdfs.Set(key, ordered.ID)
	return prints.Await(r.Context(), ordered.ID, pdfPatience)
}

// payForPDF counts an order against the limits.
func (s *scope) payForPDF(w http.ResponseWriter, r *http.Request) error {
	address := s.server.pdfLimit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
	if all := s.server.pdfLimit.Allow("all"); !address.OK || !all.OK {
		if address.OK {
			address = all
		}
		address.SetHeaders(w.Header())
		return errs.New(errs.TooMany, "too many PDFs are being made")
	}
	return nil
}

// audienceOf tells visitors apart as far as a PDF of some pages does: by what came of each condition and value that
// they meet in these pages and in the tree. Claims that are new here are paid for, since all pages are read for them
// once.
func (s *scope) audienceOf(ctx context.Context, page string, printed []*store.TreeNode,
	pay func() error) (string, error) {
	key := s.state + "\x00" + s.space.ID + "\x00" + page + "\x00" + s.visitor.Key()
	if known, ok := s.server.printed.Get(key); ok {
		return known, nil
	}
	if err := pay(); err != nil {
		return "", err
	}
	made, err, _ := s.server.preparing.Do("pdf\x00"+key, func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		sum := sha256.New()
		fmt.Fprintf(sum, "%q", s.edition.Outcomes)
		for _, node := range printed {
			in := *s
			in.uses = &uses{outcomes: map[string]string{}}
			if _, err := in.load(ctx, node, in.options(ctx, node)); err != nil {
				return "", err
			}
			for _, met := range in.uses.met {
				fmt.Fprintf(sum, "%q %q", met.id, in.uses.outcomes[met.id])
			}
		}
		known := hex.EncodeToString(sum.Sum(nil))
		s.server.printed.Set(key, known)
		return known, nil
	})
	if err != nil {
		return "", err
	}
	return made.(string), nil
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
	answer.Header.Set("Cache-Control", "no-store")
	answer.Serve(w, r)
	return nil
}
