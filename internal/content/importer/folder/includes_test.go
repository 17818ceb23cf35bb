package folder

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bodyOf returns the body of the first page with a title.
func bodyOf(t *testing.T, files map[string]string, title string) (body string, notes []string) {
	t.Helper()
	tree := read(t, files)
	for _, note := range tree.Report.NotUnderstood.Items {
		notes = append(notes, note.Place+": "+note.Message)
	}
	for _, page := range tree.Pages {
		if page.Entry.Title == title {
			return page.Body.String(), notes
		}
	}
	t.Fatalf("there is no page %q:\n%s", title, outline(tree))
	return "", nil
}

func TestVitePressIncludes(t *testing.T) {
	files := map[string]string{
		"docs/.vitepress/config.mts": "export default {}",
		"docs/index.md": "# Home\n\n<<< @/code/a.js{1,2}\n\n<<< ./code/a.js#part [Part]\n\n" +
			"<!--@include: ./parts/b.md-->\n\n<!--@include: ./parts/b.md{3,}-->\n\n<<< @/code/none.js\n\n" +
			"```\n<<< @/code/a.js\n```\n",
		"docs/code/a.js":       "one();\nfunction f() {\n  // #region part\n  two();\n  // #endregion part\n}\n",
		"docs/parts/b.md":      "---\nx: 1\n---\nFirst.\n\nSecond, <!--@include: ../parts/c.md-->\n",
		"docs/parts/c.md":      "third. <!--@include: ./b.md-->\n",
		"docs/other.md":        "# Other\n",
		"docs/more/another.md": "# Another\n",
	}
	got, notes := bodyOf(t, files, "Home")
	for _, each := range []string{"<strong>one();\n</strong><strong>function f() {\n</strong>  // #region part\n",
		"{% code title=\"Part\" %}\n```js\ntwo();\n```\n{% endcode %}", "First.\n\nSecond, third.",
		"<<< @/code/none.js", "```\n<<< @/code/a.js\n```"} {
		if !strings.Contains(got, each) {
			t.Errorf("%q is missing in\n%s", each, got)
		}
	}
	if strings.Count(got, "First.") != 1 || strings.Count(got, "Second,") != 2 {
		t.Errorf("lines of a part:\n%s", got)
	}
	if !strings.Contains(strings.Join(notes, "\n"), "docs/index.md: <<< @/code/none.js: what it names is not part") {
		t.Errorf("notes: %q", notes)
	}
}

// TestPartsOfMDX holds that what is given to a part stands in its text, that Mintlify's snippets are found by their
// names, and that the root of VitePress is that of the pages when nothing is around them.
func TestPartsOfMDX(t *testing.T) {
	got, notes := bodyOf(t, map[string]string{"docs.json": `{"navigation": {"pages": ["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nimport Hello from '/snippets/hello.mdx'\n\n" +
			"<Hello name=\"Bob\" size={2} />\n\n<Snippet file=\"old.mdx\" />\n",
		"snippets/hello.mdx": "I am {name}, {props.size}, {other}.\n\n```\n{name}\n```\n",
		"snippets/old.mdx":   "By its *name*.\n"}, "Home")
	for _, each := range []string{"I am Bob, 2, {other}.\n\n```\n{name}\n```", "By its *name*."} {
		if !strings.Contains(got, each) {
			t.Errorf("%q is missing in\n%s", each, got)
		}
	}
	if len(notes) != 0 {
		t.Errorf("notes: %q", notes)
	}
	got, _ = bodyOf(t, map[string]string{".vitepress/config.js": "export default {}",
		"b.md": "# Home\n\n<<< @/code/x.js\n", "code/x.js": "one()\n"}, "Home")
	if got != "```js\none()\n```\n" {
		t.Errorf("%q", got)
	}
}

func TestSnippetsOfMkDocs(t *testing.T) {
	files := map[string]string{
		"mkdocs.yml": "site_name: A\n",
		"docs/index.md": "# Home\n\n--8<-- \"snippets/a.md\"\n\n    --8<-- \"code.py:load\"\n\n```python\n" +
			"--8<-- \"code.py:2:3\"\n```\n\n;--8<-- \"literal.md\"\n\n--8<--\nsnippets/a.md\n\nnone.md\n--8<--\n",
		"snippets/a.md": "From outside of the pages.\n",
		"code.py":       "import x\n# --8<-- [start:load]\ndef load():\n    pass\n# --8<-- [end:load]\n",
	}
	got, notes := bodyOf(t, files, "Home")
	want := "From outside of the pages.\n\n    def load():\n        pass\n\n```python\n# --8<-- [start:load]\n" +
		"def load():\n```\n\n--8<-- \"literal.md\"\n\nFrom outside of the pages.\nnone.md\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "none.md: what it names is not part of the import") {
		t.Errorf("notes: %q", notes)
	}
}

// TestIncludesAreBounded includes what includes itself, what lies outside, and a tower of files that doubles.
func TestIncludesAreBounded(t *testing.T) {
	files := map[string]string{"mkdocs.yml": "site_name: A\n",
		"docs/index.md": "# Home\n\n--8<-- \"self.md\"\n--8<-- \"../../etc/passwd\"\n--8<-- \"t0.md\"\n",
		"self.md":       "Self.\n--8<-- \"self.md\"\n"}
	for n := range 9 {
		next := "--8<-- \"t" + string(rune('1'+n)) + ".md\"\n"
		files["t"+string(rune('0'+n))+".md"] = strings.Repeat(next, 8)
	}
	files["t9.md"] = strings.Repeat("x", 1000)
	got, notes := bodyOf(t, files, "Home")
	if len(got) > maxPut+1<<10 || !strings.Contains(got, "Self.\n--8<-- \"self.md\"") {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
	if len(notes) == 0 {
		t.Error("nothing is said of what was not put in")
	}
}
