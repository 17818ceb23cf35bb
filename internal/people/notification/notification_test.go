package notification_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// fixture is an organization with a space that members read, and the service under test.
type fixture struct {
	*testing.T
	*notification.Service
	*orgtest.Fixture
	db    *db.DB
	space id.Space
	now   time.Time
	sent  []mail.Message
}

// each runs a test with a new fixture on both databases.
func each(t *testing.T, test func(f *fixture)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := &fixture{T: t, Fixture: orgtest.New(t, d), db: d, now: time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)}
		f.Service = notification.New(notification.Deps{
			DB: d, Accounts: f.Accounts, BaseURL: "https://docs.example.org",
			Mail: func(_ context.Context, _ db.Querier, m mail.Message) error {
				f.sent = append(f.sent, m)
				return nil
			},
			Clock: func() time.Time { return f.now },
		})
		f.space = f.addSpace("read")
		test(f)
	})
}

// addSpace writes the row of a space, whose package stands above this one.
func (f *fixture) addSpace(level any) id.Space {
	f.Helper()
	spaceID := id.Space(id.New("space"))
	f.exec(`INSERT INTO space (id, organization_id, position, title, emoji, icon, visibility, edit_mode, language,
		default_level, created_at, updated_at) VALUES ($1, $2, 'a0', 'Guide', '', '', 'private', 'live', '', $3, 1, 1)`,
		spaceID, f.Organization, level)
	return spaceID
}

func (f *fixture) exec(statement string, args ...any) {
	f.Helper()
	if err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, statement, args...)
		return err
	}); err != nil {
		f.Fatal(err)
	}
}

// add tells people of something that Ada, the admin, did in the space.
func (f *fixture) add(kind notification.Kind, title string, users ...id.User) {
	f.Helper()
	if err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		return notification.Add(ctx, q, notification.Notification{
			Kind: kind, Actor: f.Admin().User.ID, Organization: f.Organization, Space: f.space,
			ChangeRequest: "change_x", Number: 3, Title: title, Excerpt: "Words\nof it", CreatedAt: f.now,
		}, users...)
	}); err != nil {
		f.Fatal(err)
	}
	f.now = f.now.Add(time.Second)
}

// titles returns the titles of what a caller is told of, in order, and of the number of all.
func (f *fixture) titles(caller account.Caller, read optional.Value[bool]) (titles []string, count int) {
	f.Helper()
	found, err := f.List(f.Context(), caller, f.Organization, read, paging.Request{})
	if err != nil {
		f.Fatal(err)
	}
	for _, n := range found.Items {
		titles = append(titles, n.Title)
	}
	return titles, found.Count
}

func (f *fixture) wants(caller account.Caller, want ...string) {
	f.Helper()
	if titles, count := f.titles(caller, optional.Value[bool]{}); !slices.Equal(titles, want) || count != len(want) {
		f.Errorf("told of %q, %d in all, want %q", titles, count, want)
	}
}

func TestPeopleAreToldOfWhatOthersDid(t *testing.T) {
	each(t, func(f *fixture) {
		reader, editor := f.Members[org.RoleRead], f.Editor()
		f.add(notification.Mention, "first", reader.User.ID, f.Admin().User.ID, reader.User.ID, "")
		f.add(notification.Merge, "second", reader.User.ID, f.Stranger.User.ID)
		f.wants(reader, "second", "first")
		f.wants(f.Admin())
		f.wants(editor)
		// The end of an import is told to who began it.
		f.add(notification.Import, "12 pages", f.Admin().User.ID)
		f.wants(f.Admin(), "12 pages")
		_, err := f.List(f.Context(), f.Stranger, f.Organization, optional.Value[bool]{}, paging.Request{})
		if !errs.Is(err, errs.NotFound) {
			f.Errorf("a stranger: %v", err)
		}
	})
}

