package pub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// servePage answers for the address of a page: with the page, with where it has moved, or with a page that says that
// there is none.
func (s *scope) servePage(w http.ResponseWriter, r *http.Request, rest string) error {
	if rest == needsSlash {
		return response.Redirect(w, r, s.home)
	}
	asked, tidy, ok := readPath(rest)
	if !ok {
		return s.missing(w, r, "")
	}
	if s.astray {
		return s.serveAbsent(w, r, asked)
	}
	if !tidy {
		return response.Redirect(w, r, s.home+escapePath(asked))
	}
	if node := s.find(asked); node != nil {
		return s.serveFound(w, r, node, asked)
	}
	if source, ok := strings.CutSuffix(asked, ".md"); ok && s.site.Site.AgentsContext != site.AgentsExcluded {
		if node := s.findSource(source); node != nil {
			return s.serveMarkdown(w, r, node)
		}
	}
	return s.serveMoved(w, r, asked)
}

// readPath decodes the path of a page. Tidy is false for a path that has another form that means the same: with a
// slash at its end or doubled ones. Ok is false for what no page can be at.
func readPath(escaped string) (path string, tidy, ok bool) {
	tidy = true
	var segments []string
	for i, part := range strings.Split(escaped, "/") {
		segment, err := url.PathUnescape(part)
		if err != nil || !utf8.ValidString(segment) || strings.ContainsAny(segment, "/\\\x00") || segment == "." ||
			segment == ".." {
			return "", false, false
		}
		if segment == "" {
			tidy = tidy && i == 0 && escaped == ""
			continue
		}
		segments = append(segments, segment)
	}
	return strings.Join(segments, "/"), tidy, true
}

// find returns the page at a path that this audience may see, nil when there is none.
func (s *scope) find(path string) *store.TreeNode {
	node := s.edition.Landing
	if path != "" {
		node = s.edition.Paths()[path]
	}
	if !s.edition.Exists(node) {
		return nil
	}
	return node
}

// findSource returns the document whose Markdown is at a path.
func (s *scope) findSource(path string) *store.TreeNode {
	node := s.find(path)
	if node == nil && (path == "index" || path == "README") {
		node = s.edition.Landing
	}
	if node == nil || node.Entry.Type != entity.PageDocument {
		return nil
	}
	return node
}

// serveFound answers with a page, or for a group with its first document.
func (s *scope) serveFound(w http.ResponseWriter, r *http.Request, node *store.TreeNode, asked string) error {
	if node.Entry.Type == entity.PageGroup {
		first := s.edition.FirstDocument(node)
		if first == nil {
			return s.missing(w, r, asked)
		}
		return response.Redirect(w, r, s.pageURL(first))
	}
	ctx := context.WithoutCancel(r.Context()) // others may wait for the same page
	made, err := s.once(escapePath(asked), func() (*response.Response, error) { return s.renderPage(ctx, node) })
	if err != nil {
		return fmt.Errorf("render page %s of revision %s: %w", node.Entry.ID, s.space.Head, err)
	}
	made.Serve(w, r)
	return nil
}

// serveMoved answers for a path where no page is: by where redirects lead, or by what is nearly the same.
func (s *scope) serveMoved(w http.ResponseWriter, r *http.Request, asked string) error {
	for _, other := range []string{norm.NFC.String(asked), strings.ToLower(asked), strings.TrimSuffix(asked, ".html"),
		strings.TrimSuffix(asked, "/index.html")} {
		if node := s.find(other); node != nil && other != asked {
			return response.Redirect(w, r, s.home+escapePath(other))
		}
	}
	if s.preview == nil {
		if done, err := s.serveRedirect(w, r, s.fullPath(asked)); done || err != nil {
			return err
		}
	}
	moved, err := s.edition.View.ByPath(r.Context(), asked)
	if errs.Is(err, errs.NotFound) {
		return s.serveAbsent(w, r, asked)
	}
	if err != nil {
		return err
	}
	to := render.Target{Broken: true}
	switch {
	case moved.Target != nil:
		to = s.resolver(nil).target(moved.Target)
	case moved.Entry != nil && moved.Redirected:
		to = s.resolver(nil).toPage(s, s.edition.Tree.ByID[moved.Entry.ID], "")
	}
	if to.Broken || !response.Sendable(to.URL) {
		return s.serveAbsent(w, r, asked)
	}
	return response.RedirectAs(w, r, httpx.ChosenLocation(to.URL), http.StatusPermanentRedirect)
}

