package website

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// site is a fake website: paths (with queries) to HTML, or to handlers for what is not a plain page.
type site struct {
	pages    map[string]string
	handlers map[string]http.HandlerFunc

	mutex    sync.Mutex
	requests []string
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	s.requests = append(s.requests, r.URL.RequestURI())
	s.mutex.Unlock()
	if handler := s.handlers[r.URL.Path]; handler != nil {
		handler(w, r)
		return
	}
	page, ok := s.pages[r.URL.RequestURI()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, page)
}

func (s *site) asked(uri string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	count := 0
	for _, request := range s.requests {
		if request == uri {
			count++
		}
	}
	return count
}

func client(t *testing.T) *fetch.Client {
	t.Helper()
	made := fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	t.Cleanup(made.CloseIdle)
	return made
}

func serve(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func crawlSite(t *testing.T, s *site, path string, options Options) (*source.Tree, *httptest.Server) {
	t.Helper()
	server := serve(t, s)
	return mustCrawl(t, server.URL+path, options), server
}

func mustCrawl(t *testing.T, address string, options Options) *source.Tree {
	t.Helper()
	options.Interval, options.Texts = -1, &source.Texts{Dir: t.TempDir()}
	tree, err := Crawl(t.Context(), client(t), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree
}

// outline shows a tree: a line a page with its type, title and slug.
func outline(tree *source.Tree) string {
	var out strings.Builder
	var show func(pages []*source.Page, indent string)
	show = func(pages []*source.Page, indent string) {
		for _, page := range pages {
			fmt.Fprintf(&out, "%s%s", indent, page.Entry.Title)
			if page.Entry.LinkTitle != "" {
				fmt.Fprintf(&out, " {%s}", page.Entry.LinkTitle)
			}
			fmt.Fprintf(&out, " %s\n", strings.TrimSpace(string(page.Entry.Type)[:1]+" "+page.Entry.Slug))
			show(page.Children, indent+"  ")
		}
	}
	show(tree.Pages, "")
	return out.String()
}

func page(title string, body string) string {
	return "<!doctype html><title>" + title + "</title><main><h1>" + title + "</h1><p>This page says something about " +
		title + ".</p>" + body + "</main>"
}

func check(t *testing.T, want string, tree *source.Tree) {
	t.Helper()
	if diff := cmp.Diff(want, outline(tree)); diff != "" {
		t.Error(diff)
	}
}

func notes(notes source.Notes) []string {
	var all []string
	for _, note := range notes.Items {
		all = append(all, note.Place+": "+note.Message)
	}
	return all
}

func TestNavigationGivesOrderAndNesting(t *testing.T) {
	nav :=
		`<nav class="menu"><ul><li><a href="/docs/">Home</a></li><li><a href="/docs/z.html">Zed</a><ul><li><a href="/docs/z/one.html">One</a></li></ul></li>
		<li><span>More</span><ul><li><a href="/docs/a.html">The A</a></li><li><a href="https://elsewhere.example/">Out</a></li></ul></li></ul></nav>`
	s := &site{pages: map[string]string{
		"/docs/":               page("Start", `<a href="late.html">late</a> <a href="/other/">other</a>`) + nav,
		"/docs/z.html":         page("Zed", "") + nav,
		"/docs/z/one.html":     page("One", `<a href="deep/er.html">deeper</a>`) + nav,
		"/docs/z/deep/er.html": page("Deeper", "") + nav,
		"/docs/a.html":         page("A", "") + nav,
		"/docs/late.html":      page("Late", "") + nav,
		"/other/":              page("Other", ""),
	}}
	tree, _ := crawlSite(t, s, "/docs/", Options{})
	check(t, `Start d
Zed d z
  One d one
  Deeper d er
More g
  A {The A} d a
Late d late
`, tree)
	if s.asked("/other/") != 0 {
		t.Error("the crawl left its path")
	}
}

func TestPagesOfOnePlaceShowTheirOwnNavigation(t *testing.T) {
	// Only the open folder shows what is in it, as most tools do it.
	nav := func(open string) string {
		list := `<aside class="sidebar"><ul><li><a href="/d/">Start</a></li><li><a href="/d/a/">A</a>`
		if open == "a" {
			list += `<ul><li><a href="/d/a/1">A1</a></li><li><a href="/d/a/2">A2</a></li></ul>`
		}
		list += `</li><li><a href="/d/b/">B</a>`
		if open == "b" {
			list += `<ul><li><a href="/d/b/1">B1</a></li></ul>`
		}
		return list + `</li></ul></aside>`
	}
	s := &site{pages: map[string]string{
		"/d/": page("Start", "") + nav(""), "/d/a/": page("A", "") + nav("a"), "/d/a/1": page("A1", "") + nav("a"),
		"/d/a/2": page("A2", "") + nav("a"),
		"/d/b/":  page("B", "") + nav("b"), "/d/b/1": page("B1", "") + nav("b"),
	}, handlers: map[string]http.HandlerFunc{"/d": http.RedirectHandler("/d/", http.StatusFound).ServeHTTP}}
	tree, _ := crawlSite(t, s, "/d", Options{Concurrency: 3})
	check(t, "Start d\nA d a\n  A1 d 1\n  A2 d 2\nB d b\n  B1 d 1\n", tree)
}

func TestTableOfContentsInPages(t *testing.T) {
	s := &site{pages: map[string]string{
		"/m/index.html": page("Manual",
			`<div class="toctree-wrapper"><p class="caption"><span class="caption-text">Part</span></p><ul><li><a href="one.html">1. One</a><ul><li><a href="one.html#x">1.1</a></li></ul></li><li><a href="two.html">2. Two</a></li></ul></div>`),
		"/m/one.html": page("1. One",
			`<div class="toctree-wrapper"><ul><li><a href="one-a.html">a</a></li><li><a href="one-b.html">b</a></li></ul></div>`),
		"/m/one-a.html": page("a", ""), "/m/one-b.html": page("b", ""), "/m/two.html": page("2. Two", ""),
	}}
	tree, _ := crawlSite(t, s, "/m/index.html", Options{})
	check(t, "Manual d\nPart g\n  1. One d one\n    a d one-a\n    b d one-b\n  2. Two d two\n", tree)
}

func TestSitemapAndLinks(t *testing.T) {
	s := &site{pages: map[string]string{
		"/docs/": page("Start", `<a href="b">b</a>`), "/docs/a": page("A", ""),
		"/docs/b": page("B", `<a href="c/">c</a>`), "/docs/c/": page("C", `<a href="d">d</a>`),
		"/docs/c/d": page("D", ""),
	}}
	s.handlers = map[string]http.HandlerFunc{
		"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "User-agent: *\nDisallow: /docs/secret\nSitemap: http://%s/maps/index.xml\n", r.Host)
		},
		"/maps/index.xml": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w,
				`<?xml version="1.0"?><sitemapindex xmlns="x"><sitemap><loc>http://%s/maps/one.xml</loc></sitemap></sitemapindex>`, r.Host)
		},
		"/maps/one.xml": func(w http.ResponseWriter, r *http.Request) {
			for _, path := range []string{"/docs/gone", "/docs/a", "/docs/secret/x", "/blog/y"} {
				fmt.Fprintf(w, "<url><loc>http://%s%s</loc></url>", r.Host, path)
			}
		},
	}
	tree, server := crawlSite(t, s, "/docs/", Options{})
	check(t, "Start d\nA d a\nB d b\nC d c\n  D d d\n", tree)
	want := []string{server.URL + "/docs/gone: the site answers with status 404",
		server.URL + "/docs/secret/x: robots.txt does not allow it"}
	got := notes(tree.Report.Skipped)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s.asked("/docs/secret/x") != 0 || s.asked("/blog/y") != 0 {
		t.Error("the crawl asked for what it may not")
	}
}

