package link_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is a content store with links over it.
type fixture struct {
	t       *testing.T
	db      *db.DB
	content *store.Service
	links   *link.Service
	clock   time.Time
	missing map[string]bool // what Exists says no to
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	h := &fixture{t: t, db: d, content: storetest.NewService(t, d, store.Deps{}), clock: time.Now(),
		missing: map[string]bool{}}
	h.links = requiredtest.Wire(link.New(link.Deps{
		DB: d, Content: h.content, BaseURL: "https://docs.example/base", Now: func() time.Time { return h.clock }}),
		link.Hooks{Exists: func(_ context.Context, organization id.Organization, ref doc.Ref) (bool, error) {
			return organization == "org" && !h.missing[ref.Space+ref.User+ref.Collection+ref.Spec], nil
		}})
	return h
}

func (h *fixture) space(id id.Space) id.Space {
	storetest.NewSpace(h.t.Context(), h.t, h.content, h.db, id)
	return id
}

func page(id, slug, parent, body string) store.Put {
	return store.Put{Entry: &entity.Entry{ID: id, Kind: entity.KindPage, Type: entity.PageDocument, Title: slug,
		Slug: slug, Parent: parent}, Body: []byte(body)}
}

func reusable(id, title, body string) store.Put {
	return store.Put{Entry: &entity.Entry{ID: id, Kind: entity.KindReusable, Title: title}, Body: []byte(body)}
}

func (h *fixture) file(id, name, path string) store.Put {
	h.t.Helper()
	blob, size, err := h.content.PutFile(h.t.Context(), strings.NewReader("bytes"))
	if err != nil {
		h.t.Fatal(err)
	}
	return store.Put{Entry: &entity.Entry{ID: id, Kind: entity.KindFile, Name: name, Path: path,
		ContentType: "image/png", Size: size, Blob: blob}}
}

