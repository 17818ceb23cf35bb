package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// TestColumnTitles prints the links and images of a header, and the plain title once that was changed.
func TestColumnTitles(t *testing.T) {
	d, err := markdown.Parse([]byte("| ![a](b.png) | [c](d.md) `e` |\n| --- | --- |\n| f | g |\n"))
	if err != nil {
		t.Fatal(err)
	}
	print := func() string {
		var out bytes.Buffer
		if err := HTML(t.Context(), &out, d, Options{}); err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(out.String(), "</thead>")
		return header[strings.Index(header, "<tr>"):]
	}
	want := `<tr><th scope="col"><img class="inline-image" src="b.png" alt="a" loading="lazy" decoding="async"></th>` +
		`<th scope="col"><a class="link" href="d.md">c</a> <code>e</code></th></tr>`
	if got := print(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if links := Links(d); len(links) != 2 {
		t.Errorf("links %v", links)
	}
	d.Nodes[0].Data.(*doc.TableData).Definition["c2"].Title = "New & other"
	if got := print(); !strings.HasSuffix(got, `<th scope="col">New &amp; other</th></tr>`) {
		t.Errorf("changed title: %s", got)
	}
	if written := string(markdown.Write(d)); !strings.Contains(written, `| New & other |`) {
		t.Errorf("written %s", written)
	}
}
