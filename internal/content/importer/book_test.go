package importer_test

import (
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// bookFiles returns the real book by path below its src folder, and the archive that holds it.
func bookFiles(t testing.TB) (chapters map[string]string, archive []byte) {
	t.Helper()
	archive, err := os.ReadFile("testdata/rust-book.zip")
	if err != nil {
		t.Fatalf("the book is not there: %v", err)
	}
	chapters = map[string]string{}
	for name, body := range unpack(t, archive) {
		if rest, ok := strings.CutPrefix(name, "src/"); ok {
			chapters[rest] = body
		}
	}
	return chapters, archive
}

var summaryEntry = regexp.MustCompile(`(?m)^( *)(?:- )?\[(.*)\]\((.*)\)$`)

// TestTheBook imports the real book whole and holds it against what its source says, read by other means.
func TestTheBook(t *testing.T) {
	chapters, archive := bookFiles(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		result := h.importZIP(t, spaceID, archive)
		view := h.head(t, spaceID)
		if result.Revision != view.Revision().ID {
			t.Errorf("the result names revision %s, the head is %s", result.Revision, view.Revision().ID)
		}
		tree, err := view.Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}

		entries := summaryEntry.FindAllStringSubmatch(chapters["SUMMARY.md"], -1)
		if len(entries) < 100 || len(tree.Ordered) != len(entries) || result.Report.Pages != len(entries) {
			t.Fatalf("%d entries in the table of contents, %d pages in the space, %d in the report", len(entries),
				len(tree.Ordered), result.Report.Pages)
		}
		for i, node := range tree.Ordered {
			entry := entries[i]
			if slug := strings.TrimSuffix(entry[3], ".md"); node.Entry.Slug != slug {
				t.Errorf("page %d has the slug %s, want %s", i, node.Entry.Slug, slug)
			}
			if depth := strings.Count(node.Path, "/"); depth != len(entry[1])/2 {
				t.Errorf("%s is %d deep, want %d", node.Path, depth, len(entry[1])/2)
			}
			shown := node.Entry.LinkTitle
			if shown == "" {
				shown = node.Entry.Title
			}
			if want := strings.ReplaceAll(entry[2], "`", ""); !strings.EqualFold(shown, want) {
				t.Errorf("%s is called %q, want %q", node.Path, shown, want)
			}
			body, err := view.Body(t.Context(), node.Entry)
			if err != nil || len(body) < 80 && node.Entry.Slug != "title-page" {
				t.Errorf("%s has a body of %d bytes, %v", node.Path, len(body), err)
			}
		}
		checkImages(t, h, view, chapters)
		checkBroken(t, result.Report, chapters)

		again := h.importZIP(t, spaceID, archive)
		if again.Revision != result.Revision {
			t.Error("importing the same again made another revision")
		}
		checkRoundTrip(t, h, spaceID)
	})
}

// checkImages holds that every image of the source is a file with its bytes, and that no page shows one in another way.
func checkImages(t *testing.T, h *fixture, view *store.View, chapters map[string]string) {
	t.Helper()
	files, err := view.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, file := range files {
		reader, size, err := h.content.OpenFile(t.Context(), file.Blob)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(reader)
		reader.Close()
		if err != nil || int64(len(data)) != size || size != file.Size {
			t.Errorf("%s: %d bytes of %d, %v", file.Path, len(data), file.Size, err)
		}
		if !strings.HasPrefix(file.ContentType, "image/") || strings.HasSuffix(file.Path, ".png") && file.Width == 0 {
			t.Errorf("%s has the type %s and the width %d", file.Path, file.ContentType, file.Width)
		}
		got[strings.TrimPrefix(file.Path, "src/")] = string(data)
	}
	want := map[string]string{}
	for name, data := range chapters {
		if strings.HasPrefix(name, "img/") {
			want[name] = data
		}
	}
	if len(want) < 20 || !maps.Equal(want, got) {
		t.Errorf("%d images in the source, %d files", len(want), len(got))
	}
	tree, err := view.Pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, node := range tree.Ordered {
		body, err := view.Body(t.Context(), node.Entry)
		if err != nil {
			t.Fatal(err)
		}
		document, err := markdown.Parse(body)
		if err != nil {
			t.Errorf("%s cannot be read: %v", node.Path, err)
			continue
		}
		for n := range document.All() {
			ref := doc.Ref{}
			switch data := n.Data.(type) {
			case *doc.ImageData:
				ref = data.Ref
			case *doc.InlineImageData:
				ref = data.Ref
			default:
				continue
			}
			if shown++; doc.ParseDestination(ref.Destination()).Kind != doc.RefFile {
				t.Errorf("%s shows %s", node.Path, ref.Destination())
			}
		}
	}
	if shown < len(want) {
		t.Errorf("%d images are shown, the source has %d", shown, len(want))
	}
}

