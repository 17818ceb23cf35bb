// Package reference owns the pages for people at /v1/docs: the reference of the API, made of its OpenAPI document by
// the renderer of published references. Pages are made when somebody asks. What they are made of is let go when memory
// is wanted, so that a server whose reference nobody reads holds nothing.
package reference

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/engine/render"
)

//go:embed page.html
var files embed.FS

// Style is the style sheet of the pages, beside that of published sites.
//
//go:embed reference.css
var Style []byte

// spec is how references to the document name it.
const spec = "recto"

// Operation is what the table of operations says beyond the OpenAPI document.
type Operation struct {
	// Scope is what a limited token needs, "" where no token is needed.
	Scope string
}

// Source is what the pages are made of.
type Source struct {
	// Description writes the OpenAPI document as JSON.
	Description func() ([]byte, error)
	// Operation returns what else is known of an operation by its id.
	Operation func(id string) Operation
	// Icon draws an icon as an SVG element.
	Icon func(name string) string
	// Home is the address of the first page, without a slash at its end. Version is that of the program.
	Home, Version string
}

// Reference makes the pages. It is safe for use by many goroutines.
type Reference struct {
	Source
	template *template.Template

	mu   sync.Mutex
	kept weak.Pointer[site]
}

// New returns the pages of a source. It panics when their template does not parse, which a test catches.
func New(source Source) *Reference {
	return &Reference{Source: source, template: template.Must(template.ParseFS(files, "page.html"))}
}

// site is the OpenAPI document as pages.
type site struct {
	document *oas.Document
	pages    []*page // in the order of reading
	byPath   map[string]*page
	models   map[string]*page
}

// page is one page of the site.
type page struct {
	*oas.Page
	path  string // "" for the first one
	above *page
	below []*page
}

// site returns the pages, made anew when they were let go.
func (r *Reference) site(ctx context.Context) (*site, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if kept := r.kept.Value(); kept != nil {
		return kept, nil
	}
	raw, err := r.Description()
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	document, problems, err := oas.Read(ctx, raw, oas.Options{})
	if err != nil {
		return nil, err
	}
	if document == nil {
		return nil, errors.New("read the OpenAPI document: " + problems[0].String())
	}
	made := &site{document: document, byPath: map[string]*page{}, models: map[string]*page{}}
	info := document.Pages(oas.Layout{Spec: spec, ByOperation: true, Models: true}).Info
	made.add(info, "", nil)
	r.kept = weak.Make(made)
	return made, nil
}

func (s *site) add(from *oas.Page, path string, above *page) {
	p := &page{Page: from, path: path, above: above}
	s.pages = append(s.pages, p)
	s.byPath[path] = p
	for _, name := range from.Models {
		s.models[name] = p
	}
	if above != nil {
		above.below = append(above.below, p)
	}
	for _, below := range from.Pages {
		s.add(below, strings.TrimPrefix(path+"/"+below.Slug, "/"), p)
	}
}

// Page returns the page at a path below the first one, which is at "". It returns errs.NotFound where none is.
func (r *Reference) Page(ctx context.Context, path string) ([]byte, error) {
	s, err := r.site(ctx)
	if err != nil {
		return nil, err
	}
	at := s.byPath[path]
	if at == nil {
		return nil, errs.New(errs.NotFound, "There is no such page of the reference. Begin at %s.", r.Home)
	}
	body, err := r.body(ctx, s, at)
	if err != nil {
		return nil, fmt.Errorf("draw the page %q of the reference: %w", path, err)
	}
	v := r.view(s, at)
	v.Body = template.HTML(body)
	return r.write(v)
}

// body draws what is described on a page.
func (r *Reference) body(ctx context.Context, s *site, at *page) (string, error) {
	budget := oas.NewBudget()
	budget.Model = func(name string) (doc.Ref, bool) {
		model := s.models[name]
		if model == nil {
			return doc.Ref{}, false
		}
		return doc.Ref{Kind: doc.RefAnchor, Page: model.path, Anchor: oas.ModelAnchor(name)}, true
	}
	document := (&doc.Document{Nodes: at.Nodes}).Clone()
	var html bytes.Buffer
	options := render.Options{Resolver: resolver{r, at}, Icon: r.Icon, Discreet: true,
		OpenAPI: func(_ context.Context, block doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error) {
			return s.document.Expand(block, data, budget), nil
		}}
	document, err := render.Evaluate(ctx, document, options)
	if err == nil {
		err = render.HTML(ctx, &html, document, options)
	}
	return html.String(), err
}

