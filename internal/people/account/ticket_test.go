package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// TestTicketsAreWorthWhatTheyCameFrom holds that who brings a ticket reaches no further than the session or the token
// that it names, and is nobody from its end on.
func TestTicketsAreWorthWhatTheyCameFrom(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		var closed []string
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{
			Enforcement: account.Enforcement{Concerns: `1 = 1`,
				Closed: func(context.Context, db.Querier, account.Caller) ([]string, error) { return closed, nil }},
		})
		ctx := t.Context()
		const vouching = id.Organization("org_01jd3k00000000000000000000")
		ada := newUser(t, s, "ada@example.org")
		tickets := httpx.Tickets{Key: []byte("0123456789abcdef"), Now: clock.Now}
		enter := func(in account.NewSession) account.Caller {
			t.Helper()
			in.Method = account.BySAML
			secret, _, err := s.StartSession(ctx, ada.ID, in)
			if err != nil {
				t.Fatal(err)
			}
			caller, err := s.AuthenticateSession(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return caller
		}
		holder := func(caller account.Caller) (account.Caller, error) {
			t.Helper()
			name, _, ok := tickets.User(tickets.Issue(caller.TicketName(), "preview", time.Hour), "preview")
			if !ok {
				t.Fatalf("%q does not fit into a ticket", caller.TicketName())
			}
			return s.CallerByTicket(ctx, name)
		}
		own, marked := enter(account.NewSession{}), enter(account.NewSession{VouchedBy: vouching})
		short := enter(account.NewSession{Until: clock.Now().Add(time.Minute)})
		secret, made, err := s.CreateToken(ctx, account.NewToken{User: ada.ID, Name: "robot",
			ExpiresAt: clock.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		robot, err := s.Authenticate(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		for _, caller := range []account.Caller{own, marked, short, robot} {
			found, err := holder(caller)
			if err != nil || found.User.ID != ada.ID || found.VouchedBy() != caller.VouchedBy() {
				t.Errorf("%+v, %v", found, err)
			}
			if found.Session.ID != "" || found.Session.Fresh(clock.Now()) {
				t.Error("a ticket proves who holds it")
			}
		}
		closed = []string{string(vouching)}
		if found, err := holder(own); err != nil || found.Reaches(vouching) {
			t.Errorf("a ticket opens what single sign-on has closed: %+v, %v", found, err)
		}
		closed = nil

		end := clock.Now().Add(12 * time.Hour)
		for caller, want := range map[*account.Caller]time.Time{&own: end, &short: clock.Now().Add(time.Minute),
			&robot: clock.Now().Add(time.Hour), {}: end} {
			if got := caller.Until(end); !got.Equal(want) {
				t.Errorf("%+v ends at %s, want %s", caller, got, want)
			}
		}
		gone := func(why string, caller account.Caller) {
			t.Helper()
			if found, err := holder(caller); !errs.Is(err, errs.NotFound) || found.User.ID != "" {
				t.Errorf("%s: %+v, %v", why, found, err)
			}
		}
		if err := s.EndSession(ctx, ada.ID, own.Session.ID); err != nil {
			t.Fatal(err)
		}
		gone("who has signed out", own)
		clock.Move(time.Minute)
		gone("a session that is over", short)
		if _, err := holder(robot); err != nil {
			t.Error(err)
		}
		if err := s.RevokeToken(ctx, ada.ID, made.ID); err != nil {
			t.Fatal(err)
		}
		gone("a token that was revoked", robot)
		if found, err := holder(marked); err != nil || found.VouchedBy() != vouching {
			t.Errorf("the end of others reaches %+v, %v", found, err)
		}
		// What tickets named before, and what is no name.
		for _, name := range []string{"", string(ada.ID), string(ada.ID) + "~" + string(vouching), "session_",
			"token_x",
			"session_00000000000000000000000000", "token_00000000000000000000000000",
			"installation_00000000000000000000000000"} {
			_, err := s.CallerByTicket(ctx, name)
			wantKind(t, err, errs.NotFound, "does not count any more")
		}
	})
}
