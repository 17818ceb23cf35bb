package docx

import (
	"testing"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// FuzzDocument holds that whatever stands in a document's parts is read as a page or refused with words.
func FuzzDocument(f *testing.F) {
	f.Add(para("Heading1", text("A"))+item("1", "0", text("b")), testStyles, testNumbering)
	f.Add(`<w:tbl><w:tr>`+cell(`<w:vMerge/>`, "x")+`</w:tr></w:tbl>`, "", "")
	f.Add(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC "</w:instrText></w:r></w:p>`, "<a>",
		"<w:num/>")
	f.Add(`<w:p><m:oMath><m:nary><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary></m:oMath></w:p>`, "", "")
	f.Fuzz(func(t *testing.T, body, styles, lists string) {
		files := parts(body)
		files["word/styles.xml"], files["word/numbering.xml"] = styles, lists
		tree, err := read(t, files)
		if err != nil {
			if errs.KindOf(err) == errs.Internal {
				t.Fatalf("an error without words: %v", err)
			}
			return
		}
		page := tree.Pages[0]
		if !utf8.ValidString(page.Body.String()) || page.Entry.Title == "" {
			t.Errorf("title %q, body %q", page.Entry.Title, page.Body)
		}
		if _, err := markdown.Parse([]byte(page.Body.String())); err != nil && errs.KindOf(err) == errs.Internal {
			t.Errorf("the body cannot be parsed: %v", err)
		}
	})
}