// checkBroken holds that no link within the book is broken that is not broken in the source.
func checkBroken(t *testing.T, report importer.Report, chapters map[string]string) {
	t.Helper()
	broken := brokenInSource(chapters)
	if report.Broken.Total != len(report.Broken.Items) {
		t.Fatalf("%d broken links, %d listed", report.Broken.Total, len(report.Broken.Items))
	}
	reported := map[string]bool{}
	for _, note := range report.Broken.Items {
		file, _, _ := strings.Cut(strings.TrimPrefix(note.Place, "src/"), ":")
		reported[file+" "+note.Target] = true
		if !broken[file+" "+note.Target] {
			t.Errorf("%s: %s is reported as broken (%s), the source has it", note.Place, note.Target, note.Message)
		}
	}
	titles := map[string]bool{}
	for _, entry := range summaryEntry.FindAllStringSubmatch(chapters["SUMMARY.md"], -1) {
		titles[bookHeading(entry[2])] = true
	}
	for link := range broken {
		// A page here has its title even when the chapter has no heading for it, so links to that title work.
		if _, anchor, _ := strings.Cut(link, "#"); !reported[link] && !titles[anchor] {
			t.Errorf("%s is broken in the source and not reported", link)
		}
	}
	if len(broken) == 0 {
		t.Error("the source has no broken link at all: the check sees nothing")
	}
}

var (
	htmlID    = regexp.MustCompile(`\bid *= *"([^"]*)"`)
	htmlLinks = regexp.MustCompile(`<(?:a|img)\s[^<>]*?(?:href|src)="([^"]*)"`)
)

// brokenInSource returns the links of the book's source that lead nowhere, as "file destination", found with an
// ordinary Markdown parser and the rules by which mdBook names chapters and headings.
func brokenInSource(chapters map[string]string) map[string]bool {
	type chapter struct {
		links   []string
		anchors map[string]bool
	}
	read := map[string]*chapter{}
	for name, body := range chapters {
		if path.Ext(name) != ".md" {
			continue
		}
		made := &chapter{anchors: map[string]bool{}}
		read[name] = made
		source := []byte(body)
		counts := map[string]int{}
		context := parser.NewContext()
		document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source),
			parser.WithContext(context))
		for _, reference := range context.References() {
			made.links = append(made.links, string(reference.Destination()))
		}
		ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			var raw strings.Builder
			switch n := n.(type) {
			case *ast.Link:
				made.links = append(made.links, string(n.Destination))
			case *ast.Image:
				made.links = append(made.links, string(n.Destination))
			case *ast.Heading:
				name := bookHeading(headingText(n, source))
				if counts[name]++; counts[name] > 1 {
					name += "-" + strconv.Itoa(counts[name]-1)
				}
				made.anchors[name] = true
			case *ast.HTMLBlock:
				for i := range n.Lines().Len() {
					line := n.Lines().At(i)
					raw.WriteString(string(line.Value(source)))
				}
			case *ast.RawHTML:
				for i := range n.Segments.Len() {
					segment := n.Segments.At(i)
					raw.WriteString(string(segment.Value(source)))
				}
			}
			for _, id := range htmlID.FindAllStringSubmatch(raw.String(), -1) {
				made.anchors[id[1]] = true
			}
			for _, link := range htmlLinks.FindAllStringSubmatch(raw.String(), -1) {
				made.links = append(made.links, link[1])
			}
			return ast.WalkContinue, nil
		})
	}
	broken := map[string]bool{}
	for name, chapter := range read {
		for _, link := range chapter.links {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "" || u.Host != "" {
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			if rest, ok := strings.CutSuffix(target, ".html"); ok {
				target = rest + ".md"
			}
			other := read[target]
			_, isFile := chapters[target]
			if !isFile || other != nil && u.Fragment != "" && !other.anchors[u.Fragment] {
				broken[name+" "+link] = true
			}
		}
	}
	return broken
}

// headingText returns the text of a heading without its marks.
func headingText(heading ast.Node, source []byte) string {
	var out strings.Builder
	ast.Walk(heading, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// bookHeading is the anchor that mdBook gives to a heading.
func bookHeading(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '_', r == '-':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, heading)
}

// checkRoundTrip holds that an export, imported into another space, gives the same content, and the same export.
func checkRoundTrip(t *testing.T, h *fixture, spaceID id.Space) {
	t.Helper()
	exported := h.export(t, spaceID)
	other := h.newSpace(t)
	result := h.importFiles(t, other, exported)
	if diff := cmp.Diff(described(t, h.head(t, spaceID)), described(t, h.head(t, other))); diff != "" {
		t.Errorf("the export is imported as other content:\n%s", diff)
	}
	if diff := cmp.Diff(exported, h.export(t, other)); diff != "" {
		t.Errorf("the second export is another:\n%s", diff)
	}
	again := h.importFiles(t, spaceID, exported)
	if again.Revision != h.head(t, spaceID).Revision().ID || len(result.Report.Skipped.Items) > 0 {
		t.Errorf("skipped: %v", result.Report.Skipped)
	}
}