func TestListsGoOnWhereTheyEnded(t *testing.T) {
	each(t, func(f *fixture) {
		reader := f.Members[org.RoleRead]
		for _, title := range []string{"a", "b", "c"} {
			f.add(notification.Reply, title, reader.User.ID)
		}
		request := paging.Request{Limit: 2}
		var all []string
		for range 2 {
			found, err := f.List(f.Context(), reader, f.Organization, optional.Value[bool]{}, request)
			if err != nil {
				f.Fatal(err)
			}
			for _, n := range found.Items {
				all = append(all, n.Title)
			}
			request.After = found.Next
		}
		if !slices.Equal(all, []string{"c", "b", "a"}) || request.After != nil {
			f.Errorf("lists %q, then %q", all, request.After)
		}
		request.After = []string{"x"}
		if _, err := f.List(f.Context(), reader, f.Organization, optional.Value[bool]{}, request); !errs.Is(err,
			errs.Invalid) {
			f.Errorf("a cursor of nothing: %v", err)
		}
	})
}

func TestNothingIsToldOfSpacesThatAreClosed(t *testing.T) {
	each(t, func(f *fixture) {
		reader := f.Members[org.RoleRead]
		f.add(notification.Mention, "secret plan", reader.User.ID)
		f.exec(`UPDATE space SET default_level = NULL WHERE id = $1`, f.space)
		f.wants(reader)
		f.now = f.now.AddDate(0, 0, 2)
		if err := f.SendMail(f.Context()); err != nil || len(f.sent) != 0 {
			f.Errorf("%v; sent %v", err, f.sent)
		}
		f.exec(`UPDATE space SET default_level = 'read' WHERE id = $1`, f.space)
		f.wants(reader, "secret plan")
		f.exec(`UPDATE space SET deleted_at = 1 WHERE id = $1`, f.space)
		f.wants(reader)
		f.exec(`DELETE FROM space WHERE id = $1`, f.space)
		f.wants(reader)
	})
}

func TestMarksAreOnesOwn(t *testing.T) {
	each(t, func(f *fixture) {
		reader, editor := f.Members[org.RoleRead], f.Editor()
		f.add(notification.Mention, "one", reader.User.ID, editor.User.ID)
		f.add(notification.Mention, "two", reader.User.ID)
		found, err := f.List(f.Context(), reader, f.Organization, optional.Value[bool]{}, paging.Request{})
		if err != nil {
			f.Fatal(err)
		}
		ids := []string{found.Items[0].ID, "notification_of_nobody"}
		mark := func(caller account.Caller, read bool, ids ...string) {
			f.Helper()
			if err := f.Mark(f.Context(), caller, f.Organization, ids, read); err != nil {
				f.Fatal(err)
			}
		}
		unread := func(caller account.Caller, want ...string) {
			f.Helper()
			titles, count := f.titles(caller, optional.Of(false))
			if !slices.Equal(titles, want) || count != len(want) {
				f.Errorf("not read: %q, %d, want %q", titles, count, want)
			}
		}
		mark(editor, true, ids...)
		unread(reader, "two", "one")
		mark(reader, true, ids...)
		unread(reader, "one")
		if titles, _ := f.titles(reader, optional.Of(true)); !slices.Equal(titles, []string{"two"}) {
			f.Errorf("read: %q", titles)
		}
		mark(reader, false, ids...)
		unread(reader, "two", "one")
		mark(reader, true)
		unread(reader)
		unread(editor, "one")
		if err := f.Mark(f.Context(), f.Stranger, f.Organization, nil, true); !errs.Is(err, errs.NotFound) {
			f.Errorf("a stranger: %v", err)
		}
		if err := f.Mark(f.Context(), reader, f.Organization, make([]string, notification.MaxMarked+1),
			true); !errs.Is(err, errs.Invalid) {
			f.Errorf("too many: %v", err)
		}
	})
}

