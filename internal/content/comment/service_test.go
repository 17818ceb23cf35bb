package comment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

func TestPostAndGet(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		made := h.post(h.author(), scope, comment.NewComment{Body: "Look at *this*.", Page: "page_one", Node: "n3"})
		if made.PostedBy.ID != h.author().User.ID || !made.PostedAt.Equal(h.clock()) || made.Status != comment.Open ||
			made.Body != "Look at *this*." || !made.EditedAt.IsZero() || made.ChangeRequest != scope.ChangeRequest {
			h.Errorf("%+v", made)
		}
		page, node := made.Target.Page, made.Target.Node
		if page == nil || page.Title != "Title of page_one" || page.Path != "one" || page.Outdated ||
			page.CreatedAt.IsZero() {
			h.Fatalf("page = %+v", page)
		}
		if node == nil || node.ID != "n3" || node.Preview != "Two words." {
			h.Errorf("node = %+v", node)
		}
		if diff := cmp.Diff(made, h.get(h.author(), scope, made.ID),
			cmpopts.IgnoreUnexported(comment.Comment{})); diff != "" {
			h.Error(diff)
		}
		empty := h.post(h.author(), scope, comment.NewComment{})
		if empty.Target.Page != nil || empty.Target.Node != nil || empty.Body != "" {
			h.Errorf("%+v", empty)
		}
	})
}

// TestScopesApart holds that a comment of one scope is not there in another.
func TestScopesApart(t *testing.T) {
	each(t, func(h *fixture) {
		ctx := h.Context()
		other := h.addSpace("Other")
		own, asked := comment.Scope{Space: h.space}, comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		onSpace, onRequest := h.post(h.author(), own, comment.NewComment{Body: "s"}),
			h.post(h.author(), asked, comment.NewComment{Body: "c"})
		for _, test := range []struct {
			scope   comment.Scope
			comment string
		}{{asked, string(onSpace.ID)}, {own, string(onRequest.ID)}, {comment.Scope{Space: other}, string(onSpace.ID)}} {
			_, err := h.Get(ctx, h.Admin(), test.scope, id.Comment(test.comment))
			h.wantKind("get", err, errs.NotFound, "no such comment")
			_, err = h.Update(ctx, h.Admin(), test.scope, id.Comment(test.comment), comment.Change{Resolved: new(true)})
			h.wantKind("update", err, errs.NotFound, "no such comment")
			h.wantKind("delete", h.Delete(ctx, h.Admin(), test.scope, id.Comment(test.comment)), errs.NotFound,
				"no such comment")
			_, err = h.PostReply(ctx, h.Admin(), test.scope, id.Comment(test.comment), "x")
			h.wantKind("reply", err, errs.NotFound, "no such comment")
			_, err = h.Replies(ctx, h.Admin(), test.scope, id.Comment(test.comment), paging.Request{})
			h.wantKind("replies", err, errs.NotFound, "no such comment")
		}
		if got := h.list(own, comment.Filter{}, 10); !slices.Equal(got, []string{"s"}) {
			h.Error(got)
		}
		byNumber := h.list(comment.Scope{Space: h.space, ChangeRequest: "1"}, comment.Filter{}, 10)
		if !slices.Equal(byNumber, []string{"c"}) {
			h.Error(byNumber)
		}
		for _, request := range []string{"2", "x", id.New("change"), "-1", "a\x00b"} {
			_, err := h.List(ctx, h.Admin(), comment.Scope{Space: h.space, ChangeRequest: id.ChangeRequest(request)},
				comment.Filter{}, paging.Request{})
			h.wantKind("list of "+request, err, errs.NotFound, "")
		}
		_, err := h.List(ctx, h.Admin(), comment.Scope{Space: other, ChangeRequest: h.request.ID},
			comment.Filter{}, paging.Request{})
		h.wantKind("list of another space's change request", err, errs.NotFound, "")
		// A reply of another comment is not there either.
		second := h.post(h.author(), own, comment.NewComment{Body: "s2"})
		reply := h.reply(h.author(), own, second.ID, "r")
		for _, replyID := range []string{reply.ID, id.New("reply"), "", "x\x00", string(onSpace.ID)} {
			_, err := h.Reply(ctx, h.Admin(), own, onSpace.ID, replyID)
			h.wantKind("reply of another comment", err, errs.NotFound, "no such reply")
			_, err = h.UpdateReply(ctx, h.Admin(), own, onSpace.ID, replyID, comment.Change{Add: []string{"👍"}})
			h.wantKind("update of another comment's reply", err, errs.NotFound, "no such reply")
			h.wantKind("delete of another comment's reply", h.DeleteReply(ctx, h.Admin(), own, onSpace.ID, replyID),
				errs.NotFound, "no such reply")
		}
	})
}

