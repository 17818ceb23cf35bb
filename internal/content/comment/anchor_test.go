package comment_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/comment"
)

// TestAnchors holds where an anchor is after a change of its page, and when it is outdated.
func TestAnchors(t *testing.T) {
	const table = "| a | b |\n| --- | --- |\n| one | two |\n| three | one |\n"
	tests := []struct {
		name, before, node string
		cell               *comment.Cell
		preview, after     string
		want               string // the node's id afterwards; "" when the comment is outdated
		wantCell           *comment.Cell
	}{
		{"untouched", "One.\n\nTwo.\n", "n3", nil, "Two.", "One.\n\nTwo.\n", "n3", nil},
		{"another block changed", "One.\n\nTwo.\n", "n3", nil, "Two.", "Uno.\n\nTwo.\n", "n3", nil},
		{"something before it", "One.\n\nTwo.\n", "n3", nil, "Two.", "Zero.\n\nOne.\n\nTwo.\n", "n5", nil},
		{"something before it gone", "One.\n\nTwo.\n", "n3", nil, "Two.", "Two.\n", "n1", nil},
		{"changed", "One.\n\nTwo.\n", "n3", nil, "Two.", "One.\n\nTwo!\n", "", nil},
		{"gone", "One.\n\nTwo.\n", "n3", nil, "Two.", "One.\n", "", nil},
		{"everything gone", "One.\n\nTwo.\n", "n3", nil, "Two.", "", "", nil},
		{"bold now", "One.\n\nTwo words.\n", "n3", nil, "Two words.", "One.\n\n**Two** words.\n", "n3", nil},
		{"wrapped now", "One.\n\nTwo words.\n", "n3", nil, "Two words.", "One.\n\nTwo\nwords.\n", "n3", nil},
		{"a heading now", "One.\n\nTwo.\n", "n3", nil, "Two.", "One.\n\n## Two.\n", "n3", nil},
		{"a text means its block", "One.\n\nTwo.\n", "n4", nil, "Two.", "Zero.\n\nOne.\n\nTwo.\n", "n5", nil},
		{"the nearest of equal ones", "Same.\n\nA.\n\nSame.\n", "n5", nil, "Same.", "Same.\n\nA.\n\nB.\n\nSame.\n",
			"n7", nil},
		{"an equal one is left", "Same.\n\nA.\n\nSame.\n", "n5", nil, "Same.", "Same.\n\nA.\n", "n1", nil},
		{"the same type goes before the nearer", "* Same.\n", "n2", nil, "Same.", "New.\n\n* Same.\n", "n4", nil},
		{"a heading by its anchor", "## Set up\n\nText.\n", "set-up", nil, "Set up", "Intro.\n\n## Set up\n\nText.\n",
			"n3", nil},
		{"code keeps its spaces", "```\na  b\n```\n", "n1", nil, "a b", "```\na b\n```\n", "", nil},
		{"an image", "![](a.png)\n\nx\n", "n1", nil, "", "y\n\n![](a.png)\n", "n3", nil},
		{"another image", "![](a.png)\n\nx\n", "n1", nil, "", "![](b.png)\n\nx\n", "", nil},
		{"a whole table", table, "n1", nil, "a b one two three one", "x\n\n" + table, "n3", nil},
		{"a cell", table, "n1", &comment.Cell{Record: "r1", Definition: "c2"}, "two", strings.Replace(table, "three",
			"3", 1), "n1", &comment.Cell{Record: "r1", Definition: "c2"}},
		{"a cell in another row now", table, "n1", &comment.Cell{Record: "r1", Definition: "c2"}, "two",
			strings.Replace(table, "| one", "| zero | null |\n| one", 1), "n1",
			&comment.Cell{Record: "r2", Definition: "c2"}},
		{"its own cell of two with one text", table, "n1", &comment.Cell{Record: "r2", Definition: "c2"}, "one",
			strings.Replace(table, "three", "3", 1), "n1", &comment.Cell{Record: "r2", Definition: "c2"}},
		{"a cell that changed", table, "n1", &comment.Cell{Record: "r1", Definition: "c2"}, "two",
			strings.Replace(table, "two", "2", 1), "", nil},
	}
	eachScope(t, func(h *fixture, scope comment.Scope) {
		for _, test := range tests {
			h.write(h.branch(scope), "page_one", test.before)
			made := h.post(h.author(), scope, comment.NewComment{Body: "?", Page: "page_one", Node: test.node,
				Cell: test.cell})
			if made.Target.Page.Outdated || made.Target.Node == nil || made.Target.Node.Preview != test.preview {
				h.Errorf("%s: posted with %+v %+v", test.name, made.Target.Page, made.Target.Node)
				continue
			}
			h.write(h.branch(scope), "page_one", test.after)
			got := h.get(h.author(), scope, made.ID).Target
			if got.Page.Outdated != (test.want == "") || got.Revision != made.Target.Revision {
				h.Errorf("%s: outdated %t", test.name, got.Page.Outdated)
			}
			wantNode := test.want
			wantCell := test.wantCell
			if wantNode == "" {
				wantNode, wantCell = made.Target.Node.ID, test.cell
			}
			if got.Node.ID != wantNode || got.Node.Preview != test.preview {
				h.Errorf("%s: %+v, want %s", test.name, got.Node, wantNode)
			}
			if (got.Cell == nil) != (wantCell == nil) || (wantCell != nil && *got.Cell != *wantCell) {
				h.Errorf("%s: cell %+v, want %+v", test.name, got.Cell, wantCell)
			}
			// What comes back is no longer outdated.
			h.write(h.branch(scope), "page_one", test.before)
			if got := h.get(h.author(), scope, made.ID).Target; got.Page.Outdated || *got.Node != *made.Target.Node {
				h.Errorf("%s: back as it was: %+v", test.name, got)
			}
		}
	})
}

