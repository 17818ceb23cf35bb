package imports_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// generatorTrees are trees with what each generator adds to Markdown, and what the generator itself publishes of them.
const generatorTrees = "testdata/generators"

// missing are the differences that are known, by generator and page; the table of the design of imports gives the
// reason for each. A difference that is gone is to be taken out of here.
var missing = map[string][]string{
	// A note that is named twice stands twice; a link into a text leads to its heading; cells are not joined over rows.
	"asciidoctor": {`/guide/text.html: word beside it: "said"`, `/guide/text.html: word beside it: "twice"`,
		`/guide/text.html: link missing: "a link -> Text of owls § something"`,
		`/guide/text.html: link beside it: "a link -> Text of owls § Notes"`,
		`/reference/tables.html: word beside it: "two"`, `/reference/tables.html: word beside it: "rows"`},
	// The dialect has emoji by name, MkDocs without an extension does not.
	"mkdocs": {`/guide/other/: word missing: "owl"`},
	// A table of contents within a page is the navigation beside it.
	"sphinx": {`/: word missing: "writing"`, `/: word missing: "of"`, `/: word missing: "owls"`,
		`/: word missing: "code"`, `/: link missing: "Writing of owls -> Writing of owls"`,
		`/: link missing: "Code of owls -> Code of owls"`},
	// The link that a card is has its title only; a page shows its title here; indented text is code, which MDX has
	// not.
	"nextra": {`/: link missing: "Its feathers break the air.Quiet to fly -> https://example.org/fly"`,
		`/: link beside it: "Quiet to fly -> https://example.org/fly"`,
		`/advanced/deep-page/: word beside it: "a"`, `/advanced/deep-page/: word beside it: "deep"`,
		`/advanced/deep-page/: word beside it: "page"`,
		`/advanced/deep-page/: headings ["A deep page" "Below"], not ["Below"]`,
		`/guide/code/: word missing: "indented"`, `/guide/code/: code beside it: "indented"`},
	// A difference keeps the signs before its lines, and is coloured by them.
	"starlight": {`/guides/code/: code missing: "const gone = 1;\nconst come = 2;"`,
		`/guides/code/: code beside it: "- const gone = 1;\n+ const come = 2;"`},
	// The name of a project is the title of its home page, what it is called for stands below.
	"vitepress": {`/: word missing: "owlsbirds"`, `/: word beside it: "owls"`, `/: word beside it: "birds"`,
		`/: headings ["Owls" "Quiet" "Keen"], not ["OwlsBirds of the night" "Quiet" "Keen"]`},
}

// TestGenerators imports the tree of every generator, publishes it, and compares each page with what the generator
// publishes: words, headings, links with the headings that they lead to, images, and code with its marked lines. Every
// page is asked for at the address that the generator gives it. scripts/generators runs the generators.
func TestGenerators(t *testing.T) {
	server := apptest.OnSQLite(t, nil)
	folders, err := os.ReadDir(generatorTrees)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name := folder.Name()
		t.Run(name, func(t *testing.T) {
			s := server.In(t)
			record(t, name)
			converter(t, name)
			var theirs []published
			raw, err := os.ReadFile(filepath.Join(generatorTrees, name, "published.json"))
			if err == nil {
				err = json.Unmarshal(raw, &theirs)
			}
			if err != nil {
				t.Fatal(err)
			}
			ours := importTree(t, s, name, theirs)
			var found []string
			for i := range theirs {
				for _, each := range theirs[i].differences(ours[i]) {
					found = append(found, theirs[i].Address+": "+each)
				}
			}
			for _, each := range found {
				if !slices.Contains(missing[name], each) {
					t.Errorf("%s", each)
				}
			}
			t.Log(row(name, theirs, len(found)))
			for _, each := range missing[name] {
				if !slices.Contains(found, each) {
					t.Errorf("this difference is gone, take it out of the list: %s", each)
				}
			}
		})
	}
}

// detected are the generators of trees that are not called like them.
var detected = map[string]string{"material": "mkdocs"}

// row is the row of a generator in the table of docs/design/imports.md.
func row(name string, pages []published, differences int) string {
	words, headings, links, images, code := 0, 0, 0, 0, 0
	for _, page := range pages {
		words += len(strings.Fields(page.Words))
		headings += len(page.Headings)
		links += len(page.Links)
		images += len(page.Images)
		code += len(page.Code)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d |", name, len(pages), words, headings, links, images,
		code, differences)
}