// TestListing holds every filter in both orders and in pages of every size against a plain loop over what was posted,
// with many comments of one moment.
func TestListing(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		type posted struct {
			comment comment.Comment
			page    string
		}
		var all []posted
		people := []account.Caller{h.author(), h.Admin(), h.Members[org.RoleEdit]}
		for i := range 23 {
			page := []string{"", "page_one", "page_two"}[i%3]
			c := h.post(people[i/2%3], scope, comment.NewComment{Body: fmt.Sprint(i), Page: page})
			if i%4 == 1 {
				_, err := h.Update(h.Context(), h.Admin(), scope, c.ID, comment.Change{Resolved: new(true)})
				h.must(err)
				c.Status = comment.Resolved
			}
			all = append(all, posted{c, page})
			if i%5 == 4 {
				h.wait(time.Second)
			}
		}
		everybody := []id.User{people[0].User.ID, people[1].User.ID, people[2].User.ID}
		for _, status := range []comment.Status{"", comment.Open, comment.Resolved} {
			for _, page := range []string{"", "page_one", "page_none", "a\x00b"} {
				for _, authors := range [][]id.User{nil, everybody[:1], everybody[1:], {id.User(id.New("user"))}, {"x"},
					{everybody[0], "x\x00"}} {
					var want []string
					for _, p := range all {
						if (status == "" || p.comment.Status == status) && (page == "" || p.page == page) &&
							(authors == nil || slices.Contains(authors, p.comment.PostedBy.ID)) {
							want = append(want, p.comment.Body)
						}
					}
					filter := comment.Filter{Order: comment.OldestFirst, Status: status, Page: page, Authors: authors}
					for _, limit := range []int{1, 4, 100} {
						if diff := cmp.Diff(want, h.list(scope, filter, limit)); diff != "" {
							h.Errorf("%+v, pages of %d:\n%s", filter, limit, diff)
						}
					}
					slices.Reverse(want)
					filter.Order = ""
					if diff := cmp.Diff(want, h.list(scope, filter, 5)); diff != "" {
						h.Errorf("%+v:\n%s", filter, diff)
					}
				}
			}
		}
		for _, filter := range []comment.Filter{{Order: "up"}, {Status: "new"},
			{Authors: make([]id.User, comment.MaxAuthors+1)}} {
			_, err := h.List(h.Context(), h.Admin(), scope, filter, paging.Request{})
			h.wantKind("bad filter", err, errs.Invalid, "query.")
		}
		for _, after := range [][]string{{}, {"x"}, {"x", "y"}, {"1", "2", "3"}} {
			_, err := h.List(h.Context(), h.Admin(), scope, comment.Filter{}, paging.Request{After: after})
			h.wantKind("bad cursor", err, errs.Invalid, "query.page")
		}
	})
}

// TestPagesStay holds that what is posted or deleted while somebody pages through a list makes no other item appear
// twice or not at all.
func TestPagesStay(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		var made []comment.Comment
		for i := range 6 {
			made = append(made, h.post(h.author(), scope, comment.NewComment{Body: fmt.Sprint(i)}))
			h.wait(time.Millisecond)
		}
		first, err := h.List(h.Context(), h.Admin(), scope, comment.Filter{}, paging.Request{Limit: 3})
		h.must(err)
		h.post(h.author(), scope, comment.NewComment{Body: "late"})
		h.must(h.Delete(h.Context(), h.Admin(), scope, made[3].ID)) // the last of the first page
		second, err := h.List(h.Context(), h.Admin(), scope, comment.Filter{},
			paging.Request{Limit: 3, After: first.Next})
		h.must(err)
		var got []string
		for _, c := range append(first.Items, second.Items...) {
			got = append(got, c.Body)
		}
		if !slices.Equal(got, []string{"5", "4", "3", "2", "1", "0"}) || second.Next != nil || second.Count != 6 {
			h.Error(got, second.Next, second.Count)
		}
	})
}

