package comment_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/comment"
)

// TestRanges holds where a range of text is after a change of its page, and when it is outdated.
func TestRanges(t *testing.T) {
	const fox = "Zero.\n\nThe quick brown fox jumps over the lazy dog.\n\nLast.\n"
	tests := []struct {
		name, before, node, quote, around string // around is what is before and behind, with a bar between
		after                             string
		want                              string // the node's id afterwards; "" when the comment is outdated
		wantBefore                        string
	}{
		{"untouched", fox, "n3", "brown fox", "", fox, "n3", "The quick "},
		{"a word elsewhere in the block", fox, "n3", "brown fox", "", strings.Replace(fox, "lazy", "sleepy", 1), "n3",
			"The quick "},
		{"the word before it", fox, "n3", "brown fox", "", strings.Replace(fox, "quick", "slow", 1), "n3", "The slow "},
		{"both sides", fox, "n3", "brown fox", "", strings.NewReplacer("quick", "slow", "jumps", "leaps").Replace(fox),
			"", ""},
		{"a block before it as well", fox, "n3", "brown fox", "",
			"New.\n\nZero.\n\nA quick brown fox leaps.\n\nLast.\n", "n5", "A quick "},
		{"its own words", fox, "n3", "brown fox", "", strings.Replace(fox, "brown", "red", 1), "", ""},
		{"bold in it", fox, "n3", "brown fox", "", strings.Replace(fox, "brown", "**brown**", 1), "n3", "The quick "},
		{"wrapped in it", fox, "n3", "brown fox", "", strings.Replace(fox, "brown fox", "brown\nfox", 1), "n3",
			"The quick "},
		{"moved away", fox, "n3", "brown fox", "", "Zero.\n\nLast.\n\nThe quick brown fox jumps over the lazy dog.\n",
			"n5", "The quick "},
		{"moved and changed", fox, "n3", "brown fox", "",
			"Zero.\n\nLast.\n\nThe quick brown fox jumps over the dog.\n", "n5", "The quick "},
		{"gone, and a like word elsewhere", "The one.\n\nOther.\n", "n1", "The", "",
			"Something else.\n\nOther.\n\nThe end.\n", "", ""},
		{"of two the one with its surroundings", "a word here, a word there.\n", "", "word", "here, a | there",
			"Now a word here, a word there.\n", "n1", "Now a word here, a "},
		{"in a list", "* one\n* two three\n", "", "three", "", "* one\n* nil\n* two three!\n", "n9", "two "},
		{"in code", "```\nlet a = 1;\nlet b = 2;\n```\n", "", "b = 2", "", "```\nlet a = 3;\nlet b = 2;\n```\n", "n1",
			"let a = 3; let "},
		{"in a cell", "| a |\n| --- |\n| one two |\n", "", "two", "", "| a |\n| --- |\n| one two! |\n", "n3", "one "},
		{"in a link", "See [the page](a.md) now.\n", "", "the page now", "", "See [the page](b.md) now!\n", "n1",
			"See "},
	}
	eachScope(t, func(h *fixture, scope comment.Scope) {
		for _, test := range tests {
			h.write(h.branch(scope), "page_one", test.before)
			before, after, _ := strings.Cut(test.around, "|")
			made := h.post(h.author(), scope, comment.NewComment{Body: "?", Page: "page_one", Node: test.node,
				Range: &comment.Range{Quote: test.quote, Before: before, After: after}})
			if got := made.Target; got.Page.Outdated || got.Range == nil || got.Range.Quote != test.quote {
				h.Errorf("%s: posted with %+v %+v", test.name, got.Page, got.Range)
				continue
			}
			h.write(h.branch(scope), "page_one", test.after)
			got := h.get(h.author(), scope, made.ID).Target
			if got.Page.Outdated != (test.want == "") {
				h.Errorf("%s: outdated %t", test.name, got.Page.Outdated)
				continue
			}
			if got.Range.Quote != test.quote {
				h.Errorf("%s: quotes %q", test.name, got.Range.Quote)
			}
			if test.want != "" && (got.Node.ID != test.want || got.Range.Before != test.wantBefore) {
				h.Errorf("%s: in %s after %q, want %s after %q", test.name, got.Node.ID, got.Range.Before, test.want,
					test.wantBefore)
			}
			// What comes back is no longer outdated.
			h.write(h.branch(scope), "page_one", test.before)
			if got := h.get(h.author(), scope, made.ID).Target; got.Page.Outdated || *got.Range != *made.Target.Range {
				h.Errorf("%s: back as it was: %+v", test.name, got)
			}
		}
	})
}

