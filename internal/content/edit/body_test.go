package edit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestMarkdown holds how the file of a page becomes its fields and body.
func TestMarkdown(t *testing.T) {
	each(t, func(f *fixture) {
		guides := f.page("Guides", "", "All.\n")
		install := f.page("Install", guides, "Run.\n\n## Windows\n")
		about := f.page("About", "", "")
		file := f.apply(edit.Change{Operation: edit.InsertFiles,
			Files: []edit.NewFile{{Name: "p (1).gif", Base64: new(pixel)}}}).Files[0]
		for name, test := range map[string]struct {
			page, sent, body string
			fields           edit.Fields
			check            func(e *entity.Entry) bool
		}{
			"a body alone":    {page: install, sent: "Text.\n", body: "Text.\n"},
			"an empty body":   {page: install, sent: "", body: ""},
			"the title again": {page: install, sent: "# Install\n\nText.\n", body: "Text.\n"},
			"another title": {page: install, sent: "# Set up\n\nText.\n", body: "Text.\n",
				check: func(e *entity.Entry) bool { return e.Title == "Set up" && e.Slug == "install" }},
			"a heading beside the title": {page: install, sent: "# Intro\n\nText.\n", body: "# Intro\n\nText.\n",
				fields: edit.Fields{Title: optional.Of("Install")}},
			"front matter": {page: install,
				sent: "---\ndescription: What\nicon: book\nhidden: true\nvars:\n  a: 1\nother: x\n---\n\n# Install\n" +
					"\nText.\n", body: "Text.\n", check: func(e *entity.Entry) bool {
					return e.Description == "What" && e.Icon == "book" && e.Hidden && e.Variables["a"] == 1.0 &&
						e.Extra["other"] == "x"
				}},
			"front matter and a field": {page: install, sent: "---\ndescription: What\n---\n\nText.\n",
				body: "Text.\n", fields: edit.Fields{Description: optional.Of("That")},
				check: func(e *entity.Entry) bool { return e.Description == "That" }},
			"front matter with a cover": {page: about,
				sent: "---\ncover: .gitbook/assets/p (1).gif\ncoverY: 5\n---\n\nText.\n", body: "Text.\n",
				check: func(e *entity.Entry) bool {
					return e.Cover != nil && e.Cover.Ref.File == file.ID && e.Cover.YPos == 5
				}},
			"a sibling by its file": {page: about, sent: "[a](guides/install.md#windows)\n",
				body: "[a](/pages/" + install + "#windows)\n"},
			"a parent by its folder": {page: install, sent: "[a](./) [b](README.md) [c](../about.md)\n",
				body: "[a](/pages/" + guides + ") [b](/pages/" + guides + ") [c](/pages/" + about + ")\n"},
			"a file": {page: install,
				sent: "![a](<../.gitbook/assets/p (1).gif>) ![b](../.gitbook/assets/p%20\\(1\\).gif)\n",
				body: "![a](/files/" + file.ID + ") ![b](/files/" + file.ID + ")\n"},
			"what is not there": {page: install,
				sent: "[a](none.md) [b](../../../x.md) [c](#here) [d](https://e.com/about.md) [e](mailto:a@e.com)\n",
				body: "[a](none.md) [b](../../../x.md) [c](#here) [d](https://e.com/about.md) [e](mailto:a@e.com)\n"},
			"links in code": {page: about, sent: "`[a](guides/install.md)`\n",
				body: "`[a](guides/install.md)`\n"},
			"stable references": {page: about, sent: "[a](/pages/" + install + ") [b](/pages/page_0)\n",
				body: "[a](/pages/" + install + ") [b](/pages/page_0)\n"},
			"a line that divides":         {page: about, sent: "***\n\nText.\n", body: "***\n\nText.\n"},
			"text that ends without line": {page: about, sent: "Text", body: "Text"},
		} {
			f.Run(name, func(t *testing.T) {
				f := f.with(t)
				f.apply(edit.Change{Operation: edit.UpdatePage, Page: test.page, Body: edit.Body{Markdown: &test.sent},
					Fields: test.fields})
				if got := f.body(test.page); got != test.body {
					t.Errorf("body %q, want %q", got, test.body)
				}
				if e := f.entry(test.page); test.check != nil && !test.check(e) {
					t.Errorf("the page is %+v", e)
				}
				f.apply(edit.Change{Operation: edit.UpdatePage, Page: test.page, Fields: edit.Fields{
					Title:       optional.Of(map[string]string{install: "Install", about: "About"}[test.page]),
					Description: optional.Null[string](), Icon: optional.Null[string](),
					Flags: map[string]bool{"hidden": false}, Variables: optional.Null[map[string]any](),
					Cover: optional.Null[entity.Cover](),
				}})
			})
		}
		inserted := f.apply(edit.Change{Operation: edit.InsertPage, Into: optional.Of(guides),
			Body: edit.Body{Markdown: new("# By its heading\n\n[up](README.md)\n")}}).Outcomes[0].ID
		if e := f.entry(inserted); e.Title != "By its heading" || e.Slug != "by-its-heading" ||
			f.body(inserted) != "[up](/pages/"+guides+")\n" {
			t.Errorf("a page without fields: %+v, %q", e, f.body(inserted))
		}
		if e := f.entry(f.apply(edit.Change{Operation: edit.InsertPage}).Outcomes[0].ID); e.Title != "Untitled" ||
			e.Slug != "untitled" {
			t.Errorf("a page without anything: %+v", e)
		}
	})
}