func TestMailIsSentOnceAboutWhatWasNotRead(t *testing.T) {
	each(t, func(f *fixture) {
		reader := f.Members[org.RoleRead]
		f.exec(`UPDATE account_user SET email_verified_at = NULL WHERE id = $1`, f.Editor().User.ID)
		send := func(at time.Time) []mail.Message {
			f.Helper()
			f.now, f.sent = at, nil
			if err := f.SendMail(f.Context()); err != nil {
				f.Fatal(err)
			}
			return f.sent
		}
		begin := f.now
		f.add(notification.Mention, "first", reader.User.ID, f.Editor().User.ID)
		f.add(notification.ReviewRequest, "sec\r\nond", reader.User.ID)
		if sent := send(begin.Add(30 * time.Minute)); len(sent) != 0 {
			f.Errorf("before the digest: %v", sent)
		}
		// The editor has an address that nobody has proven.
		sent := send(begin.Add(61 * time.Minute))
		if len(sent) != 1 || sent[0].To != reader.User.Email || sent[0].Subject != "2 things wait for you" ||
			!strings.Contains(sent[0].Text, "Ada asks you to review #3 sec ond: “Words of it”") ||
			!strings.Contains(sent[0].Text, "https://docs.example.org/app/inbox") {
			f.Errorf("the digest: %+v", sent)
		}
		if sent := send(begin.Add(24 * time.Hour)); len(sent) != 0 {
			f.Errorf("sent again: %v", sent)
		}

		set := func(chosen notification.Mail) {
			f.Helper()
			if err := f.Set(f.Context(), reader, chosen); err != nil {
				f.Fatal(err)
			}
			if got, err := f.Setting(f.Context(), reader.User.ID); err != nil || got != chosen {
				f.Errorf("%q is set as %q, %v", chosen, got, err)
			}
		}
		set(notification.AtOnce)
		f.add(notification.Reply, "third", reader.User.ID)
		if sent := send(f.now.Add(3 * time.Minute)); len(sent) != 1 ||
			sent[0].Subject != "Ada replied in #3 third" ||
			!strings.Contains(sent[0].Text, "https://docs.example.org/app/spaces/"+string(f.space)+"/changes/3") {
			f.Errorf("at once: %+v", sent)
		}
		f.add(notification.Reply, "read in the app", reader.User.ID)
		if err := f.Mark(f.Context(), reader, f.Organization, nil, true); err != nil {
			f.Fatal(err)
		}
		if sent := send(f.now.Add(3 * time.Minute)); len(sent) != 0 {
			f.Errorf("about what was read: %v", sent)
		}
		// What waits follows the choice.
		f.add(notification.Reply, "waits", reader.User.ID)
		set(notification.Never)
		if sent := send(f.now.AddDate(0, 0, 2)); len(sent) != 0 {
			f.Errorf("never: %v", sent)
		}
		if err := f.Set(f.Context(), reader, "weekly"); !errs.Is(err, errs.Invalid) {
			f.Errorf("a choice that there is not: %v", err)
		}
	})
}

func TestOldNotificationsGo(t *testing.T) {
	each(t, func(f *fixture) {
		reader := f.Members[org.RoleRead]
		f.add(notification.Mention, "read", reader.User.ID)
		if err := f.Mark(f.Context(), reader, f.Organization, nil, true); err != nil {
			f.Fatal(err)
		}
		f.add(notification.Mention, "not read", reader.User.ID)
		collect := func(days int) {
			f.Helper()
			f.now = f.now.AddDate(0, 0, days)
			if err := f.Collect(f.Context()); err != nil {
				f.Fatal(err)
			}
		}
		collect(80)
		f.wants(reader, "not read", "read")
		collect(20)
		f.wants(reader, "not read")
		collect(300)
		f.wants(reader)
	})
}

func TestNotificationsFollowTheirSpace(t *testing.T) {
	each(t, func(f *fixture) {
		reader := f.Members[org.RoleRead]
		f.add(notification.Mention, "moved", reader.User.ID)
		if err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			if _, err := q.ExecContext(ctx, `UPDATE space SET organization_id = $1 WHERE id = $2`, f.Other,
				f.space); err != nil {
				return err
			}
			return notification.Transferred(ctx, q, f.space, f.Other)
		}); err != nil {
			f.Fatal(err)
		}
		f.wants(reader)
	})
}
