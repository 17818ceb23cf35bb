package notion

import (
	"testing"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// FuzzExport holds that whatever stands in the files of an export is read or refused with words.
func FuzzExport(f *testing.F) {
	f.Add("# A\n\n<aside>\n💡 x\n</aside>\n", "a,b\n\"c\nd\",e\n", htmlExport["Garden "+idA+".html"])
	f.Add("```\n# A", "\"",
		"<article><ul class=\"toggle\"><li><details></details></li></ul><figure class=\"callout\"></figure>")
	f.Fuzz(func(t *testing.T, page, database, hypertext string) {
		tree, err := Read(t.Context(), open(t, map[string]string{
			"A " + idA + ".md": page, "B " + idB + ".csv": database, "C " + idC + ".html": hypertext,
		}), &source.Texts{Dir: t.TempDir()})
		if err != nil {
			if errs.KindOf(err) == errs.Internal {
				t.Fatalf("an error without words: %v", err)
			}
			return
		}
		for _, read := range tree.Pages {
			if !utf8.ValidString(read.Body.String()) {
				t.Errorf("body of %s: %q", read.Place, read.Body)
			}
		}
	})
}