// resolver says where references of a page lead.
type resolver struct {
	reference *Reference
	page      *page
}

// Resolve implements render.Resolver.
func (r resolver) Resolve(ref doc.Ref) render.Target {
	switch {
	case ref.Kind == doc.RefURL:
		return render.Target{URL: ref.URL, Title: ref.URL, Kind: doc.RefURL}
	case ref.Kind == doc.RefAnchor && ref.Page == r.page.path:
		return render.Target{URL: "#" + ref.Anchor, Title: ref.Anchor, Kind: doc.RefAnchor}
	case ref.Kind == doc.RefAnchor:
		address := r.reference.address(ref.Page) + "#" + ref.Anchor
		return render.Target{URL: address, Title: ref.Anchor, Kind: doc.RefAnchor}
	}
	return render.Target{Broken: true}
}

// address is where the page at a path is.
func (r *Reference) address(path string) string {
	if path == "" {
		return r.Home
	}
	return r.Home + "/" + path
}

// linkView leads to a page.
type linkView struct {
	Title, URL string
	// ID is the id of an operation, Path its path, in lists of operations.
	ID, Path            string
	Badge               template.HTML
	Current, Deprecated bool
	Below               []linkView
}

// listView is operations below a title.
type listView struct {
	Title      string
	Operations []linkView
}

// view is what the template shows.
type view struct {
	Home, Version           string
	Title, Heading, Summary string
	Note                    string
	// Names is how clients name an operation.
	Names          *namesView
	Crumb          *linkView
	Tree           []linkView
	Body           template.HTML
	Lists          []listView
	Previous, Next *linkView
}

type namesView struct{ Client, Scope string }

func (r *Reference) view(s *site, at *page) view {
	v := view{Home: r.Home, Version: r.Version, Title: at.Title + " · Recto API", Heading: at.Title,
		Summary: at.Description}
	if at.path == "" {
		v.Title, v.Heading = "Recto API", "API"
	}
	if at.above != nil && at.above.path != "" {
		link := r.link(at.above, at)
		v.Crumb = &link
	}
	if o := at.Operation; o != nil {
		v.Names = &namesView{Client: o.ID, Scope: r.Operation(o.ID).Scope}
		if v.Names.Scope == "" {
			v.Note = "No token is needed."
		}
	}
	for _, each := range s.pages[0].below {
		link := r.link(each, at)
		if each == at || each == at.above {
			for _, below := range each.below {
				link.Below = append(link.Below, r.link(below, at))
			}
		}
		v.Tree = append(v.Tree, link)
		switch {
		case at.path == "" && len(each.below) > 0:
			v.Lists = append(v.Lists, listView{each.Title, r.operations(each)})
		case each == at && len(each.below) > 0:
			v.Lists = []listView{{"", r.operations(each)}}
		}
	}
	i := slices.Index(s.pages, at)
	if i > 0 {
		link := r.link(s.pages[i-1], at)
		v.Previous = &link
	}
	if i+1 < len(s.pages) {
		link := r.link(s.pages[i+1], at)
		v.Next = &link
	}
	return v
}

// link leads to a page; current is the one that is shown.
func (r *Reference) link(to, current *page) linkView {
	link := linkView{Title: to.Title, URL: r.address(to.path), Current: to == current}
	if to.path == "" {
		link.Title = "API"
	}
	if o := to.Operation; o != nil {
		link.Badge, link.Deprecated = badge(o.Method), o.Deprecated
	}
	return link
}

// operations lists those below a page.
func (r *Reference) operations(of *page) []linkView {
	var links []linkView
	for _, below := range of.below {
		link := r.link(below, nil)
		link.ID, link.Path = below.Operation.ID, below.Operation.Path
		links = append(links, link)
	}
	return links
}

// badge shows a method, which is one of those that package oas reads.
func badge(method string) template.HTML {
	short := strings.ToUpper(method)
	if method == "delete" {
		short = "DEL"
	}
	return template.HTML(`<span class="method-badge method-` + method + `">` + short + `</span>`)
}

func (r *Reference) write(v view) ([]byte, error) {
	var out bytes.Buffer
	if err := r.template.ExecuteTemplate(&out, "page.html", v); err != nil {
		return nil, fmt.Errorf("fill the template of the reference: %w", err)
	}
	return out.Bytes(), nil
}