func (h *fixture) commit(space id.Space, branch id.Branch, remove []string, puts ...store.Put) {
	h.t.Helper()
	_, err := h.content.Commit(h.t.Context(), store.CommitRequest{Space: space, Branch: branch, Author: "user_test",
		Put: puts, Delete: remove})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *fixture) branch(space id.Space) id.Branch {
	h.t.Helper()
	heads, err := h.content.Heads(h.t.Context(), []id.Space{space})
	if err != nil {
		h.t.Fatal(err)
	}
	var made store.Branch
	err = h.db.Tx(h.t.Context(), func(ctx context.Context, q db.Querier) error {
		made, err = h.content.CreateBranch(ctx, q, space, heads[space], time.Now().UnixMicro())
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return made.ID
}

func (h *fixture) scope(space id.Space, branch id.Branch) link.Scope {
	h.t.Helper()
	view, err := h.content.BranchHead(h.t.Context(), space, branch)
	if err != nil {
		h.t.Fatal(err)
	}
	return link.Scope{Organization: "org", View: view}
}

// of returns the links of a page, one line each: destination, status, reason and target.
func (h *fixture) of(space id.Space, branch id.Branch, id string) []string {
	h.t.Helper()
	list, err := h.links.Page(h.t.Context(), h.scope(space, branch), id, "", paging.Request{Limit: 1000})
	if err != nil {
		h.t.Fatal(err)
	}
	return lines(list.Items)
}

func lines(links []link.Link) []string {
	var all []string
	for _, each := range links {
		line := each.Written + ": " + string(each.Status)
		if each.Reason != "" {
			line += " " + each.Reason
		} else {
			line += " " + each.Target.Destination()
		}
		all = append(all, line)
	}
	return all
}

// TestWhereLinksLead holds the rules of resolving, one destination at a time.
func TestWhereLinksLead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.space("space_a")
		other := h.space("space_b")
		h.missing = map[string]bool{"space_gone": true, "user_gone": true, "collection_gone": true, "spec-gone": true}
		h.commit(other, "", nil, page("page_there", "there", "", "## Here\n"), h.file("file_there", "a.png", ""))
		group := store.Put{Entry: &entity.Entry{ID: "page_group", Kind: entity.KindPage, Type: entity.PageGroup,
			Title: "Group", Slug: "group"}}
		imported := page("page_imported", "imported", "", "# I\n")
		imported.Entry.Path = "src/chapters/one.md"
		h.commit(space, "", nil,
			page("page_home", "home", "", "# Home\n"),
			page("page_guide", "guide", "",
				"## Set up\n\n## Set up\n\n<a id=\"raw\"></a>\n\n{% include \"/reusable-content/content_shared\" %}\n"),
			page("page_deep", "deep", "page_guide", "x\n"),
			group, imported, page("page_upper", "upper_Case", "", "x\n"),
			h.file("file_logo", "logo one.png", ""), h.file("file_placed", "b.png", "img/b.png"),
			reusable("content_shared", "Shared", "## From shared\n\n## Set up\n\n[x](#anything)\n"),
		)
		for _, test := range []struct{ written, want string }{
			{"/pages/page_guide", "ok /pages/page_guide"},
			{"/pages/page_gone", "broken no-page"},
			{"/pages/file_logo", "broken no-page"},
			{"/pages/page_guide#set-up", "ok /pages/page_guide#set-up"},
			{"/pages/page_guide#set-up-1", "ok /pages/page_guide#set-up-1"},
			{"/pages/page_guide#raw", "ok /pages/page_guide#raw"},
			{"/pages/page_guide#from-shared", "ok /pages/page_guide#from-shared"},
			{"/pages/page_guide#nothing", "broken no-anchor"},
			{"/pages/page_guide#", "ok /pages/page_guide"},
			{"/pages/page_guide#:~:text=set", "ok /pages/page_guide#:~:text=set"},
			{"/pages/page_group", "ok /pages/page_group"},
			{"/files/file_logo", "ok /files/file_logo"},
			{"/files/file_gone", "broken no-file"},
			{"/files/page_guide", "broken no-file"},
			{"#here", "ok /pages/page_from#here"},
			{"#elsewhere", "broken no-anchor"},
			{"/spaces/space_b", "ok /spaces/space_b"},
			{"/spaces/space_gone", "broken no-space"},
			{"/spaces/space_b/pages/page_there", "ok /spaces/space_b/pages/page_there"},
			{"/spaces/space_b/pages/page_there#here", "ok /spaces/space_b/pages/page_there#here"},
			{"/spaces/space_b/pages/page_there#no", "broken no-anchor"},
			{"/spaces/space_b/pages/page_gone", "broken no-page"},
			{"/spaces/space_b/files/file_there", "ok /spaces/space_b/files/file_there"},
			{"/spaces/space_a/pages/page_guide", "ok /spaces/space_a/pages/page_guide"},
			{"/users/user_ada", "ok /users/user_ada"},
			{"/users/user_gone", "broken not-found"},
			{"/collections/collection_gone", "broken not-found"},
			{"/openapi/spec-gone", "broken not-found"},
			{"https://example.org/a?b#c", "ok https://example.org/a?b#c"},
			{"//example.org/a", "ok //example.org/a"},
			{"mailto:ada@example.org", "ok mailto:ada@example.org"},
			{"https://docs.example/base/app/spaces/1", "in-app https://docs.example/base/app/spaces/1"},
			{"https://DOCS.example/base", "in-app https://DOCS.example/base"},
			{"https://docs.example/base/sites/a/b", "ok https://docs.example/base/sites/a/b"},
			{"https://docs.example/other", "ok https://docs.example/other"},
			{"https://docs.example/basement", "ok https://docs.example/basement"},
			{"home.md", "ok /pages/page_home"},
			{"/home", "ok /pages/page_home"},
			{"./home", "ok /pages/page_home"},
			{"home.md?a=b#", "ok /pages/page_home"},
			{"README.md", "ok /pages/page_home"},
			{"guide/README.md", "ok /pages/page_guide"},
			{"guide/", "ok /pages/page_guide"},
			{"guide/deep.md", "ok /pages/page_deep"},
			{"deep.md", "broken no-path"},
			{"guide/deep.md#x", "broken no-anchor"},
			{"src/chapters/one.md", "ok /pages/page_imported"},
			{"group/README.md", "ok /pages/page_group"},
			{"../../home.md", "ok /pages/page_home"},
			{"%68ome.md", "ok /pages/page_home"},
			{".gitbook/assets/logo%20one.png", "ok /files/file_logo"},
			{"img/b.png", "ok /files/file_placed"},
			{"img/none.png", "broken no-path"},
			{"/broken/pages/x", "broken no-path"},
			{strings.Repeat("a/", 3000), "broken no-path"},
		} {
			h.commit(space, "", nil, page("page_from", "from", "", "## Here\n\n[text](<"+test.written+">)\n"))
			got := h.of(space, "", "page_from")
			if len(got) != 1 || !strings.HasSuffix(got[0], ": "+test.want) {
				t.Errorf("%.100s: %.200q, want %s", test.written, got, test.want)
			}
		}
		h.commit(space, "", nil, page("page_from", "from", "page_guide", "[a](deep.md) [b](../home.md) {% include "+
			"\"../.gitbook/includes/shared.md\" %}\n\n{% include \"../.gitbook/includes/shared.md\" %}\n\n{% include "+
			"\"/reusable-content/none\" %}\n"))
		want := []string{"deep.md: ok /pages/page_deep", "../home.md: ok /pages/page_home",
			"../.gitbook/includes/shared.md: ok /reusable-content/content_shared",
			"/reusable-content/none: broken no-reusable-content"}
		if diff := cmp.Diff(want, h.of(space, "", "page_from")); diff != "" {
			t.Errorf("from a folder (-want +got):\n%s", diff)
		}
		if got := h.of(space, "", "content_shared"); len(got) != 1 || !strings.HasPrefix(got[0], "#anything: ok") {
			t.Errorf("links of a reusable content = %q", got)
		}
	})
}

