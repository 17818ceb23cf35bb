package website

import (
	"strings"
	"testing"
)

func TestNavigationNamesTheCurrentPageByNoAddress(t *testing.T) {
	// The theme of Read the Docs opens the current page only, whose own link leads nowhere.
	nav := func(current string) string {
		var list strings.Builder
		list.WriteString(`<nav class="wy-nav-side"><div class="wy-menu"><p class="caption"><span>Guide</span></p><ul>`)
		for _, name := range []string{"usage", "faq"} {
			if name != current {
				list.WriteString(`<li class="toctree-l1"><a class="reference internal" href="/d/` + name + `.html">` +
					name + `</a></li>`)
				continue
			}
			list.WriteString(`<li class="toctree-l1 current"><a class="current reference internal" href="#">` + name +
				`</a><ul><li><a href="#part">Part</a></li>`)
			if name == "usage" {
				list.WriteString(
					`<li><a href="/d/usage/init.html">init</a></li><li><a href="/d/usage/list.html">list</a></li>`)
			}
			list.WriteString(`</ul></li>`)
		}
		return list.String() + `</ul></div></nav>`
	}
	s := &site{pages: map[string]string{
		"/d/": page("Start", "") + nav(""), "/d/usage.html": page("usage", "") + nav("usage"),
		"/d/faq.html":        page("faq", "") + nav("faq"),
		"/d/usage/init.html": page("init", "") + nav(""), "/d/usage/list.html": page("list", "") + nav(""),
	}}
	tree, _ := crawlSite(t, s, "/d/", Options{})
	check(t, "Start d\nGuide g\n  usage d usage\n    init d init\n    list d list\n  faq d faq\n", tree)
}

func TestNavigationBesideLinks(t *testing.T) {
	// Numbers that only show, other numbers than those of the headings, and what a page is for.
	nav := `<nav class="toc"><dl><dt><a href="/d/a.html"><strong aria-hidden="true">1.</strong> First</a></dt><dd><dl>
		<dt><span class="refentrytitle"><a href="/d/b.html">1.2. Second</a></span><span class="refpurpose"> — the one after the first</span></dt>
		<dt><a href="/d/c.html">II. Third one</a><span> new</span></dt></dl></dd></dl></nav>`
	s := &site{pages: map[string]string{
		"/d/": page("Start", "") + nav, "/d/a.html": page("First", "") + nav, "/d/b.html": page("Chapter 1. Second",
			"") + nav, "/d/c.html": page("Third", "") + nav,
	}}
	tree, _ := crawlSite(t, s, "/d/", Options{})
	check(t, "Start d\nFirst d a\n  Chapter 1. Second d b\n  Third {II. Third one} d c\n", tree)
}

func TestGeneratedPagesAreLeftOut(t *testing.T) {
	var links strings.Builder
	s := &site{pages: map[string]string{}}
	for _, name := range []string{
		"search.html", "genindex-A.html", "py-modindex.html", "_modules/w.html", "_modules/index.html",
		"widget_8h_source.html", "classWidget-members.html", "index-all.html",
		"topics/search.html", "team-members.html", "modules.html",
	} {
		links.WriteString(`<a href="/d/` + name + `">` + name + `</a> `)
		s.pages["/d/"+name] = page(name, "")
	}
	s.pages["/d/"] = page("Start", links.String())
	tree, _ := crawlSite(t, s, "/d/", Options{})
	check(t, "Start d\ntopics/search.html d search\nteam-members.html d team-members\nmodules.html d modules\n", tree)
	if tree.Report.Skipped.Total != 8 {
		t.Error(notes(tree.Report.Skipped))
	}
}

func TestFramesAreFollowed(t *testing.T) {
	s := &site{pages: map[string]string{
		"/d/":          `<title>API</title><frameset><frame src="list.html"><frame src="one.html"></frameset>`,
		"/d/list.html": page("All", ""), "/d/one.html": page("One", ""),
	}}
	tree, _ := crawlSite(t, s, "/d/", Options{})
	check(t, "API d\nAll d list\nOne d one\n", tree)
}