// TestCompleteMarkdown holds that a complete file empties what it leaves out, and any other leaves that alone.
func TestCompleteMarkdown(t *testing.T) {
	each(t, func(f *fixture) {
		f.apply(edit.Change{Operation: edit.InsertFiles, Files: []edit.NewFile{{Name: "p.gif", Base64: new(pixel)}}})
		page := f.page("Page", "", "")
		send := func(text string, complete bool) *entity.Entry {
			f.apply(edit.Change{Operation: edit.UpdatePage, Page: page,
				Body: edit.Body{Markdown: &text, Complete: complete}})
			return f.entry(page)
		}
		const all = "---\nicon: star\ndescription: What\nhidden: true\nvars:\n  a: 1\nother: x\n" +
			"cover: .gitbook/assets/p.gif\n---\n\n# Page\n\nText.\n"
		send(all, true)
		if e := send("Other.\n", false); e.Icon != "star" || e.Description != "What" || !e.Hidden || e.Cover == nil {
			t.Errorf("without the whole file the page is %+v", e)
		}
		if e := send(all, true); e.Icon != "star" || e.Cover == nil || len(e.Variables) != 1 || len(e.Extra) != 1 {
			t.Errorf("with the same file the page is %+v", e)
		}
		e := send("---\nicon: book\n---\n\n# Page\n\nText.\n", true)
		if e.Icon != "book" || e.Description != "" || e.Hidden || e.Cover != nil || len(e.Variables) != 0 ||
			len(e.Extra) != 0 || e.Title != "Page" || f.body(page) != "Text.\n" {
			t.Errorf("with less the page is %+v", e)
		}
	})
}

// TestDocument holds that a document changes the blocks that it changes and no others.
func TestDocument(t *testing.T) {
	each(t, func(f *fixture) {
		other := f.page("Other", "", "")
		original := "* odd   bullets\n* stay\n\nOld [link](/pages/" + other + ").\n\n__Kept__ as it is.\n"
		id := f.page("Page", "", original)
		document, err := markdown.Parse([]byte(original))
		if err != nil {
			t.Fatal(err)
		}
		document.MapRefs(func(ref doc.Ref) doc.Ref { return doc.ParseDestination(ref.URL) })
		send := func(document *doc.Document) {
			t.Helper()
			// Over the wire and back, as a client sends it.
			raw, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			read := &doc.Document{}
			if err := json.Unmarshal(raw, read); err != nil {
				t.Fatal(err)
			}
			f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Body: edit.Body{Document: read}})
		}
		before := f.head().Revision().ID
		send(document)
		if f.body(id) != original || f.head().Revision().ID != before {
			t.Errorf("the same document changed the body to %q", f.body(id))
		}
		document.Nodes[1] = doc.NewParagraph(doc.NewText("New."))
		send(document)
		if want := "* odd   bullets\n* stay\n\nNew.\n\n__Kept__ as it is.\n"; f.body(id) != want {
			t.Errorf("body %q, want %q", f.body(id), want)
		}
		link := doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefPage, Page: "new"}},
			doc.NewText("there"))
		page := insert("New", "", "")
		page.Ref = "new"
		made := f.apply(edit.Change{Operation: edit.UpdatePage, Page: id,
			Body: edit.Body{Document: &doc.Document{Nodes: []*doc.Node{doc.NewParagraph(link)}}}}, page)
		if want := "[there](/pages/" + made.Outcomes[1].ID + ")\n"; f.body(id) != want {
			t.Errorf("body %q, want %q", f.body(id), want)
		}
		send(&doc.Document{})
		if got := f.body(id); got != "" {
			t.Errorf("an empty document leaves %q", got)
		}
	})
}