func TestRepliesList(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		thread := h.post(h.author(), scope, comment.NewComment{Body: "?"})
		var want []string
		for i := range 7 {
			caller := h.Admin()
			if i == 2 {
				caller = h.author()
			}
			h.reply(caller, scope, thread.ID, fmt.Sprint(i))
			want = append(want, fmt.Sprint(i))
			if i%3 == 2 {
				h.wait(time.Second)
			}
		}
		for _, limit := range []int{1, 3, 7, 50} {
			var got []string
			for request := (paging.Request{Limit: limit}); ; {
				replies, err := h.Replies(h.Context(), h.author(), scope, thread.ID, request)
				h.must(err)
				for _, r := range replies.Items {
					got = append(got, r.Body)
				}
				if replies.Count != len(want) {
					h.Errorf("count %d", replies.Count)
				}
				if replies.Next == nil {
					break
				}
				request.After = replies.Next
			}
			if !slices.Equal(got, want) {
				h.Errorf("pages of %d: %v", limit, got)
			}
		}
		found := h.get(h.author(), scope, thread.ID)
		if found.Replies != 7 || len(found.Repliers) != 2 || found.Repliers[0].User.ID != h.Admin().User.ID ||
			found.Repliers[0].Count != 6 ||
			found.Repliers[1].Count != 1 || !found.Repliers[0].LastAt.After(found.Repliers[1].LastAt) {
			h.Errorf("%d replies, %+v", found.Replies, found.Repliers)
		}
	})
}

func TestUpdate(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		made := h.post(h.author(), scope, comment.NewComment{Body: "a"})
		h.wait(time.Minute)
		same, err := h.Update(ctx, h.author(), scope, made.ID, comment.Change{Body: new("a")})
		h.must(err)
		if !same.EditedAt.IsZero() {
			h.Error("the same text is an edit")
		}
		edited, err := h.Update(ctx, h.author(), scope, made.ID, comment.Change{Body: new("b")})
		h.must(err)
		if edited.Body != "b" || !edited.EditedAt.Equal(h.clock()) || !edited.PostedAt.Equal(made.PostedAt) {
			h.Errorf("%+v", edited)
		}
		resolved, err := h.Update(ctx, h.Members[org.RoleEdit], scope, made.ID, comment.Change{Resolved: new(true)})
		h.must(err)
		at := h.clock()
		if resolved.Status != comment.Resolved || !resolved.ResolvedAt.Equal(at) ||
			resolved.ResolvedBy.ID != h.Members[org.RoleEdit].User.ID ||
			!resolved.EditedAt.Equal(edited.EditedAt) {
			h.Errorf("%+v", resolved)
		}
		h.wait(time.Minute)
		again, err := h.Update(ctx, h.Admin(), scope, made.ID, comment.Change{Resolved: new(true)})
		h.must(err)
		if !again.ResolvedAt.Equal(at) || again.ResolvedBy.ID != h.Members[org.RoleEdit].User.ID {
			h.Errorf("resolving twice: %+v", again)
		}
		h.reply(h.author(), scope, made.ID, "to a resolved thread")
		if got := h.get(h.author(), scope, made.ID); got.Status != comment.Resolved || got.Replies != 1 {
			h.Errorf("a reply reopened it: %+v", got)
		}
		reopened, err := h.Update(ctx, h.author(), scope, made.ID, comment.Change{Resolved: new(false)})
		h.must(err)
		if reopened.Status != comment.Open || !reopened.ResolvedAt.IsZero() || reopened.ResolvedBy.ID != "" {
			h.Errorf("%+v", reopened)
		}
		// A part that is refused undoes the others.
		_, err = h.Update(ctx, h.Members[org.RoleReview], scope, made.ID, comment.Change{Resolved: new(true),
			Body: new("not mine"), Add: []string{"👍"}})
		h.wantKind("another's text", err, errs.Forbidden, "who posted it")
		if got := h.get(h.author(), scope, made.ID); got.Status != comment.Open || got.Body != "b" ||
			len(got.Reactions) != 0 {
			h.Errorf("a refused change was made: %+v", got)
		}
		reply := h.reply(h.author(), scope, made.ID, "r")
		h.wait(time.Minute)
		changed, err := h.UpdateReply(ctx, h.author(), scope, made.ID, reply.ID, comment.Change{Body: new("r2"),
			Add: []string{"🎉"}})
		h.must(err)
		if changed.Body != "r2" || !changed.EditedAt.Equal(h.clock()) || len(changed.Reactions) != 1 ||
			changed.Comment != made.ID {
			h.Errorf("%+v", changed)
		}
		_, err = h.UpdateReply(ctx, h.author(), scope, made.ID, reply.ID, comment.Change{Resolved: new(true)})
		h.wantKind("resolving a reply", err, errs.Invalid, "resolved")
	})
}