// TestSuggestions holds what becomes of a page when a suggestion is applied.
func TestSuggestions(t *testing.T) {
	tests := []struct{ name, before, quote, text, after string }{
		{"a word", "One *two* three.\n", "three", "four", "One _two_ four.\n"},
		{"marks stay where they can", "The **quick** brown fox.\n", "The quick brown fox", "The quick red fox",
			"The **quick** red fox.\n"},
		{"other blocks keep their bytes", "* odd   bullet\n\nText here.\n\n__Kept__ so.\n", "here", "there",
			"* odd   bullet\n\nText there.\n\n__Kept__ so.\n"},
		{"nothing in its place", "One two three.\n", "two", "", "One three.\n"},
		{"nothing at the start", "One two.\n", "One", "", "two.\n"},
		{"more words", "One three.\n", "One three", "One two three", "One two three.\n"},
		{"before the first", "two.\n", "two", "One two", "One two.\n"},
		{"in a link", "See [the page](a.md) now.\n", "page", "chapter", "See [the chapter](a.md) now.\n"},
		{"a link without words goes", "See [it](a.md) now.\n", "See it now", "See now", "See now.\n"},
		{"in code", "```\na = 1\nb = 2\n```\n", "b = 2", "b = 3", "```\na = 1\nb = 3\n```\n"},
		{"in a heading", "## Start\n\nx\n", "Start", "Begin", "## Begin\n\nx\n"},
		{"markup is text", "One two.\n", "two", "<script>x</script> **b** [l](javascript:x) {% hint %}",
			"One &#x3C;script>x&#x3C;/script> \\*\\*b\\*\\* \\[l](javascript:x) {% hint %}.\n"},
		{"a wrapped line", "One\ntwo three.\n", "One two", "1 2", "1 2 three.\n"},
	}
	each(t, func(h *fixture) {
		scope := comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		for _, test := range tests {
			h.write(h.request.Branch, "page_one", test.before)
			made := h.post(h.author(), scope, comment.NewComment{Page: "page_one",
				Range: &comment.Range{Quote: test.quote}, Suggestion: &test.text})
			quoted := made.Target.Range.Quote
			if made.Suggestion == nil || made.Suggestion.Text != test.text || made.Suggestion.Applied ||
				quoted != strings.TrimSpace(test.quote) {
				h.Errorf("%s: posted %+v of %q", test.name, made.Suggestion, quoted)
			}
			applied, err := h.Apply(h.Context(), h.Admin(), scope, made.ID)
			if err != nil {
				h.Errorf("%s: %v", test.name, err)
				continue
			}
			if applied.Status != comment.Resolved || !applied.Suggestion.Applied ||
				applied.ResolvedBy.ID != h.Admin().User.ID {
				h.Errorf("%s: %+v", test.name, applied)
			}
			body := h.body(scope, "page_one")
			if body != test.after {
				h.Errorf("%s: %q, want %q", test.name, body, test.after)
			}
			_, err = h.Apply(h.Context(), h.Admin(), scope, made.ID)
			h.wantKind(test.name+", again", err, errs.Conflict, "applied already")
		}
	})
}

// TestSuggestionsRefused holds when a suggestion is not taken, and not applied.
func TestSuggestionsRefused(t *testing.T) {
	each(t, func(h *fixture) {
		scope := comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		h.write(h.request.Branch, "page_one", "One two :tada: three.\n\n```\na\nb\n```\n")
		for name, test := range map[string]struct {
			scope       comment.Scope
			quote, text string
		}{
			"on the space":          {comment.Scope{Space: h.space}, "One", "1"},
			"the same":              {scope, "One two", "One two"},
			"of two lines":          {scope, "One", "1\n2"},
			"with a zero byte":      {scope, "One", "1\x00"},
			"no UTF-8":              {scope, "One", "\xff"},
			"too long":              {scope, "One", strings.Repeat("x", comment.MaxSuggestion+1)},
			"instead of an emoji":   {scope, "two 🎉 three", "two three"},
			"instead of line's end": {scope, "a b", "ab"},
		} {
			_, err := h.Post(h.Context(), h.author(), test.scope, comment.NewComment{Page: "page_one",
				Range: &comment.Range{Quote: test.quote}, Suggestion: &test.text})
			h.wantKind(name, err, errs.Invalid, "body.")
		}
		suggest := func() comment.Comment {
			return h.post(h.author(), scope, comment.NewComment{Page: "page_one",
				Range: &comment.Range{Quote: "two"}, Suggestion: new("2")})
		}
		refused := func(what string, c comment.Comment, says string) {
			h.Helper()
			before := h.body(scope, "page_one")
			_, err := h.Apply(h.Context(), h.Admin(), scope, c.ID)
			h.wantKind(what, err, errs.Conflict, says)
			if h.body(scope, "page_one") != before {
				h.Errorf("%s: the page has changed", what)
			}
			if got := h.get(h.author(), scope, c.ID); got.Suggestion != nil && got.Suggestion.Applied {
				h.Errorf("%s: it counts as applied", what)
			}
		}
		refused("no suggestion", h.post(h.author(), scope, comment.NewComment{Body: "?", Page: "page_one"}),
			"suggests no text")
		gone, resolved := suggest(), suggest()
		_, err := h.Update(h.Context(), h.author(), scope, resolved.ID, comment.Change{Resolved: new(true)})
		h.must(err)
		refused("resolved", resolved, "is resolved")
		if _, err := h.Apply(h.Context(), h.author(), scope, gone.ID); !errs.Is(err, errs.Forbidden) {
			h.Errorf("without the role edit: %v", err)
		}
		elsewhere := comment.Scope{Space: h.addSpace("Elsewhere"), ChangeRequest: h.request.ID}
		if _, err := h.Apply(h.Context(), h.Admin(), elsewhere, gone.ID); !errs.Is(err, errs.NotFound) {
			h.Errorf("by way of another space: %v", err)
		}
		h.write(h.request.Branch, "page_one", "One 2 three.\n")
		refused("the words are gone", gone, "not there any more")
		h.remove(h.request.Branch, "page_one")
		_, err = h.Apply(h.Context(), h.Admin(), scope, gone.ID)
		h.wantKind("the page is gone", err, errs.Conflict, "not there any more")
		h.write(h.request.Branch, "page_two", "One two.\n")
		late := h.post(h.author(), scope, comment.NewComment{Page: "page_two",
			Range: &comment.Range{Quote: "two"}, Suggestion: new("2")})
		_, err = h.changes.Merge(h.Context(), h.Admin(), h.space, h.request.ID, "", false)
		h.must(err)
		_, err = h.Apply(h.Context(), h.Admin(), scope, late.ID)
		h.wantKind("merged", err, errs.Conflict, "merged")
	})
}
