package space_test

import (
	"context"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestPurgeFreesStorage removes a space for good and holds that its revisions, trie nodes and bodies go with it, while
// a duplicate of it keeps what the two shared.
func TestPurgeFreesStorage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { return now }
		blobs, err := blob.OpenStore("dir:" + t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		contents := requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: blobs, Now: clock}), store.Hooks{})
		spaces := requiredtest.Wire(space.New(space.Deps{DB: d, Now: clock}), space.Hooks{
			InitContent: contents.Init, CopyContent: contents.Duplicate,
			DropContent: func(ctx context.Context, q db.Querier, spaceID id.Space) error {
				return contents.DropSpace(ctx, q, spaceID, now.UnixMicro())
			}})
		orgs := orgtest.NewService(t,
			org.Deps{DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}, org.Hooks{})
		setup, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		admin := account.Caller{User: setup.User}
		original, err := spaces.Create(ctx, admin, setup.Organization.ID, space.NewSpace{Title: "Guide"})
		if err != nil {
			t.Fatal(err)
		}
		write := func(spaceID id.Space, title string) {
			t.Helper()
			head, err := contents.Head(ctx, spaceID)
			if err != nil {
				t.Fatal(err)
			}
			page := &entity.Entry{ID: id.New("page"), Kind: entity.KindPage, Type: entity.PageDocument, Title: title,
				Slug: title, Position: entity.Between("", "")}
			_, err = contents.Commit(ctx, store.CommitRequest{
				Space: spaceID, Base: head.Revision().ID, Author: admin.User.ID,
				Put: []store.Put{{Entry: page, Body: []byte("The body of " + title + ".\n")}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		write(original.ID, "shared")
		copied, err := spaces.Duplicate(ctx, admin, original.ID)
		if err != nil {
			t.Fatal(err)
		}
		write(original.ID, "alone")
		rows := func(table string) (count int) {
			t.Helper()
			if err := d.Read().QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&count); err != nil {
				t.Fatal(err)
			}
			return count
		}
		before := map[string]int{}
		for _, table := range []string{"content_revision", "content_node", "content_body"} {
			before[table] = rows(table)
		}

		if err := spaces.Delete(ctx, admin, original.ID); err != nil {
			t.Fatal(err)
		}
		now = now.Add(space.Retention)
		if n, err := spaces.Purge(ctx, now); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		now = now.Add(2 * store.DefaultGrace)
		if _, err := contents.Collect(ctx); err != nil {
			t.Fatal(err)
		}
		for table, count := range before {
			if left := rows(table); left >= count || left == 0 {
				t.Errorf("%s had %d rows and has %d", table, count, left)
			}
		}
		if _, err := contents.Head(ctx, original.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("the content of the space is still there: %v", err)
		}
		head, err := contents.Head(ctx, copied.ID)
		if err != nil {
			t.Fatal(err)
		}
		page, err := head.ByPath(ctx, "shared")
		if err != nil {
			t.Fatal(err)
		}
		body, err := head.Body(ctx, page.Entry)
		if err != nil || string(body) != "The body of shared.\n" {
			t.Errorf("%q, %v", body, err)
		}
	})
}