func TestBodies(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		limit := strings.Repeat("a", comment.MaxBodySize)
		made := h.post(h.author(), scope, comment.NewComment{Body: limit})
		if made.Body != limit {
			h.Error("a body at the limit was changed")
		}
		for name, test := range map[string]struct {
			body string
			kind errs.Kind
		}{
			"too long":   {limit + "a", errs.TooLarge},
			"zero byte":  {"a\x00b", errs.Invalid},
			"not UTF-8":  {"a\xffb", errs.Invalid},
			"too nested": {strings.Repeat("> ", 2000) + "a", errs.TooLarge},
		} {
			_, err := h.Post(ctx, h.author(), scope, comment.NewComment{Body: test.body})
			h.wantKind(name, err, test.kind, "")
			_, err = h.Update(ctx, h.author(), scope, made.ID, comment.Change{Body: &test.body})
			h.wantKind(name+", changed", err, test.kind, "")
			_, err = h.PostReply(ctx, h.author(), scope, made.ID, test.body)
			h.wantKind(name+", replied", err, test.kind, "")
		}
		if got := h.get(h.author(), scope, made.ID); got.Replies != 0 || got.Body != limit {
			h.Error("a refused call left something")
		}
	})
}

func TestReactions(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		made := h.post(h.author(), scope, comment.NewComment{Body: "a"})
		_, err := h.Update(ctx, h.author(), scope, made.ID, comment.Change{Add: []string{"👍", "1f389", "👍"}})
		h.must(err)
		h.wait(time.Second)
		got, err := h.Update(ctx, h.Admin(), scope, made.ID, comment.Change{Add: []string{"🎉", "❤️"},
			Remove: []string{"❤️", "👎"}})
		h.must(err)
		summary := func(reactions []comment.Reaction) (all []string) {
			for _, r := range reactions {
				var line strings.Builder
				line.WriteString(r.Emoji)
				for _, u := range r.Users {
					line.WriteString(" " + strings.TrimSuffix(u.User.Email, "@example.org") + u.At.Format(" 05"))
				}
				all = append(all, line.String())
			}
			return all
		}
		start := h.clock().Add(-time.Second).Format(" 05")
		now := h.clock().Format(" 05")
		want := []string{"🎉 mcomment" + start + " admin" + now, "👍 mcomment" + start}
		if diff := cmp.Diff(want, summary(got.Reactions)); diff != "" {
			h.Error(diff)
		}
		h.wait(time.Second)
		got, err = h.Update(ctx, h.author(), scope, made.ID, comment.Change{Add: []string{"🎉"},
			Remove: []string{"U+1F44D"}})
		h.must(err)
		if diff := cmp.Diff(want[:1], summary(got.Reactions)); diff != "" {
			h.Errorf("reacting twice, and taking back:\n%s", diff)
		}
		for _, bad := range [][]string{{"x"}, {""}, {"👍👍"}, {":+1:"}, {"👍", "no"}, make([]string, comment.MaxEmoji+1)} {
			_, err := h.Update(ctx, h.author(), scope, made.ID, comment.Change{Add: bad})
			h.wantKind(fmt.Sprint(bad), err, errs.Invalid, "body.addedReactions")
			_, err = h.Update(ctx, h.author(), scope, made.ID, comment.Change{Remove: bad})
			h.wantKind(fmt.Sprint(bad), err, errs.Invalid, "body.removedReactions")
		}
		var many []string
		for i := range comment.MaxEmoji {
			many = append(many, string(rune(0x1F600+i)))
		}
		reply := h.reply(h.author(), scope, made.ID, "r")
		_, err = h.UpdateReply(ctx, h.author(), scope, made.ID, reply.ID, comment.Change{Add: many})
		h.must(err)
		_, err = h.UpdateReply(ctx, h.Admin(), scope, made.ID, reply.ID, comment.Change{Add: []string{"🎈"}})
		h.wantKind("one emoji too many", err, errs.Conflict, "20 different emoji")
		full, err := h.UpdateReply(ctx, h.Admin(), scope, made.ID, reply.ID, comment.Change{Add: many[:1]})
		h.must(err)
		if len(full.Reactions) != comment.MaxEmoji || len(full.Reactions[0].Users) != 2 {
			h.Errorf("%d emoji", len(full.Reactions))
		}
	})
}

