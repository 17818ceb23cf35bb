// Package redirect owns what a site's redirects are, how their sources are written, and the table site_redirect.
//
// It promises that a source has one spelling, that the nearest redirect answers for a path, and that what a star has
// captured never changes which server an address names. It checks no access: package site does.
package redirect

import (
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
)

// MaxSource is the greatest length of a source, in characters.
const MaxSource = 512

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
	Section   id.Section
	SiteSpace id.SiteSpace
	Page      string
	// URL is an address of another site.
	URL string
	// Space and Path are of DestinationPath: a space on the site and the path of a page in it.
	Space id.Space
	Path  string
}

// Redirect leads from a path of a site, where no page is, to something else.
type Redirect struct {
	// ID is "siteredirect_…".
	ID   string
	Site id.Site
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

	// Path is the source decoded, without the star; Wildcard says that it has one. Both follow from Source.
	Path     string
	Wildcard bool
}

// Change is the input of UpdateRedirect: what is absent stays as it is.
type Change struct {
	Source                    optional.Value[string]
	Capture, Draft, Permanent optional.Value[bool]
	Destination               optional.Value[Destination]
}

// ReadSource decodes the source of a redirect. Characters of any script may be written as they are or percent-encoded.
func ReadSource(source string) (decoded string, wildcard bool, err error) {
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
	if n := utf8.RuneCountInString(decoded); n > MaxSource {
		return "", false, errs.Invalidf("source", "has %d characters; up to %d are accepted", n, MaxSource)
	}
	return decoded, wildcard, nil
}

// SettleSource reads Source into Path and Wildcard, and writes it in one spelling.
func (r *Redirect) SettleSource() error {
	var err error
	if r.Path, r.Wildcard, err = ReadSource(r.Source); err != nil {
		return err
	}
	r.Source = writeSource(r.Path, r.Wildcard)
	return nil
}

func unreserved(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~+", r)
}

// writeSource is the opposite of ReadSource, in one spelling.
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

// WithCaptured appends a path, decoded, to an address with a slash at its end.
func WithCaptured(address, captured string) string {
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

// NotFound is the error for a redirect that is not there.
func NotFound() error {
	return errs.NotFoundf("There is no such redirect on this site.")
}