func TestAnchorsToPages(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		branch := h.branch(scope)
		whole := h.post(h.author(), scope, comment.NewComment{Body: "whole", Page: "page_one"})
		part := h.post(h.author(), scope, comment.NewComment{Body: "part", Page: "page_one", Node: "n1"})
		h.write(branch, "page_one", "All new.\n")
		if got := h.get(h.author(), scope, whole.ID).Target; got.Page.Outdated || got.Node != nil {
			h.Errorf("a comment on a whole page: %+v", got)
		}
		h.remove(branch, "page_one")
		for _, c := range []comment.Comment{whole, part} {
			got := h.get(h.author(), scope, c.ID).Target.Page
			if !got.Outdated || got.Title != "Title of page_one" || got.Path != "one" {
				h.Errorf("%s of a page that is gone: %+v", c.Body, got)
			}
		}
		listed := h.list(scope, comment.Filter{Page: "page_one"}, 10)
		if len(listed) != 2 {
			h.Error(listed)
		}
		for name, in := range map[string]comment.NewComment{
			"a page that is gone": {Page: "page_one"},
			"an unknown page":     {Page: "page_nine"},
			"a strange page":      {Page: "a\x00b"},
			"a redirect's id":     {Page: "variables"},
			"an unknown node":     {Page: "page_two", Node: "n99"},
			"a strange node":      {Page: "page_two", Node: "a\x00b"},
			"a cell of no record": {Page: "page_three", Node: "n1", Cell: &comment.Cell{Record: "r9",
				Definition: "c1"}},
			"a cell of no columns": {Page: "page_three", Node: "n1", Cell: &comment.Cell{Record: "r1",
				Definition: "c9"}},
		} {
			h.write(branch, "page_three", "| a |\n| --- |\n| b |\n")
			_, err := h.Post(ctx, h.author(), scope, in)
			h.wantKind(name, err, errs.NotFound, "There is no")
		}
		for name, in := range map[string]comment.NewComment{
			"a node without a page": {Node: "n1"},
			"a cell without a node": {Page: "page_two", Cell: &comment.Cell{Record: "r1", Definition: "c1"}},
			"a cell of a paragraph": {Page: "page_two", Node: "n1", Cell: &comment.Cell{Record: "r1",
				Definition: "c1"}},
		} {
			_, err := h.Post(ctx, h.author(), scope, in)
			h.wantKind(name, err, errs.Invalid, "body.")
		}
	})
}

// TestAnchorOfLaterChanges holds that a comment on a change request looks at its content, and one on the space at main.
func TestAnchorOfLaterChanges(t *testing.T) {
	each(t, func(h *fixture) {
		own, asked := comment.Scope{Space: h.space}, comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		in := comment.NewComment{Body: "?", Page: "page_one", Node: "n1"}
		onSpace, onRequest := h.post(h.author(), own, in), h.post(h.author(), asked, in)
		h.write(h.request.Branch, "page_one", "Changed.\n")
		if h.get(h.author(), own, onSpace.ID).Target.Page.Outdated || !h.get(h.author(), asked, onRequest.ID).
			Target.Page.Outdated {
			h.Error("a change of the change request")
		}
		h.write("", "page_two", "Changed.\n")
		if got := h.post(h.author(), asked, comment.NewComment{Page: "page_two",
			Node: "n1"}); got.Target.Node.Preview != "Other." {
			h.Errorf("%+v", got.Target.Node)
		}
	})
}