// serveAbsent answers for a path that the space knows nothing of: by what was there before the site changed, or not at
// all.
func (s *scope) serveAbsent(w http.ResponseWriter, r *http.Request, asked string) error {
	if s.preview == nil {
		if done, err := s.serveFormer(w, r, s.fullPath(asked)); done || err != nil {
			return err
		}
	}
	return s.missing(w, r, asked)
}

// load reads and parses the body of a page and resolves what depends on the audience.
func (s *scope) load(ctx context.Context, node *store.TreeNode, options render.Options) (*doc.Document, error) {
	if computed, ok := s.edition.Computed[node.Entry.ID]; ok {
		return render.Evaluate(ctx, computed.Document.Clone(), options)
	}
	body, err := s.edition.View.Body(ctx, node.Entry)
	if err != nil {
		return nil, err
	}
	parsed, err := markdown.Parse(body)
	if refusal, ok := errors.AsType[*errs.Error](err); ok && (refusal.Kind == errs.Invalid ||
		refusal.Kind == errs.TooLarge) {
		if bytes.Contains(body, []byte("{%")) {
			return &doc.Document{}, nil // it may hold conditions that cannot be read either
		}
		// A page that cannot be read as Markdown still shows what it holds.
		return &doc.Document{Nodes: []*doc.Node{doc.NewCode(&doc.CodeData{}, strings.Split(string(body), "\n")...)}},
			nil
	}
	if err != nil {
		return nil, err
	}
	return render.Evaluate(ctx, parsed, options)
}

// options are how the documents of a page are rendered.
func (s *scope) options(ctx context.Context, node *store.TreeNode) render.Options {
	r := s.resolver(node)
	r.ctx = ctx
	return render.Options{
		Resolver:  r,
		Context:   s.edition.Variables(s.visitor, node.Entry),
		Used:      s.used(node.Entry),
		Discreet:  true,
		Reusable:  s.reusable(node),
		OpenAPI:   s.openAPI(r),
		Icon:      s.server.themes.Icons.SVG,
		SearchURL: s.searchPath() + "?q=",
		NewTab:    s.customization().ExternalLinks.Target == "blank",
		Labels:    s.theme().Words.Content,
	}
}

// reusable loads the reusable contents that a page includes, by id or by where their file is.
func (s *scope) reusable(node *store.TreeNode) func(context.Context, doc.Ref) (*doc.Document, error) {
	r := s.resolver(node)
	return func(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
		if stable := doc.ParseDestination(ref.URL); ref.Kind == doc.RefURL && stable.Kind == doc.RefReusableContent {
			ref = stable
		}
		from, ok := r.of(ref.Space)
		if !ok {
			return nil, nil
		}
		var entry *entity.Entry
		if ref.Kind == doc.RefReusableContent {
			found, err := from.edition.View.Entry(ctx, ref.ReusableContent)
			if err != nil && !errs.Is(err, errs.NotFound) {
				return nil, err
			}
			entry = found
		} else {
			entry = from.edition.Sources().Reusable(node, ref.URL)
		}
		if entry == nil || entry.Kind != entity.KindReusable {
			return nil, nil
		}
		body, err := from.edition.View.Body(ctx, entry)
		if err != nil {
			return nil, err
		}
		parsed, err := markdown.Parse(body)
		if errs.Is(err, errs.Invalid) || errs.Is(err, errs.TooLarge) {
			return nil, nil
		}
		return parsed, err
	}
}

// renderPage makes the response for a page.
func (s *scope) renderPage(ctx context.Context, node *store.TreeNode) (*response.Response, error) {
	options := s.options(ctx, node)
	document, err := s.load(ctx, node, options)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := render.HTML(ctx, &body, document, options); err != nil {
		return nil, err
	}
	v := s.newView()
	s.describe(v, node, document)
	translated, err := s.translation(ctx, node, v)
	if err != nil {
		return nil, err
	}
	if !translated {
		v.Edit = s.editLink(node)
	}
	s.arrange(v, node, document)
	v.Structure, v.Alternates = s.structure(ctx, node), s.alternates(ctx, node)
	v.Body = template.HTML(body.String())
	if bytes.Contains(body.Bytes(), []byte(` data-tex="`)) {
		v.Assets.Katex, v.Assets.KatexStyle = s.assetURL("katex.js"), s.assetURL("katex.css")
	}
	if bytes.Contains(body.Bytes(), []byte(` data-diagram="`)) {
		v.Assets.Diagram = s.assetURL("diagram.html")
	}
	return s.page(v, "page", 0)
}

