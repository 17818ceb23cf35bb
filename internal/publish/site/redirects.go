package site

import (
	"context"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Bounds of redirects.
const (
	maxSource    = 512
	maxRedirects = 5000
)

// DestinationKind is the kind of what a redirect leads to.
type DestinationKind string

// Kinds of destinations. DestinationPath is one of input only: it becomes the page that is there.
const (
	DestinationSection  DestinationKind = "site-section"
	DestinationSpace    DestinationKind = "site-space"
	DestinationPage     DestinationKind = "site-page"
	DestinationExternal DestinationKind = "external"
	DestinationPath     DestinationKind = "path"
)

// Destination is what a redirect leads to. Which fields count depends on the kind.
type Destination struct {
	Kind DestinationKind
	// Section and SiteSpace are ids of things on the site, Page that of a page in the site space.
	Section, SiteSpace, Page string
	// URL is an address of another site.
	URL string
	// Space and Path are of DestinationPath: a space on the site and the path of a page in it.
	Space, Path string
}

// Redirect leads from a path of a site, where no page is, to something else.
type Redirect struct {
	// ID is "siteredirect_…".
	ID   string
	Site string
	// Source is the path below the site's root with a slash in front, percent-encoded; a star at its end covers all
	// that begins like it.
	Source string
	// Capture appends what the star stands for to the destination.
	Capture bool
	// Draft says that it does not work yet.
	Draft bool
	// Permanent says that readers may remember it.
	Permanent   bool
	Destination Destination
	CreatedAt   time.Time
	UpdatedAt   time.Time

	source   string // decoded, without the star
	wildcard bool
}

// RedirectChange is the input of UpdateRedirect: what is absent stays as it is.
type RedirectChange struct {
	Source                    optional.Value[string]
	Capture, Draft, Permanent optional.Value[bool]
	Destination               optional.Value[Destination]
}

// readSource decodes the source of a redirect. Characters of any script may be written as they are or percent-encoded.
func readSource(source string) (decoded string, wildcard bool, err error) {
	refused := errs.Invalidf("source",
		"%.60q is not accepted; a path such as /old/page is, or /old/* for all that is below", source)
	plain, wildcard := strings.CutSuffix(source, "*")
	rest, ok := strings.CutPrefix(plain, "/")
	if !ok || rest == "" || strings.HasPrefix(rest, "/") {
		return "", false, refused
	}
	trimmed := rest
	if wildcard {
		trimmed = strings.TrimSuffix(rest, "/")
	}
	for segment := range strings.SplitSeq(trimmed, "/") {
		text, err := url.PathUnescape(segment)
		if err != nil || text == "" || text == "." || text == ".." || !utf8.ValidString(text) ||
			strings.ContainsAny(text, "/\\") ||
			strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsAny(segment, "?#*") ||
			strings.TrimSpace(text) != text {
			return "", false, refused
		}
	}
	decoded, err = url.PathUnescape(plain)
	if err != nil {
		return "", false, refused
	}
	// Browsers ask for what people type in this form; the other one looks the same.
	decoded = norm.NFC.String(decoded)
	if n := utf8.RuneCountInString(decoded); n > maxSource {
		return "", false, errs.Invalidf("source", "has %d characters; up to %d are accepted", n, maxSource)
	}
	return decoded, wildcard, nil
}

func unreserved(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~+", r)
}

// writeSource is the opposite of readSource, in one spelling.
func writeSource(decoded string, wildcard bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(decoded) {
		if c == '/' || unreserved(rune(c)) && c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	if wildcard {
		b.WriteByte('*')
	}
	return b.String()
}

// ListRedirects returns a page of a site's redirects, drafts or those that work, with the number of all under the same
// filter and the keys of the next page (nil on the last). search is a part of the source; orderBy is createdAt,
// updatedAt or source.
func (s *Service) ListRedirects(ctx context.Context, caller account.Caller, organizationID, siteID string,
	filter RedirectFilter, page paging.Request) (paging.Page[Redirect], error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return paging.Page[Redirect]{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return paging.Page[Redirect]{}, err
	}
	rows, count, err := listRedirects(ctx, q, siteID, filter, page)
	if err != nil {
		return paging.Page[Redirect]{}, err
	}
	list := paging.Page[Redirect]{Items: rows, Count: count}
	list.Cut(page.Size(), filter.keys)
	return list, nil
}

// CreateRedirect adds a redirect. It needs the role create in the organization. A source that another one of the site
// has is an errs.Conflict.
func (s *Service) CreateRedirect(ctx context.Context, caller account.Caller, organizationID, siteID string,
	in Redirect) (Redirect, error) {
	var made Redirect
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		now := s.clock()
		made = in
		made.ID, made.Site, made.CreatedAt, made.UpdatedAt = id.New("siteredirect"), siteID, now, now
		if err := s.checkRedirect(ctx, q, organization, site, &made); err != nil {
			return err
		}
		count, err := countRedirects(ctx, q, siteID)
		if err != nil {
			return err
		}
		if count >= maxRedirects {
			return errs.Conflictf("A site holds up to %d redirects; delete one first.", maxRedirects)
		}
		if err := insertRedirect(ctx, q, made); err != nil {
			return redirectConflict(err, made)
		}
		return record(ctx, q, caller, site, "site-redirect.create", redirectTarget(made),
			map[string]any{"source": made.Source})
	})
	return made, err
}