func TestLinksResolve(t *testing.T) {
	s := &site{pages: map[string]string{
		"/d/": page("Start",
			`<p><a href="a.html#sub">to A</a> <a href="/d/index.html?utm_source=x">self</a> <a href="gone.html">gone</a> <a href="/out.html">out</a> <a href="old">old</a> <a href="file.pdf">pdf</a> <a href="copy.html">copy</a></p>`),
		"/d/a.html":    page("A", `<h2 id="sub">Sub</h2><p><a href="#sub">here</a></p>`),
		"/d/copy.html": page("A", `<h2 id="sub">Sub</h2><p><a href="#sub">here</a></p>`),
	}, handlers: map[string]http.HandlerFunc{
		"/d/old":        http.RedirectHandler("/d/a.html", http.StatusMovedPermanently).ServeHTTP,
		"/d/index.html": http.RedirectHandler("/d/", http.StatusFound).ServeHTTP,
		"/d/file.pdf": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, "%PDF-1.7")
		},
	}}
	// A copy under another address has its own address in its link to itself, so it is another page.
	s.pages["/d/copy.html"] = strings.ReplaceAll(s.pages["/d/copy.html"], `<p><a href="#sub">here</a></p>`, "")
	s.pages["/d/a.html"] = strings.ReplaceAll(s.pages["/d/a.html"], `<p><a href="#sub">here</a></p>`, "")
	tree, server := crawlSite(t, s, "/d/", Options{})
	check(t, "Start d\nA d a\n", tree)
	kinds := map[string]string{}
	for _, path := range []string{"/d/a.html#sub", "/d/", "/d/index.html", "/d/?utm_source=x", "/d/gone.html",
		"/out.html", "/d/old#x", "/d/file.pdf", "/d/copy.html", "/d/unknown.html"} {
		resolution := tree.Resolve("", server.URL+path)
		switch resolution.Kind {
		case source.ToPage:
			kinds[path] = resolution.Page.Entry.Title + "#" + resolution.Anchor
		case source.ToFile:
			kinds[path] = "file " + resolution.File.Name
		case source.Broken:
			kinds[path] = "broken: " + resolution.Reason
		default:
			kinds[path] = "external"
		}
	}
	want := map[string]string{
		"/d/a.html#sub": "A#sub", "/d/": "Start#", "/d/index.html": "Start#", "/d/?utm_source=x": "Start#",
		"/d/gone.html": "broken: the site answers with status 404",
		"/out.html":    "external", "/d/old#x": "A#x", "/d/file.pdf": "file file.pdf", "/d/copy.html": "A#",
		"/d/unknown.html": "external",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

func TestImagesAndDownloads(t *testing.T) {
	image := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		io.WriteString(w, "\x89PNG\r\n\x1a\n")
	}
	s := &site{pages: map[string]string{
		"/d/": page("Start",
			`<img src="/static/a.png"><img src="/static/a.png?v=2"><img src="img"><img src="missing.png"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="data:text/html,x"><svg width="100" height="50"><script>x()</script><rect onclick="y()"/></svg><svg width="16"><path/></svg><a href="big.zip">zip</a> <a href="style.css">css</a>`) + `<footer><a href="footer.tar.gz">x</a></footer>`,
	}, handlers: map[string]http.HandlerFunc{
		"/static/a.png": image, "/d/img": image,
		"/d/big.zip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/zip")
			io.WriteString(w, "PK")
		},
	}}
	tree, server := crawlSite(t, s, "/d/", Options{})
	var names []string
	for _, file := range tree.Files {
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content)
		content.Close()
		if err != nil || int64(len(data)) != file.Size || len(data) == 0 {
			t.Errorf("%s: %d bytes, stated %d, %v", file.Name, len(data), file.Size, err)
		}
		if strings.HasSuffix(file.Name, ".svg") &&
			string(data) != `<svg width="100" height="50" xmlns="http://www.w3.org/2000/svg"><rect></rect></svg>` {
			t.Errorf("the drawing is %s", data)
		}
		names = append(names, file.Name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(filepath.Ext(a)+a, filepath.Ext(b)+b) })
	want := []string{"image-XXXXXXXX.gif", "a.png", "a.png", "img.png", "image-XXXXXXXX.svg", "big.zip"}
	for i, name := range names {
		if strings.HasPrefix(name, "image-") && strings.HasSuffix(name, ".gif") {
			names[i] = want[0] // the digits are a part of its hash
		}
		if strings.HasPrefix(name, "image-") && strings.HasSuffix(name, ".svg") {
			names[i] = want[4]
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if resolution := tree.Resolve("", server.URL+"/d/missing.png"); resolution.Kind != source.Broken ||
		!strings.Contains(resolution.Reason, "404") {
		t.Errorf("a missing image: %+v", resolution)
	}
	if s.asked("/d/style.css") != 0 || s.asked("/d/footer.tar.gz") != 0 {
		t.Error("furniture was downloaded")
	}
}

func TestEndlessSitesEnd(t *testing.T) {
	var served atomic.Int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/":
			io.WriteString(w, page("Start",
				`<a href="/cal/2026/1">calendar</a> <a href="/loop/">loop</a> <a href="/q?n=1">q</a> <a href="/grow/a">grow</a> <a href="/same/1">same</a>`))
		case strings.HasPrefix(r.URL.Path, "/cal/"):
			var year, month int
			fmt.Sscanf(r.URL.Path, "/cal/%d/%d", &year, &month)
			io.WriteString(w, page(fmt.Sprintf("Month %d of %d", month, year),
				fmt.Sprintf(`<a href="/cal/%d/%d">next</a>`, year+month/12, month%12+1)))
		case strings.HasPrefix(r.URL.Path, "/loop/"):
			io.WriteString(w, page("Loop "+r.URL.Path, `<a href="loop/">deeper</a> <a href="x/">x</a>`))
		case r.URL.Path == "/q":
			io.WriteString(w, page("Query "+r.URL.RawQuery, fmt.Sprintf(`<a href="/q?n=%s1">next</a>`,
				r.URL.Query().Get("n"))))
		case strings.HasPrefix(r.URL.Path, "/grow/"):
			io.WriteString(w, page("Grow "+r.URL.Path, fmt.Sprintf(`<a href="%sb">next</a>`, r.URL.Path)))
		case strings.HasPrefix(r.URL.Path, "/same/"):
			var n int
			fmt.Sscanf(r.URL.Path, "/same/%d", &n)
			io.WriteString(w, page("Always the same", "")+fmt.Sprintf(`<a href="/same/%d">next</a>`, n+1))
		}
	})
	server := serve(t, handler)
	tree := mustCrawl(t, server.URL+"/", Options{Concurrency: 8})
	if count := tree.Count(); count > 3000 || served.Load() > 5000 {
		t.Errorf("%d pages of an endless site, %d requests", count, served.Load())
	}
	same := 0
	tree.Walk(func(page, _ *source.Page) {
		if page.Entry.Title == "Always the same" {
			same++
		}
	})
	if same != 1 {
		t.Errorf("one content became %d pages", same)
	}
	if tree.Report.Skipped.Total == 0 {
		t.Error("nothing is reported as skipped")
	}
}

