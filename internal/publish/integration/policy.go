package integration

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Policy is a Content-Security-Policy as it was sent: a text, or a value for each directive. Both are nil for none.
type Policy struct {
	Text       *string
	Directives map[string]string
}

const (
	// maxPolicy is the most bytes a policy may have, as it was sent and as it is kept.
	maxPolicy = 8192
	// policyPath is the field that errors name.
	policyPath = "contentSecurityPolicy"
)

// bare are the directives that stand without a value.
var bare = []string{"block-all-mixed-content", "upgrade-insecure-requests"}

// directives are all that a policy may have, in the order in which they are kept.
var directives = append([]string{
	"default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr",
	"img-src", "font-src",
	"connect-src", "media-src", "object-src", "frame-src", "child-src", "worker-src", "manifest-src", "prefetch-src",
	"frame-ancestors",
	"form-action", "base-uri", "navigate-to", "plugin-types", "sandbox", "referrer", "report-to", "report-uri",
	"require-sri-for",
	"require-trusted-types-for", "trusted-types",
}, bare...)

// normalize returns the one spelling of a policy: directives in a fixed order, "; " between them, one space between the
// words of a value; "" for none. Line breaks count as spaces. A semicolon ends a directive, in the value of one as
// well: what follows is a directive when its first word is the name of one, and goes on with the same value otherwise.
// So no spelling brings anything into the header but directives that are on the list.
func (p Policy) normalize() (string, error) {
	found := map[string]string{}
	switch {
	case p.Text != nil:
		if err := addDirectives(found, policyPath, "", *p.Text); err != nil {
			return "", err
		}
	case p.Directives != nil:
		if len(p.Directives) > len(directives) {
			return "", errs.Invalidf(policyPath, "has %d directives; there are only %d", len(p.Directives),
				len(directives))
		}
		names := make([]string, 0, len(p.Directives))
		for name := range p.Directives {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if !slices.Contains(directives, name) {
				return "", unknownDirective(name)
			}
			if err := addDirectives(found, policyPath+"."+name, name, p.Directives[name]); err != nil {
				return "", err
			}
		}
	}
	return joined(found)
}

func joined(found map[string]string) (string, error) {
	var parts []string
	for _, name := range directives {
		if value, ok := found[name]; ok {
			parts = append(parts, strings.TrimSpace(name+" "+value))
		}
	}
	text := strings.Join(parts, "; ")
	if len(text) > maxPolicy {
		return "", errs.Invalidf(policyPath, "has %d bytes; up to %d are accepted", len(text), maxPolicy)
	}
	return text, nil
}

// addDirectives reads a text of directives; current is the one whose value it begins in, "" when it begins with a name.
func addDirectives(found map[string]string, path, current, text string) error {
	if len(text) > maxPolicy {
		return errs.Invalidf(path, "has %d bytes; up to %d are accepted", len(text), maxPolicy)
	}
	if i := strings.IndexFunc(text, refusedInPolicy); i >= 0 {
		return errs.Invalidf(path, "holds %q, which cannot stand in a policy; use printable ASCII without commas",
			[]rune(text[i:])[0])
	}
	own := current != ""
	for i, part := range strings.Split(text, ";") {
		words := strings.Fields(part)
		var err error
		switch {
		case own && i == 0:
			err = addDirective(found, path, current, words)
		case len(words) == 0:
		case slices.Contains(directives, strings.ToLower(words[0])):
			current = strings.ToLower(words[0])
			err = addDirective(found, path, current, words[1:])
		case own:
			found[current] = strings.TrimSpace(found[current] + " " + strings.Join(words, " "))
		default:
			err = unknownDirective(words[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func addDirective(found map[string]string, path, name string, words []string) error {
	value := strings.Join(words, " ")
	if slices.Contains(bare, name) {
		if value != "" && value != "true" {
			return errs.Invalidf(path, "%s takes no value", name)
		}
		value = ""
	}
	if before, twice := found[name]; twice && before != value {
		return errs.Invalidf(path, "gives %s twice with different values; a browser would follow the first alone", name)
	}
	found[name] = value
	return nil
}

// refusedInPolicy reports characters that no policy has: a comma would begin another policy, and control characters but
// white space are never meant.
func refusedInPolicy(r rune) bool {
	switch r {
	case '\n', '\r', '\t', ' ':
		return false
	}
	return r < 0x21 || r > 0x7e || r == ','
}

func unknownDirective(name string) error {
	return errs.Invalidf(policyPath, "%.60q is no directive of a Content-Security-Policy; one of %s is", name,
		strings.Join(directives, ", "))
}