// TestConcurrentReactions holds that of people who react at the same time nobody's reaction is lost.
func TestConcurrentReactions(t *testing.T) {
	each(t, func(h *fixture) {
		scope := comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		made := h.post(h.author(), scope, comment.NewComment{Body: "a"})
		people := []account.Caller{h.Admin()}
		for i := range 7 {
			people = append(people, h.Join(h, org.RoleComment, fmt.Sprintf("p%d@example.org", i)))
		}
		var group sync.WaitGroup
		for i, person := range people {
			group.Go(func() {
				for _, change := range []comment.Change{
					{Add: []string{"👍", "🎉"}}, {Add: []string{"👀"}, Remove: []string{"🎉"}}, {Add: []string{"👍"}},
				} {
					if _, err := h.Update(h.Context(), person, scope, made.ID, change); err != nil {
						h.Errorf("person %d: %v", i, err)
					}
				}
			})
		}
		group.Wait()
		got := h.get(h.author(), scope, made.ID)
		if len(got.Reactions) != 2 || len(got.Reactions[0].Users) != len(people) || len(got.Reactions[1].Users) != len(
			people) {
			h.Errorf("%+v", got.Reactions)
		}
	})
}

// TestCascade holds that nothing of a deleted reply, comment or space is left, and nothing else is gone.
func TestCascade(t *testing.T) {
	each(t, func(h *fixture) {
		ctx := h.Context()
		tables := []string{"comment", "comment_reply", "comment_reaction", "comment_mention", "comment_commenter"}
		mention := "[x](/users/" + string(h.Admin().User.ID) + " \"mention\")"
		counts := func() (all []int) {
			for _, table := range tables {
				all = append(all, h.rows(table))
			}
			return all
		}
		build := func(scope comment.Scope) (comment.Comment, comment.Reply) {
			c := h.post(h.author(), scope, comment.NewComment{Body: mention})
			r := h.reply(h.Admin(), scope, c.ID, mention)
			h.reply(h.author(), scope, c.ID, "second")
			for _, caller := range []account.Caller{h.author(), h.Admin()} {
				_, err := h.Update(ctx, caller, scope, c.ID, comment.Change{Add: []string{"👍"}})
				h.must(err)
				_, err = h.UpdateReply(ctx, caller, scope, c.ID, r.ID, comment.Change{Add: []string{"👍"}})
				h.must(err)
			}
			return c, r
		}
		own, asked := comment.Scope{Space: h.space}, comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		c, r := build(own)
		build(asked)
		if diff := cmp.Diff([]int{2, 4, 8, 4, 4}, counts()); diff != "" {
			h.Fatal(diff)
		}
		h.must(h.DeleteReply(ctx, h.Admin(), own, c.ID, r.ID))
		if diff := cmp.Diff([]int{2, 3, 6, 3, 3}, counts()); diff != "" {
			h.Error("reply", diff)
		}
		h.must(h.Delete(ctx, h.author(), own, c.ID))
		if diff := cmp.Diff([]int{1, 2, 4, 2, 2}, counts()); diff != "" {
			h.Error("comment", diff)
		}
		h.must(h.spaces.Delete(ctx, h.Admin(), h.space))
		h.wait(space.Retention)
		purged, err := h.spaces.Purge(ctx, h.clock())
		h.must(err)
		if diff := cmp.Diff([]int{0, 0, 0, 0, 0}, counts()); purged != 1 || diff != "" {
			h.Error("space", purged, diff)
		}
	})
}

