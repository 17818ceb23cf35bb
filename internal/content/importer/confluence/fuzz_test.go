package confluence

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// FuzzStorage holds that whatever stands in the body of a page is read or refused with words.
func FuzzStorage(f *testing.F) {
	f.Add(
		`<p>a&nbsp;b</p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[x]]></ac:plain-text-body></ac:structured-macro>`)
	f.Add(
		`<ac:link><ri:page ri:content-title="One"/></ac:link><ac:image><ri:attachment ri:filename="a"/></ac:image><ac:task-list><ac:task/></ac:task-list>`)
	f.Add(`<ac:adf-extension><ac:adf-node type="panel"/></ac:adf-extension></p><ac:structured-macro>`)
	f.Fuzz(func(t *testing.T, body string) {
		dir := t.TempDir()
		entities :=
			`<hibernate-generic><object class="Page"><id name="id">1</id><property name="title">One</property></object>` +
				`<object class="BodyContent"><id name="id">2</id><property name="body"><![CDATA[` + body +
				`]]></property><property name="content"><id name="id">1</id></property></object></hibernate-generic>`
		if err := os.WriteFile(filepath.Join(dir, "entities.xml"), []byte(entities), 0o600); err != nil {
			t.Fatal(err)
		}
		tree, err := read(t, dir)
		if err != nil {
			if errs.KindOf(err) == errs.Internal {
				t.Fatalf("an error without words: %v", err)
			}
			return
		}
		for _, page := range tree.Pages {
			if !utf8.ValidString(page.Body.String()) {
				t.Errorf("body %q", page.Body)
			}
		}
	})
}