// TestLinksAsElsewhere holds that the index follows links as sites and PDFs do.
func TestLinksAsElsewhere(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.space("space_own")
		h.commit(h.space("space_other"), "", nil, page("page_there", "there", "", "x\n"))
		storetest.LinkedPages(t.Context(), t, h.content, space)
		bodies := map[string]string{"page_from": "## Here\n\n", "page_deep": "", "page_imported": ""}
		written, want := map[string][]string{}, map[string][]string{}
		for _, test := range storetest.Links {
			bodies[test.From] += "[text](<" + test.Written + ">)\n\n"
			leads := test.Want
			if test.Index != "" {
				leads = strings.TrimPrefix(test.Index, storetest.Nowhere)
			}
			written[test.From] = append(written[test.From], test.Written)
			want[test.From] = append(want[test.From], test.Written+" -> "+leads)
		}
		view, err := h.content.Head(t.Context(), space)
		if err != nil {
			t.Fatal(err)
		}
		var puts []store.Put
		for id, body := range bodies {
			e, err := view.Entry(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			puts = append(puts, store.Put{Entry: e.Clone(), Body: []byte(body)})
		}
		h.commit(space, "", nil, puts...)
		for id := range bodies {
			var got []string
			for i, line := range h.of(space, "", id) {
				_, leads, _ := strings.Cut(line, ": ok ")
				got = append(got, written[id][i]+" -> "+leads)
			}
			if diff := cmp.Diff(want[id], got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", id, diff)
			}
		}
	})
}

