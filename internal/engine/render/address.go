package render

import (
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// safeAddress returns an address that may be printed into an attribute, or false. Allowed are http, https, mailto and
// tel, addresses relative to the page and fragments. It reads the address as a browser does, which ignores tabs and
// line breaks inside and control characters around it, and takes a backslash for a slash.
func safeAddress(address string) (string, bool) {
	var b strings.Builder
	for _, r := range address {
		switch {
		case r < 0x20 || r == 0x7f:
		case r == ' ':
			b.WriteString("%20")
		case r == '\\':
			b.WriteString("%5C")
		case r == '"':
			b.WriteString("%22")
		case r == '<':
			b.WriteString("%3C")
		case r == '>':
			b.WriteString("%3E")
		case r == '`':
			b.WriteString("%60")
		default:
			b.WriteRune(r)
		}
	}
	clean := strings.TrimSuffix(strings.TrimPrefix(b.String(), "%20"), "%20")
	for strings.HasPrefix(clean, "%20") {
		clean = clean[3:]
	}
	for strings.HasSuffix(clean, "%20") {
		clean = clean[:len(clean)-3]
	}
	if clean == "" {
		return "", false
	}
	if scheme, ok := schemeOf(clean); ok {
		switch scheme {
		case "http", "https", "mailto", "tel":
		default:
			return "", false
		}
	}
	return clean, true
}

// schemeOf returns what stands before the first colon in lower case, if that colon comes before any slash, question
// mark or hash: then a browser reads it as a scheme.
func schemeOf(address string) (string, bool) {
	at := strings.IndexAny(address, ":/?#")
	if at < 0 || address[at] != ':' {
		return "", false
	}
	return strings.ToLower(address[:at]), true
}

// leavesSite reports whether an address names another host.
func leavesSite(address string) bool {
	if strings.HasPrefix(address, "//") {
		return true
	}
	scheme, ok := schemeOf(address)
	return ok && (scheme == "http" || scheme == "https")
}

// link is a reference made ready for printing.
type link struct {
	Target
	// href is safe to print; "" when the link is broken.
	href string
	// written is how the document has it, for data-broken.
	written string
	// external says that it leaves the site.
	external bool
}

// resolve asks the resolver what a reference points at, and checks the answer.
func (p *page) resolve(ref doc.Ref) link {
	l := link{written: written(ref)}
	switch {
	case p.options.Resolver != nil:
		l.Target = p.options.Resolver.Resolve(ref)
	case ref.Kind == doc.RefURL || ref.Kind == "":
		l.Target = Target{URL: ref.URL, Kind: doc.RefURL}
	case ref.Kind == doc.RefAnchor && ref.Page == "" && ref.Space == "":
		l.Target = Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor}
	default:
		l.Target = Target{Kind: ref.Kind, Broken: true}
	}
	href, ok := safeAddress(l.URL)
	// People and tags need no address of their own.
	if l.Broken || !ok {
		l.Broken = l.Broken || l.URL != "" || ref.Kind != doc.RefUser && ref.Kind != doc.RefTag
		if l.Broken && p.options.Discreet {
			l.written, l.Title, l.Description = "", NotAvailable, ""
		}
		return l
	}
	if p.options.IDPrefix != "" && strings.HasPrefix(href, "#") {
		href = "#" + p.options.IDPrefix + href[1:]
	}
	l.href = href
	l.external = leavesSite(href) && (l.Kind == doc.RefURL || l.Kind == "")
	return l
}

// NotAvailable is what a broken reference is called where it must not say what it names.
const NotAvailable = "Not available"

// written is a reference as a text: the URL as it stands, or the stable form.
func written(ref doc.Ref) string { return ref.Destination() }

// name is a title for a target that the document gives none.
func (l link) name() string {
	if l.Title != "" {
		return l.Title
	}
	address := l.written
	if scheme, ok := schemeOf(address); ok && (scheme == "mailto" || scheme == "tel") {
		return address[len(scheme)+1:]
	}
	if leavesSite(address) {
		_, rest, _ := strings.Cut(address, "//")
		return strings.TrimSuffix(rest, "/")
	}
	if place, fragment, ok := strings.Cut(address, "#"); ok {
		if place == "" {
			return fragment
		}
		address = place
	}
	if base := strings.TrimSuffix(path.Base(address), ".md"); base != "." && base != "/" && base != "" {
		return base
	}
	return address
}

// anchorAttributes are the attributes of a link's start tag.
func (p *page) anchorAttributes(class string, l link) []string {
	attributes := []string{"class", class, "href", l.href}
	if l.external {
		attributes = append(attributes, "rel", "noopener noreferrer")
		if p.options.NewTab {
			attributes = append(attributes, "target", "_blank")
		}
	}
	return attributes
}

// openLink appends the start of a link and returns the tag to close: an anchor, or a span where the link is broken or
// stands inside another.
func (p *page) openLink(class string, l link) string {
	switch {
	case l.href == "":
		p.open("span", "class", classes(class, when(l.Broken, "is-broken")), "data-broken", p.brokenText(l))
		return "span"
	case p.linked > 0:
		p.open("span", "class", class)
		return "span"
	}
	p.open("a", p.anchorAttributes(classes(class, when(l.external, class+"-external")), l)...)
	p.linked++
	return "a"
}

func (p *page) closeLink(tag string) {
	if tag == "a" {
		p.linked--
	}
	p.close(tag)
}

// brokenText is what data-broken says: what was written, shortened.
func (p *page) brokenText(l link) string {
	if !l.Broken {
		return ""
	}
	if l.written == "" {
		return "#"
	}
	return shorten(l.written, 200)
}

// shorten cuts a text to at most a number of bytes, at a character.
func shorten(s string, length int) string {
	if len(s) <= length {
		return s
	}
	for length > 0 && s[length]&0xC0 == 0x80 {
		length--
	}
	return s[:length] + "…"
}