func TestLimit(t *testing.T) {
	s := &site{pages: map[string]string{"/": page("Start",
		`<a href="1">1</a><a href="2">2</a><a href="3">3</a><a href="4">4</a>`)}}
	for i := 1; i < 5; i++ {
		s.pages[fmt.Sprintf("/%d", i)] = page(fmt.Sprintf("P%d", i), "")
	}
	for _, limit := range []int{1, 2, 4, 5, 9} {
		tree, _ := crawlSite(t, s, "/", Options{Limit: limit, Concurrency: 3})
		if count := tree.Count(); count != min(limit, 5) {
			t.Errorf("limit %d: %d pages", limit, count)
		}
		if skipped := tree.Report.Skipped.Total; skipped != max(0, 5-limit) {
			t.Errorf("limit %d: %d skipped", limit, skipped)
		}
	}
}

func TestSinglePage(t *testing.T) {
	s := &site{pages: map[string]string{"/a/b.html": page("B", `<a href="c.html">c</a><img src="i.png">`),
		"/a/c.html": page("C", "")}}
	tree, _ := crawlSite(t, s, "/a/b.html", Options{Single: true})
	check(t, "B d\n", tree)
	if s.asked("/a/c.html") != 0 {
		t.Error("a second page was read")
	}
}

func TestBusySitesAreAskedAgain(t *testing.T) {
	var tries atomic.Int64
	s := &site{pages: map[string]string{"/": page("Start", `<a href="busy">busy</a><a href="down">down</a>`),
		"/busy": page("Busy", "")}}
	s.handlers = map[string]http.HandlerFunc{
		"/busy": func(w http.ResponseWriter, r *http.Request) {
			if tries.Add(1) < 3 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page("Busy", ""))
		},
		"/down": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	}
	tree, server := crawlSite(t, s, "/", Options{Retry: time.Millisecond})
	check(t, "Start d\nBusy d busy\n", tree)
	if diff := cmp.Diff([]string{server.URL + "/down: the site answers with status 500"},
		notes(tree.Report.Skipped)); diff != "" {
		t.Error(diff)
	}
	if resolution := tree.Resolve("", server.URL+"/down"); resolution.Kind != source.External {
		t.Errorf("a page that may come back is not a broken link: %+v", resolution)
	}
}

