package pub

import (
	"context"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/expr"
	"github.com/rectodocs/recto/internal/render"
	"github.com/rectodocs/recto/internal/site"
)

// scope is what a page is rendered in: the edition of one space on one site, under one mount.
type scope struct {
	server *Server
	site   site.Served
	state  string
	specs  string // see resolved
	space  site.ServedSpace
	// root is the path of the site, home that of the space on it, both with a slash at the end; address is home with
	// scheme and host.
	root, home, address string
	// preview is what is shown instead of the live content, nil for that; live is then home without it.
	preview *Preview
	live    string
	// astray says that the space stands in for a default one that this visitor does not see: it has its own home, and lists
	// for machines, but no page at the address that was asked for.
	astray bool

	edition *edition // set by prepare
}

// scope finds which space of a site a path is in, and what is left of the path.
func (s *Server) scope(found resolved, rest string) (*scope, string, error) {
	sc := &scope{server: s, site: found.site, state: found.state, specs: found.specs, root: found.root}
	if len(found.site.Spaces) == 0 {
		return nil, "", errs.NotFoundf("this site has no content yet; put a space on it")
	}
	spot, ok := found.site.Spot(rest)
	sc.enter(spot.Space)
	if rest = spot.Rest; spot.Bare {
		rest = needsSlash
	}
	if !ok {
		sc.astray = true
		sc.state += " astray" // its lists are those of the site, not those of the space
	}
	return sc, rest, nil
}

// enter makes a scope that of a space of its site.
func (s *scope) enter(space site.ServedSpace) {
	s.space, s.home, s.address = space, s.root+space.Address, space.URL
}

// atRoot reports whether a scope stands for its whole site in lists for machines: it is at the site's own address, or
// stands in for what is there.
func (s *scope) atRoot() bool { return s.space.Address == "" || s.astray }

// needsSlash is the rest of the path of a space's root that was asked for without its slash.
const needsSlash = "\x00"

// prepare gets the edition of the space.
func (s *scope) prepare(ctx context.Context) error {
	if s.space.Head == "" {
		return errs.NotFoundf("this site has no content yet; import or write some")
	}
	e, err := s.server.edition(ctx, s.space.Head, s.specs)
	s.edition = e
	return err
}

