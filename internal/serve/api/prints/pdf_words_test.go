package prints_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// printedKinds are bodies with one kind of block or inline each, by its name. {target} is a page, {file} a file, {note}
// a reusable content of the space, and {far} one of another space of the site.
var printedKinds = map[string]string{
	"paragraph": "Plain words with **bold words**, _leaning words_, `code words`, ~~struck words~~, " +
		"<kbd>Key</kbd>, x<sub>low</sub> and <sup>high</sup>.\n",
	"headings": "## First heading\n\n### Second heading\n\n#### Third heading\n",
	"lists": "* one item\n* two item\n  1. inner first\n  2. inner second\n\n- [x] task done\n- [ ] " +
		"task open\n",
	"quote": "> Quoted words.\n",
	"hint":  "{% hint style=\"warning\" %}\n#### Mind this\n\nHinted words.\n{% endhint %}\n",
	"code": "{% code title=\"main.go\" lineNumbers=\"true\" %}\n```go\nfunc main() { " +
		"println(\"hello there\") }\n```\n{% endcode %}\n",
	"math":  "Inline $$alpha + beta$$ here.\n\n$$\ngamma = delta\n$$\n",
	"table": "| Head one | Head two |\n| --- | --- |\n| cell one | [cell link](/pages/{target}) |\n",
	"table with types": "<table><thead><tr><th>Name</th><th data-type=\"checkbox\">Done</th><th " +
		"data-type=\"rating\" data-max=\"5\">Stars</th><th data-type=\"content-ref\">Page</th><th " +
		"data-type=\"select\">Choice<select><option value=\"a\" label=\"Alpha option\" " +
		"color=\"blue\"></option></select></th></tr></thead><tbody><tr><td>Row " +
		"name</td><td>true</td><td>3</td><td><a href=\"/pages/{target}\">t</a></td><td><span data-option=\"a\">Alpha " +
		"option</span></td></tr></tbody></table>\n",
	"cards": "<table data-view=\"cards\"><thead><tr><th>Title</th><th>Text</th><th data-hidden " +
		"data-card-target data-type=\"content-ref\">Target</th></tr></thead><tbody><tr><td><strong>Card " +
		"title</strong></td><td>Card words</td><td><a href=\"/pages/{target}\">t</a></td></tr></tbody></table>\n",
	"tabs": "{% tabs %}\n{% tab title=\"Tab first\" %}\nWords of the first.\n{% endtab %}\n\n{% " +
		"tab title=\"Tab second\" %}\nWords of the second.\n{% endtab %}\n{% endtabs %}\n",
	"stepper": "{% stepper %}\n{% step %}\n### Step heading\n\nStep words.\n{% endstep %}\n{% " +
		"endstepper %}\n",
	"columns": "{% columns %}\n{% column %}\nLeft words.\n{% endcolumn %}\n\n{% column %}\nRight " +
		"words.\n{% endcolumn %}\n{% endcolumns %}\n",
	"expandable": "<details>\n\n<summary>Summary words</summary>\n\nHidden until opened.\n\n</details>\n",
	"updates": "{% updates format=\"full\" %}\n{% update date=\"2026-11-20\" tags=\"fresh\" %}\n## " +
		"Update heading\n\nUpdate words.\n{% endupdate %}\n{% endupdates %}\n",
	"prompt": "{% prompt description=\"Prompt description\" %}\n```\nAsk for words.\n```\n{% " +
		"endprompt %}\n",
	"image": "<figure><img src=\"/files/{file}\" alt=\"Alternative\"><figcaption><p>Caption " +
		"words</p></figcaption></figure>\n",
	"file":  "{% file src=\"/files/{file}\" %}\nFile caption\n{% endfile %}\n",
	"embed": "{% embed url=\"https://example.com/film\" %}\nEmbed caption\n{% endembed %}\n",
	"link to a page": "{% content-ref url=\"/pages/{target}\" %}\n[t](/pages/{target})\n{% endcontent-ref " +
		"%}\n\n[mention](/pages/{target} \"mention\")\n",
	"link to a page by path": "[words of it](target.md) and [target.md](target.md \"mention\")\n",
	"condition that holds": "{% if space.vars.plan === \"pro\" %}\nShown words.\n{% endif %}\n\n{% if " +
		"space.vars.plan === \"free\" %}\nSecret words.\n{% endif %}\n",
	"expressions": "The plan is <code class=\"expression\">space.vars.plan</code>, the page says <code " +
		"class=\"expression\">page.vars.name</code>.\n",
	"inclusion":            "{% include \"/reusable-content/{note}\" %}\n",
	"inclusion by path":    "{% include \".gitbook/includes/note.md\" %}\n",
	"inclusion of another": "{% include \"/spaces/{other}/reusable-content/{far}\" %}\n",
	"inclusion of nothing": "{% include \"/reusable-content/content_0\" %}\n",
	"note":                 "Annotated[^1] words.\n\n[^1]: Body of the note.\n",
	"buttons": "<a href=\"https://example.com/\" class=\"button primary\">Button label</a> <button " +
		"type=\"button\" class=\"button secondary\" data-action=\"search\" data-query=\"x\">Search label</button>\n",
	"emoji and icon": ":sparkles: Sparkling <i class=\"fa-github\">:github:</i> words\n",
	"raw HTML":       "<div><p>Raw words</p></div>\n\n<section>Section words</section>\n",
	"operation": "{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" %}\n" +
		"[pets](/openapi/pets)\n{% endopenapi-operation %}\n",
	"schemas": "{% openapi-schemas spec=\"pets\" schemas=\"Pet\" %}\n[pets](/openapi/pets)\n{% " +
		"endopenapi-schemas %}\n",
	"integration": "{% @mermaid/diagram content=\"graph TD\" %}\n",
	"diagram":     "```mermaid\ngraph TD\n  Alpha-->Beta\n```\n",
	"divider":     "Before it.\n\n***\n\nAfter it.\n",
	"unknown tag": "{% unheard %}\nInside of it.\n{% endunheard %}\n",
}

