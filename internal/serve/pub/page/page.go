package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// ServeFound answers with a page, or for a group with its first document.
func (p *Pages) ServeFound(w http.ResponseWriter, r *http.Request, s *scope.Scope, node *store.TreeNode,
	asked string) error {
	if node.Entry.Type == entity.PageGroup {
		first := s.Edition.FirstDocument(node)
		if first == nil {
			return p.Missing(w, r, s, asked)
		}
		return response.Redirect(w, r, s.PageURL(first))
	}
	ctx := context.WithoutCancel(r.Context()) // others may wait for the same page
	made, err := s.Once(scope.EscapePath(asked), func() (*response.Response, error) {
		return p.RenderPage(ctx, s, node)
	})
	if err != nil {
		return fmt.Errorf("render page %s of revision %s: %w", node.Entry.ID, s.Space.Head, err)
	}
	p.Opened(r, s, s.PagePath(node), made.Page)
	made.Serve(w, r)
	return nil
}

// ServeMoved answers for a path where no page is: by where redirects lead, or by what is nearly the same.
func (p *Pages) ServeMoved(w http.ResponseWriter, r *http.Request, s *scope.Scope, asked string) error {
	for _, other := range []string{norm.NFC.String(asked), strings.ToLower(asked), strings.TrimSuffix(asked, ".html"),
		strings.TrimSuffix(asked, "/index.html")} {
		if node := s.Find(other); node != nil && other != asked {
			return response.Redirect(w, r, s.Home+scope.EscapePath(other))
		}
	}
	if s.Preview == nil {
		if done, err := p.serveRedirect(w, r, s, s.FullPath(asked)); done || err != nil {
			return err
		}
	}
	moved, err := s.Edition.View.ByPath(r.Context(), asked)
	if errs.Is(err, errs.NotFound) {
		return p.ServeAbsent(w, r, s, asked)
	}
	if err != nil {
		return err
	}
	to := render.Target{Broken: true}
	switch {
	case moved.Target != nil:
		to = s.Resolver(nil).Target(moved.Target)
	case moved.Entry != nil && moved.Redirected:
		to = s.Resolver(nil).ToPage(s, s.Edition.Tree.ByID[moved.Entry.ID], "")
	}
	if to.Broken || !response.Sendable(to.URL) {
		return p.ServeAbsent(w, r, s, asked)
	}
	return response.RedirectAs(w, r, httpx.ChosenLocation(to.URL), http.StatusPermanentRedirect)
}

// ServeAbsent answers for a path that the space knows nothing of: by what was there before the site changed, or not at
// all.
func (p *Pages) ServeAbsent(w http.ResponseWriter, r *http.Request, s *scope.Scope, asked string) error {
	if s.Preview == nil {
		if done, err := p.serveFormer(w, r, s, s.FullPath(asked)); done || err != nil {
			return err
		}
	}
	return p.Missing(w, r, s, asked)
}

// RenderPage makes the response for a page.
func (p *Pages) RenderPage(ctx context.Context, s *scope.Scope, node *store.TreeNode) (*response.Response, error) {
	options := s.Options(ctx, node)
	document, err := s.Load(ctx, node, options)
	if err != nil {
		return nil, err
	}
	s.StartBlocks(ctx, document)
	var body bytes.Buffer
	if err := render.HTML(ctx, &body, document, options); err != nil {
		return nil, err
	}
	v := NewView(s)
	if frames, live := s.BlockFrames(); live {
		v.Assets.Blocks, v.BlockFrames = assetURL(s, "kit.js"), strings.Join(frames, " ")
		v.BlockPage, err = blockPage(node)
		if err != nil {
			return nil, err
		}
	}
	describe(s, v, node, document)
	translated, err := p.translation(ctx, s, node, v)
	if err != nil {
		return nil, err
	}
	if !translated {
		v.Edit = editLink(s, node)
	}
	arrange(s, v, node, document)
	v.Structure, v.Alternates = structure(ctx, s, node), alternates(ctx, s, node)
	v.Body = template.HTML(body.String())
	if bytes.Contains(body.Bytes(), []byte(` data-tex="`)) {
		v.Assets.Katex, v.Assets.KatexStyle = assetURL(s, "katex.js"), assetURL(s, "katex.css")
	}
	if bytes.Contains(body.Bytes(), []byte(` data-diagram="`)) {
		v.Assets.Diagram = assetURL(s, "diagram.html")
	}
	made, err := p.Execute(s, v, "page", 0)
	if err == nil {
		made.Page = node.Entry.ID
	}
	return made, err
}

