package docx

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLargeDocumentsTakeBoundedTime holds that no construct makes reading slower than its size explains.
func TestLargeDocumentsTakeBoundedTime(t *testing.T) {
	notes := func() map[string]string {
		var marks, bodies strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&marks, `<w:p><w:r><w:t>word</w:t></w:r><w:r><w:footnoteReference w:id="%d"/></w:r></w:p>`, i)
			fmt.Fprintf(&bodies, `<w:footnote w:id="%d"><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>`, i)
		}
		files := parts(marks.String())
		files["word/footnotes.xml"] = `<w:footnotes` + namespaces + `>` + bodies.String() + `</w:footnotes>`
		return files
	}
	tests := map[string]map[string]string{
		"paragraphs":    parts(strings.Repeat(para("", text("some words ")+text("bold", "<w:b/>")), 60_000)),
		"one paragraph": parts(para("", strings.Repeat(text("a ")+text("b", "<w:b/>"), 60_000))),
		"list":          parts(strings.Repeat(item("2", "0", text("a"))+item("2", "1", text("b")), 40_000)),
		"table": parts(`<w:tbl>` + strings.Repeat(`<w:tr>`+strings.Repeat(cell(`<w:vMerge/>`, "x"), 20)+
			`</w:tr>`, 2000) + `</w:tbl>`),
		"code": parts(strings.Repeat(para("SourceCode", text("line")), 60_000)),
		"bookmarks": parts(strings.Repeat(para("Heading2", `<w:bookmarkStart w:name="b"/>`+text("Heading")),
			20_000)),
		"fields": parts(`<w:p>` +
			strings.Repeat(
				`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://example.org"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`+text("x"), 20_000) + `</w:p>`),
		"notes": notes(),
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			tree, err := read(t, files)
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			t.Logf("%v for %d bytes of Markdown", took, tree.Pages[0].Body.Len())
			if took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