// TestPDFsHoldTheWordsOfThePage holds that a PDF has every word that the site shows of the same page, whatever kind of
// block they stand in, and none that it does not show.
func TestPDFsHoldTheWordsOfThePage(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		write := func(space string, changes ...map[string]any) (ids []string) {
			t.Helper()
			var done struct{ Changes []apptest.ContentChange }
			s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", map[string]any{"changes": changes}, http.StatusOK,
				&done)
			for _, change := range done.Changes {
				if page, ok := change.Page.(map[string]any); ok {
					ids = append(ids, page["id"].(string))
				} else {
					ids = append(ids, change.ReusableContent)
				}
			}
			return ids
		}
		markdown := func(text string) map[string]string { return map[string]string{"markdown": text} }
		space, other := s.Space("Guide"), s.Space("Other")
		far := write(other, map[string]any{"operation": "insert_reusable_content", "title": "Far",
			"document": markdown("Words from afar.\n")}, map[string]any{"operation": "insert_page",
			"title": "Elsewhere"})[0]
		var done struct{ InsertedFiles []apptest.Identified }
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content",
			`{"changes":[{"operation":"insert_files","files":[{"name":"dot.gif","base64":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}]}]}`, http.StatusOK, &done)
		start := write(space,
			map[string]any{"operation": "insert_page", "title": "Target"},
			map[string]any{"operation": "insert_reusable_content", "title": "Note",
				"document": markdown("Noted words for <code class=\"expression\">space.vars.plan</code>.\n\n{% if " +
					"space.vars.plan === \"free\" %}\nSecret words.\n{% endif %}\n")},
			map[string]any{"operation": "update_variables", "variables": map[string]any{"plan": "pro"}})
		fill := strings.NewReplacer("{target}", start[0], "{file}", done.InsertedFiles[0].ID, "{note}", start[1],
			"{far}", far, "{other}", other)
		pages := map[string]string{}
		for kind, body := range printedKinds {
			pages[kind] = write(space, map[string]any{"operation": "insert_page", "title": "Page of " + kind,
				"variables": map[string]any{"name": "Penelope"}, "document": markdown(fill.Replace(body))})[0]
		}
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.Organization + "/sites"
		s.Call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space, other}}, http.StatusCreated, &site)
		var look map[string]any
		s.Call(http.MethodGet, sites+"/"+site.ID+"/customization", nil, http.StatusOK, &look)
		look["pdf"] = map[string]any{"enabled": true}
		s.Call(http.MethodPut, sites+"/"+site.ID+"/customization", look, http.StatusOK, nil)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := strings.TrimSuffix(site.URLs.Published, "/") + "/"
		download := func() *pdftest.File {
			t.Helper()
			var got apptest.Answer
			for range 300 {
				if got = s.Raw(http.MethodGet, home+"~/pdf", "", nil); got.Status != http.StatusAccepted {
					break
				}
			}
			if got.Status != http.StatusOK {
				t.Fatalf("the PDF: %d %.300s", got.Status, got.Body)
			}
			return pdftest.Read(t, got.Body)
		}
		book := download()
		// Every page begins on a sheet of its own, with its title; the sheets of the contents have many titles.
		printed, current := map[string]string{}, ""
		for i := range book.Kids {
			text := apptest.Letters(book.Text(i + 1))
			var begins []string
			for kind := range printedKinds {
				if strings.HasPrefix(text, apptest.Letters("Page of "+kind)) {
					begins = append(begins, kind)
				}
			}
			if strings.Count(text, "pageof") > 2 { // the title and the foot of the sheet
				continue
			}
			if len(begins) > 0 {
				// Of titles that begin alike the longest is meant.
				current = slices.MaxFunc(begins, func(a,
					b string) int {
					return len(apptest.Letters(a)) - len(apptest.Letters(b))
				})
			}
			printed[current] += strings.ReplaceAll(text, apptest.Letters("Page of "+current), "")
		}
		for kind, id := range pages {
			var page struct{ Path string }
			s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/page/"+id, nil, http.StatusOK, &page)
			shown := s.Raw(http.MethodGet, home+page.Path, "", nil)
			if shown.Status != http.StatusOK {
				t.Errorf("%s: the page answers %d", kind, shown.Status)
				continue
			}
			for word := range strings.FieldsSeq(proseOf(t, string(shown.Body))) {
				if !strings.Contains(printed[kind], apptest.Letters(word)) {
					t.Errorf("%s: the PDF lacks %q", kind, word)
				}
			}
		}
		if strings.Contains(apptest.WordsIn(book), "secretwords") {
			t.Error("the PDF has words that the site does not show")
		}
		// What is shown of another space is as it is now, and for those who see that space.
		write(other, map[string]any{"operation": "update_reusable_content", "reusableContent": far,
			"document": markdown("Fresh words from afar.\n")})
		if again := apptest.WordsIn(download()); !strings.Contains(again, "freshwordsfromafar") {
			t.Error("the PDF is of an earlier state of the other space")
		}
		if own := apptest.WordsOfPDF(t, s.FetchPDF(s.Order("/v1/spaces/"+space+"/pdf"))); strings.Contains(own,
			"fromafar") ||
			!strings.Contains(own, "notedwords") {
			t.Error("the PDF of the space alone, which its readers share, has words of another space, or not its own")
		}
	})
}