// UpdateRedirect changes a redirect. It needs the role create in the organization.
func (s *Service) UpdateRedirect(ctx context.Context, caller account.Caller, organizationID, siteID, redirectID string,
	change RedirectChange) (Redirect, error) {
	var after Redirect
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if after, err = redirectByID(ctx, q, siteID, redirectID); err != nil {
			return err
		}
		after.Source, after.Capture = change.Source.Or(after.Source), change.Capture.Or(after.Capture)
		after.Draft, after.Permanent = change.Draft.Or(after.Draft), change.Permanent.Or(after.Permanent)
		after.Destination, after.UpdatedAt = change.Destination.Or(after.Destination), s.clock()
		if err := s.checkRedirect(ctx, q, organization, site, &after); err != nil {
			return err
		}
		if err := updateRedirect(ctx, q, after); err != nil {
			return redirectConflict(err, after)
		}
		return record(ctx, q, caller, site, "site-redirect.change", redirectTarget(after),
			map[string]any{"source": after.Source})
	})
	return after, err
}

func redirectConflict(err error, r Redirect) error {
	if db.IsUnique(err) {
		return errs.Conflictf("There is a redirect from %.60q already; change that one.", r.Source)
	}
	return err
}

func redirectTarget(r Redirect) audit.Target {
	return audit.Target{Kind: "site-redirect", ID: r.ID, Title: r.Source}
}

// DeleteRedirect removes a redirect. It needs the role create in the organization.
func (s *Service) DeleteRedirect(ctx context.Context, caller account.Caller,
	organizationID, siteID, redirectID string) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		found, err := redirectByID(ctx, q, siteID, redirectID)
		if err != nil {
			return err
		}
		if err := deleteRedirect(ctx, q, redirectID); err != nil {
			return err
		}
		return record(ctx, q, caller, site, "site-redirect.delete", redirectTarget(found),
			map[string]any{"source": found.Source})
	})
}

// RedirectBySource returns the redirect that works for a source, given as in Redirect.Source or as a path that a
// wildcard covers, and the whole address that it leads to.
func (s *Service) RedirectBySource(ctx context.Context, caller account.Caller,
	organizationID, siteID, source string) (Redirect, string, error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return Redirect{}, "", err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return Redirect{}, "", err
	}
	decoded, _, err := readSource(source)
	if err != nil {
		return Redirect{}, "", err
	}
	found, captured, err := s.RedirectFor(ctx, siteID, decoded)
	if err != nil {
		return Redirect{}, "", err
	}
	l, err := loadLayout(ctx, q, siteID)
	if err != nil {
		return Redirect{}, "", err
	}
	if site.PublishedURL == "" {
		site.PublishedURL = site.DirectURL
	}
	target, err := s.target(ctx, site, l, found, captured)
	return found, target, err
}