// TestFieldsHoldLinks holds the links that are not in a body.
func TestFieldsHoldLinks(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	space := h.space("space_a")
	h.missing["old-spec"] = true
	covered := page("page_covered", "covered", "", "[x](/pages/page_gone) [x](/pages/page_gone)\n")
	covered.Entry.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: "file_logo"},
		RefDark: &doc.Ref{Kind: "file", File: "file_gone"}}
	h.commit(space, "", nil, covered, h.file("file_logo", "logo.png", ""),
		store.Put{Entry: &entity.Entry{ID: "page_link", Kind: entity.KindPage, Type: entity.PageLink, Title: "L",
			Slug: "l", Target: &doc.Ref{Kind: "page", Page: "page_covered"}}},
		store.Put{Entry: &entity.Entry{ID: "page_spec", Kind: entity.KindPage, Type: entity.PageComputed, Title: "S",
			Slug: "s", Computed: &entity.Computed{
				Type: "builtin:openapi",
				Dependencies: map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi",
					"spec": "old-spec"}}},
			}}})
	list, err := h.links.Space(t.Context(), h.scope(space, ""), "", paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, each := range list.Items {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %d", each.Source, each.Role, each.Relation, each.Status,
			len(each.Keys), each.Places))
	}
	slices.Sort(got)
	want := []string{
		"page_covered body reference broken 2 2", "page_covered cover reference ok 0 1",
		"page_covered cover-dark reference broken 0 1",
		"page_link target reference ok 0 1", "page_spec computed dependsOn broken 0 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if list.Stats != (link.Stats{Total: 5, Broken: 3}) || list.Count != 5 {
		t.Errorf("stats = %+v, count %d", list.Stats, list.Count)
	}
	backlinks, err := h.links.Backlinks(t.Context(), h.scope(space, ""), "page_covered", nil,
		paging.Request{})
	if err != nil || backlinks.Count != 1 || backlinks.Items[0].Source != "page_link" ||
		backlinks.Items[0].Role != link.RoleTarget {
		t.Errorf("backlinks = %+v, %d, %v", backlinks.Items, backlinks.Count, err)
	}
}

// TestStatusesFollowTheirTargets holds that a link whose own page does not change gets another status.
func TestStatusesFollowTheirTargets(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.space("space_a")
		h.commit(space, "", nil,
			page("page_from", "from", "",
				"[a](/pages/page_to#part) [b](folder/to.md) [c](/spaces/space_a/pages/page_to)\n"))
		expect := func(step string, want ...string) {
			t.Helper()
			got := h.of(space, "", "page_from")
			for i, each := range got {
				_, got[i], _ = strings.Cut(each, ": ")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
		}
		expect("nothing there", "broken no-page", "broken no-path", "broken no-page")
		h.commit(space, "", nil, page("page_to", "to", "", "## Part\n"))
		expect("the page appears", "ok /pages/page_to#part", "broken no-path", "ok /spaces/space_a/pages/page_to")
		h.commit(space, "", nil, page("page_folder", "folder", "", "x\n"), page("page_to", "to", "page_folder",
			"## Part\n"))
		expect("it moves", "ok /pages/page_to#part", "ok /pages/page_to", "ok /spaces/space_a/pages/page_to")
		h.commit(space, "", nil, page("page_to", "to", "page_folder", "## Another\n"))
		expect("it loses its anchor", "broken no-anchor", "ok /pages/page_to", "ok /spaces/space_a/pages/page_to")
		h.commit(space, "", nil, page("page_folder", "renamed", "", "x\n"))
		expect("its parent is renamed", "broken no-anchor", "broken no-path", "ok /spaces/space_a/pages/page_to")
		h.commit(space, "", []string{"page_to"})
		expect("it goes", "broken no-page", "broken no-path", "broken no-page")
	})
}