// Execute executes a template and prepares what it gives for being sent.
func (p *Pages) Execute(s *scope.Scope, v *View, name string, status int) (*response.Response, error) {
	var out bytes.Buffer
	if err := v.write(&out, p.templates, name); err != nil {
		return nil, err
	}
	made := response.New(pageHeader(s, v.NoIndex), out.Bytes())
	made.Status = status
	return made, nil
}

// pageHeader is the header of every page.
func pageHeader(s *scope.Scope, noIndex bool) http.Header {
	h := http.Header{
		"Content-Type":            {"text/html; charset=utf-8"},
		"Cache-Control":           {"no-cache"},
		"Content-Security-Policy": {response.PagePolicy(s.Theme().Style, sources(s))},
	}
	if s.Served.Site.AgentsContext == site.AgentsExcluded {
		h["X-Robots-Tag"] = []string{"noai, noimageai"}
	}
	if noIndex {
		h["X-Robots-Tag"] = append(h["X-Robots-Tag"], "noindex")
	}
	return h
}

// frameOrigins are the servers that a page may show in frames: players that an embed opens, and what its blocks frame.
func frameOrigins(s *scope.Scope) []string {
	frames, _ := s.BlockFrames()
	return append(slices.Clip(render.EmbedOrigins()), frames...)
}

// describe sets what a page is called, and what machines are told of it.
func describe(s *scope.Scope, v *View, node *store.TreeNode, document *doc.Document) {
	e := node.Entry
	v.Heading = edition.PlainTitle(edition.Title(e))
	v.HeadingHTML = inlineTitle(edition.Title(e))
	v.Icon = pageIcon(s.Services.Themes.Icons, e)
	v.Description = strings.TrimSpace(e.Description)
	v.Summary = summary(v.Description, document, s.Resolver(node))
	if runs := direction.OfText(v.Heading, v.Summary); runs != "" && runs != v.Direction {
		v.ArticleDirection = runs
	}
	v.Canonical = s.PageAddress(node)
	if v.Site.Agents {
		v.Markdown = s.Home + s.MarkdownPath(node)
	}
	v.NoIndex = v.NoIndex || !s.Edition.Indexable(node)
	v.Title = v.Heading + " · " + v.Site.Title
	if node == s.Edition.Landing {
		v.Title = v.Site.Title
	} else {
		v.Kind = "article"
	}
	if e.UpdatedAt > 0 {
		updated := time.UnixMicro(e.UpdatedAt).UTC()
		v.Modified = updated.Format(time.RFC3339)
		v.Updated = s.Theme().Words.Day(updated)
	}
	v.Breadcrumbs = breadcrumbData(s, node)
	v.Social = socialImage(s, node)
}

// summaryLength is how many characters search engines show of a description.
const summaryLength = 160

// summary is a page's description, or the beginning of its text as the reader has it for whom a resolver speaks.
func summary(description string, document *doc.Document, resolver render.Resolver) string {
	text := description
	if text == "" {
		for _, node := range document.Nodes {
			if node.Type == doc.Paragraph {
				text = render.TextFor(&doc.Document{Nodes: []*doc.Node{node}}, resolver)
				break
			}
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= summaryLength {
		return text
	}
	cut := string([]rune(text)[:summaryLength])
	if i := strings.LastIndexByte(cut, ' '); i > summaryLength/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, ",.;: ") + "…"
}

// breadcrumbData is schema.org's list of the pages above a page and itself; "" for pages at the top.
func breadcrumbData(s *scope.Scope, node *store.TreeNode) template.JS {
	type item struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}
	var items []item
	if section, ok := s.Served.Section(s.Space.Section); ok && len(s.Served.Sections) > 1 && node != s.Edition.Landing {
		items = append(items, item{"ListItem", 1, section.Title, section.URL})
	}
	for _, n := range append(edition.Ancestors(node), node) {
		if n.Entry.Type == entity.PageDocument {
			items = append(items, item{"ListItem", len(items) + 1, edition.PlainTitle(edition.Title(n.Entry)),
				s.PageAddress(n)})
		}
	}
	if len(items) < 2 {
		return ""
	}
	data, err := json.Marshal(map[string]any{"@context": "https://schema.org", "@type": "BreadcrumbList",
		"itemListElement": items})
	if err != nil {
		return "" // strings and numbers always encode
	}
	return template.JS(data)
}

