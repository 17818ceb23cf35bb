package hypertext

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/markdown"
)

// TestWhatGeneratorsWrite holds what becomes of single constructs of the usual generators.
func TestWhatGeneratorsWrite(t *testing.T) {
	const filler = "<p>Enough text to be taken for the content of a page by any heuristic.</p>"
	const filled = "Enough text to be taken for the content of a page by any heuristic.\n"
	address, _ := url.Parse("https://docs.example.org/widget/page.html")
	for _, test := range []struct{ name, head, page, title, want string }{
		{"words of code with an element each", "",
			`<main><p>Run <code><span class="pre">make</span> <span class="pre">-j</span> <span class="pre">2</span></code> <b><i>now</i> or</b> <b> never </b>.</p></main>`, "",
			"Run `make -j 2` _**now**_ **or** **never** .\n"},
		{"Sphinx page with a heading of the theme around it", "Glossary — Widget 3 documentation",
			`<div class="document"><div id="hd"><h1><a href="index.html">Widget 3 documentation</a></h1><a href="genindex.html">Index</a></div>
			<div class="section" id="s-glossary"><span id="glossary"></span><h1>Glossary<a class="headerlink" href="#glossary">¶</a></h1>` + filler + `
			<dl class="glossary"><dt id="term-field">field<a class="headerlink" href="#term-field">¶</a></dt><dd>A part.</dd></dl></div><div id="ft">Last update</div></div>`,
			"Glossary", filled + "\n*   **field**\n\n    A part.\n"},
		{"heading that names the site comes before the title", "Setup",
			`<main><h1><a href="/">Widget</a></h1><h1>Setup</h1>` + filler + `</main>`, "Setup",
			"## [Widget](/)\n\n" + filled},
		{"heading that is a link to itself", "Setup | Widget",
			`<main><h1 id="setup"><a class="header-anchor" href="#setup"><span>Setup</span></a></h1>` + filler +
				`<h2 id="more"><a class="header-anchor" href="#more"><span>More</span></a></h2></main>`, "Setup",
			filled + "\n## More\n"},
		{"title as low as the sections", "Background: Widget Manual",
			`<div class="chapter"><div class="titlepage"><h2 class="title">Background</h2></div>` + filler +
				`<h2>Dynamic types</h2><p>More.</p></div>`, "Background", filled + "\n## Dynamic types\n\nMore.\n"},
		{"Python that nobody named", "",
			`<main>` + filler +
				`<div class="highlight-default notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> <span class="nn">os</span></pre></div></div>
			<div class="highlight-default notranslate"><div class="highlight"><pre><span></span><span class="n">pip</span> <span class="n">install</span> <span class="n">widget</span></pre></div></div>
			<div class="highlight-pycon notranslate"><div class="highlight"><pre><span class="gp">&gt;&gt;&gt; </span>1</pre></div></div></main>`, "",
			filled + "\n```python\nimport os\n```\n\n```\npip install widget\n```\n\n```python\n>>> 1\n```\n"},
		{"links from signatures to the code", "",
			`<main>` + filler +
				`<dl class="py function"><dt class="sig sig-object py" id="run">run()<a class="reference internal" href="_modules/w.html#run"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#run">¶</a></dt><dd><p>Runs.</p></dd></dl></main>`, "",
			filled + "\n#### `run()`\n\nRuns.\n"},
		{"footnotes of cells stay", "",
			`<main>` + filler +
				`<table><tr><th>OS</th></tr><tr><td>Linux <a class="footnote-reference" href="#id1">[1]</a></td></tr></table><aside class="footnote" id="id1" role="note"><p>Since 2.0.</p></aside></main>`, "",
			filled + "\n| OS                  |\n| ------------------- |\n| Linux [\\[1\\]](#id1) |\n\nSince 2.0.\n"},
		{"list of the page's own sections", "",
			`<main>` + filler +
				`<h2>Table of contents</h2><ul id="markdown-toc"><li><a href="#one">One</a></li><li><a href="#two">Two</a></li></ul><h2 id="one">One</h2><p>1</p><h2 id="two">Two</h2><p>2</p>
			<div class="toc"><p><b>Contents</b></p><ul><li><a href="other.html">Other</a></li><li><a href="#two">Two</a></li></ul></div></main>`, "",
			filled + "\n## One\n\n1\n\n## Two\n\n2\n\n**Contents**\n\n* [Other](other.html)\n* [Two](#two)\n"},
		{"Doxygen", "Widget: Lists",
			`<div id="top"><div id="projectname">Widget</div></div><div class="header"><div class="summary"><a href="#f">Functions</a></div><div class="headertitle"><div class="title">Lists </div></div></div>
			<div class="contents"><div class="textblock">` + filler +
				`<dl class="section note"><dt>Note</dt><dd>Mind this.</dd></dl><div class="fragment"><div class="line"><a class="line"></a><span class="lineno">    1</span> int a;</div><div class="line"> </div><div class="line">int b;</div></div></div>
			<table class="memberdecls"><tr class="memitem:a1"><td>int&#160;</td><td>size ()</td></tr><tr class="separator:a1"><td colspan="2">&#160;</td></tr></table><h2 class="memtitle"><span class="permalink"><a href="#a1">&#9670;&nbsp;</a></span>size()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">int Widget::size </td><td>(</td><td class="paramtype">char&#160;</td><td class="paramname"><em>c</em></td><td>)</td><td> const</td></tr></table></div><div class="memdoc"><p>Counts.</p></div></div></div>
			<address class="footer">Generated by Doxygen</address>`, "Lists",
			filled + "\n{% hint style=\"info\" %}\nMind this.\n{% endhint %}\n\n```\n int a;\n\nint b;\n```\n\n" +
				"<table data-header-hidden><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>int</td><td>size " +
				"()</td></tr></tbody></table>\n\n## size()\n\n```\nint Widget::size(char c) const\n```\n\nCounts.\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := Content(parse(t, "<html><body>"+test.page+"</body></html>"), address)
			result := Convert(content, Options{Name: test.head})
			if result.Title != test.title {
				t.Errorf("title %q, want %q", result.Title, test.title)
			}
			if diff := cmp.Diff(test.want, string(markdown.Write(result.Document))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestGuessedContentKeepsAnchors holds that anchors stay which the reading-mode heuristic drops for being empty.
func TestGuessedContentKeepsAnchors(t *testing.T) {
	var page strings.Builder
	page.WriteString("<html><head><title>Options</title></head><body><h1>Options</h1>")
	for _, name := range []string{"one", "two", "three"} {
		page.WriteString(`<h2>Option ` + name + `</h2><p>` +
			strings.Repeat("A long text about options, and then some more of it. ", 20) + `</p><a name="` + name +
			`_option"></a><p>` + strings.Repeat("What it does, and why. ", 20) + `</p>`)
	}
	page.WriteString("</body></html>")
	address, _ := url.Parse("https://docs.example.org/options.html")
	result := Convert(Content(parse(t, page.String()), address), Options{})
	for _, name := range []string{"one", "two", "three"} {
		if node := result.Anchors[name+"_option"]; node == nil || node.PlainText() != "Option "+name {
			t.Errorf("the anchor of %s leads to %v", name, node)
		}
	}
	if text := string(markdown.Write(result.Document)); strings.Contains(text, placeMark) {
		t.Error("the marks of places are in the page")
	}
}

// TestAnchorsInHeadingsOfColumns holds that links to something in the heading of a column lead to the table.
func TestAnchorsInHeadingsOfColumns(t *testing.T) {
	result := Convert(parse(t,
		`<h1>A</h1><h2>Flags</h2><table><tr><th>OS <a id="mark" href="#note">1</a></th></tr><tr><td>x</td></tr></table>`), Options{})
	if node := result.Anchors["mark"]; node == nil || node.PlainText() != "Flags" {
		t.Errorf("the anchor leads to %v", node)
	}
}

// TestFootnotesOfAsciidoctor holds that brackets around marks and numbers before notes go with the marks.
func TestFootnotesOfAsciidoctor(t *testing.T) {
	page := parse(t, `<body><h1>A</h1><p>Claim.<sup class="footnote">[<a id="_footnoteref_1" class="footnote" `+
		`href="#_footnotedef_1" title="View footnote.">1</a>]</sup> More [2] of it.</p><div id="footnotes"><hr>`+
		`<div class="footnote" id="_footnotedef_1"> <a href="#_footnoteref_1">1</a>. A <b>short</b> note.</div></div></body>`)
	got := string(markdown.Write(Convert(Whole(page), Options{}).Document))
	if want := "Claim.[^1] More \\[2] of it.\n\n[^1]: A **short** note.\n"; got != want {
		t.Errorf("%q", got)
	}
}