// TestTies holds what is rare: several that lay claim to one path, numbered anchors of what is shown together, and
// pages whose folder changes because they get a child.
func TestTies(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	space := h.space("space_a")
	positions := entity.Positions(3)
	claim := func(id string, position int) store.Put {
		made := page(id, strings.TrimPrefix(id, "page_"), "", "x\n")
		made.Entry.Path, made.Entry.Position = "both.md", positions[position]
		return made
	}
	h.commit(space, "", nil, claim("page_one", 0), claim("page_two", 1),
		page("page_from", "from", "", "[both](both.md) [number](/pages/page_shown#part-1) [sibling](next.md)\n"),
		page("page_next", "next", "", "x\n"),
		page("page_shown", "shown", "", "## Part\n\n{% include \"/reusable-content/content_r\" %}\n"),
		reusable("content_r", "R", "## Part\n"))
	expect := func(step string, want ...string) {
		t.Helper()
		got := h.of(space, "", "page_from")
		for i, each := range got {
			_, got[i], _ = strings.Cut(each, ": ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
		holds(t.Context(), t, h.links, h.scope(space, "").View)
	}
	expect("first", "ok /pages/page_one", "ok /pages/page_shown#part-1", "ok /pages/page_next")
	h.commit(space, "", nil, claim("page_one", 2))
	expect("the other comes first", "ok /pages/page_two", "ok /pages/page_shown#part-1", "ok /pages/page_next")
	h.commit(space, "", nil, reusable("content_r", "R", "## Other\n"))
	expect("what is included has no such heading", "ok /pages/page_two", "broken no-anchor", "ok /pages/page_next")
	h.commit(space, "", nil, page("page_child", "child", "page_from", "x\n"))
	expect("the source has a child", "broken no-path", "broken no-anchor", "broken no-path")
	h.commit(space, "", []string{"page_child"}, reusable("content_r", "R", "## Part\n"))
	expect("and no more", "ok /pages/page_two", "ok /pages/page_shown#part-1", "ok /pages/page_next")
	h.commit(space, "", []string{"content_r"})
	expect("what is included goes", "ok /pages/page_two", "broken no-anchor", "ok /pages/page_next")
}

// TestBrokenAdded holds what a change request breaks, on the pages that it touches and on others.
func TestBrokenAdded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.space("space_a")
		h.missing["space_gone"] = true
		h.commit(space, "", nil,
			page("page_a", "a", "",
				"[was broken](/pages/page_none) [b](/pages/page_b#part) [c](c.md) "+
					"[own](/spaces/space_a/pages/page_b)\n"),
			page("page_b", "b", "", "## Part\n"), page("page_c", "c", "", "x\n"),
			page("page_d", "d", "", "[a](/pages/page_a)\n"))
		expect := func(step string, branch id.Branch, want ...string) {
			t.Helper()
			added, err := h.links.BrokenAdded(t.Context(), "org", space, branch)
			if err != nil {
				t.Fatal(err)
			}
			got := lines(added.Links)
			for i := range got {
				got[i] = added.Links[i].Source + " " + got[i]
			}
			if diff := cmp.Diff(want, got); diff != "" || added.Count != len(want) {
				t.Errorf("%s: %d (-want +got):\n%s", step, added.Count, diff)
			}
		}
		branch := h.branch(space)
		expect("nothing changed", branch)
		h.commit(space, branch, nil,
			page("page_d", "d", "", "[a](/pages/page_a) [new](/pages/page_z) [s](/spaces/space_gone)\n"))
		expect("a new link", branch, "page_d /pages/page_z: broken no-page",
			"page_d /spaces/space_gone: broken no-space")
		h.commit(space, branch, nil, page("page_b", "b", "", "nothing\n"), page("page_c", "renamed", "", "x\n"))
		expect("an anchor and a path go", branch, "page_a /pages/page_b#part: broken no-anchor",
			"page_a c.md: broken no-path",
			"page_d /pages/page_z: broken no-page", "page_d /spaces/space_gone: broken no-space")
		h.commit(space, branch, []string{"page_b"}, page("page_d", "d", "", "x\n"))
		expect("a page goes", branch, "page_a /pages/page_b#part: broken no-page", "page_a c.md: broken no-path",
			"page_a /spaces/space_a/pages/page_b: broken no-page")
		if _, err := h.content.MergeBranch(t.Context(), store.MergeRequest{Space: space, Branch: branch,
			Author: "user_test"}); err != nil {
			t.Fatal(err)
		}
		list, err := h.links.Space(t.Context(), h.scope(space, ""), link.Broken, paging.Request{})
		if err != nil || list.Count != 4 {
			t.Errorf("broken after the merge: %v, %v", lines(list.Items), err)
		}
		expect("after the merge", h.branch(space))
		// Main goes on: what it gets counts as far as the branch breaks it.
		late := h.branch(space)
		h.commit(space, late, []string{"page_a"})
		h.commit(space, "", nil,
			page("page_e", "e", "", "[a](/pages/page_a) [new](/pages/page_f)\n\n[path](a.md) [c](renamed.md)\n"),
			page("page_f", "f", "", "x\n"))
		expect("after main has moved on", late, "page_e /pages/page_a: broken no-page")
		// Inside a transaction, in a process that has nothing in memory, and when no index has ever been made.
		for _, forget := range []string{`UPDATE link_index SET used_at = 0`, `DELETE FROM link_index`} {
			links := requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content,
				BaseURL: "https://docs.example/base",
				Now:     func() time.Time { return h.clock }}), link.Hooks{})
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, forget)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			err = d.Tx(t.Context(), func(ctx context.Context, _ db.Querier) error {
				added, err := links.BrokenAdded(ctx, "org", space, late)
				if err == nil && added.Count != 1 {
					t.Errorf("inside a transaction: %q", lines(added.Links))
				}
				return err
			})
			if err != nil {
				t.Errorf("inside a transaction, after %s: %v", forget, err)
			}
		}
		expect("and afterwards", late, "page_e /pages/page_a: broken no-page")
		if _, err := h.links.BrokenAdded(t.Context(), "org", space, "branch_x"); !errs.Is(err, errs.NotFound) {
			t.Errorf("unknown branch: %v", err)
		}
	})
}

