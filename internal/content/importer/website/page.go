package website

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// parsed is what one HTML page says.
type parsed struct {
	title, description string
	// body is the text until takePage keeps it as kept.
	body    []byte
	kept    source.Text
	anchors map[string]string
	lost    map[string]int
	// sum identifies the content: pages that are equal by it are one page.
	sum [sha256.Size]byte
	// links are the addresses that the page links to, in order: those of its content, and all of them.
	contentLinks, links []*url.URL
	images              []string
	// inline are the images that are written into the page, by the addresses that stand for them.
	inline map[string]string
	nav    *navigation
	// frame is the address of a page that holds the navigation, "" when there is none.
	frame *url.URL
}

// parsePage reads an HTML page that came from an address.
func parsePage(body io.Reader, contentType string, address *url.URL, s scope) (*parsed, error) {
	decoded, err := charset.NewReader(body, contentType)
	if err != nil {
		return nil, fmt.Errorf("decode page: %w", err)
	}
	page, err := html.ParseWithOptions(decoded, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	base := baseOf(page, address)
	result := &parsed{anchors: map[string]string{}, inline: map[string]string{}}
	result.links = linksOf(page, base)
	result.frame = navigationFrame(page, base)
	result.nav = findNavigation(page, base, s)
	title := titleOf(page)
	result.description = metaDescription(page)
	content := hypertext.Content(page, address)
	result.contentLinks = linksOf(content, base)
	converted := hypertext.Convert(content, hypertext.Options{
		Name: wholeTitleOf(page),
		Link: func(href string) string { return absolute(base, href) },
		Image: func(src string) string {
			destination := absolute(base, src)
			switch {
			case strings.HasPrefix(destination, "data:image/"):
				return result.addInline(destination)
			case strings.HasPrefix(destination, "data:"):
				return ""
			}
			if destination != "" {
				result.images = append(result.images, destination)
			}
			return destination
		},
		Drawing: func(svg string) string {
			return result.addInline("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg)))
		},
	})
	if converted.Title == "" {
		converted.Title = title
	}
	dropRepeatedTitle(&converted)
	result.lost = converted.Lost
	keepAnchors(converted)
	result.body = markdown.Write(converted.Document)
	if len(result.body) > markdown.MaxBody {
		return nil, errs.New(errs.TooLarge, "the page has %d bytes of text, at most %d are taken", len(result.body),
			markdown.MaxBody)
	}
	for id, node := range converted.Anchors {
		result.anchors[id] = ""
		if node != nil {
			result.anchors[id] = node.ID
		}
	}
	result.title = converted.Title
	result.sum = sha256.Sum256(append([]byte(result.title+"\x00"), result.body...))
	return result, nil
}

// inlineScheme starts the addresses that stand for images written into pages: the images themselves would make pages
// too large to handle.
const inlineScheme = "recto-inline:"

// addInline keeps an image that is written into the page and returns the address that stands for it.
func (p *parsed) addInline(data string) string {
	sum := sha256.Sum256([]byte(data))
	address := inlineScheme + hex.EncodeToString(sum[:])
	if _, known := p.inline[address]; !known {
		p.inline[address] = data
		p.images = append(p.images, address)
	}
	return address
}

// dropRepeatedTitle takes the heading off that a page starts with when it only says the title again.
func dropRepeatedTitle(converted *hypertext.Result) {
	nodes := converted.Document.Nodes
	if len(nodes) == 0 || headingData(nodes[0]) == nil ||
		!strings.EqualFold(strings.Join(strings.Fields(nodes[0].PlainText()), " "), converted.Title) {
		return
	}
	for id, node := range converted.Anchors {
		if node == nodes[0] {
			converted.Anchors[id] = nil
		}
	}
	converted.Document.Nodes = nodes[1:]
}

// keepAnchors makes the ids that headings had explicit where the anchors that the dialect derives differ, so that
// addresses people have kept go on working.
func keepAnchors(converted hypertext.Result) {
	ids := map[*doc.Node][]string{}
	for id, node := range converted.Anchors {
		if node != nil && headingData(node) != nil && keepable(id) {
			ids[node] = append(ids[node], id)
		}
	}
	used := map[string]bool{}
	converted.Document.Walk(func(n *doc.Node) bool {
		candidates := ids[n]
		slices.Sort(candidates)
		if len(candidates) == 0 || slices.Contains(candidates, n.ID) {
			return true
		}
		// The shortest is the one that people see; the others are often numbers behind a name.
		best := slices.MinFunc(candidates, func(a, b string) int { return len(a) - len(b) })
		if !used[best] {
			used[best] = true
			headingData(n).ID = best
		}
		return true
	})
	doc.Finish(converted.Document)
}

func headingData(n *doc.Node) *doc.HeadingData {
	data, _ := n.Data.(*doc.HeadingData)
	return data
}

// keepable reports whether an id can be an anchor of the dialect and looks like somebody chose it.
func keepable(id string) bool {
	if id == "" || len(id) > 100 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.+_") != "" {
		return false
	}
	rest := strings.TrimLeft(id, "idx-m")
	return strings.Trim(rest, "0123456789.-_") != ""
}

// absolute resolves a reference of a page, "" when it is not an address.
func absolute(base *url.URL, reference string) string {
	reference = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, strings.TrimSpace(reference))
	if strings.HasPrefix(strings.ToLower(reference), "javascript:") {
		return ""
	}
	u, err := base.Parse(reference)
	if err != nil {
		return reference
	}
	return u.String()
}