// RedirectFor returns the redirect that works for a path of a site, decoded and with a slash in front, and what its
// star stands for when it captures that. An exact source comes before a wildcard, and of these the longest. It checks
// no access.
func (s *Service) RedirectFor(ctx context.Context, siteID, path string) (found Redirect, captured string, err error) {
	if len(path) > maxSource*utf8.UTFMax || !field.Storable(path) {
		return Redirect{}, "", noRedirect()
	}
	found, err = redirectFor(ctx, s.db.Read(), siteID, path)
	if composed := norm.NFC.String(path); errs.Is(err, errs.NotFound) && composed != path {
		path = composed
		found, err = redirectFor(ctx, s.db.Read(), siteID, path)
	}
	if err == nil && found.wildcard && found.Capture {
		captured = strings.TrimSuffix(strings.TrimPrefix(path+"/", found.source), "/")
	}
	return found, captured, err
}

// target is the whole address that a redirect leads to; errs.NotFound when what it names has gone.
func (s *Service) target(ctx context.Context, site Site, l *layout, r Redirect, captured string) (string, error) {
	d, a := r.Destination, l.answers()
	switch d.Kind {
	case DestinationExternal:
		return External(d.URL, captured), nil
	case DestinationSection:
		if l.section(d.Section) != nil {
			return withCaptured(below(site.PublishedURL, a.sectionAddress(d.Section)), captured), nil
		}
	default:
		placed := l.space(d.SiteSpace)
		if placed == nil || placed.trashed {
			break
		}
		home := below(site.PublishedURL, a.address(placed))
		if d.Kind == DestinationSpace {
			return withCaptured(home, captured), nil
		}
		if s.deps.PagePath == nil {
			break
		}
		path, ok, err := s.deps.PagePath(ctx, placed.space, d.Page)
		if err != nil {
			return "", err
		}
		if ok {
			return home + strings.TrimPrefix((&url.URL{Path: "/" + path}).EscapedPath(), "/"), nil
		}
	}
	return "", noRedirect()
}

// withCaptured appends a path, decoded, to an address with a slash at its end.
func withCaptured(address, captured string) string {
	return address + strings.TrimPrefix((&url.URL{Path: "/" + cleanCaptured(captured)}).EscapedPath(), "/")
}

// cleanCaptured is a captured path that cannot climb out of where it is put.
func cleanCaptured(captured string) string {
	if captured == "" {
		return ""
	}
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(captured, "\\", "/")), "/")
}

// External is the address of another site with what a redirect has captured behind its path. Host and scheme stay what
// they are.
func External(address, captured string) string {
	parsed, err := url.Parse(address)
	if err != nil || captured == "" {
		return address
	}
	return parsed.JoinPath((&url.URL{Path: cleanCaptured(captured)}).EscapedPath()).String()
}

// checkRedirect settles the fields of a redirect that a caller wants.
func (s *Service) checkRedirect(ctx context.Context, q db.Querier, organization access.Organization, site Site,
	r *Redirect) error {
	var err error
	if r.source, r.wildcard, err = readSource(r.Source); err != nil {
		return err
	}
	r.Source = writeSource(r.source, r.wildcard)
	if below := strings.TrimPrefix(r.source, "/"); strings.HasPrefix(below, "~/") || files[below] && !r.wildcard {
		return errs.Invalidf("source",
			"%.60q is an address that the site itself answers, so that the redirect would never work; choose another "+
				"one", r.Source)
	}
	if r.Capture && !r.wildcard {
		return errs.Invalidf("captureWildcard", "needs a source with a star at its end")
	}
	l, err := loadLayout(ctx, q, site.ID)
	if err != nil {
		return err
	}
	seen, err := s.see(ctx, q, organization, site, l)
	if err != nil {
		return err
	}
	if r.Destination, err = s.checkDestination(ctx, seen, r.Destination); err != nil {
		return err
	}
	// One that leads to what it covers would go round in circles as soon as there is no page.
	site.PublishedURL = "/"
	if target, err := s.target(ctx, site, l, *r, ""); err == nil && r.Destination.Kind != DestinationExternal {
		decoded, err := url.PathUnescape(target)
		if err == nil && (strings.Trim(decoded, "/") == strings.Trim(r.source, "/") || r.wildcard && r.Capture &&
			strings.HasPrefix(decoded, r.source)) {
			return errs.Invalidf("destination",
				"is what the source names already, so that the redirect would lead to itself")
		}
	}
	return nil
}

