package pub

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/hostname"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// mount is how a request names a site: by its organization's hostname and its basename, or by a host of its own.
type mount struct {
	hostname string // of the organization
	basename string
	byHost   bool   // the hostname is in the Host header, not in the path
	host     string // of the site itself; "" for the other two
	// forwarded is the host that a trusted proxy was asked for.
	forwarded string
}

// prefix is the path of the site's root, with a slash at its end: that of the mount, or the one below which another
// server passes requests on.
func (m mount) prefix(served site.Served) string {
	if host, path, ok := strings.Cut(served.Site.Proxy, "/"); ok && host == m.forwarded {
		return "/" + path + "/"
	}
	switch {
	case m.host != "":
		return "/"
	case m.byHost:
		return "/" + url.PathEscape(served.Site.Basename) + "/"
	}
	return "/sites/" + url.PathEscape(m.hostname) + "/" + url.PathEscape(served.Site.Basename) + "/"
}

// mountOf splits a percent-encoded path into how it names a site and what is left; slash is false when not even a slash
// is.
func (s *Server) mountOf(r *http.Request, escaped string) (m mount, rest string, slash bool, err error) {
	m.forwarded = httpx.ForwardedHost(r.Context())
	if hostname, ok := s.hostname(r.Host); ok {
		m.hostname, m.byHost = hostname, true
	} else if host, ok := s.ownHost(r.Host); ok && s.ServesHost(r.Context(), r.Host) {
		m.host = host
		return m, escaped, true, nil
	} else {
		below, ok := strings.CutPrefix(escaped, "sites/")
		if !ok {
			return m, "", false, errs.NotFoundf("There is no site here.")
		}
		m.hostname, escaped, _ = strings.Cut(below, "/")
	}
	basename, rest, slash := strings.Cut(escaped, "/")
	if m.basename, err = url.PathUnescape(basename); err != nil {
		return m, "", false, errs.NotFoundf("There is no site here.")
	}
	return m, rest, slash, nil
}

// resolve is bounded by time rather than by one visitor's patience: several wait for it.
func (s *Server) resolve(ctx context.Context, m mount) (*scope.Site, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	find := func() (site.Served, error) { return s.deps.Sites.Resolve(ctx, m.hostname, m.basename) }
	if m.host != "" {
		find = func() (site.Served, error) { return s.deps.Sites.ResolveHost(ctx, m.host) }
	}
	served, err := find()
	if err != nil {
		return nil, err
	}
	root := m.prefix(served)
	var state strings.Builder
	fmt.Fprintf(&state, "%s %s %d %s %s %s", s.version, served.Site.ID, served.Site.UpdatedAt.UnixMicro(),
		served.Site.Visibility, served.Site.PublishedURL, root)
	state.WriteString(structureState(served))
	fmt.Fprintf(&state, " %d %v", served.CustomizationVersion, served.Scripts)
	specs, err := s.deps.Specs.State(ctx, served.Site.Organization)
	if err != nil {
		return nil, err
	}
	shown, err := s.deps.Blocks.State(ctx, served.Site.Organization)
	if err != nil {
		return nil, err
	}
	state.WriteString(" " + specs + " " + shown)
	translations, err := s.translationState(ctx, served)
	if err != nil {
		return nil, err
	}
	state.WriteString(translations)
	// A hash is as good a key and much shorter: it is part of the key of each page.
	sum := sha256.Sum256([]byte(state.String()))
	return &scope.Site{Served: &served, Spaces: served.Spaces, Root: root, State: string(sum[:]), Specs: specs}, nil
}

// hostname returns the organization's hostname in a Host header below the sites domain.
func (s *Server) hostname(host string) (string, bool) {
	if s.deps.SitesDomain == "" {
		return "", false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	name, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), "."+strings.Trim(s.deps.SitesDomain,
		"."))
	if !ok || name == "" || strings.Contains(name, ".") {
		return "", false
	}
	return name, true
}

// ownHost returns a host without its port when a site may have it for itself.
func (s *Server) ownHost(host string) (string, bool) {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == strings.ToLower(s.base.Hostname()) || !hostname.Valid(host) {
		return "", false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return "", false
	}
	return host, true
}

// ServesHost reports whether the Host header of a request is one that published sites are at. The caller then passes
// the request on whatever its path is. A host that may be a site's own is looked up.
func (s *Server) ServesHost(ctx context.Context, host string) bool {
	if _, ok := s.hostname(host); ok {
		return true
	}
	name, ok := s.ownHost(host)
	if !ok {
		return false
	}
	served, err := s.hosts.Do(ctx, name, s.deps.Sites.ServesHost)
	if err != nil && ctx.Err() == nil {
		s.log.ErrorContext(ctx, "look up the host of a request", slog.Any("error", err))
	}
	return served
}

// structureState is all of a site's structure that shows on its pages, for their key in the cache.
func structureState(served site.Served) string {
	var state strings.Builder
	for _, group := range served.Groups {
		fmt.Fprintf(&state, " %s %s %q %q", group.ID, group.Parent, group.Title, group.Icon)
	}
	for _, section := range served.Sections {
		fmt.Fprintf(&state, " %s %s %q %q %q %q %t", section.ID, section.Group, section.Title, section.Description,
			section.Icon, section.Path, section.Default)
	}
	for _, space := range served.Spaces {
		fmt.Fprintf(&state, " %s %s %s %q %t %q %s", space.ID, space.Section, space.Space, space.Path, space.Default,
			space.Title+"\x00"+space.Emoji+"\x00"+space.Icon+"\x00"+space.Language, space.Head)
	}
	return state.String()
}

// translationState identifies how up to date the translations on a site are. Spaces without a language are none.
func (s *Server) translationState(ctx context.Context, served site.Served) (string, error) {
	var spaces []id.Space
	for _, space := range served.Spaces {
		if space.Language != "" {
			spaces = append(spaces, space.Space)
		}
	}
	return s.deps.Translations.ServedState(ctx, spaces)
}