// baseOf returns what relative references of a page are relative to.
func baseOf(page *html.Node, address *url.URL) *url.URL {
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "base" {
			if base, err := address.Parse(attribute(n, "href")); err == nil && base.Host != "" {
				return base
			}
			break
		}
	}
	return address
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// linksOf returns where a tree's links lead, without duplicates.
func linksOf(root *html.Node, base *url.URL) []*url.URL {
	var links []*url.URL
	seen := map[string]bool{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" && n.Data != "area" && n.Data != "frame" {
			continue
		}
		href := attribute(n, "href")
		if n.Data == "frame" {
			href = attribute(n, "src")
		}
		if href == "" || strings.HasPrefix(href, "#") {
			continue
		}
		u, err := base.Parse(href)
		if err != nil {
			continue
		}
		u.Fragment, u.RawFragment = "", ""
		if address := u.String(); !seen[address] {
			seen[address] = true
			links = append(links, u)
		}
	}
	return links
}

// titleOf returns the title of a page without the name of the site behind it.
func titleOf(page *html.Node) string {
	title := wholeTitleOf(page)
	for _, separator := range []string{" — ", " – ", " | ", " · ", " :: "} {
		if first, _, found := strings.Cut(title, separator); found && first != "" {
			return first
		}
	}
	return title
}

// wholeTitleOf returns what the head of a page calls it.
func wholeTitleOf(page *html.Node) string {
	for n := range page.Descendants() {
		if n.Type != html.ElementNode || n.Data != "title" || n.Namespace != "" {
			continue
		}
		var text strings.Builder
		for child := range n.ChildNodes() {
			text.WriteString(child.Data)
		}
		return strings.Join(strings.Fields(text.String()), " ")
	}
	return ""
}

func metaDescription(page *html.Node) string {
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "meta" && strings.EqualFold(attribute(n, "name"), "description") {
			return strings.Join(strings.Fields(attribute(n, "content")), " ")
		}
	}
	return ""
}

// isHTML reports whether an answer is a page; sniff is its first bytes, for servers that do not say.
func isHTML(contentType string, sniff []byte) bool {
	switch contentType {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		start := bytes.ToLower(bytes.TrimSpace(sniff))
		return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
	}
	return false
}
