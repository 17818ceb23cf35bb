package pub

import (
	"context"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

// scope is what a page is rendered in: the edition of one space on one site, under one mount.
type scope struct {
	server *Server
	site   *site.Served
	spaces []site.ServedSpace // see resolved
	state  string
	specs  string // see resolved
	space  site.ServedSpace
	// root is the path of the site, home that of the space on it, both with a slash at the end; address is home with
	// scheme and host.
	root, home, address string
	// preview is what is shown instead of the live content, nil for that.
	preview *Preview
	// astray says that the space stands in for a default one that this visitor does not see: it has its own home, and
	// lists for machines, but no page at the address that was asked for.
	astray bool

	edition *edition.Edition // set by prepare

	// visitor is who reads. adaptive says that what they get may depend on it, admitted that the site is for them: who
	// only sees a preview is not.
	visitor            *edition.Visitor
	adaptive, admitted bool
	inspection         *inspection
	uses               *uses // of the page that is made, see once
}

// scope finds which space of a site a path is in, and what is left of the path.
func (s *Server) scope(asked request, by viewer) (*scope, string, error) {
	found := asked.found
	sc := &scope{
		server: s, site: found.site, spaces: found.spaces, state: found.state, specs: found.specs, root: found.root,
		visitor: by.visitor, adaptive: by.adaptive, admitted: by.admitted, inspection: by.inspection,
	}
	if len(found.site.Spaces) == 0 {
		return nil, "", errs.NotFoundf("this site has no content yet; put a space on it")
	}
	spot, ok := found.site.Spot(asked.rest)
	sc.enter(spot.Space)
	rest := spot.Rest
	if spot.Bare {
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
	e, err := s.server.editions.For(ctx, s.space.Head, s.specs, s.visitor)
	s.edition = e
	return err
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
func (s *scope) pagePath(node *store.TreeNode) string {
	if node == s.edition.Landing {
		return ""
	}
	return escapePath(node.Path)
}

// pageURL is the address of a page for links on this site.
func (s *scope) pageURL(node *store.TreeNode) string { return s.home + s.pagePath(node) }

// pageAddress is the address of a page with scheme and host: the one that search engines keep.
func (s *scope) pageAddress(node *store.TreeNode) string { return s.address + s.pagePath(node) }

// markdownPath is the path of a page's Markdown below home.
func (s *scope) markdownPath(node *store.TreeNode) string { return escapePath(node.Path) + ".md" }

// linkTo returns where an entry of the navigation leads.
func (s *scope) linkTo(node *store.TreeNode) (address string, external bool) {
	if node.Entry.Type != entity.PageLink {
		return s.pageURL(node), false
	}
	target := s.resolver(node).target(node.Entry.Target)
	if target.Broken || !response.Sendable(target.URL) {
		return s.home, false
	}
	return target.URL, !strings.HasPrefix(target.URL, s.root) && !strings.HasPrefix(target.URL, "#")
}

// view starts what a page of the site shows: everything that is not the page's own.
func (s *scope) newView() *view {
	settings, chosen, title := s.customization(), s.theme(), s.title()
	v := &view{
		Words:    chosen.Words,
		Language: s.language(),
		Kind:     "website",
		NoIndex:  s.site.Site.Visibility != site.VisibilityPublic,
		Frames:   strings.Join(render.EmbedOrigins(), " "),
		Assets: assetView{Theme: s.assetURL("theme.js"), Script: s.assetURL("site.js"),
			Style: s.assetURL("site.css")},
		Site: siteView{
			Title: title, Initial: initial(title), Emoji: edition.EmojiText(settings.Favicon.Emoji),
			Home: s.home, Root: s.siteHome(), Search: s.searchPath(), Style: template.CSS(chosen.Style),
			Classes: chosen.Classes, BarLight: chosen.BarLight, BarDark: chosen.BarDark,
			Copyright: settings.Footer.Copyright, Agents: s.site.Site.AgentsContext != site.AgentsExcluded,
			Trademark: settings.Trademark.Enabled,
			Script:    chosen.Words.ScriptJSON(),
		},
	}
	if chosen.Fonts.Preload != "" {
		v.Assets.Font = s.assetURL(chosen.Fonts.Preload)
	}
	if chosen.Classes != "" {
		v.Assets.Chosen = append(v.Assets.Chosen, s.assetURL("look.css"))
	}
	for _, sheet := range chosen.Fonts.Sheets {
		v.Assets.Chosen = append(v.Assets.Chosen, s.assetURL(sheet))
	}
	if s.preview != nil {
		v.Preview, v.NoIndex = s.preview.Label, true
	}
	if s.inspection != nil {
		v.Preview, v.NoIndex, v.Inspection = chosen.Words.Visit.As(s.inspection.claims), true, s.inspection
	}
	if v.Language == "" {
		v.Language = chosen.Words.Tag
	}
	v.Direction = direction.OfLanguage(v.Language)
	if v.Site.Emoji == "" {
		// The same on all parts of the site.
		first, _ := s.site.Default()
		v.Site.Emoji = edition.EmojiText(first.Emoji)
	}
	switch usual := settings.Themes.Default; {
	case !settings.Themes.Toggleable && usual == "system":
		v.Site.NoSwitch = true
	case !settings.Themes.Toggleable:
		v.Site.FixedTheme, v.Site.NoSwitch = usual, true
	case usual != "system":
		v.Site.DefaultTheme = usual
	}
	v.Site.Logo, v.Site.LogoDark = logoOf(settings.Header.Logo)
	v.Site.FooterLogo, v.Site.FooterLogoDark = logoOf(settings.Footer.Logo)
	v.Site.Brand = s.siteHome()
	if to := settings.Header.PrimaryLink; to != nil {
		if target := s.targetOf(to); !target.Broken && response.Sendable(target.URL) {
			v.Site.Brand = target.URL
		}
	}
	if response.Sendable(settings.PrivacyPolicy.URL) {
		v.Site.Privacy = settings.PrivacyPolicy.URL
	}
	v.Site.Links, v.Site.Footer, v.Site.Announcement = s.headerLinks(), s.footerGroups(), s.announcement()
	v.Site.HeaderAccounts = s.socials(func(d site.SocialDisplay) bool { return d.Header })
	v.Site.FooterAccounts = s.socials(func(d site.SocialDisplay) bool { return d.Footer })
	if s.preview == nil {
		free, asked := scriptsOf(s.site.Scripts)
		v.Site.Scripts = free
		if len(asked) > 0 {
			v.Site.AskedScripts = strings.Join(asked, " ")
		}
	}
	if s.site.Site.Visibility == site.VisibilityVisitorAuth && s.inspection == nil {
		v.Site.Logout = s.root + signOutPath
	}
	v.Structure = s.structure(context.Background(), nil)
	v.Site.Favicon = theme.Favicon(settings, v.Site.Emoji, v.Site.Initial)
	if icon := settings.Favicon.Icon; icon != nil && response.Sendable(icon.Light) {
		v.Site.Favicon = template.URL(icon.Light)
		if response.Sendable(icon.Dark) && icon.Dark != icon.Light {
			v.Site.FaviconDark = icon.Dark
		}
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

// logoOf returns the addresses of a picture in both themes; dark is "" where it is the same.
func logoOf(logo *site.ThemedURL) (light, dark string) {
	if logo == nil || !response.Sendable(logo.Light) {
		return "", ""
	}
	if response.Sendable(logo.Dark) && logo.Dark != logo.Light {
		dark = logo.Dark
	}
	return logo.Light, dark
}

// sources are what pages of the site may load besides their own files, by directive.
func (s *scope) sources() map[string][]string {
	sources := map[string][]string{}
	if s.preview == nil {
		sources = sourcesOf(s.site.Scripts)
	}
	if origins := s.theme().Fonts.Origins; len(origins) > 0 {
		sources["font-src"] = append(sources["font-src"], origins...)
	}
	return sources
}

// searchPath is where the site is searched: as it is live, or as it is in the preview.
func (s *scope) searchPath() string { return s.home + "~/search" }

// assetURL is the address of a static file.
func (s *scope) assetURL(name string) string {
	return s.root + "~/assets/" + s.server.themes.Assets.File(name)
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