// page executes a template and prepares what it gives for being sent.
func (s *scope) page(v *view, name string, status int) (*response.Response, error) {
	var out bytes.Buffer
	if err := v.write(&out, s.server.templates, name); err != nil {
		return nil, err
	}
	made := response.New(s.pageHeader(v.NoIndex), out.Bytes())
	made.Status = status
	return made, nil
}

// pageHeader is the header of every page.
func (s *scope) pageHeader(noIndex bool) http.Header {
	h := http.Header{
		"Content-Type":            {"text/html; charset=utf-8"},
		"Cache-Control":           {"no-cache"},
		"Content-Security-Policy": {response.PagePolicy(s.theme().Style, render.EmbedOrigins(), s.sources())},
	}
	if s.site.Site.AgentsContext == site.AgentsExcluded {
		h["X-Robots-Tag"] = []string{"noai, noimageai"}
	}
	if noIndex {
		h["X-Robots-Tag"] = append(h["X-Robots-Tag"], "noindex")
	}
	return h
}

// describe sets what a page is called, and what machines are told of it.
func (s *scope) describe(v *view, node *store.TreeNode, document *doc.Document) {
	e := node.Entry
	v.Heading = edition.PlainTitle(edition.Title(e))
	v.HeadingHTML = inlineTitle(edition.Title(e))
	v.Icon = pageIcon(s.server.themes.Icons, e)
	v.Description = strings.TrimSpace(e.Description)
	v.Summary = summary(v.Description, document)
	if runs := direction.OfText(v.Heading, v.Summary); runs != "" && runs != v.Direction {
		v.ArticleDirection = runs
	}
	v.Canonical = s.pageAddress(node)
	if v.Site.Agents {
		v.Markdown = s.home + s.markdownPath(node)
	}
	v.NoIndex = v.NoIndex || !s.edition.Indexable(node)
	v.Title = v.Heading + " · " + v.Site.Title
	if node == s.edition.Landing {
		v.Title = v.Site.Title
	} else {
		v.Kind = "article"
	}
	if e.UpdatedAt > 0 {
		updated := time.UnixMicro(e.UpdatedAt).UTC()
		v.Modified = updated.Format(time.RFC3339)
		v.Updated = s.theme().Words.Day(updated)
	}
	v.Breadcrumbs = s.breadcrumbData(node)
	v.SocialImage = s.socialImage(node)
}

// summaryLength is how many characters search engines show of a description.
const summaryLength = 160

