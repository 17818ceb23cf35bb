package site

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/publish/site/hostname"
)

// Limits of the fields.
const (
	// maxGroupTitle, maxDescription and maxIcon are of sections and their groups.
	maxGroupTitle  = 100
	maxDescription = 256
	maxIcon        = 50
	// maxSpaces is how many spaces a site can be made with.
	maxSpaces = 100
)

// nameless is the slug of a title in which there is nothing to make one of.
const nameless = "docs"

// reserved are the first segments below an organization's host that the server keeps for itself.
var reserved = map[string]bool{"api": true, "assets": true, "healthz": true, "metrics": true, "readyz": true,
	"sites": true, "static": true, "v1": true}

func (n NewSite) check() (NewSite, error) {
	if n.Type == "" {
		n.Type = TypeBasic
	}
	if err := checkType("type", n.Type); err != nil {
		return n, err
	}
	if n.Visibility == "" {
		n.Visibility = VisibilityPublic
	}
	if err := checkVisibility(n.Visibility); err != nil {
		return n, err
	}
	if n.Title != "" {
		var err error
		if n.Title, err = field.Text("title", n.Title, customization.MinTitle, customization.MaxTitle); err != nil {
			return n, err
		}
	}
	if len(n.Spaces) > maxSpaces {
		return n, errs.Invalidf("spaces", "has %d spaces; up to %d are accepted, and more can be added later",
			len(n.Spaces), maxSpaces)
	}
	seen := make(map[id.Space]bool, len(n.Spaces))
	for _, spaceID := range n.Spaces {
		if seen[spaceID] {
			return n, errs.Invalidf("spaces", "names %.40q twice; name each space once", spaceID)
		}
		seen[spaceID] = true
	}
	return n, nil
}

func checkType(path string, t Type) error {
	return field.OneOf(path, t, TypeBasic, TypePremium, TypeUltimate, TypeSponsored, TypeLegacyBasic, TypeLegacyPremium)
}

func checkVisibility(v Visibility) error {
	return field.OneOf("visibility", v, VisibilityPublic, VisibilityUnlisted, VisibilityShareLink,
		VisibilityVisitorAuth)
}

func checkBasename(basename string) error {
	if n := utf8.RuneCountInString(basename); n < 1 || n > entity.MaxSlugLength || !utf8.ValidString(basename) ||
		entity.Slugify(basename) != basename {
		return errs.Invalidf("basename",
			"%.40q is not accepted; 1 to %d lower-case letters, digits and hyphens between them are", basename,
			entity.MaxSlugLength)
	}
	if reserved[basename] {
		return errs.Invalidf("basename", "%q is kept for the server; choose another one", basename)
	}
	return nil
}

// files are the names at the root of a part of a site that are no page's.
var files = map[string]bool{"feed.xml": true, "llms-full.txt": true, "llms.txt": true, "robots.txt": true,
	"sitemap.xml": true}

// checkPath refuses what cannot be the segment of a section or a space: 1 to 100 characters in the form of slugs with
// dots between them, so that versions such as "v1.2" are possible.
func checkPath(path string) error {
	n := utf8.RuneCountInString(path)
	valid := n >= 1 && n <= entity.MaxSlugLength && utf8.ValidString(path)
	for part := range strings.SplitSeq(path, ".") {
		valid = valid && entity.Slugify(part) == part
	}
	if !valid {
		return errs.Invalidf("path",
			"%.40q is not accepted; 1 to %d lower-case letters, digits, hyphens and dots between them are", path,
			entity.MaxSlugLength)
	}
	if files[path] || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".html") || strings.HasSuffix(path,
		".xml") {
		return errs.Invalidf("path", "%q is the name of a file that the site has; choose another one", path)
	}
	return nil
}

// checkIcon returns the name of an icon, "" for none.
func checkIcon(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	name, err := field.Text("icon", name, 1, maxIcon)
	if err != nil {
		return "", err
	}
	if strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != ':' && r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) {
		return "", errs.Invalidf("icon", "%q is no name of an icon; letters, digits and hyphens are, such as book-open",
			name)
	}
	return name, nil
}