// TestListsGoOnAnywhere holds that the pages of a list together are the list, whatever their size.
func TestListsGoOnAnywhere(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	space := h.space("space_a")
	var puts []store.Put
	for i := range 120 {
		puts = append(puts, page(fmt.Sprintf("page_%d", i), fmt.Sprintf("p%d", i), "", fmt.Sprintf(
			"[a](/pages/page_%d) [b](/pages/none_%d) [c](https://example.org/%d) [d](/spaces/space_%d) "+
				"[e](https://docs.example/base/x%d)\n", i/2, i, i, i%7, i)))
		h.missing["space_3"] = true
	}
	h.commit(space, "", nil, puts...)
	for _, status := range []link.Status{"", link.OK, link.Broken, link.InApp} {
		whole, err := h.links.Space(t.Context(), h.scope(space, ""), status, paging.Request{Limit: 1000})
		if err != nil || len(whole.Items) != whole.Count || whole.Next != nil {
			t.Fatalf("%q: %d items, count %d, %v", status, len(whole.Items), whole.Count, err)
		}
		for _, size := range []int{1, 7, 64} {
			var together []string
			request := paging.Request{Limit: size}
			for range whole.Count + 1 {
				some, err := h.links.Space(t.Context(), h.scope(space, ""), status, request)
				if err != nil || some.Count != whole.Count || some.Stats != whole.Stats || len(some.Items) > size {
					t.Fatalf("%q: %+v, %v", status, some.Stats, err)
				}
				for _, each := range some.Items {
					together = append(together, each.Source+" "+each.Written)
				}
				if request.After = some.Next; some.Next == nil {
					break
				}
			}
			var want []string
			for _, each := range whole.Items {
				want = append(want, each.Source+" "+each.Written)
				if status != "" && each.Status != status {
					t.Errorf("%s is %s in the list of %s", each.Written, each.Status, status)
				}
			}
			if diff := cmp.Diff(want, together); diff != "" {
				t.Fatalf("%q by %d (-whole +together):\n%s", status, size, diff)
			}
		}
	}
	for _, keys := range [][]string{{"b"}, {"q", "page_1", "0", "x"}, {"b", "page_1", "many", "x"}, {"", "", "", ""}} {
		if _, err := h.links.Space(t.Context(), h.scope(space, ""), "", paging.Request{After: keys}); !errs.Is(err,
			errs.Invalid) {
			t.Errorf("cursor %q: %v", keys, err)
		}
	}
}

