package comment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// checkSuggestion refuses a text that cannot stand in the place of words of a passage.
func checkSuggestion(node *doc.Node, at int, words, text string) error {
	const path = "body.suggestion.text"
	switch {
	case utf8.RuneCountInString(text) > MaxSuggestion:
		return errs.Invalidf(path, "is longer than %d characters; suggest less", MaxSuggestion)
	case !field.Storable(text) || strings.ContainsFunc(text, unicode.IsControl):
		return errs.Invalidf(path, "is not text of one line; send words without line breaks and control characters")
	case text == words:
		return errs.Invalidf(path, "says what is there already")
	case !exchange(node.Clone(), at, words, text):
		return errs.Invalidf("body.range.quote",
			"holds more than words, such as an image, an emoji or the end of a line of code; quote words alone")
	}
	return nil
}

// exchange puts a text in the place of words of a passage, which stand at a byte of its text. What the two have in
// common stays as it is, marks and all. It is false when something else than text would be lost.
func exchange(node *doc.Node, at int, words, text string) bool {
	all := letters(node)
	_, from := passage(all)
	first, last := from[at], from[at+len(words)-1]
	if text == "" && (first == 0 || unicode.IsSpace(all[first-1].r)) {
		// One of the two spaces around words that go is enough.
		for last+1 < len(all) && unicode.IsSpace(all[last+1].r) && all[last+1].text != nil {
			last++
		}
	}
	old := tokens(all[first : last+1])
	said := make([]string, len(old))
	for i, t := range old {
		said[i] = t.text
	}
	fresh := split(text)
	type piece struct {
		from, to int // letters to take away
		text     string
	}
	var pieces []piece
	place, i, j, open := first, 0, 0, false
	for _, edit := range diff.Edits(said, fresh) {
		if edit.Op == diff.Match {
			place += old[i].letters
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			pieces, open = append(pieces, piece{from: place, to: place}), true
		}
		current := &pieces[len(pieces)-1]
		if edit.Op == diff.Insert {
			current.text += fresh[j]
			j++
			continue
		}
		place += old[i].letters
		current.to = place
		i++
	}
	linked := withText(node)
	// From the last to the first, so that places that are known stay right.
	for _, p := range slices.Backward(pieces) {
		if !cut(all, p.from, p.to) || !put(all, p.from, p.to, p.text) {
			return false
		}
	}
	prune(node, linked)
	return true
}

// cut takes letters away; false when one of them is no text.
func cut(all []letter, from, to int) bool {
	for i := to - 1; i >= from; i-- {
		l := all[i]
		if l.text == nil {
			return false
		}
		leaf := &l.text.Leaves[l.leaf]
		leaf.Text = leaf.Text[:l.at] + leaf.Text[l.at+utf8.RuneLen(l.r):]
	}
	return true
}

// put writes a text where letters were taken away, in the marks of the first of them or else of the one before. It is
// false when there is no text to write it into.
func put(all []letter, from, to int, text string) bool {
	switch {
	case text == "":
		return true
	case from < to || from == 0 && len(all) > 0 && all[0].text != nil:
		l := all[from]
		leaf := &l.text.Leaves[l.leaf]
		leaf.Text = leaf.Text[:l.at] + text + leaf.Text[l.at:]
		return true
	case from > 0 && all[from-1].text != nil:
		l := all[from-1]
		leaf := &l.text.Leaves[l.leaf]
		end := l.at + utf8.RuneLen(l.r)
		leaf.Text = leaf.Text[:end] + text + leaf.Text[end:]
		return true
	}
	return false
}

// spoken is a word, or what stands between two, with how many letters it has.
type spoken struct {
	text    string
	letters int
}

// tokens cuts letters into words and what is between them. White space is one space each.
func tokens(all []letter) []spoken {
	var list []spoken
	for _, l := range all {
		r, kind := l.r, kindOf(l.r)
		if kind == 0 {
			r = ' '
		}
		if n := len(list); n > 0 && kind != 2 {
			last := &list[n-1]
			if before, _ := utf8.DecodeLastRuneInString(last.text); kindOf(before) == kind {
				last.letters++
				if kind == 1 {
					last.text += string(r)
				}
				continue
			}
		}
		list = append(list, spoken{string(r), 1})
	}
	return list
}

// split cuts a text as tokens does, but keeps its white space.
func split(text string) []string {
	var list []string
	last := -1
	for _, r := range text {
		kind := kindOf(r)
		if len(list) > 0 && kind == last && kind != 2 {
			list[len(list)-1] += string(r)
		} else {
			list = append(list, string(r))
		}
		last = kind
	}
	return list
}

// kindOf is 0 for white space, 1 for what words are made of, 2 for the rest.
func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return 1
	}
	return 2
}

// withText lists the inlines below a node that have text, such as links.
func withText(node *doc.Node) map[*doc.Node]bool {
	all := map[*doc.Node]bool{}
	node.Walk(func(n *doc.Node) bool {
		if n.Object == doc.ObjectInline && len(letters(n)) > 0 {
			all[n] = true
		}
		return true
	})
	return all
}

// prune takes away leaves without text, and inlines that have lost theirs.
func prune(node *doc.Node, had map[*doc.Node]bool) {
	node.Leaves = slices.DeleteFunc(node.Leaves, func(leaf doc.Leaf) bool { return leaf.Text == "" })
	for _, child := range node.Nodes {
		prune(child, had)
	}
	node.Nodes = slices.DeleteFunc(node.Nodes, func(n *doc.Node) bool {
		return had[n] && !doc.IsVoid(n.Type) && len(letters(n)) == 0
	})
}