// tagsOf is the tags of a page, the primary ones first.
func tagsOf(e *entity.Entry) []string {
	var primary, others []string
	for _, tag := range e.Tags {
		if tag.Primary {
			primary = append(primary, tag.Tag)
		} else {
			others = append(others, tag.Tag)
		}
	}
	return append(primary, others...)
}

// arrange sets what is around the text of a page.
func arrange(s *scope.Scope, v *View, node *store.TreeNode, document *doc.Document) {
	layout := node.Entry.Layout
	if layout == nil {
		layout = &entity.Layout{}
	}
	v.ShowTitle = shown(layout.Title)
	v.ShowDescription = shown(layout.Description) && v.Description != ""
	if shown(layout.Tags) {
		v.Tags = tagsOf(node.Entry)
	}
	v.ShowMarkdown = shown(layout.Actions) && v.Markdown != "" && s.Customization().PageActions.Markdown
	if shown(layout.Actions) {
		v.Actions = actionsOf(s, v, node.Entry.ID)
	}
	if s.Customization().Feedback.Enabled && s.Preview == nil {
		v.Feedback = node.Entry.ID
	}
	v.Wide = layout.Width == "wide"
	v.Reference = describesAPI(document)
	if shown(layout.TableOfContents) {
		v.Navigation = Navigation(s, node)
	}
	v.Crumbs = append(partCrumbs(s), crumbs(s, node)...)
	if shown(layout.Outline) {
		v.Outline = outlineOf(document, s.Resolver(node))
		if v.Reference {
			nameMethods(v.Outline, document)
		}
	}
	if shown(layout.Pagination) && s.Customization().Pagination.Enabled {
		previous, next := s.Edition.Neighbours(node)
		v.Previous, v.Next = pager(s, previous), pager(s, next)
	}
	if !shown(layout.Metadata) {
		v.Updated = ""
	}
	if shown(layout.Cover) {
		v.Cover = cover(s, node, layout)
	}
	if len(document.Nodes) == 0 {
		for _, child := range s.Edition.Children(node) {
			address, _ := s.LinkTo(child)
			v.Listing = append(v.Listing, linkView{Title: edition.PlainTitle(edition.Label(child.Entry)), URL: address,
				Description: child.Entry.Description})
		}
	}
}

func shown(flag *bool) bool { return flag == nil || *flag }

func pager(s *scope.Scope, node *store.TreeNode) *linkView {
	if node == nil {
		return nil
	}
	return &linkView{Title: edition.PlainTitle(edition.Label(node.Entry)), URL: s.PageURL(node)}
}

// outlineOf lists the headings of a page; a single one is no outline.
func outlineOf(document *doc.Document, resolver render.Resolver) []outlineView {
	headings := render.Outline(document, resolver)
	if len(headings) < 2 {
		return nil
	}
	top := headings[0].Level
	for _, h := range headings {
		top = min(top, h.Level)
	}
	outline := make([]outlineView, len(headings))
	for i, h := range headings {
		outline[i] = outlineView{ID: h.ID, Title: h.Title, Sub: h.Level > top}
	}
	return outline
}

// describesAPI reports whether a page describes an operation of an API, beside which examples stand.
func describesAPI(document *doc.Document) bool {
	return slices.ContainsFunc(document.Nodes, func(n *doc.Node) bool {
		return slices.ContainsFunc(n.Nodes, func(inner *doc.Node) bool { return inner.Fragment == doc.FragmentExample })
	})
}

// nameMethods puts the methods of operations to the entries of the outline that lead to them.
func nameMethods(outline []outlineView, document *doc.Document) {
	methods := map[string]string{} // by the anchor of the heading above the operation
	for i, n := range document.Nodes {
		data, ok := n.Data.(*doc.OpenAPIData)
		if !ok || i == 0 {
			continue
		}
		if heading, ok := document.Nodes[i-1].Data.(*doc.HeadingData); ok {
			methods[cmp.Or(document.Nodes[i-1].ID, heading.ID)] = data.Method
		}
	}
	for i := range outline {
		outline[i].Method = methodBadge(methods[outline[i].ID])
	}
}