// TestPurgeExpired holds that the comments of spaces whose time in the trash is over go in batches, and no others.
func TestPurgeExpired(t *testing.T) {
	each(t, func(h *fixture) {
		ctx := h.Context()
		scope := comment.Scope{Space: h.space}
		const many = 450
		first := h.post(h.author(), scope, comment.NewComment{Body: "first"})
		h.reply(h.author(), scope, first.ID, "reply")
		for range many - 1 {
			h.post(h.author(), scope, comment.NewComment{Body: "x"})
		}
		kept, young := h.addSpace("Kept"), h.addSpace("Young")
		for _, other := range []id.Space{kept, young} {
			h.post(h.author(), comment.Scope{Space: other}, comment.NewComment{Body: "y"})
		}
		h.must(h.spaces.Delete(ctx, h.Admin(), h.space))
		h.wait(space.Retention - time.Minute)
		h.must(h.spaces.Delete(ctx, h.Admin(), young))
		if purged, err := h.PurgeExpired(ctx, h.clock()); err != nil || purged != 0 {
			h.Error("too early:", purged, err)
		}
		h.wait(time.Minute)
		if purged, err := h.PurgeExpired(ctx, h.clock()); err != nil || purged != many {
			h.Error(purged, err)
		}
		if h.rows("comment") != 2 || h.rows("comment_reply") != 0 {
			h.Error(h.rows("comment"), h.rows("comment_reply"))
		}
	})
}

// TestTrash holds that the comments of a space in the trash are out of reach, and come back with it.
func TestTrash(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		c := h.post(h.author(), scope, comment.NewComment{Body: "a"})
		h.must(h.spaces.Delete(ctx, h.Admin(), h.space))
		_, err := h.Post(ctx, h.Admin(), scope, comment.NewComment{Body: "b"})
		h.wantKind("post", err, errs.NotFound, "trash")
		_, err = h.Get(ctx, h.Admin(), scope, c.ID)
		h.wantKind("get", err, errs.NotFound, "trash")
		_, err = h.Get(ctx, h.author(), scope, c.ID)
		h.wantKind("get as another", err, errs.NotFound, "no such space")
		_, err = h.Commenters(ctx, h.Admin(), scope, paging.Request{})
		h.wantKind("commenters", err, errs.NotFound, "trash")
		_, err = h.spaces.Restore(ctx, h.Admin(), h.space)
		h.must(err)
		if got := h.get(h.author(), scope, c.ID); got.Body != "a" {
			h.Errorf("%+v", got)
		}
	})
}

