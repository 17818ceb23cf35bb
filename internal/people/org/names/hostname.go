// Package names knows by which names organizations may be found: hostnames, and the domains of their e-mail.
package names

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Bounds of a hostname, in characters.
const (
	minHostname = 3
	maxHostname = 32
)

var hostnamePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$`)

// reserved are the hostnames that no organization gets: names that the service itself, its mail or the browsers may
// need below the sites domain, and names that would let an organization pass for the operator.
var reserved = map[string]bool{
	"account": true, "accounts": true, "admin": true, "administrator": true, "api": true, "app": true,
	"apps": true, "assets": true, "auth": true, "autoconfig": true, "autodiscover": true, "billing": true,
	"cdn": true, "console": true, "dashboard": true, "dns": true,
	"email": true, "ftp": true, "git": true, "help": true,
	"hostmaster": true, "imap": true, "integrations": true, "internal": true, "localhost": true,
	"login": true, "logout": true, "mail": true, "metrics": true, "mta-sts": true,
	"ns1": true, "ns2": true, "oauth": true, "org": true, "orgs": true, "pop": true,
	"postmaster": true, "preview": true, "proxy": true, "recto": true, "root": true, "saml": true, "search": true,
	"security": true, "signin": true, "signup": true, "site": true, "sites": true, "smtp": true,
	"space": true, "spaces": true, "ssl": true, "sso": true, "staging": true, "static": true, "status": true,
	"support": true, "system": true, "user": true, "users": true, "webmail": true,
	"webmaster": true, "wpad": true, "www": true,
}

// CheckHostname refuses a hostname that is malformed or reserved.
func CheckHostname(path, hostname string) error {
	if !hostnamePattern.MatchString(hostname) || strings.Contains(hostname, "--") {
		return errs.Invalidf(path,
			"%.40q is not accepted; %d to %d characters of a-z, 0-9 and single hyphens are, with no hyphen at either "+
				"end",
			hostname, minHostname, maxHostname)
	}
	if reserved[hostname] {
		return errs.Invalidf(path, "%q is kept for the service; choose another one", hostname)
	}
	return nil
}

// HostnameFrom makes a hostname of a title: Latin letters without their marks, digits, and a hyphen for any run of
// anything else. A title that gives too little, or a reserved word, is filled up.
func HostnameFrom(title string) string {
	var b strings.Builder
	hyphen := false
	for _, r := range norm.NFKD.String(title) {
		r = unicode.ToLower(r)
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if hyphen && b.Len() > 0 {
				b.WriteByte('-')
			}
			hyphen = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
			// A mark that was taken off its letter, or an apostrophe: "Émile's" becomes "emiles".
		default:
			hyphen = true
		}
	}
	name := cut(b.String(), maxHostname)
	switch {
	case name == "":
		return "organization"
	case len(name) < minHostname || reserved[name]:
		return cut(name, maxHostname-len("-docs")) + "-docs"
	}
	return name
}

// WithSuffix returns the name with a hyphen and a suffix behind it, within the greatest length.
func WithSuffix(name, suffix string) string {
	return cut(name, maxHostname-1-len(suffix)) + "-" + suffix
}

func cut(name string, most int) string {
	return strings.TrimRight(name[:min(len(name), most)], "-")
}

// IsHostname reports whether a text has the form of a hostname; it may be a reserved one.
func IsHostname(text string) bool { return hostnamePattern.MatchString(text) }