// checkDestination settles a destination. What the caller may not read is not there: else they could ask which pages it
// has.
func (s *Service) checkDestination(ctx context.Context, v *seen, d Destination) (Destination, error) {
	site, l := v.site, v.layout
	switch d.Kind {
	case DestinationExternal:
		address, err := field.URL("destination.url", d.URL)
		if err != nil {
			return d, err
		}
		if s.isOwn(site, address) {
			return d, errs.Invalidf("destination.url", "is an address of this site; name the section, space or page "+
				"there, so that the redirect cannot lead in circles")
		}
		return Destination{Kind: d.Kind, URL: address}, nil
	case DestinationSection:
		if l.section(d.Section) == nil {
			return d, errs.Invalidf("destination.siteSectionId", "names no section of this site")
		}
		return Destination{Kind: d.Kind, Section: d.Section}, nil
	case DestinationSpace, DestinationPage:
		placed := l.space(d.SiteSpace)
		if placed == nil || !v.reads(placed) {
			return d, errs.Invalidf("destination.siteSpaceId", "names no space of this site")
		}
		if d.Kind == DestinationSpace {
			return Destination{Kind: d.Kind, SiteSpace: d.SiteSpace}, nil
		}
		return Destination{Kind: d.Kind, SiteSpace: d.SiteSpace, Page: d.Page}, s.checkPage(ctx, placed.space, d.Page)
	case DestinationPath:
		for _, placed := range l.spaces {
			if placed.space != d.Space || !v.reads(placed) || s.deps.PageByPath == nil {
				continue
			}
			page, err := s.deps.PageByPath(ctx, placed.space, strings.Trim(d.Path, "/"))
			if err != nil {
				return d, err
			}
			if page == "" {
				return d, errs.Invalidf("destination.path", "is no page of the space")
			}
			return Destination{Kind: DestinationPage, SiteSpace: placed.id, Page: page}, nil
		}
		return d, errs.Invalidf("destination.spaceId", "names no space on this site")
	}
	return d, field.OneOf("destination.kind", d.Kind, DestinationSection, DestinationSpace, DestinationPage,
		DestinationExternal, DestinationPath)
}

func (s *Service) checkPage(ctx context.Context, spaceID, pageID string) error {
	found := false
	if s.deps.PagePath != nil && field.Storable(pageID) {
		var err error
		if _, found, err = s.deps.PagePath(ctx, spaceID, pageID); err != nil {
			return err
		}
	}
	if !found {
		return errs.Invalidf("destination.pageId", "names no page of the space")
	}
	return nil
}

// isOwn reports whether an address is below one of a site's own.
func (s *Service) isOwn(site Site, address string) bool {
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	for _, own := range []string{site.DirectURL, site.PublishedURL, "https://" + site.Proxy + "/"} {
		base, err := url.Parse(own)
		if err != nil || base.Host == "" || !strings.EqualFold(base.Host, parsed.Host) {
			continue
		}
		if strings.HasPrefix(parsed.EscapedPath()+"/", base.EscapedPath()) {
			return true
		}
	}
	return false
}

func noRedirect() error {
	return errs.NotFoundf("There is no such redirect on this site.")
}