// Apply puts the text that a comment on a change request suggests in the place of the words that it is about, with a
// new revision of the change request, and resolves the comment. It needs the role edit. It is an errs.Conflict when the
// words are not there any more, the comment suggests nothing or was applied or resolved already, or the change request
// is merged or archived; then nothing changes.
func (s *Service) Apply(ctx context.Context, caller account.Caller, scope Scope,
	commentID id.Comment) (Comment, error) {
	request, err := s.changes.Require(ctx, s.db.Read(), caller, scope.Space, scope.ChangeRequest, access.EditSpace)
	if err != nil {
		return Comment{}, err
	}
	r, err := s.take(ctx, s.db.Read(), caller, scope)
	if err != nil {
		return Comment{}, err
	}
	c, err := one(ctx, s.db.Read(), r, commentID)
	if err != nil {
		return Comment{}, err
	}
	if request.Status == change.Merged || request.Status == change.Archived {
		return Comment{}, errs.Conflictf("The change request is %s; its content does not change any more.",
			request.Status)
	}
	if err := c.requireOpenSuggestion(); err != nil {
		return Comment{}, err
	}
	put, err := s.suggested(ctx, request.Head, c)
	if err != nil {
		return Comment{}, err
	}
	settle := func(ctx context.Context, q db.Querier) error {
		if _, err := s.changes.Require(ctx, q, caller, scope.Space, request.ID, access.EditSpace); err != nil {
			return err
		}
		c, err := one(ctx, q, r, commentID)
		if err != nil {
			return err
		}
		if err := c.requireOpenSuggestion(); err != nil {
			return err
		}
		c.anchor.Suggestion.Applied = true
		c.Status, c.resolver, c.ResolvedAt = Resolved, caller.User.ID, s.clock()
		if err := updateAnchor(ctx, q, c); err != nil {
			return err
		}
		return updateComment(ctx, q, c)
	}
	var stayed bool
	_, err = s.content.Commit(ctx, store.CommitRequest{
		Space: request.Space, Branch: request.Branch, Base: request.Head, Author: caller.User.ID,
		Put: []store.Put{put}, Stayed: &stayed,
		Also: func(ctx context.Context, q db.Querier, _ store.Revision) error { return settle(ctx, q) },
	})
	if _, conflict := errors.AsType[*store.ConflictError](err); conflict {
		return Comment{}, suggestionGone()
	}
	if err == nil && stayed {
		// Somebody has just made the same change.
		err = s.db.Tx(ctx, settle)
	}
	if err != nil {
		return Comment{}, err
	}
	return s.Get(ctx, caller, scope, commentID)
}

// requireOpenSuggestion refuses a comment that has nothing to apply.
func (c Comment) requireOpenSuggestion() error {
	switch {
	case c.anchor.Suggestion == nil:
		return errs.Conflictf("The comment suggests no text; write the change yourself and resolve it.")
	case c.anchor.Suggestion.Applied:
		return errs.Conflictf("The suggestion was applied already.")
	case c.Status == Resolved:
		return errs.Conflictf("The comment is resolved; reopen it to apply what it suggests.")
	}
	return nil
}

func suggestionGone() error {
	return errs.Conflictf(
		"The words that the suggestion is about are not there any more. Write the change yourself and resolve it.")
}

// suggested returns the page of a comment with what it suggests, as it would follow a revision.
func (s *Service) suggested(ctx context.Context, head id.Revision, c Comment) (store.Put, error) {
	c, err := s.located(ctx, head, c)
	if err != nil {
		return store.Put{}, err
	}
	if c.Target.Page.Outdated {
		return store.Put{}, suggestionGone()
	}
	view, err := s.content.View(ctx, head)
	if err != nil {
		return store.Put{}, fmt.Errorf("read the change request: %w", err)
	}
	page, err := s.pageOf(ctx, view, c.Target.Page.ID)
	if err != nil {
		return store.Put{}, err
	}
	if page.entry == nil || page.document != nil {
		return store.Put{}, suggestionGone()
	}
	body, err := view.Body(ctx, page.entry)
	if err != nil {
		return store.Put{}, fmt.Errorf("read the body of %s: %w", page.entry.ID, err)
	}
	document, err := markdown.Parse(body)
	if err != nil {
		return store.Put{}, fmt.Errorf("parse the body of %s: %w", page.entry.ID, err)
	}
	node := enclosingBlock(document, keyText(c.anchor.Key))
	if node == nil {
		return store.Put{}, suggestionGone()
	}
	text, _ := passage(letters(node))
	place, ok := closest(c.anchor.Quote.places([]block{{words: text}}), nil)
	if !ok || !exchange(node, place.at, c.anchor.Quote.Words, c.anchor.Suggestion.Text) {
		return store.Put{}, suggestionGone()
	}
	// A body that is not nil replaces the one that is there, also when it is empty.
	made := append([]byte{}, markdown.Rewrite(body, document)...)
	if len(made) > store.MaxBodySize {
		return store.Put{}, errs.New(errs.TooLarge,
			"The page would have %d bytes as Markdown, at most %d are allowed; split the page.", len(made),
			store.MaxBodySize)
	}
	return store.Put{Entry: page.entry.Clone(), Body: made}, nil
}

// updateAnchor stores the anchor of a comment.
func updateAnchor(ctx context.Context, q db.Querier, c Comment) error {
	encoded, err := json.Marshal(c.anchor)
	if err != nil {
		return fmt.Errorf("encode anchor: %w", err)
	}
	if _, err := q.ExecContext(ctx, `UPDATE comment SET anchor = $2 WHERE id = $1`, c.ID, string(encoded)); err != nil {
		return fmt.Errorf("update anchor: %w", err)
	}
	return nil
}