func TestCountsAndCommenters(t *testing.T) {
	each(t, func(h *fixture) {
		ctx := h.Context()
		own, asked := comment.Scope{Space: h.space}, comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		silent := h.addSpace("Silent")
		open := func() [2]int {
			spaces, err := h.OpenOnSpaces(ctx, []id.Space{h.space, silent})
			h.must(err)
			requests,
				err := h.OpenOnChangeRequests(ctx, h.space,
				[]id.ChangeRequest{h.request.ID, id.ChangeRequest(id.New("change"))})
			h.must(err)
			if len(spaces) > 1 || len(requests) > 1 {
				h.Error(spaces, requests)
			}
			return [2]int{spaces[h.space], requests[h.request.ID]}
		}
		commenters := func(scope comment.Scope) (names []string) {
			for request := (paging.Request{Limit: 1}); ; {
				page, err := h.Commenters(ctx, h.Members[org.RoleRead], scope, request)
				h.must(err)
				for _, c := range page.Items {
					names = append(names, fmt.Sprintf("%s %s %d", strings.TrimSuffix(c.Person.Email, "@example.org"),
						c.Role, c.Posts))
				}
				if page.Next == nil {
					if page.Count != len(names) {
						h.Errorf("count %d of %v", page.Count, names)
					}
					return names
				}
				request.After = page.Next
			}
		}
		if got := open(); got != [2]int{} || commenters(own) != nil {
			h.Error(got)
		}
		first := h.post(h.author(), own, comment.NewComment{Body: "1"})
		h.post(h.author(), own, comment.NewComment{Body: "2"})
		h.reply(h.Admin(), own, first.ID, "3")
		h.post(h.Admin(), asked, comment.NewComment{Body: "4"})
		_, err := h.Update(ctx, h.author(), own, first.ID, comment.Change{Resolved: new(true)})
		h.must(err)
		if got := open(); got != [2]int{1, 1} {
			h.Error(got)
		}
		if diff := cmp.Diff([]string{"admin admin 1", "mcomment comment 2"}, commenters(own)); diff != "" {
			h.Error(diff)
		}
		if diff := cmp.Diff([]string{"admin admin 1"}, commenters(asked)); diff != "" {
			h.Error(diff)
		}
		// Who has left the organization stays the author and is no member.
		h.execute(`DELETE FROM organization_member WHERE user_id = $1`, h.author().User.ID)
		if diff := cmp.Diff([]string{"admin admin 1"}, commenters(own)); diff != "" {
			h.Error(diff)
		}
		if got := h.get(h.Admin(), own, first.ID); got.PostedBy.Email != "mcomment@example.org" {
			h.Errorf("%+v", got.PostedBy)
		}
		h.must(h.Delete(ctx, h.Admin(), own, first.ID))
		if got := open(); got != [2]int{1, 1} || commenters(own) != nil {
			h.Error(got, commenters(own))
		}
		// An account that is gone leaves its comments.
		h.execute(`DELETE FROM account_user WHERE id = $1`, h.author().User.ID)
		left, err := h.List(ctx, h.Admin(), own, comment.Filter{}, paging.Request{})
		if err != nil || len(left.Items) != 1 || left.Items[0].PostedBy.ID != "" || left.Items[0].Permissions.Edit {
			h.Error(left.Items, err)
		}
		h.must(h.Delete(ctx, h.Admin(), own, left.Items[0].ID))
	})
}

func TestMentions(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		ctx := h.Context()
		at := func(callers ...account.Caller) string {
			var text strings.Builder
			for _, caller := range callers {
				text.WriteString("[@](/users/" + string(caller.User.ID) + " \"mention\") ")
			}
			return text.String()
		}
		mentions := func(commentID id.Comment, replyID string) []id.User {
			found, err := h.Mentions(ctx, commentID, replyID)
			h.must(err)
			return found
		}
		admin, author := h.Admin().User.ID, h.author().User.ID
		c := h.post(h.author(), scope, comment.NewComment{Body: at(h.Admin(), h.Admin(), h.Stranger) +
			"[not one](/users/" + string(author) + ") [p](/pages/page_one \"mention\")"})
		if got := mentions(c.ID, ""); !slices.Equal(got, []id.User{admin}) {
			h.Errorf("%v", got)
		}
		r := h.reply(h.Admin(), scope, c.ID, at(h.author(), h.Admin()))
		if got := mentions(c.ID, r.ID); !slices.Equal(got, []id.User{admin, author}) {
			h.Errorf("%v", got)
		}
		_, err := h.Update(ctx, h.author(), scope, c.ID, comment.Change{Body: new(at(h.author()))})
		h.must(err)
		if got := mentions(c.ID, ""); !slices.Equal(got, []id.User{author}) {
			h.Errorf("after an edit: %v", got)
		}
		_, err = h.UpdateReply(ctx, h.Admin(), scope, c.ID, r.ID, comment.Change{Body: new("nobody")})
		h.must(err)
		if got := mentions(c.ID, r.ID); len(got) != 0 {
			h.Errorf("after an edit: %v", got)
		}
		var crowd strings.Builder
		for range comment.MaxMentions + 1 {
			crowd.WriteString("[@](/users/" + id.New("user") + " \"mention\") ")
		}
		_, err = h.Post(ctx, h.author(), scope, comment.NewComment{Body: crowd.String()})
		h.wantKind("a crowd", err, errs.Invalid, "mentions more than 100")
	})
}

