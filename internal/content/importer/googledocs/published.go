package googledocs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// readPublished reads a document that is published to the web.
func readPublished(ctx context.Context, client *fetch.Client, address string,
	texts *source.Texts) (*source.Tree, error) {
	response, data, err := client.ReadAll(ctx, address, fetch.Limits{Bytes: maxPublished, Time: documentTime,
		Redirects: 10})
	if err != nil {
		return nil, err
	}
	if response.Status != 200 {
		return nil, notPublic(response.Status)
	}
	root, err := markup.Parse(data, address)
	if err != nil {
		return nil, err
	}
	content := markup.Find(root, func(n *html.Node) bool { return markup.HasClass(n, "doc-content") })
	if content == nil {
		content = markup.Find(root, func(n *html.Node) bool { return markup.Attr(n, "id") == "contents" })
	}
	if content == nil {
		return nil, notPublic(response.Status)
	}
	dir, err := os.MkdirTemp(texts.Dir, "recto-import-*")
	if err != nil {
		return nil, fmt.Errorf("make folder for images: %w", err)
	}
	r := &reader{ctx: ctx, client: client, dir: dir, targets: markup.NewTargets(), images: map[string]string{}}
	r.tree.Resolve, r.tree.Texts = r.targets.Resolve, texts
	r.tree.Close = func() error { return os.RemoveAll(dir) }
	if err := r.page(root, content, address); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &r.tree, nil
}

// reader reads one published document.
type reader struct {
	ctx     context.Context
	client  *fetch.Client
	dir     string
	tree    source.Tree
	targets *markup.Targets
	images  map[string]string // destinations by src
}

func (r *reader) page(root, content *html.Node, address string) error {
	page := &source.Page{Place: address}
	page.Entry.Type = entity.PageDocument
	title := markup.TextOf(markup.Find(root, func(n *html.Node) bool { return n.Data == "title" }))
	for _, n := range markup.FindAll(content, func(n *html.Node) bool {
		return n.Data == "p" && markup.HasClass(n, "title")
	}) {
		if page.Entry.Title == "" {
			page.Entry.Title = markup.TextOf(n)
			markup.Remove(n)
		}
	}
	looks := styles(root)
	for _, n := range markup.FindAll(content, func(*html.Node) bool { return true }) {
		switch {
		case n.Parent == nil:
		case n.Data == "style":
			markup.Remove(n)
		case n.Data == "span":
			mark(n, looks)
		case n.Data == "hr" && n.NextSibling != nil && markup.Find(n.NextSibling, isNote) != nil:
			markup.Remove(n) // the rule above the footnotes
		}
	}
	nestLists(content)
	for _, image := range markup.FindAll(content, func(n *html.Node) bool { return n.Data == "img" }) {
		if err := r.fetchImage(markup.Attr(image, "src")); err != nil {
			return err
		}
	}
	markup.Fill(page, content, hypertext.Options{Link: realAddress, Image: func(src string) string {
		return r.images[src]
	}}, &r.tree)
	if page.Entry.Title == "" {
		page.Entry.Title = title
	}
	if page.Entry.Title == "" {
		page.Entry.Title = "Untitled"
	}
	r.tree.Pages = []*source.Page{page}
	r.tree.Files = r.targets.Files()
	return nil
}

// isNote reports whether an element is the number before a footnote.
func isNote(n *html.Node) bool {
	return n.Data == "a" && strings.HasPrefix(markup.Attr(n, "id"), "ftnt") && !strings.HasPrefix(markup.Attr(n, "id"),
		"ftnt_")
}

// realAddress returns where a link leads that goes by way of Google.
func realAddress(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Path != "/url" || u.Hostname() != "www.google.com" {
		return href
	}
	if target := u.Query().Get("q"); target != "" {
		return target
	}
	return href
}

// look is what a class means for text.
type look struct{ bold, italic, strike, code, super, sub bool }

var styleRule = regexp.MustCompile(`\.([A-Za-z0-9_-]+)\s*\{([^{}]*)\}`)

// styles reads what classes mean from the page's style sheets.
func styles(root *html.Node) map[string]look {
	looks := map[string]look{}
	for _, sheet := range markup.FindAll(root, func(n *html.Node) bool { return n.Data == "style" }) {
		if sheet.FirstChild == nil {
			continue
		}
		for _, rule := range styleRule.FindAllStringSubmatch(sheet.FirstChild.Data, -1) {
			made := lookOf(rule[2])
			if made != (look{}) {
				looks[rule[1]] = made
			}
		}
	}
	return looks
}

func lookOf(declarations string) look {
	var made look
	for declaration := range strings.SplitSeq(declarations, ";") {
		name, value, _ := strings.Cut(strings.ToLower(declaration), ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "font-weight":
			weight, err := strconv.Atoi(value)
			made.bold = value == "bold" || err == nil && weight >= 600
		case "font-style":
			made.italic = value == "italic"
		case "text-decoration":
			made.strike = strings.Contains(value, "line-through")
		case "font-family":
			made.code = strings.Contains(value, "mono") || strings.Contains(value, "courier") || strings.Contains(value,
				"consolas")
		case "vertical-align":
			made.super, made.sub = value == "super", value == "sub"
		}
	}
	return made
}