// summary is a page's description, or the beginning of its text.
func summary(description string, document *doc.Document) string {
	text := description
	if text == "" {
		for _, node := range document.Nodes {
			if node.Type == doc.Paragraph {
				text = render.Text(&doc.Document{Nodes: []*doc.Node{node}})
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
func (s *scope) breadcrumbData(node *store.TreeNode) template.JS {
	type item struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}
	var items []item
	if section, ok := s.site.Section(s.space.Section); ok && len(s.site.Sections) > 1 && node != s.edition.Landing {
		items = append(items, item{"ListItem", 1, section.Title, section.URL})
	}
	for _, n := range append(edition.Ancestors(node), node) {
		if n.Entry.Type == entity.PageDocument {
			items = append(items, item{"ListItem", len(items) + 1, edition.PlainTitle(edition.Title(n.Entry)),
				s.pageAddress(n)})
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

// socialImage is the picture that stands for a page in previews, with scheme and host.
func (s *scope) socialImage(node *store.TreeNode) string {
	if cover := node.Entry.Cover; cover != nil {
		if to := s.resolver(node).target(cover.Ref); !to.Broken {
			return s.absolute(to.URL)
		}
	}
	return s.customization().SocialPreview.URL
}

// absolute completes an address on this site.
func (s *scope) absolute(address string) string {
	if below, ok := strings.CutPrefix(address, s.home); ok {
		return s.address + below
	}
	return address
}

// arrange sets what is around the text of a page.
func (s *scope) arrange(v *view, node *store.TreeNode, document *doc.Document) {
	layout := node.Entry.Layout
	if layout == nil {
		layout = &entity.Layout{}
	}
	v.ShowTitle = shown(layout.Title)
	v.ShowDescription = shown(layout.Description) && v.Description != ""
	v.ShowMarkdown = shown(layout.Actions) && v.Markdown != "" && s.customization().PageActions.Markdown
	if shown(layout.Actions) {
		v.Actions = s.actionsOf(v, node.Entry.ID)
	}
	if s.customization().Feedback.Enabled && s.preview == nil {
		v.Feedback = node.Entry.ID
	}
	v.Wide = layout.Width == "wide"
	if shown(layout.TableOfContents) {
		v.Navigation = s.navigation(node)
	}
	v.Crumbs = append(s.partCrumbs(), s.crumbs(node)...)
	if shown(layout.Outline) {
		v.Outline = outlineOf(document)
	}
	if shown(layout.Pagination) && s.customization().Pagination.Enabled {
		previous, next := s.edition.Neighbours(node)
		v.Previous, v.Next = s.pager(previous), s.pager(next)
	}
	if !shown(layout.Metadata) {
		v.Updated = ""
	}
	if shown(layout.Cover) {
		v.Cover = s.cover(node, layout)
	}
	if len(document.Nodes) == 0 {
		for _, child := range s.edition.Children(node) {
			address, _ := s.linkTo(child)
			v.Listing = append(v.Listing, linkView{Title: edition.PlainTitle(edition.Label(child.Entry)), URL: address,
				Description: child.Entry.Description})
		}
	}
}

func shown(flag *bool) bool { return flag == nil || *flag }

func (s *scope) pager(node *store.TreeNode) *linkView {
	if node == nil {
		return nil
	}
	return &linkView{Title: edition.PlainTitle(edition.Label(node.Entry)), URL: s.pageURL(node)}
}

// outlineOf lists the headings of a page; a single one is no outline.
func outlineOf(document *doc.Document) []outlineView {
	headings := render.Outline(document)
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

// Heights of covers from which they are shown taller or lower than usual, in pixels.
const (
	tallCover = 400
	lowCover  = 200
)

func (s *scope) cover(node *store.TreeNode, layout *entity.Layout) *coverView {
	cover := node.Entry.Cover
	if cover == nil {
		return nil
	}
	image := s.resolver(node).target(cover.Ref)
	if image.Broken || !response.Sendable(image.URL) {
		return nil
	}
	view := &coverView{URL: image.URL}
	if dark := s.resolver(node).target(cover.RefDark); !dark.Broken && response.Sendable(dark.URL) {
		view.Dark = dark.URL
	}
	var classes []string
	if layout.CoverSize == "hero" || layout.CoverSize == "full" {
		classes = append(classes, "cover-hero")
	}
	switch {
	case cover.Height >= tallCover:
		classes = append(classes, "cover-tall")
	case cover.Height > 0 && cover.Height <= lowCover:
		classes = append(classes, "cover-short")
	}
	view.Class = strings.Join(classes, " ")
	return view
}

// missing answers that there is no page at a path, with pages that may have been meant.
func (s *scope) missing(w http.ResponseWriter, r *http.Request, asked string) error {
	v := s.newView()
	v.Heading = s.theme().Words.Missing
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Navigation = s.navigation(nil)
	v.Suggestions = s.suggest(r.Context(), asked)
	if last := asked[strings.LastIndexByte(asked, '/')+1:]; last != "" {
		v.Query = strings.Join(edition.WordsOf(last), " ")
	}
	answer, err := s.page(v, "missing", http.StatusNotFound)
	if err != nil {
		return err
	}
	answer.Serve(w, r)
	return nil
}

// suggest returns pages that may have been meant by a path, of the scope's space first and then of the other parts of
// the site.
func (s *scope) suggest(ctx context.Context, asked string) []linkView {
	var found []linkView
	add := func(from *scope, prefix string) {
		for _, node := range from.edition.Similar(asked) {
			if len(found) < edition.MaxSimilar {
				found = append(found, linkView{Title: edition.PlainTitle(edition.Label(node.Entry)),
					URL:         from.pageURL(node),
					Description: joinCrumbs(prefix, crumbText(node))})
			}
		}
	}
	add(s, "")
	for i, space := range s.site.Spaces {
		if len(found) >= edition.MaxSimilar || i >= maxTwins || s.preview != nil {
			break
		}
		if space.ID == s.space.ID {
			continue
		}
		// One that cannot be read now has nothing to suggest.
		if other, err := s.in(ctx, space); err == nil && other != nil {
			add(other, other.partTitle())
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