// edition returns a revision prepared for readers, from the cache when it is there. specs is the state of the API
// specifications; most revisions do not depend on it and are kept without.
func (s *Server) edition(ctx context.Context, revision, specs string) (*edition, error) {
	if kept, ok := s.editions.Get(revision); ok {
		return kept, nil
	}
	key := revision + " " + specs
	if kept, ok := s.editions.Get(key); ok {
		return kept, nil
	}
	made, err, _ := s.preparing.Do(key, func() (any, error) {
		// Others wait for this too: it does not end with one reader's request.
		ctx := context.WithoutCancel(ctx)
		v, err := s.deps.Content.View(ctx, revision)
		if err != nil {
			return nil, err
		}
		e, err := newEdition(ctx, v, s.deps.Specs)
		if err != nil {
			return nil, fmt.Errorf("prepare revision %s: %w", revision, err)
		}
		if e.depends {
			s.editions.Set(key, e)
		} else {
			s.editions.Set(revision, e)
		}
		return e, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(*edition), nil
}

// pageKey says what a rendered page depends on, and nothing else does.
type pageKey struct {
	state string // of the site, see resolved
	space string // on the site
	path  string // as asked for, percent-encoded; of other things than pages a NUL and what they are
}

// String returns the key as one text, under which the cache has it.
func (k pageKey) String() string { return k.state + "\x00" + k.space + "\x00" + k.path }

// pageKey returns the key of the page at a percent-encoded path; ok is false for paths that are no page's.
func (s *scope) pageKey(escaped string) (key pageKey, ok bool) {
	if strings.HasPrefix(escaped, "~") || escaped == needsSlash {
		return pageKey{}, false
	}
	return pageKey{state: s.state, space: s.space.ID, path: escaped}, true
}

// pagePath is the path of a page below home, without a slash at either end; the landing page's is "".
func (s *scope) pagePath(node *content.TreeNode) string {
	if node == s.edition.landing {
		return ""
	}
	return escapePath(node.Path)
}

// pageURL is the address of a page for links on this site.
func (s *scope) pageURL(node *content.TreeNode) string { return s.home + s.pagePath(node) }

// pageAddress is the address of a page with scheme and host: the one that search engines keep.
func (s *scope) pageAddress(node *content.TreeNode) string { return s.address + s.pagePath(node) }

// markdownPath is the path of a page's Markdown below home.
func (s *scope) markdownPath(node *content.TreeNode) string { return escapePath(node.Path) + ".md" }

// linkTo returns where an entry of the navigation leads.
func (s *scope) linkTo(node *content.TreeNode) (address string, external bool) {
	if node.Entry.Type != entity.PageLink {
		return s.pageURL(node), false
	}
	target := s.resolver(node).target(node.Entry.Target)
	if target.Broken || !sendable(target.URL) {
		return s.home, false
	}
	return target.URL, !strings.HasPrefix(target.URL, s.root) && !strings.HasPrefix(target.URL, "#")
}

// view starts what a page of the site shows: everything that is not the page's own.
func (s *scope) newView() *view {
	settings := s.site.Customization
	title := strings.TrimSpace(s.site.Site.Title)
	style := s.style()
	v := &view{
		Language: "en",
		Kind:     "website",
		NoIndex:  s.site.Site.Visibility != site.VisibilityPublic,
		Frames:   strings.Join(render.EmbedOrigins(), " "),
		Assets: assetView{
			Theme: s.assetURL("theme.js"), Script: s.assetURL("site.js"), Style: s.assetURL("site.css"), Font: s.assetURL("inter-latin-wght-normal.woff2"),
		},
		Site: siteView{
			Title: title, Initial: initial(title), Emoji: emojiText(settings.Favicon.Emoji),
			Home: s.home, Root: s.siteHome(), Search: s.searchPath(), Style: template.CSS(style), Copyright: settings.Footer.Copyright,
			Agents: s.site.Site.AgentsContext != site.AgentsExcluded, Trademark: settings.Trademark.Enabled,
		},
	}
	if s.preview != nil {
		v.Preview, v.NoIndex = s.preview.Label, true
	}
	if languageTag(s.space.Language) {
		v.Language = s.space.Language
	}
	if v.Site.Emoji == "" {
		v.Site.Emoji = emojiText(s.space.Emoji)
	}
	switch {
	case !settings.Themes.Toggleable:
		v.Site.FixedTheme = settings.Themes.Default
	case settings.Themes.Default == "dark":
		// Light is what nobody chose: readers then get what their system has.
		v.Site.DefaultTheme = "dark"
	}
	if logo := settings.Header.Logo; logo != nil && sendable(logo.Light) {
		v.Site.Logo = logo.Light
		if sendable(logo.Dark) && logo.Dark != logo.Light {
			v.Site.LogoDark = logo.Dark
		}
	}
	if sendable(settings.PrivacyPolicy.URL) {
		v.Site.Privacy = settings.PrivacyPolicy.URL
	}
	v.Site.Links = s.headerLinks()
	v.Structure = s.structure(context.Background(), nil)
	v.Site.Favicon = favicon(v.Site, s.primary())
	if icon := settings.Favicon.Icon; icon != nil && sendable(icon.Light) {
		v.Site.Favicon = template.URL(icon.Light)
	}
	return v
}

// siteHome is where the site's name leads: to its root, or in a preview to the beginning of what is shown.
func (s *scope) siteHome() string {
	if s.preview != nil {
		return s.home
	}
	return s.root
}

// searchPath is where the site is searched. A preview is searched in the live content.
func (s *scope) searchPath() string {
	if s.preview != nil {
		return s.live + "~/search"
	}
	return s.home + "~/search"
}

// headerLinks are the links of the header that lead somewhere.
func (s *scope) headerLinks() []linkView {
	var links []linkView
	for _, link := range s.site.Customization.Header.Links {
		to := s.resolver(nil).Resolve(referenceOf(link.To))
		hidden := link.Condition != "" && !expr.Boolean(context.Background(), link.Condition, s.edition.expressions(&entity.Entry{}))
		if hidden || to.Broken || !sendable(to.URL) {
			continue
		}
		view := linkView{Title: link.Title, URL: to.URL}
		if link.Style == "button-primary" {
			view.Class = "is-primary"
		}
		links = append(links, view)
	}
	return links
}

// referenceOf reads a content reference of the settings, which hold it as the API's JSON.
func referenceOf(object map[string]any) doc.Ref {
	text := func(name string) string {
		value, _ := object[name].(string)
		return value
	}
	return doc.Ref{
		Kind: doc.RefKind(text("kind")), URL: text("url"), Page: text("page"), Anchor: text("anchor"), Space: text("space"), File: text("file"),
	}
}

// assetURL is the address of a static file.
func (s *scope) assetURL(name string) string {
	return s.root + "~/assets/" + s.server.assets.byName[name].file
}

// primary is the site's primary colour in the light theme.
func (s *scope) primary() colour {
	if c, ok := parseColour(s.site.Customization.Styling.PrimaryColor.Light); ok {
		return c
	}
	return defaultPrimary
}

// style is the style sheet of the site's colours.
func (s *scope) style() string {
	light := s.primary()
	dark, ok := parseColour(s.site.Customization.Styling.PrimaryColor.Dark)
	if !ok {
		dark = light
	}
	return themeStyle(light, dark)
}

// favicon is an SVG of the site's emoji, or of its initial on its colour, as a data address.
func favicon(v siteView, c colour) template.URL {
	background, text := fill(c)
	drawing := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="` + background.String() + `"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="` + text.String() + `">` + html.EscapeString(v.Initial) + `</text></svg>`
	if v.Emoji != "" {
		drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><text x="16" y="27" font-size="28" text-anchor="middle">` + html.EscapeString(v.Emoji) + `</text></svg>`
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(drawing))
}

// initial is the first letter or digit of a title, in upper case.
func initial(title string) string {
	for _, r := range title {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	r, _ := utf8.DecodeRuneInString("§")
	return string(r)
}

// languageTag reports whether a string has the form of a BCP 47 tag.
func languageTag(s string) bool {
	if len(s) < 2 || len(s) > 35 {
		return false
	}
	for _, r := range s {
		if r != '-' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}