// checkCondition refuses what is not an expression, and says where it goes wrong.
func checkCondition(condition optional.Value[string]) error {
	text, ok := condition.Get()
	if !ok {
		return nil
	}
	if n := utf8.RuneCountInString(text); n < 1 || n > expr.MaxCondition {
		return errs.Invalidf("condition", "has %d characters; from 1 to %d are accepted, and null for none", n,
			expr.MaxCondition)
	}
	if !field.Storable(text) {
		return errs.Invalidf("condition", "holds characters that cannot be stored")
	}
	if _, err := expr.ParseCondition(text); err != nil {
		if refusal, ok := errors.AsType[*errs.Error](err); ok {
			return errs.Invalidf("condition", "%s", refusal.Message)
		}
		return err
	}
	return nil
}

// apply returns the site as the change makes it. The default space is not part of a site's row.
func (c Change) apply(before Site) (Site, error) {
	after := before
	var err error
	if err = c.checkNulls(); err != nil {
		return before, err
	}
	if title, ok := c.Title.Get(); ok {
		if after.Title, err = field.Text("title", title, customization.MinTitle, customization.MaxTitle); err != nil {
			return before, err
		}
	}
	if visibility, ok := c.Visibility.Get(); ok {
		if err = checkVisibility(visibility); err != nil {
			return before, err
		}
		after.Visibility = visibility
	}
	if basename, ok := c.Basename.Get(); ok {
		if err = checkBasename(basename); err != nil {
			return before, err
		}
		after.Basename = basename
	}
	if c.Hostname.IsSet() {
		after.Hostname, _ = c.Hostname.Get() // null is none
		after.HostnameProven = after.HostnameProven && after.Hostname == before.Hostname
	}
	if c.Proxy.IsSet() {
		after.Proxy, _ = c.Proxy.Get()
		if after.Proxy, err = checkProxy(after.Proxy); err != nil {
			return before, err
		}
	}
	after.AdaptiveContent = c.AdaptiveContent.Or(before.AdaptiveContent)
	if agents, ok := c.AgentsContext.Get(); ok {
		if err = field.OneOf("agentsContext", agents, AgentsIncluded, AgentsExcluded); err != nil {
			return before, err
		}
		after.AgentsContext = agents
	}
	return after, nil
}

// checkNulls refuses null: every field of a site always has a value.
func (c Change) checkNulls() error {
	for _, each := range []struct {
		name string
		null bool
	}{
		{"title", c.Title.IsNull()}, {"visibility", c.Visibility.IsNull()}, {"basename", c.Basename.IsNull()},
		{"adaptiveContent", c.AdaptiveContent.IsNull()}, {"agentsContext", c.AgentsContext.IsNull()},
		{"defaultSiteSpace", c.DefaultSiteSpace.IsNull()}, {"defaultSiteSection", c.DefaultSiteSection.IsNull()},
	} {
		if each.null {
			return errs.Invalidf(each.name, "may not be null; leave it out to keep it as it is")
		}
	}
	return nil
}

// nameFrom returns the text to make a slug of.
func nameFrom(title string) string {
	if strings.IndexFunc(title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
		return nameless
	}
	return title
}

// titleFrom makes a site's title of that of a space or organization.
func titleFrom(title string) string {
	title = clip(title, customization.MaxTitle)
	if utf8.RuneCountInString(title) < customization.MinTitle {
		title += " docs"
	}
	return title
}

// clip shortens a title to a number of characters.
func clip(title string, most int) string {
	if utf8.RuneCountInString(title) <= most {
		return title
	}
	return strings.TrimSpace(string([]rune(title)[:most]))
}

// titleKey folds a title, or a part of one, so that it is found in any letter case.
func titleKey(title string) string { return strings.ToLower(norm.NFC.String(title)) }

// checkProxy returns the host and path of a proxy with the host in lower case; "" is none.
func checkProxy(proxy string) (string, error) {
	if proxy == "" {
		return "", nil
	}
	if !hostname.ValidProxy(proxy) {
		return "", errs.Invalidf("proxy",
			"%.40q is not accepted; a host and a path without a scheme such as example.com/docs is, or null for none",
			proxy)
	}
	host, path, _ := strings.Cut(proxy, "/")
	return strings.ToLower(host) + "/" + path, nil
}