func TestStartPageProblems(t *testing.T) {
	s := &site{pages: map[string]string{"/ok/": page("OK", "")}, handlers: map[string]http.HandlerFunc{
		"/text": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "x")
		},
		"/moved": http.RedirectHandler("/ok/", http.StatusFound).ServeHTTP,
		"/deep": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, strings.Repeat("<div>", 1000))
		},
		"/private": func(w http.ResponseWriter, _ *http.Request) {},
		"/robots.txt": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "User-agent: Recto\nDisallow: /private\n")
		},
	}}
	server := serve(t, s)
	for path, want := range map[string]string{"/none": "404", "/text": "not an HTML page", "/deep": "",
		"/private": "robots.txt"} {
		_, err := Crawl(t.Context(), client(t), server.URL+path, Options{Interval: -1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	check(t, "OK d\n", mustCrawl(t, server.URL+"/moved", Options{}))
	if _, err := Crawl(t.Context(), client(t), "http://127.0.0.2/", Options{}); !errs.Is(err, errs.Invalid) ||
		!strings.Contains(err.Error(), "127.0.0.2") {
		t.Errorf("an address that is not allowed: %v", err)
	}
	if _, err := Crawl(t.Context(), client(t), "ftp://example.org/", Options{}); !errs.Is(err, errs.Invalid) {
		t.Errorf("ftp: %v", err)
	}
	failing := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	}))
	if _, err := Crawl(t.Context(), client(t), failing.URL, Options{}); !errs.Is(err, errs.Unreachable) {
		t.Errorf("a robots.txt that fails: %v", err)
	}
}

