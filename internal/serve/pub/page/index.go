package page

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// indexPart is how many pages the list of all pages shows at once.
const indexPart = 1000

// ServePageIndex sends the list of all pages, in parts.
func (p *Pages) ServePageIndex(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	pages := s.Edition.Reading
	parts := max((len(pages)+indexPart-1)/indexPart, 1)
	part := 1
	if asked := r.URL.Query().Get("part"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 1 || n > parts {
			return p.Missing(w, r, s, "")
		}
		part = n
	}
	v := NewView(s)
	said := s.Theme().Words
	v.Heading = said.AllPages
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Navigation = Navigation(s, nil)
	v.Count = words.Count(len(pages), said.OnePage, said.ManyPages, said.NoPages)
	for _, node := range pages[(part-1)*indexPart : min(part*indexPart, len(pages))] {
		v.Pages = append(v.Pages, linkView{Title: edition.PlainTitle(edition.Label(node.Entry)), URL: s.PageURL(node)})
	}
	address := s.Home + "~/pages?part="
	if part > 1 {
		v.Previous = &linkView{Title: fmt.Sprintf(said.Part, part-1), URL: address + strconv.Itoa(part-1)}
	}
	if part < parts {
		v.Next = &linkView{Title: fmt.Sprintf(said.Part, part+1), URL: address + strconv.Itoa(part+1)}
	}
	page, err := p.Execute(s, v, "index", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}
