package importer_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// manualFolder holds a real manual in HTML: that of Debian's policy, from the package debian-policy.
const manualFolder = "/usr/share/doc/debian-policy"

// manualPage is what the source of the manual says, read without the importer.
type manualPage struct {
	title  string
	ids    map[string]bool
	links  []string
	images []string
	text   []string // the words of its paragraphs
}

func readManual(t *testing.T, folder string) map[string]*manualPage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the manual of Debian's policy is not in %s; install the package debian-policy (`make test` does)",
			folder)
	}
	manual := map[string]*manualPage{}
	for _, file := range files {
		content, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(content)
		content.Close()
		if err != nil {
			t.Fatal(err)
		}
		page := &manualPage{ids: map[string]bool{}}
		manual[filepath.Base(file)] = page
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			value := map[string]string{}
			for _, a := range n.Attr {
				value[a.Key] = a.Val
			}
			if id := value["id"]; id != "" {
				page.ids[id] = true
			}
			if !inMain(n) {
				continue
			}
			switch n.Data {
			case "a":
				if value["class"] != "headerlink" && value["href"] != "" {
					page.links = append(page.links, value["href"])
				}
			case "img":
				page.images = append(page.images, value["src"])
			case "h1":
				page.title = strings.TrimSuffix(words(n), "¶")
			case "p":
				page.text = append(page.text, words(n))
			}
		}
	}
	return manual
}

func inMain(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		for _, a := range n.Attr {
			if a.Key == "role" && a.Val == "main" {
				return true
			}
		}
	}
	return false
}

func words(n *html.Node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// TestARealManualFromTheWeb crawls a real manual from a server on loopback and holds the result against its source.
func TestARealManualFromTheWeb(t *testing.T) {
	manual := readManual(t, filepath.Join(manualFolder, "policy.html"))
	server := httptest.NewServer(http.FileServer(http.Dir(manualFolder)))
	defer server.Close()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		var last importer.Progress
		result, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceWebsite,
			URL: server.URL + "/policy.html/"}, func(p importer.Progress) { last = p })
		if err != nil {
			t.Fatal(err)
		}
		if last.Done == 0 || last.Done != last.Total {
			t.Errorf("the last progress was %+v", last)
		}
		view := h.head(t, spaceID)
		tree, err := view.Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		images := map[string]bool{}
		for name, page := range manual {
			if name != "search.html" && name != "genindex.html" {
				want[page.title] = true
			}
			for _, image := range page.images {
				images[filepath.Base(image)] = true
			}
		}
		got := map[string]bool{}
		for _, node := range tree.Ordered {
			if node.Entry.Type == entity.PageDocument {
				got[node.Entry.Title] = true
			}
		}
		for title := range want {
			if !got[title] {
				t.Errorf("no page has the title %q", title)
			}
		}
		if len(got) != len(want) || len(want) < 20 {
			t.Errorf("%d pages, the manual has %d", len(got), len(want))
		}
		if first := tree.Ordered[0].Entry.Title; first != manual["index.html"].title {
			t.Errorf("the first page is %q", first)
		}
		files, err := view.Files(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !images[file.Name] || file.Width == 0 {
				t.Errorf("%s is not an image of the manual (%d pixels wide)", file.Name, file.Width)
			}
			delete(images, file.Name)
		}
		if len(images) > 0 {
			t.Errorf("images are missing: %v", images)
		}
		checkManualLinks(t, h, view, result.Report, manual, server.URL)
		checkRoundTrip(t, h, spaceID)
	})
}

// checkManualLinks holds that links between pages are internal, that what is reported as broken is broken in the
// source, and that the text of the chapters is there.
func checkManualLinks(t *testing.T, h *fixture, view *store.View, report importer.Report, manual map[string]*manualPage,
	server string) {
	t.Helper()
	broken := map[string]bool{}
	internal := 0
	for name, page := range manual {
		base, _ := url.Parse(server + "/policy.html/" + name)
		for _, link := range page.links {
			u, err := base.Parse(link)
			if err != nil || u.Host != base.Host {
				continue
			}
			target := manual[filepath.Base(u.Path)]
			if target == nil || u.Fragment != "" && !target.ids[u.Fragment] {
				broken[u.String()] = true
				continue
			}
			internal++
		}
	}
	for _, note := range report.Broken.Items {
		if !broken[note.Target] {
			t.Errorf("%s: %s is reported as broken (%s), the source has it", note.Place, note.Target, note.Message)
		}
	}
	all := described(t, view)
	linked := 0
	var text strings.Builder
	for name, body := range all {
		if !strings.HasPrefix(name, "body of page:") {
			continue
		}
		linked += strings.Count(body, "/pages/{page:")
		text.WriteString(plain(body))
		for rest := body; ; {
			_, after, found := strings.Cut(rest, server)
			if !found {
				break
			}
			address, _, _ := strings.Cut(after, ")")
			if !strings.Contains(address, "genindex") && !strings.Contains(address, "search") {
				t.Errorf("%s links to the old address %s", name, address)
			}
			rest = after
		}
	}
	if linked < internal/2 || internal < 200 {
		t.Errorf("%d links between pages, the source has %d", linked, internal)
	}
	missing, checked := 0, 0
	for _, page := range manual {
		for _, paragraph := range page.text {
			sentence := plain(paragraph)
			if len(sentence) < 60 {
				continue
			}
			checked++
			if !strings.Contains(text.String(), sentence[:50]) {
				missing++
			}
		}
	}
	if checked < 1000 || missing*100 > checked {
		t.Errorf("%d of %d paragraphs are missing", missing, checked)
	}
}

// plain keeps the letters of a text, so that marks and line ends do not matter.
func plain(s string) string {
	return string(slices.DeleteFunc([]byte(s), func(c byte) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}))
}