func TestCancelledCrawlLeavesNothing(t *testing.T) {
	s := &site{pages: map[string]string{"/": page("Start", `<a href="slow">slow</a>`)}}
	reached := make(chan struct{})
	s.handlers = map[string]http.HandlerFunc{"/slow": func(_ http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
	}}
	server := serve(t, s)
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	go func() {
		<-reached
		cancel(reason)
	}()
	_, err := Crawl(ctx, client(t), server.URL, Options{Interval: -1, Texts: &source.Texts{Dir: dir}})
	if !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d folders are left", len(left))
	}
}

func TestPoliteness(t *testing.T) {
	var active, most atomic.Int64
	pages := &strings.Builder{}
	for i := range 20 {
		fmt.Fprintf(pages, `<a href="/%d">x</a>`, i)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := active.Add(1)
		defer active.Add(-1)
		for {
			seen := most.Load()
			if now <= seen || most.CompareAndSwap(seen, now) {
				break
			}
		}
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page("P"+r.URL.Path, pages.String()))
	})
	server := serve(t, handler)
	tree, err := Crawl(t.Context(), client(t), server.URL, Options{Concurrency: 2, Interval: 5 * time.Millisecond,
		Texts: &source.Texts{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if most.Load() > 2 {
		t.Errorf("%d requests at once", most.Load())
	}
	if tree.Count() != 21 {
		t.Errorf("%d pages", tree.Count())
	}
}

func TestCharsets(t *testing.T) {
	s := &site{pages: map[string]string{"/": page("Start", `<a href="latin">l</a><a href="meta">m</a>`)},
		handlers: map[string]http.HandlerFunc{
			"/latin": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
				io.WriteString(w, strings.ReplaceAll(page("Caf@", ""), "@", "\xe9"))
			},
			"/meta": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, `<meta charset="shift_jis">`+strings.ReplaceAll(page("@", ""), "@",
					"\x93\xfa\x96\x7b"))
			},
		}}
	tree, _ := crawlSite(t, s, "/", Options{})
	check(t, "Start d\nCafé d latin\n日本 d meta\n", tree)
}

func TestSameResultWhateverTheOrderOfAnswers(t *testing.T) {
	s := &site{pages: map[string]string{}, handlers: map[string]http.HandlerFunc{}}
	var all strings.Builder
	for i := range 30 {
		fmt.Fprintf(&all, `<a href="/p%d">p</a>`, (i*7)%30)
	}
	s.pages["/"] = page("Start", all.String())
	for i := range 30 {
		s.handlers[fmt.Sprintf("/p%d", i)] = func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Duration((i*13)%5) * time.Millisecond)
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page(fmt.Sprintf("P%d", i), fmt.Sprintf(`<a href="/p%d">n</a>`, (i+11)%30)))
		}
	}
	server := serve(t, s)
	first := outline(mustCrawl(t, server.URL, Options{Concurrency: 1}))
	for range 3 {
		if diff := cmp.Diff(first, outline(mustCrawl(t, server.URL, Options{Concurrency: 8}))); diff != "" {
			t.Fatal(diff)
		}
	}
}