// proseOf is the text of a published page's body as readers see it, without what only works on a screen.
func proseOf(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	attribute := func(n *html.Node, name string) string {
		for _, a := range n.Attr {
			if a.Key == name {
				return a.Val
			}
		}
		return ""
	}
	// On paper nobody chooses among the languages of a sample: of an operation's tabs the first is printed.
	unchosen := func(n *html.Node) bool {
		if !strings.Contains(page, "openapi-body") || attribute(n, "class") != "tab" {
			return false
		}
		for earlier := n.PrevSibling; earlier != nil; earlier = earlier.PrevSibling {
			if attribute(earlier, "class") == "tab" {
				return true
			}
		}
		return false
	}
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		class := " " + attribute(n, "class") + " "
		if n.Type == html.ElementNode {
			if n.Data == "svg" || n.Data == "script" || n.Data == "summary" && n.Parent != nil &&
				strings.Contains(attribute(n.Parent, "class"), "prompt-details") || n.Data == "button" &&
				!strings.Contains(class, " button ") || strings.Contains(class, " visually-hidden ") {
				return
			}
			if unchosen(n) {
				return
			}
			inside = inside || strings.Contains(class, " prose ")
		}
		block := n.Type == html.ElementNode && inside &&
			!strings.Contains(" a b strong em i code kbd mark sub sup s del ", " "+n.Data+" ")
		if n.Type == html.TextNode && inside {
			out.WriteString(n.Data)
		}
		if block {
			out.WriteString(" ")
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, inside)
		}
		if block {
			out.WriteString(" ")
		}
	}
	walk(root, false)
	return out.String()
}
