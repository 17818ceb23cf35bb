// Package scope owns what everything is made in that a visitor gets of a site: one space of the site in one edition,
// for one viewer, below one address.
//
// It says where pages, files and references lead for its viewer, reads the documents of pages with what depends on the
// viewer resolved, and keeps what has been rendered. What is rendered is kept under all that it depends on: the state
// of the site, and what came of the conditions and values of the viewer that it was made with. Viewers who differ in
// nothing that a page uses share it, and no page of one is shown to another.
package scope

import (
	"context"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

// Scope is what a page is rendered in: the edition of one space on one site, under one mount.
type Scope struct {
	Services *Services
	Served   *site.Served
	Spaces   []site.ServedSpace // see Site
	State    string
	Specs    string // see Site
	Space    site.ServedSpace
	// Root is the path of the site, Home that of the space on it, both with a slash at the end; Address is Home with
	// scheme and host.
	Root, Home, Address string
	// Preview is what is shown instead of the live content, nil for that.
	Preview *preview.Found
	// Fallback says that the space stands in for a default one that this visitor does not see: it has its own home, and
	// lists for machines, but no page at the address that was asked for.
	Fallback bool

	Edition *edition.Edition // set by Prepare

	Viewer
	uses  *uses  // of the page that is made, see Once
	shown *shown // likewise
}

// New finds which space of a site a path is in, and what is left of the path.
func New(services *Services, asked Request, by Viewer) (*Scope, string, error) {
	found := asked.Site
	sc := &Scope{
		Services: services, Served: found.Served, Spaces: found.Spaces, State: found.State, Specs: found.Specs,
		Root:   found.Root,
		Viewer: by,
	}
	if len(found.Served.Spaces) == 0 {
		return nil, "", errs.NotFoundf("This site has no content yet; put a space on it.")
	}
	at, ok := found.Served.Locate(asked.Path)
	sc.enter(at.Space)
	rest := at.Rest
	if at.Bare {
		rest = NeedsSlash
	}
	if !ok {
		sc.Fallback = true
		sc.State += " fallback" // its lists are those of the site, not those of the space
	}
	return sc, rest, nil
}

// enter makes a scope that of a space of its site.
func (s *Scope) enter(space site.ServedSpace) {
	s.Space, s.Home, s.Address = space, s.Root+space.Address, space.URL
}

// atRoot reports whether a scope stands for its whole site in lists for machines: it is at the site's own address, or
// stands in for what is there.
func (s *Scope) atRoot() bool { return s.Space.Address == "" || s.Fallback }

// NeedsSlash is the rest of the path of a space's root that was asked for without its slash.
const NeedsSlash = "\x00"

// Prepare gets the edition of the space.
func (s *Scope) Prepare(ctx context.Context) error {
	if s.Space.Head == "" {
		return errs.NotFoundf("This site has no content yet; import or write some.")
	}
	e, err := s.Services.Editions.For(ctx, s.Space.Head, s.Specs, s.Visitor)
	s.Edition = e
	return err
}

// PagePath is the path of a page below home, without a slash at either end; the landing page's is "".
func (s *Scope) PagePath(node *store.TreeNode) string {
	if node == s.Edition.Landing {
		return ""
	}
	return EscapePath(node.Path)
}

// PageURL is the address of a page for links on this site.
func (s *Scope) PageURL(node *store.TreeNode) string { return s.Home + s.PagePath(node) }

// PageAddress is the address of a page with scheme and host: the one that search engines keep.
func (s *Scope) PageAddress(node *store.TreeNode) string { return s.Address + s.PagePath(node) }

// MarkdownPath is the path of a page's Markdown below home.
func (s *Scope) MarkdownPath(node *store.TreeNode) string { return EscapePath(node.Path) + ".md" }

// LinkTo returns where an entry of the navigation leads.
func (s *Scope) LinkTo(node *store.TreeNode) (address string, external bool) {
	if node.Entry.Type != entity.PageLink {
		return s.PageURL(node), false
	}
	target := s.Resolver(node).Target(node.Entry.Target)
	if target.Broken || !response.Sendable(target.URL) {
		return s.Home, false
	}
	return target.URL, !strings.HasPrefix(target.URL, s.Root) && !strings.HasPrefix(target.URL, "#")
}

// SiteHome is where the site's name leads: to its root, or in a preview to the beginning of what is shown.
func (s *Scope) SiteHome() string {
	if s.Preview != nil {
		return s.Home
	}
	return s.Root
}

// SearchPath is where the site is searched: as it is live, or as it is in the preview.
func (s *Scope) SearchPath() string { return s.Home + "~/search" }

// LanguageTag reports whether a string has the form of a BCP 47 tag.
func LanguageTag(s string) bool {
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

// ReadPath decodes the path of a page. Tidy is false for a path that has another form that means the same: with a
// slash at its end or doubled ones. Ok is false for what no page can be at.
func ReadPath(escaped string) (path string, tidy, ok bool) {
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

// Find returns the page at a path that this audience may see, nil when there is none.
func (s *Scope) Find(path string) *store.TreeNode {
	node := s.Edition.Landing
	if path != "" {
		node = s.Edition.Paths()[path]
	}
	if !s.Edition.Exists(node) {
		return nil
	}
	return node
}

// FindSource returns the document whose Markdown is at a path.
func (s *Scope) FindSource(path string) *store.TreeNode {
	node := s.Find(path)
	if node == nil && (path == "index" || path == "README") {
		node = s.Edition.Landing
	}
	if node == nil || node.Entry.Type != entity.PageDocument {
		return nil
	}
	return node
}

// Absolute completes an address on this site.
func (s *Scope) Absolute(address string) string {
	if below, ok := strings.CutPrefix(address, s.Home); ok {
		return s.Address + below
	}
	return address
}

// Destination is where a redirect leads for this visitor. What a star has captured has to be a page there: so no
// redirect leads to another one, and never round in circles.
func (s *Scope) Destination(ctx context.Context, d redirect.Destination, captured string) (string, bool, error) {
	if d.Kind == redirect.DestinationExternal {
		return redirect.External(d.URL, captured), true, nil
	}
	for _, space := range s.Served.Spaces {
		if d.Kind == redirect.DestinationSection && (space.Section != d.Section || !space.Default) ||
			d.Kind != redirect.DestinationSection && space.ID != d.SiteSpace {
			continue
		}
		to, err := s.In(ctx, space)
		if to == nil || err != nil {
			return "", false, err
		}
		if d.Kind != redirect.DestinationPage {
			return to.PageAt(ctx, captured)
		}
		target := to.Resolver(nil).ToPage(to, to.Edition.Tree.ByID[d.Page], "")
		return target.URL, !target.Broken, nil
	}
	return "", false, nil
}

// In is the scope of another space of the site, nil when there is nothing in it.
func (s *Scope) In(ctx context.Context, space site.ServedSpace) (*Scope, error) {
	if space.Head == "" {
		return nil, nil
	}
	to := *s
	to.enter(space)
	to.Fallback, to.Edition = false, nil
	return &to, to.Prepare(ctx)
}

// PageAt is the address of what is at a decoded path of a space: a page, where one has moved, or one of the files of
// the space that are no pages.
func (s *Scope) PageAt(ctx context.Context, path string) (string, bool, error) {
	if path == "" {
		return s.Home, true, nil
	}
	if strings.HasPrefix(path, "~/") || path == "feed.xml" || path == "llms.txt" || path == "llms-full.txt" ||
		path == "sitemap.xml" {
		return s.Home + EscapePath(path), true, nil
	}
	if node := s.Find(path); node != nil {
		target := s.Resolver(nil).ToPage(s, node, "")
		return target.URL, !target.Broken, nil
	}
	if source, ok := strings.CutSuffix(path, ".md"); ok && s.FindSource(source) != nil {
		return s.Home + EscapePath(path), true, nil
	}
	moved, err := s.Edition.View.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) {
		return "", false, nil
	}
	if err != nil || moved.Entry == nil || !moved.Redirected {
		return "", false, err
	}
	target := s.Resolver(nil).ToPage(s, s.Edition.Tree.ByID[moved.Entry.ID], "")
	return target.URL, !target.Broken, nil
}

// FullPath is a decoded path of the scope's space, from the root of the site.
func (s *Scope) FullPath(asked string) string {
	if s.Fallback {
		return asked
	}
	at, err := url.PathUnescape(s.Space.Address)
	if err != nil {
		return asked
	}
	return at + asked
}

// Printable reports whether readers get PDFs of the space.
func (s *Scope) Printable() bool {
	return s.Customization().PDF.Enabled && s.Preview == nil
}

// Customization is how the space looks on the site.
func (s *Scope) Customization() *customization.Customization {
	return theme.CustomizationOf(s.Served, s.Space)
}

// Theme is what that comes to.
func (s *Scope) Theme() *theme.Theme { return s.Services.Themes.Of(s.Served, s.Space) }

// Language is that of the content, "" when it is not said.
func (s *Scope) Language() string {
	if LanguageTag(s.Space.Language) {
		return s.Space.Language
	}
	return ""
}

// Title is what the site is called.
func (s *Scope) Title() string {
	c := s.Customization()
	title := c.Title
	if title == "" {
		title = s.Served.Site.Title
	}
	return strings.TrimSpace(c.LocalizedTitle.In(s.Language(), title))
}

// EscapePath percent-encodes the segments of a path.
func EscapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/")
}