// TestConcurrentPosts holds that of people who post at the same time nobody is refused or lost, and that the counts are
// exact.
func TestConcurrentPosts(t *testing.T) {
	each(t, func(h *fixture) {
		scope := comment.Scope{Space: h.space}
		thread := h.post(h.Admin(), scope, comment.NewComment{Body: "thread"})
		const people, times = 12, 4
		var group sync.WaitGroup
		for i := range people {
			person := h.Join(h, org.RoleComment, fmt.Sprintf("p%d@example.org", i))
			group.Go(func() {
				for range times {
					c, err := h.Post(h.Context(), person, scope, comment.NewComment{Body: "x", Page: "page_one",
						Node: "n1"})
					if err != nil {
						h.Errorf("post: %v", err)
						return
					}
					if _, err := h.PostReply(h.Context(), person, scope, thread.ID, "y"); err != nil {
						h.Errorf("reply: %v", err)
					}
					if _, err := h.Update(h.Context(), person, scope, c.ID,
						comment.Change{Resolved: new(true)}); err != nil {
						h.Errorf("resolve: %v", err)
					}
				}
			})
		}
		group.Wait()
		if got := len(h.list(scope, comment.Filter{Status: comment.Resolved}, 7)); got != people*times {
			h.Errorf("%d resolved comments", got)
		}
		if got := h.get(h.Admin(), scope, thread.ID); got.Replies != people*times || len(got.Repliers) != people {
			h.Errorf("%d replies of %d people", got.Replies, len(got.Repliers))
		}
		commenters, err := h.Commenters(h.Context(), h.Admin(), scope, paging.Request{})
		h.must(err)
		for _, c := range commenters.Items[1:] {
			if c.Posts != 2*times {
				h.Errorf("%d posts of %s", c.Posts, c.Person.Email)
			}
		}
		if commenters.Count != people+1 {
			h.Errorf("%d commenters", commenters.Count)
		}
	})
}

// TestReviews holds that what comes with a review is a comment like any other, which the review finds again, and that
// it is made in the review's transaction or not at all.
func TestReviews(t *testing.T) {
	each(t, func(h *fixture) {
		ctx := h.Context()
		asked := comment.Scope{Space: h.space, ChangeRequest: h.request.ID}
		reviewer := h.Members[org.RoleReview]
		review := func(scope comment.Scope, reviewID, body string, fail error) error {
			return h.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				if _, err := h.PostReview(ctx, q, reviewer, scope, reviewID, body); err != nil {
					return err
				}
				return fail
			})
		}
		h.must(review(asked, "review_1", "Fine.", nil))
		undone := errors.New("undone")
		if err := review(asked, "review_2", "Never.", undone); !errors.Is(err, undone) {
			h.Error(err)
		}
		h.wantKind("too long", review(asked, "review_3", strings.Repeat("a", comment.MaxBodySize+1), nil),
			errs.TooLarge, "")
		h.wantKind("of a space", review(comment.Scope{Space: h.space}, "review_4", "a", nil), errs.Invalid,
			"change request")
		h.post(h.author(), asked, comment.NewComment{Body: "No review."})
		found, err := h.OfReviews(ctx, h.author(), asked, []string{"review_1", "review_2", "", "review_9"})
		h.must(err)
		if c := found["review_1"]; len(found) != 1 || c.Body != "Fine." || c.Target.Review != "review_1" ||
			c.PostedBy.ID != reviewer.User.ID || !c.Permissions.Reply {
			h.Errorf("%+v", found)
		}
		if got := h.list(asked, comment.Filter{Authors: []id.User{reviewer.User.ID}}, 5); !slices.Equal(got,
			[]string{"Fine."}) {
			h.Error(got)
		}
		none, err := h.OfReviews(ctx, h.author(), asked, nil)
		if err != nil || len(none) != 0 {
			h.Error(none, err)
		}
		_, err = h.OfReviews(ctx, h.Stranger, asked, []string{"review_1"})
		h.wantKind("another organization", err, errs.NotFound, "")
	})
}