// mark puts the elements around a span's content that its classes and style stand for. In headings, bold is the look of
// the heading.
func mark(n *html.Node, looks map[string]look) {
	all := []look{lookOf(markup.Attr(n, "style"))}
	for class := range strings.FieldsSeq(markup.Attr(n, "class")) {
		all = append(all, looks[class])
	}
	heading := false
	for parent := n.Parent; parent != nil; parent = parent.Parent {
		heading = heading || len(parent.Data) == 2 && parent.Data[0] == 'h' && parent.Type == html.ElementNode
	}
	for _, each := range []struct {
		name string
		has  func(look) bool
	}{
		{"strong", func(l look) bool { return l.bold && !heading }}, {"em", func(l look) bool { return l.italic }},
		{"s", func(l look) bool { return l.strike }},
		{"sup", func(l look) bool { return l.super }}, {"sub", func(l look) bool { return l.sub }},
		{"code", func(l look) bool { return l.code }},
	} {
		if slices.ContainsFunc(all, each.has) {
			markup.Append(n, markup.Append(markup.Element(each.name), markup.Children(n)...))
		}
	}
}

var listLevel = regexp.MustCompile(`(?:^|\s)(lst-kix_\S+)-(\d)(?:\s|$)`)

// nestLists puts lists of a deeper level into the item before them: the page has them side by side.
func nestLists(content *html.Node) {
	var open []*html.Node // by level
	for _, list := range markup.FindAll(content, func(n *html.Node) bool { return n.Data == "ul" || n.Data == "ol" }) {
		found := listLevel.FindStringSubmatch(markup.Attr(list, "class"))
		if found == nil {
			continue
		}
		level := int(found[2][0] - '0')
		before := list.PrevSibling
		for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
			before = before.PrevSibling
		}
		if !markup.Is(before, "ul", "ol") || len(open) == 0 {
			open = nil
		}
		for len(open) > level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && level > 0 {
			parent := open[len(open)-1]
			if item := parent.LastChild; markup.Is(item, "li") {
				markup.Append(item, list)
			}
		} else if level == 0 && before != nil && before.Data == list.Data && len(open) == 0 &&
			sameList(before, found[1]) {
			// The list goes on after deeper items.
			markup.Append(before, markup.Children(list)...)
			markup.Remove(list)
			list = before
		}
		open = append(open, list)
	}
}

func sameList(list *html.Node, name string) bool {
	found := listLevel.FindStringSubmatch(markup.Attr(list, "class"))
	return found != nil && found[1] == name
}

// fetchImage brings an image into a file. One that cannot be had stays where it is.
func (r *reader) fetchImage(src string) error {
	if _, known := r.images[src]; known || src == "" {
		return nil
	}
	r.images[src] = src
	if len(r.images) > maxImages {
		return errs.New(errs.TooLarge, "the document has more than %d images", maxImages)
	}
	if r.ctx.Err() != nil {
		return fmt.Errorf("read document: %w", context.Cause(r.ctx))
	}
	var content io.Reader
	contentType := ""
	if encoded, ok := strings.CutPrefix(src, "data:"); ok {
		kind, data, found := strings.Cut(encoded, ";base64,")
		decoded, err := base64.StdEncoding.DecodeString(data)
		if !found || err != nil || !strings.HasPrefix(kind, "image/") {
			r.images[src] = ""
			r.tree.Report.NotUnderstood.Addf("image", "left out: image that cannot be read")
			return nil
		}
		content, contentType = bytes.NewReader(decoded), kind
	} else {
		response, err := r.client.Get(r.ctx, src, fetch.Limits{Bytes: maxImageBytes, Time: documentTime, Redirects: 5,
			Accept: "image/*"})
		if err == nil {
			defer response.Body.Close()
		}
		if err != nil || response.Status != 200 || !strings.HasPrefix(response.ContentType, "image/") {
			r.tree.Report.Broken.Add(source.Note{Place: "image", Target: src,
				Message: "the image cannot be fetched; it stays where it is"})
			return nil
		}
		content, contentType = response.Body, response.ContentType
	}
	return r.keep(src, content, contentType)
}

// extensions of the types of images that documents hold.
var extensions = map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif",
	"image/svg+xml": ".svg", "image/webp": ".webp"}

func (r *reader) keep(src string, content io.Reader, contentType string) error {
	sum := sha256.Sum256([]byte(src))
	name := filepath.Join(r.dir, hex.EncodeToString(sum[:]))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make file for image: %w", err)
	}
	size, err := io.Copy(file, content)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	made := &source.File{
		Place: fmt.Sprintf("image %d", len(r.targets.Files())+1), Name: fmt.Sprintf("image%d%s",
			len(r.targets.Files())+1, extensions[contentType]),
		ContentType: contentType, Size: size,
		Open: func() (io.ReadCloser, error) { return os.Open(name) },
	}
	r.images[src] = r.targets.File(made)
	return nil
}