// methodBadge shows the method of an operation, "" for none.
func methodBadge(method string) template.HTML {
	method = strings.ToLower(method)
	if !slices.Contains(httpMethods, method) {
		return ""
	}
	short := strings.ToUpper(method)
	switch method {
	case "delete":
		short = "DEL"
	case "options":
		short = "OPT"
	}
	return template.HTML(`<span class="method-badge method-` + method + `">` + short + `</span>`)
}

// httpMethods are those that operations have.
var httpMethods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query", "hook"}

// Heights of covers from which they are shown taller or lower than usual, and how far one is moved down that shows its
// top, in pixels. What follows from them are steps, since pages have no styles of their own.
const (
	tallCover = 400
	lowCover  = 200
	atTop     = 150
)

// cutAt returns the class of a cover that is moved down by so many pixels: its top stands at cover-at-0, its bottom at
// cover-at-100, in steps of five; its middle has none.
func cutAt(yPos float64) string {
	percent := int(math.Round((50-50*min(max(yPos, -atTop), atTop)/atTop)/5)) * 5
	if percent == 50 {
		return ""
	}
	return "cover-at-" + strconv.Itoa(percent)
}

func cover(s *scope.Scope, node *store.TreeNode, layout *entity.Layout) *coverView {
	cover := node.Entry.Cover
	if cover == nil {
		return nil
	}
	image := s.Resolver(node).Target(cover.Ref)
	if image.Broken || !response.Sendable(image.URL) {
		return nil
	}
	view := &coverView{URL: image.URL}
	if dark := s.Resolver(node).Target(cover.RefDark); !dark.Broken && response.Sendable(dark.URL) {
		view.Dark = dark.URL
	}
	var classes []string
	if layout.CoverSize == "hero" || layout.CoverSize == "full" {
		classes = append(classes, "cover-hero")
	}
	if layout.CoverMask == "radial" {
		classes = append(classes, "cover-radial")
	}
	switch {
	case cover.Height >= tallCover:
		classes = append(classes, "cover-tall")
	case cover.Height > 0 && cover.Height <= lowCover:
		classes = append(classes, "cover-short")
	}
	if class := cutAt(cover.YPos); class != "" {
		classes = append(classes, class)
	}
	view.Class = strings.Join(classes, " ")
	return view
}

// Missing answers that there is no page at a path, with pages that may have been meant.
func (p *Pages) Missing(w http.ResponseWriter, r *http.Request, s *scope.Scope, asked string) error {
	v := NewView(s)
	v.Heading = s.Theme().Words.Missing
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Navigation = Navigation(s, nil)
	v.Suggestions = suggest(r.Context(), s, asked)
	if last := asked[strings.LastIndexByte(asked, '/')+1:]; last != "" {
		v.Query = strings.Join(edition.WordsOf(last), " ")
	}
	answer, err := p.Execute(s, v, "missing", http.StatusNotFound)
	if err != nil {
		return err
	}
	answer.Serve(w, r)
	return nil
}

// suggest returns pages that may have been meant by a path, of the scope's space first and then of the other parts of
// the site.
func suggest(ctx context.Context, s *scope.Scope, asked string) []linkView {
	var found []linkView
	add := func(from *scope.Scope, prefix string) {
		for _, node := range from.Edition.Similar(asked) {
			if len(found) < edition.MaxSimilar {
				found = append(found, linkView{Title: edition.PlainTitle(edition.Label(node.Entry)),
					URL:         from.PageURL(node),
					Description: joinCrumbs(prefix, crumbText(node))})
			}
		}
	}
	add(s, "")
	for i, space := range s.Served.Spaces {
		if len(found) >= edition.MaxSimilar || i >= maxCounterparts || s.Preview != nil {
			break
		}
		if space.ID == s.Space.ID {
			continue
		}
		// One that cannot be read now has nothing to suggest.
		if other, err := s.In(ctx, space); err == nil && other != nil {
			add(other, other.PartTitle())
		}
	}
	return found
}

// joinCrumbs puts the part of the site before the way to a page.
func joinCrumbs(part, way string) string {
	if part == "" || way == "" {
		return part + way
	}
	return part + " › " + way
}

// crumbText is the way to a page as text.
func crumbText(node *store.TreeNode) string {
	var titles []string
	for _, above := range edition.Ancestors(node) {
		titles = append(titles, edition.PlainTitle(edition.Label(above.Entry)))
	}
	return strings.Join(titles, " › ")
}