// importTree imports and publishes a tree, and returns what is published at the addresses of pages.
func importTree(t *testing.T, s *apptest.Server, name string, theirs []published) []published {
	t.Helper()
	root := filepath.Join(generatorTrees, name, "source")
	files := map[string]string{}
	err := filepath.WalkDir(root, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		files[filepath.ToSlash(strings.TrimPrefix(file, root+string(filepath.Separator)))] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	space := s.Space("Owls of " + name)
	var imported struct {
		Report struct {
			Detected                       struct{ Generator string }
			NotUnderstood, Broken, Skipped struct {
				Items []struct{ Place, Target, Message string }
			}
		}
	}
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=docs.zip", apptest.Zipped(t, files),
		http.StatusCreated, &imported)
	if want := cmp.Or(detected[name], name); imported.Report.Detected.Generator != want {
		t.Errorf("detected %q, not %q", imported.Report.Detected.Generator, want)
	}
	for _, each := range append(imported.Report.Broken.Items, imported.Report.NotUnderstood.Items...) {
		t.Logf("report: %s: %s %s", each.Place, each.Target, each.Message)
	}
	var site struct {
		ID   string
		URLs struct{ Published string }
	}
	sites := "/v1/orgs/" + s.Organization + "/sites"
	s.Call(http.MethodPost, sites, map[string]any{"title": name, "visibility": "public", "spaces": []string{space}},
		http.StatusCreated, &site)
	s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
	visitor := apptest.NewVisitor(t)
	pages := map[string]*html.Node{}
	addresses := make([]string, len(theirs))
	for i, page := range theirs {
		status, body, answer := visitor.Open(strings.TrimSuffix(site.URLs.Published, "/") + page.Address)
		if status != http.StatusOK {
			t.Errorf("%s: %d", page.Address, status)
			continue
		}
		addresses[i] = answer.Request.URL.String()
		at, _, _ := strings.Cut(addresses[i], "#")
		if pages[at], err = html.Parse(strings.NewReader(body)); err != nil {
			t.Fatal(err)
		}
	}
	read := reading{pages: pages, main: func(n *html.Node) bool { return n.Data == "main" }}
	ours := make([]published, len(theirs))
	for i, address := range addresses {
		if address == "" {
			continue
		}
		if theirs[i].Moved != "" {
			ours[i] = published{Moved: read.target(address)}
			continue
		}
		at, _, _ := strings.Cut(address, "#")
		ours[i] = read.page(at)
		for _, image := range read.images {
			status, _, answer := visitor.Open(image)
			if kind := answer.Header.Get("Content-Type"); status != http.StatusOK ||
				!strings.HasPrefix(kind, "image/") {
				t.Errorf("%s: the image %s answers %d as %s", address, image, status, kind)
			}
		}
	}
	return ours
}

// converters are the programs that make HTML of the pages of trees.
var converters = map[string]string{"sphinx": "pandoc", "asciidoctor": "asciidoctor"}

// converter puts a program on the path that answers as that of the tree has answered: what it made of a page lies
// beside the tree, under the hash of what it was given. Where the tree is recorded, the program itself answers and is
// written down.
func converter(t *testing.T, name string) {
	program := converters[name]
	if program == "" {
		return
	}
	kept, err := filepath.Abs(filepath.Join(generatorTrees, name, "converted"))
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nset -eu\ncat >in\nkept=" + kept + "/$(sha256sum in | cut -c1-16).html\n"
	if isRecorded(name) {
		if err = os.RemoveAll(kept); err == nil {
			err = os.Mkdir(kept, 0o755)
		}
		script += "/usr/bin/" + program + " \"$@\" <in >$kept\n"
	}
	dir := t.TempDir()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, program), []byte(script+"cat $kept\n"), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// isRecorded reports whether what a generator publishes is written down in this run.
func isRecorded(name string) bool {
	return slices.Contains(strings.Fields(os.Getenv("RECTO_GENERATORS_OF")), name)
}

// mains are where generators have the text of a page.
var mains = map[string]func(*html.Node) bool{
	"material":    func(n *html.Node) bool { return n.Data == "article" },
	"mkdocs":      func(n *html.Node) bool { return n.Data == "div" && attribute(n, "role") == "main" },
	"vitepress":   func(n *html.Node) bool { return hasClass("VPHome")(n) || hasClass("vp-doc")(n) },
	"hugo":        func(n *html.Node) bool { return n.Data == "main" },
	"sphinx":      hasClass("body"),
	"asciidoctor": func(n *html.Node) bool { return n.Data == "body" },
	"docusaurus":  hasClass("theme-doc-markdown"),
	"nextra":      func(n *html.Node) bool { return n.Data == "main" },
	"starlight":   func(n *html.Node) bool { return n.Data == "main" },
}

// record writes down what a generator has published, where scripts/generators has run it.
func record(t *testing.T, name string) {
	built := os.Getenv("RECTO_GENERATORS_OUT")
	if built == "" || !isRecorded(name) {
		return
	}
	root := filepath.Join(built, name, "out")
	pages := map[string]*html.Node{}
	err := filepath.WalkDir(root, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".html" {
			return err
		}
		content, err := os.Open(file)
		if err != nil {
			return err
		}
		defer content.Close()
		address := filepath.ToSlash(strings.TrimPrefix(file, root))
		if kept := strings.TrimSuffix(address, "index.html"); strings.HasSuffix(kept, "/") {
			address = kept
		}
		pages[recorded+address], err = html.Parse(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	read := reading{pages: pages, main: mains[name]}
	var all []published
	for address := range pages {
		// A page without a title is a fragment that pages include, or a list that the generator makes.
		page, below := read.page(address), strings.TrimPrefix(address, recorded)
		if (len(page.Headings) > 0 || page.Moved != "") && !slices.Contains(own, below) {
			page.Address = below
			all = append(all, page)
		}
	}
	slices.SortFunc(all, func(a, b published) int { return strings.Compare(a.Address, b.Address) })
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err = encoder.Encode(all); err == nil {
		err = os.WriteFile(filepath.Join(generatorTrees, name, "published.json"), raw.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// own are the pages that generators make themselves.
var own = []string{"/404.html", "/genindex.html", "/search.html"}

// recorded is where the pages of a generator are while they are read.
const recorded = "https://docs.example.org"
