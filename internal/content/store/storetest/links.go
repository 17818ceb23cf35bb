package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Link is a destination as an author wrote it and where it leads.
type Link struct {
	// From is the page that it is on.
	From, Written string
	// Want is the target in its stable form, or an address; "" of what leads nowhere.
	Want string
	// Index and PDF say where it leads for the index of links and in a PDF, when that differs on purpose: only the
	// index knows anchors, people and other spaces, and a PDF leads into the app for what it does not hold.
	Index, PDF string
}

// Nowhere is what a difference says of what leads nowhere.
const Nowhere = "nowhere"

// Links has all kinds of destinations, on pages that LinkedPages makes.
var Links = []Link{
	{From: "page_from", Written: "/pages/page_guide", Want: "/pages/page_guide"},
	{From: "page_from", Written: "/pages/page_guide#set-up", Want: "/pages/page_guide#set-up"},
	{From: "page_from", Written: "/pages/page_guide#none", Want: "/pages/page_guide#none", Index: Nowhere},
	{From: "page_from", Written: "/pages/page_gone"},
	{From: "page_from", Written: "/pages/file_logo"},
	{From: "page_from", Written: "#here", Want: "/pages/page_from#here"},
	{From: "page_from", Written: "home", Want: "/pages/page_home"},
	{From: "page_from", Written: "/home.md", Want: "/pages/page_home"},
	{From: "page_from", Written: " ./home.md ", Want: "/pages/page_home"},
	{From: "page_from", Written: "README.md", Want: "/pages/page_home"},
	{From: "page_from", Written: "%68ome.md", Want: "/pages/page_home"},
	{From: "page_from", Written: "home.md?a=b#", Want: "/pages/page_home"},
	{From: "page_from", Written: "guide/", Want: "/pages/page_guide"},
	{From: "page_from", Written: "guide/#set-up", Want: "/pages/page_guide#set-up"},
	{From: "page_from", Written: "guide/deep.md", Want: "/pages/page_deep"},
	{From: "page_from", Written: "deep.md"},
	{From: "page_from", Written: "src/", Want: "/pages/page_index"},
	{From: "page_from", Written: "src/one.md", Want: "/pages/page_imported"},
	{From: "page_from", Written: "../../home.md", Want: "/pages/page_home"},
	{From: "page_from", Written: "img", Want: "/pages/page_img"},
	{From: "page_deep", Written: "../home.md", Want: "/pages/page_home"},
	{From: "page_deep", Written: "README.md", Want: "/pages/page_guide"},
	{From: "page_imported", Written: "../guide/deep.md", Want: "/pages/page_deep"},
	{From: "page_imported", Written: "../img/b.png", Want: "/files/file_placed"},
	{From: "page_from", Written: ".gitbook/assets/logo one.png", Want: "/files/file_logo"},
	{From: "page_from", Written: ".gitbook/assets/logo%20one.png", Want: "/files/file_logo"},
	{From: "page_from", Written: "/files/file_logo", Want: "/files/file_logo"},
	{From: "page_from", Written: "/files/file_gone"},
	{From: "page_from", Written: "/files/page_guide"},
	{From: "page_from", Written: "img/none.png"},
	{From: "page_from", Written: "/broken/pages/x"},
	{From: "page_from", Written: ""},
	{From: "page_from", Written: "https://example.org/a?b#c", Want: "https://example.org/a?b#c"},
	{From: "page_from", Written: "//example.org/a", Want: "https://example.org/a", Index: "//example.org/a"},
	{From: "page_from", Written: "mailto:ada@example.org", Want: "mailto:ada@example.org"},
	{From: "page_from", Written: "/spaces/space_other/pages/page_there", Index: "/spaces/space_other/pages/page_there",
		PDF: "/app/spaces/space_other/pages/page_there"},
	{From: "page_from", Written: "/spaces/space_other", Index: "/spaces/space_other", PDF: "/app/spaces/space_other"},
	{From: "page_from", Written: "/users/user_ada", Index: "/users/user_ada"},
	{From: "page_from", Written: "/reusable-content/content_shared", Index: "/reusable-content/content_shared"},
	{From: "page_from", Written: "/reusable-content/content_gone"},
}

// LinkedPages puts into a space what Links are about.
func LinkedPages(ctx context.Context, t testing.TB, s *store.Service, space id.Space) {
	t.Helper()
	var puts []store.Put
	at := ""
	page := func(id, slug, parent, place, body string) {
		at = entity.Between(at, "")
		puts = append(puts, store.Put{Body: []byte(body), Entry: &entity.Entry{
			ID: id, Kind: entity.KindPage, Type: entity.PageDocument, Title: slug, Slug: slug, Parent: parent,
			Path: place, Position: at,
		}})
	}
	file := func(id, name, place string) {
		blob, size, err := s.PutFile(ctx, strings.NewReader(name))
		if err != nil {
			t.Fatal(err)
		}
		puts = append(puts, store.Put{Entry: &entity.Entry{ID: id, Kind: entity.KindFile, Name: name, Path: place,
			ContentType: "image/png", Size: size, Blob: blob}})
	}
	page("page_home", "home", "", "", "x\n")
	page("page_guide", "guide", "", "", "## Set up\n")
	page("page_deep", "deep", "page_guide", "", "x\n")
	page("page_imported", "imported", "", "src/one.md", "x\n")
	page("page_index", "index-of-source", "", "src/index.md", "x\n")
	page("page_img", "img", "", "", "x\n")
	page("page_from", "from", "", "", "## Here\n")
	file("file_logo", "logo one.png", "")
	file("file_placed", "b.png", "img/b.png")
	puts = append(puts, store.Put{Entry: &entity.Entry{ID: "content_shared", Kind: entity.KindReusable,
		Title: "Shared"}, Body: []byte("x\n")})
	if _, err := s.Commit(ctx, store.CommitRequest{Space: space, Author: "user_test", Put: puts}); err != nil {
		t.Fatal(err)
	}
}