// TestCollect holds that what nobody asks for is given up, what is asked for stays, and all of it comes back.
func TestCollect(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		used, idle := h.space("space_used"), h.space("space_idle")
		for _, space := range []id.Space{used, idle} {
			for i := range 3 {
				h.commit(space, "", nil, page("page_a", "a", "", fmt.Sprintf("[x](/pages/page_%s_%d)\n", space, i)))
				h.of(space, "", "page_a")
			}
		}
		rows := func(table string) (n int) {
			t.Helper()
			if err := d.Read().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if indexes, nodes, err := h.links.Collect(t.Context()); err != nil || indexes != 0 || nodes != 0 ||
			rows("link_index") != 6 {
			t.Fatalf("collected at once: %d, %d, %v", indexes, nodes, err)
		}
		for range 10 { // ten days in which one space is asked about
			h.clock = h.clock.Add(24 * time.Hour)
			h.of(used, "", "page_a")
		}
		if indexes, nodes, err := h.links.Collect(t.Context()); err != nil || indexes != 5 || nodes == 0 {
			t.Fatalf("collected: %d, %d, %v", indexes, nodes, err)
		}
		if rows("link_index") != 1 || rows("link_node") == 0 {
			t.Errorf("left: %d indexes, %d nodes", rows("link_index"), rows("link_node"))
		}
		// In this process, where the index is still in memory, and in one that begins.
		for _, links := range []*link.Service{h.links,
			requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content, BaseURL: "https://docs.example/base"}),
				link.Hooks{})} {
			h.links = links
			for _, space := range []id.Space{used, idle} {
				if got := h.of(space, "", "page_a"); len(got) != 1 || !strings.HasSuffix(got[0], "_2: broken no-page") {
					t.Errorf("%s afterwards: %q", space, got)
				}
			}
		}
	})
}

// TestDamagedIndexIsMadeAgain holds that an index to derive from whose nodes are gone does no harm.
func TestDamagedIndexIsMadeAgain(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	space := h.space("space_a")
	h.commit(space, "", nil, page("page_a", "a", "", "[x](/pages/page_b)\n"))
	h.of(space, "", "page_a")
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM link_node`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.links = requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content}), link.Hooks{})
	h.commit(space, "", nil, page("page_b", "b", "", "x\n"))
	if got := h.of(space, "", "page_a"); len(got) != 1 || got[0] != "/pages/page_b: ok /pages/page_b" {
		t.Errorf("links = %q", got)
	}
}

// TestManyAskAtOnce holds that processes and callers that make one index at the same time all get it.
func TestManyAskAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.space("space_a")
		for step := range 3 {
			var puts []store.Put
			for i := range 60 {
				puts = append(puts, page(fmt.Sprintf("page_%d", i), fmt.Sprintf("p%d", i), "",
					fmt.Sprintf("[a](/pages/page_%d) [b](p%d.md) [c](/pages/none)\n", (i+step)%70, i+step)))
			}
			h.commit(space, "", nil, puts...)
			scope := h.scope(space, "")
			processes := []*link.Service{h.links}
			for range 3 {
				processes = append(processes,
					requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content,
						BaseURL: "https://docs.example/base"}), link.Hooks{}))
			}
			var group sync.WaitGroup
			for i := range 16 {
				group.Go(func() {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if i%4 == 3 { // some go away before they have an answer
						time.AfterFunc(time.Duration(i)*100*time.Microsecond, cancel)
					}
					list, err := processes[i%len(processes)].Space(ctx, scope, link.Broken, paging.Request{Limit: 1000})
					if i%4 != 3 && (err != nil || list.Stats.Total != 180 || list.Count != len(list.Items)) {
						t.Errorf("caller %d: %+v, %v", i, list.Stats, err)
					}
				})
			}
			group.Wait()
			holds(t.Context(), t, h.links, scope.View)
		}
	})
}