// TestMentionsAreCalledByTitle holds that a mention is written with the title of what it mentions, and that blocks keep
// their bytes when that gets another one.
func TestMentionsAreCalledByTitle(t *testing.T) {
	each(t, func(f *fixture) {
		other := f.page("Say [hi] *now*", "", "")
		id := f.page("Page", "", "Nothing yet.\n")
		mention := func(words string) *doc.Node {
			data := &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefPage, Page: other}}
			return doc.NewParagraph(doc.NewText(words), doc.NewInline(doc.Mention, data))
		}
		send := func(nodes ...*doc.Node) {
			t.Helper()
			f.apply(edit.Change{Operation: edit.UpdatePage, Page: id,
				Body: edit.Body{Document: &doc.Document{Nodes: nodes}}})
		}
		send(mention("See "))
		see := "See [Say \\[hi\\] \\*now\\*](/pages/" + other + " \"mention\")\n"
		if got := f.body(id); got != see {
			t.Errorf("body %q, want %q", got, see)
		}
		read, err := markdown.Parse([]byte(see))
		if err != nil {
			t.Fatal(err)
		}
		read.ReadDestinations()
		if want := (&doc.Document{Nodes: []*doc.Node{mention("See ")}}); !doc.EqualNodes(read.Nodes[0], want.Nodes[0]) {
			t.Errorf("it is read as %+v", read.Nodes[0])
		}
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: other, Fields: edit.Fields{Title: optional.Of("Bye")}})
		send(mention("See "), mention("And "))
		if got, want := f.body(id), see+"\nAnd [Bye](/pages/"+other+" \"mention\")\n"; got != want {
			t.Errorf("body %q, want %q", got, want)
		}
	})
}

// TestMentionsOfPeople holds that people who may read the space stand in the Markdown by name, and others do not.
func TestMentionsOfPeople(t *testing.T) {
	each(t, func(f *fixture) {
		page := f.page("Page", "", "Nothing yet.\n")
		for _, test := range []struct{ user, want string }{
			{string(f.people[org.RoleComment].User.ID), "comment"},
			{string(f.stranger("Private Person")), ""},
			{id.New("user"), ""},
			{"nobody", ""},
		} {
			if test.want == "" {
				test.want = test.user
			}
			mention := doc.NewInline(doc.Mention, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefUser, User: test.user}})
			f.apply(edit.Change{Operation: edit.UpdatePage, Page: page, Body: edit.Body{
				Document: &doc.Document{Nodes: []*doc.Node{doc.NewParagraph(doc.NewText("Ask "), mention)}}}})
			want := "Ask [" + test.want + "](/users/" + test.user + " \"mention\")\n"
			if got := f.body(page); strings.ReplaceAll(got, `\_`, "_") != want {
				t.Errorf("body %q, want %q", got, want)
			}
		}
	})
}

func TestRevert(t *testing.T) {
	each(t, func(f *fixture) {
		parent := f.page("Parent", "", "")
		id := f.page("Page", parent, "One.\n\nTwo.\n\nThree.\n\nFour.\n")
		then := f.head().Revision().ID
		back := func(blocks ...string) edit.Change {
			return edit.Change{Operation: edit.RevertPage, Page: id, Revision: then, Blocks: blocks}
		}
		changed := "One!\n\nTwo.\n\nTwo and a half.\n\nThree!\n\nFour.\n"
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Into: optional.Null[string](),
			Fields: edit.Fields{Title: optional.Of("Changed"), Slug: optional.Of("changed")},
			Body:   edit.Body{Markdown: &changed}})

		document, err := markdown.Parse([]byte(changed))
		if err != nil {
			t.Fatal(err)
		}
		f.apply(back(document.Nodes[0].Key))
		if want := strings.Replace(changed, "One!", "One.", 1); f.body(id) != want {
			t.Errorf("one block back: %q, want %q", f.body(id), want)
		}
		f.apply(back(document.Nodes[1].Key))
		if want := strings.Replace(changed, "One!", "One.", 1); f.body(id) != want {
			t.Errorf("a block that has not changed back: %q", f.body(id))
		}
		f.apply(back(document.Nodes[3].Key))
		if want := "One.\n\nTwo.\n\nThree.\n\nFour.\n"; f.body(id) != want || f.entry(id).Title != "Changed" {
			t.Errorf("the rest back: %q, want %q", f.body(id), want)
		}
		f.refused(errs.Invalid, "block", back("no such key"))

		f.apply(rewrite(id, changed))
		f.apply(back())
		if e := f.entry(id); e.Title != "Page" || e.Slug != "page" || e.Parent != parent ||
			f.body(id) != "One.\n\nTwo.\n\nThree.\n\nFour.\n" {
			t.Errorf("the page back: %+v, %q", e, f.body(id))
		}
		f.apply(edit.Change{Operation: edit.DeletePage, Page: parent})
		f.refused(errs.Conflict, "is gone", back())
		f.apply(edit.Change{Operation: edit.RevertPage, Page: parent, Revision: then}, back())
		if got := f.outline(); got != "parent\nparent/page\n" {
			t.Errorf("deleted pages back: %q", got)
		}
		later := f.page("Later", "", "")
		f.refused(errs.NotFound, "has no page", edit.Change{Operation: edit.RevertPage, Page: later, Revision: then})
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Into: optional.Null[string]()},
			edit.Change{Operation: edit.UpdatePage, Page: parent, Into: optional.Of(id)})
		f.refused(errs.Conflict, "is below it now", back())
	})
}
