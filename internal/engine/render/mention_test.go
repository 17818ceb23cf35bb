package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// called is a resolver that knows titles of some destinations.
type called map[string]string

func (c called) Resolve(ref doc.Ref) Target {
	title, there := c[ref.Destination()]
	return Target{Title: title, URL: "/x", Broken: !there}
}

// TestMentionsInText holds what a mention is in a text: for people, so never an id.
func TestMentionsInText(t *testing.T) {
	const (
		person = "/users/user_01jd3k00000000000000000000"
		page   = "/pages/page_01jd3k00000000000000000000"
	)
	for destination, want := range map[string]string{
		person: "", page: "", page + "#part": "", person + "#part": "", "/pages/-Mabc123": "",
		"/spaces/space_01jd3k00000000000000000000": "", "/spaces/space_01jd3k00000000000000000000" + page: "",
		"/files/file_01jd3k00000000000000000000":             "",
		"/reusable-content/reusable_01jd3k00000000000000000": "",
		"/collections/collection_01jd3k00000000000000000000": "",
		"../users/user_01jd3k00000000000000000000":           "",
		"/tags/new":                       "new",
		"/openapi/pets":                   "pets",
		"#part":                           "part",
		"../a/b.md#c":                     "b",
		"user_guide.md":                   "user_guide",
		"https://example.org/a/":          "example.org/a",
		"mailto:ada@example.org":          "ada@example.org",
		"https://example.org/user_01/a_b": "example.org/user_01/a_b",
	} {
		// As it is in a document that was read, and with the kind that it has in one that a program sends.
		for _, ref := range []doc.Ref{doc.URL(destination), doc.ParseDestination(destination)} {
			mention := doc.NewInline(doc.Mention, &doc.ContentRefData{Ref: ref, Title: "Ada"})
			d := &doc.Document{Nodes: []*doc.Node{
				block(doc.Heading1, nil, doc.NewText("Ask "), mention),
				doc.NewParagraph(doc.NewText("See "), mention, doc.NewText("!")),
			}}
			if got := TextFor(d, nil); got != Text(d) || got != "Ask "+want+"\n\nSee "+want+"!" && want != "" ||
				want == "" && got != "Ask\n\nSee !" {
				t.Errorf("%s: %q", destination, got)
			}
			for _, section := range Sections(d) {
				if section.Text != "See "+want+"!" || section.Title != Outline(d, nil)[0].Title {
					t.Errorf("%s: %+v", destination, section)
				}
			}
			// For somebody who may see what it leads to, it is called as that; for others it is not there.
			known, unknown := called{destination: "The guide"}, called{}
			if got := []string{TextFor(d, known), TextFor(d, unknown), Outline(d, known)[0].Title,
				Outline(d, unknown)[0].Title}; cmp.Diff([]string{"Ask The guide\n\nSee The guide!", "Ask\n\nSee !",
				"Ask The guide", "Ask"}, got) != "" {
				t.Errorf("%s: %q", destination, got)
			}
		}
	}
}
