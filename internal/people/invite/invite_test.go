package invite_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// post keeps messages instead of sending them.
type post struct{ messages []mail.Message }

func (p *post) enqueue(_ context.Context, _ db.Querier, m mail.Message) (string, error) {
	p.messages = append(p.messages, m)
	return "", nil
}

var secretInText = regexp.MustCompile(`/(invite_[a-z2-7]{32})\n`)

// secret returns that of the last message to an address.
func (p *post) secret(t *testing.T, to string) string {
	t.Helper()
	for _, m := range slices.Backward(p.messages) {
		if found := secretInText.FindStringSubmatch(m.Text); m.To == to && found != nil {
			return found[1]
		}
	}
	t.Fatalf("nothing was sent to %s", to)
	return ""
}

func inviteOf(emails ...string) invite.Invitation {
	var in invite.Invitation
	for _, email := range emails {
		in.People = append(in.People, invite.InvitedPerson{Email: email})
	}
	return in
}

func TestInvites(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var sent post
		now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		h := newFixture(t, d, invite.Deps{Mail: sent.enqueue, Now: func() time.Time { return now }})
		ctx := t.Context()
		known, unverified := h.Person("known@else.example", true), h.Person("claimed@else.example", false)
		member := h.Member(org.RoleRead, "member@acme.example")
		team, err := h.Orgs.CreateTeam(ctx, h.Admin, h.Organization, "Writers")
		if err != nil {
			t.Fatal(err)
		}

		in := inviteOf("known@else.example", " KNOWN@else.example", "claimed@else.example", "new@else.example",
			"member@acme.example")
		in.Role, in.People[3].Role = optional.Of(org.RoleEdit), optional.Null[org.Role]()
		done, err := h.Invites.Send(ctx, h.Admin, h.Organization, in)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, each := range done.Invites {
			told = append(told, each.Email+" "+string(each.Role)+" "+string(each.State(now))+" "+string(each.Delivery)+
				each.Secret)
		}
		want := []string{"known@else.example edit pending queued", "claimed@else.example edit pending queued",
			"new@else.example  pending queued"}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Fatal(diff)
		}
		if len(sent.messages) != 3 || !strings.Contains(sent.messages[1].HTML, "https://docs.example/invites/"+
			string(h.Organization)) {
			t.Fatalf("%+v", sent.messages)
		}
		// Whoever has an account accepts, as everybody does.
		if _, err := h.Orgs.Membership(ctx, h.Organization, known.User.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("an invite has made a member: %v", err)
		}
		if _, err := h.Invites.Accept(ctx, known, h.Organization, sent.secret(t, "known@else.example")); err != nil {
			t.Fatal(err)
		}
		if m, err := h.Orgs.Membership(ctx, h.Organization, known.User.ID); err != nil || m.Role != org.RoleEdit {
			t.Error(m, err)
		}

		secret := sent.secret(t, "claimed@else.example")
		for name, test := range map[string]struct {
			err  error
			want errs.Kind
		}{
			"another person":       {second(h.Invites.Accept(ctx, known, h.Organization, secret)), errs.Forbidden},
			"another organization": {second(h.Invites.Accept(ctx, unverified, "org_none", secret)), errs.NotFound},
			"no secret": {second(h.Invites.Accept(ctx, unverified, h.Organization, "invite_x")),
				errs.NotFound},
			"another secret": {second(h.Invites.Accept(ctx, unverified, h.Organization,
				"invite_"+strings.Repeat("a", 32))), errs.NotFound},
			// Who merely says that an address is theirs gets in only with what was sent there.
			"an id without proof": {second(h.Invites.Accept(ctx, unverified, h.Organization, done.Invites[1].ID)),
				errs.NotFound},
			"an id of another": {second(h.Invites.Accept(ctx, known, h.Organization, done.Invites[1].ID)),
				errs.NotFound},
		} {
			if !errs.Is(test.err, test.want) {
				t.Errorf("%s: %v", name, test.err)
			}
		}
		if _, err := h.Invites.Accept(ctx, unverified, h.Organization, secret); err != nil {
			t.Fatal(err)
		}
		if user, err := h.Accounts.UserByID(ctx, unverified.User.ID); err != nil || user.EmailVerifiedAt.IsZero() {
			t.Error(user, err)
		}
		if _, err := h.Invites.Accept(ctx, unverified, h.Organization, secret); !errs.Is(err, errs.NotFound) {
			t.Errorf("a secret works twice: %v", err)
		}

		// An invite waits for a person, with its teams and its role; a second one takes its place.
		first := sent.secret(t, "new@else.example")
		if err := h.Orgs.ChangeTeamMembers(ctx, h.Admin, h.Organization, team.ID,
			org.TeamChange{Add: []id.User{"new@else.example", member.User.ID}}); err != nil {
			t.Fatal(err)
		}
		if offer, err := h.Invites.Offer(ctx, h.Organization, sent.secret(t, "new@else.example")); err != nil ||
			offer.Email != "new@else.example" || offer.Known || offer.Organization != "Acme" {
			t.Error(offer, err)
		}
		if _, err := h.Invites.Offer(ctx, h.Organization, first); !errs.Is(err, errs.NotFound) {
			t.Errorf("the first secret still works: %v", err)
		}
		for _, bad := range []invite.Registration{{Name: " ", Password: "analytical engine"},
			{Name: "New", Password: "short"}, {Name: "New", Password: "new@else.example"}} {
			if _, err := h.Invites.Register(ctx, h.Organization, sent.secret(t, "new@else.example"), bad); !errs.Is(err,
				errs.Invalid) {
				t.Error(bad, err)
			}
		}
		registered, err := h.Invites.Register(ctx, h.Organization, sent.secret(t, "new@else.example"),
			invite.Registration{Name: "New", Password: "analytical engine"})
		if err != nil || registered.User.Email != "new@else.example" || registered.User.EmailVerifiedAt.IsZero() ||
			registered.VouchedBy != "" {
			t.Fatal(registered, err)
		}
		if m, err := h.Orgs.Membership(ctx, h.Organization, registered.User.ID); err != nil || m.Role != org.RoleGuest {
			t.Errorf("adding to a team has changed the role of the invite: %+v %v", m, err)
		}
		if places, err := h.Orgs.ListTeamsOf(ctx, h.Admin, h.Organization, registered.User.ID, "",
			paging.Request{}); err != nil || len(places.Items) != 1 {
			t.Error(places.Items, err)
		}

		// Invites wait for whoever proved the address, and end after two weeks.
		if _, err := h.Invites.Send(ctx, h.Admin, h.Organization,
			inviteOf("late@else.example", "soon@else.example")); err != nil {
			t.Fatal(err)
		}
		soon, late := h.Person("soon@else.example", true), sent.secret(t, "late@else.example")
		waiting, err := h.Invites.Waiting(ctx, soon, paging.Request{})
		if err != nil || waiting.Count != 1 || waiting.Next != nil || waiting.Items[0].Title != "Acme" ||
			waiting.Items[0].InvitedBy != h.Admin.User.DisplayName {
			t.Fatal(waiting.Items, waiting.Count, waiting.Next, err)
		}
		byProvider := soon
		byProvider.Token.VouchedBy = "org_other"
		if waiting, err := h.Invites.Waiting(ctx, byProvider, paging.Request{}); err != nil || len(waiting.Items) != 0 {
			t.Errorf("a session of a provider sees what waits: %v %v", waiting.Items, err)
		}
		if _, err := h.Invites.Accept(ctx, byProvider, h.Organization, waiting.Items[0].ID); !errs.Is(err,
			errs.NotFound) {
			t.Error(err)
		}
		if _, err := h.Invites.Accept(ctx, soon, h.Organization, waiting.Items[0].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orgs.Membership(ctx, h.Organization, soon.User.ID); err != nil {
			t.Error(err)
		}
		now = now.Add(15 * 24 * time.Hour)
		if _, err := h.Invites.Accept(ctx, h.Person("late@else.example", true), h.Organization, late); !errs.Is(err,
			errs.NotFound) {
			t.Error(err)
		}
		listed, err := h.Invites.List(ctx, h.Admin, h.Organization, paging.Request{})
		if err != nil || listed.Count != 1 || listed.Items[0].State(now) != invite.Expired {
			t.Error(listed.Items, listed.Count, err)
		}
		if n, err := h.Invites.Tend(ctx); err != nil || n != 0 {
			t.Error(n, err)
		}
		now = now.Add(30 * 24 * time.Hour)
		if n, err := h.Invites.Tend(ctx); err != nil || n != 1 {
			t.Error(n, err)
		}
		for name, test := range map[string]struct {
			caller account.Caller
			in     invite.Invitation
			want   errs.Kind
		}{
			"by a reader": {member, inviteOf("x@else.example"), errs.Forbidden},
			"by nobody":   {late0(h), inviteOf("x@else.example"), errs.NotFound},
			"no address":  {h.Admin, inviteOf("x@else.example", "x"), errs.Invalid},
			"nobody":      {h.Admin, invite.Invitation{}, errs.Invalid},
			"no such role": {h.Admin, invite.Invitation{People: []invite.InvitedPerson{{Email: "x@else.example"}},
				Role: optional.Of(org.Role("boss"))}, errs.Invalid},
		} {
			before := len(sent.messages)
			if _, err := h.Invites.Send(ctx, test.caller, h.Organization, test.in); !errs.Is(err, test.want) ||
				len(sent.messages) != before && name != "no address" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// late0 is somebody of no organization.
func late0(h *invitetest.Fixture) account.Caller { return h.Person("nobody@else.example", true) }

// TestInvitesAreManaged lists, resends, declines and withdraws invites.
func TestInvitesAreManaged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var sent post
		h := newFixture(t, d, invite.Deps{Mail: sent.enqueue})
		ctx := t.Context()
		done, err := h.Invites.Send(ctx, h.Admin, h.Organization, inviteOf("a@else.example", "b@else.example",
			"c@else.example"))
		if err != nil {
			t.Fatal(err)
		}
		page, err := h.Invites.List(ctx, h.Admin, h.Organization, paging.Request{Limit: 2})
		if err != nil || page.Count != 3 || len(page.Items) != 2 || page.Items[0].ID != done.Invites[0].ID ||
			page.Next == nil {
			t.Fatal(page.Items, page.Count, page.Next, err)
		}
		if page, err = h.Invites.List(ctx, h.Admin, h.Organization,
			paging.Request{Limit: 2, After: page.Next}); err != nil || len(page.Items) != 1 || page.Next != nil {
			t.Fatal(page.Items, page.Next, err)
		}
		first := sent.secret(t, "a@else.example")
		again, err := h.Invites.Resend(ctx, h.Admin, h.Organization, done.Invites[0].ID)
		if err != nil || again.ID != done.Invites[0].ID || again.Secret != "" {
			t.Fatal(again, err)
		}
		if _, err := h.Invites.Offer(ctx, h.Organization, first); !errs.Is(err, errs.NotFound) {
			t.Errorf("the secret before works: %v", err)
		}
		if _, err := h.Invites.Offer(ctx, h.Organization, sent.secret(t, "a@else.example")); err != nil {
			t.Error(err)
		}

		b := h.Person("b@else.example", true)
		for name, err := range map[string]error{
			"another person": h.Invites.Decline(ctx, b, h.Organization, done.Invites[0].ID),
			"an admin":       h.Invites.Decline(ctx, h.Admin, h.Organization, done.Invites[0].ID),
		} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("%s declines: %v", name, err)
			}
		}
		if err := h.Invites.Decline(ctx, b, h.Organization, done.Invites[1].ID); err != nil {
			t.Fatal(err)
		}
		if err := h.Invites.DeclineOffer(ctx, h.Organization, sent.secret(t, "c@else.example")); err != nil {
			t.Fatal(err)
		}
		for i, want := range []invite.State{invite.Pending, invite.Declined, invite.Declined} {
			if found, err := h.Invites.Get(ctx, h.Admin, h.Organization, done.Invites[i].ID); err != nil ||
				found.State(time.Now()) != want {
				t.Errorf("%d: %+v %v", i, found, err)
			}
		}
		if _, err := h.Invites.Accept(ctx, b, h.Organization, sent.secret(t, "b@else.example")); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("a declined invite is accepted: %v", err)
		}
		if _, err := h.Invites.Resend(ctx, h.Admin, h.Organization, done.Invites[1].ID); !errs.Is(err,
			errs.Conflict) {
			t.Error(err)
		}
		if _, err := h.Invites.Send(ctx, h.Admin, h.Organization, inviteOf("b@else.example")); err != nil {
			t.Fatal(err)
		}
		if found, err := h.Invites.Get(ctx, h.Admin, h.Organization, done.Invites[1].ID); err != nil ||
			found.State(time.Now()) != invite.Pending {
			t.Errorf("%+v %v", found, err)
		}
		if err := h.Invites.Withdraw(ctx, h.Admin, h.Organization, done.Invites[0].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Invites.Offer(ctx, h.Organization, sent.secret(t, "a@else.example")); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("a withdrawn invite works: %v", err)
		}
		for name, err := range map[string]error{
			"get":      second(h.Invites.Get(ctx, h.Admin, h.Organization, done.Invites[0].ID)),
			"resend":   second(h.Invites.Resend(ctx, h.Admin, h.Organization, done.Invites[0].ID)),
			"withdraw": h.Invites.Withdraw(ctx, h.Admin, h.Organization, done.Invites[0].ID),
			"a secret": second(h.Invites.Get(ctx, h.Admin, h.Organization, sent.secret(t, "b@else.example"))),
		} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestInvitesWithoutMail hands secrets over, and proves nothing of an address because of one.
func TestInvitesWithoutMail(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, invite.Deps{})
		ctx := t.Context()
		known := h.Person("known@else.example", false)
		done, err := h.Invites.Send(ctx, h.Admin, h.Organization, inviteOf("known@else.example", "new@else.example"))
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range done.Invites {
			if each.Secret == "" || each.Delivery != invite.NotMailed || each.State(time.Now()) != invite.Pending {
				t.Errorf("%+v", each)
			}
			// Whoever holds the secret is told nothing of accounts.
			if offer, err := h.Invites.Offer(ctx, h.Organization, each.Secret); err != nil || offer.Known {
				t.Error(offer, err)
			}
		}
		again, err := h.Invites.Resend(ctx, h.Admin, h.Organization, done.Invites[1].ID)
		if err != nil || again.Secret == "" || again.Secret == done.Invites[1].Secret {
			t.Fatal(again, err)
		}
		if found, err := h.Invites.Get(ctx, h.Admin, h.Organization, again.ID); err != nil || found.Secret != "" {
			t.Errorf("the secret is kept: %+v %v", found, err)
		}
		if _, err := h.Invites.Accept(ctx, known, h.Organization, done.Invites[0].Secret); err != nil {
			t.Fatal(err)
		}
		if user, err := h.Accounts.UserByID(ctx, known.User.ID); err != nil || !user.EmailVerifiedAt.IsZero() {
			t.Errorf("a secret that was handed over has proven an address: %+v %v", user, err)
		}
		made, err := h.Invites.Register(ctx, h.Organization, again.Secret,
			invite.Registration{Name: "New", Password: "analytical engine"})
		if err != nil || !made.User.EmailVerifiedAt.IsZero() || made.VouchedBy != h.Organization {
			t.Errorf("%+v %v", made, err)
		}
		if _, err := h.Invites.Send(ctx, h.Admin, h.Organization, inviteOf("taken@else.example")); err != nil {
			t.Fatal(err)
		}
		taken, err := h.Invites.List(ctx, h.Admin, h.Organization, paging.Request{})
		if err != nil || len(taken.Items) != 1 {
			t.Fatal(taken.Items, err)
		}
		again, err = h.Invites.Resend(ctx, h.Admin, h.Organization, taken.Items[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		h.Person("taken@else.example", true)
		if _, err := h.Invites.Register(ctx, h.Organization, again.Secret,
			invite.Registration{Name: "New", Password: "analytical engine"}); !errs.Is(err, errs.Conflict) {
			t.Errorf("an account of somebody else is taken: %v", err)
		}
	})
}

func TestInvitesWithSSO(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var sent post
		h := newFixture(t, d, invite.Deps{Mail: sent.enqueue})
		ctx := t.Context()
		free, taken := h.Person("free@else.example", true), h.Person("taken@else.example", true)
		if _, err := h.Orgs.Create(ctx, taken, org.NewOrganization{Title: "Other"}); err != nil {
			t.Fatal(err)
		}
		in := inviteOf("free@else.example", "taken@else.example", "new@else.example")
		in.SSO = true
		done, err := h.Invites.Send(ctx, h.Admin, h.Organization, in)
		if err != nil || len(done.WithoutSSO) != 0 || len(done.Invites) != 3 {
			t.Errorf("the answer tells of other organizations: %+v %v", done, err)
		}
		for _, caller := range []account.Caller{free, taken} {
			if _, err := h.Invites.Accept(ctx, caller, h.Organization,
				sent.secret(t, caller.User.Email)); err != nil {
				t.Fatal(err)
			}
		}
		for caller, want := range map[id.User]bool{free.User.ID: true, taken.User.ID: false} {
			if m, err := h.Orgs.Membership(ctx, h.Organization, caller); err != nil || m.SSO != want {
				t.Error(m, err)
			}
		}
		h.Exec(`UPDATE organization SET sso = TRUE WHERE id = $1`, h.Organization)
		if _, err := h.Invites.Register(ctx, h.Organization, sent.secret(t, "new@else.example"),
			invite.Registration{Name: "New", Password: "analytical engine"}); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
	})
}

func TestLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, invite.Deps{})
		ctx := t.Context()
		reader, outsider := h.Member(org.RoleRead, "r@acme.example"), h.Person("o@else.example", true)
		link, err := h.Invites.CreateLink(ctx, h.Admin, h.Organization, invite.NewLink{Role: org.RoleComment})
		if err != nil || !link.Redundant {
			t.Fatal(link, err)
		}
		var kept string
		if err := d.Read().QueryRowContext(ctx, `SELECT secret_sealed FROM org_invite_link`).Scan(&kept); err != nil ||
			strings.Contains(kept, link.Secret) {
			t.Error(kept, err)
		}
		if _, err := h.Invites.Accept(ctx, outsider, h.Organization, link.Secret); err != nil {
			t.Fatal(err)
		}
		// A link gives a member more, and never less.
		for caller, want := range map[account.User]org.Role{reader.User: org.RoleComment, h.Admin.User: org.RoleAdmin,
			outsider.User: org.RoleComment} {
			if _, err := h.Invites.Accept(ctx, account.Caller{User: caller}, h.Organization,
				link.Secret); err != nil {
				t.Fatal(err)
			}
			if m, err := h.Orgs.Membership(ctx, h.Organization, caller.ID); err != nil || m.Role != want {
				t.Errorf("%s: %+v %v", caller.Email, m, err)
			}
		}
		changed, err := h.Invites.UpdateLink(ctx, h.Admin, h.Organization, link.Secret,
			invite.LinkChange{Role: optional.Null[org.Role]()})
		if err != nil || changed.Role != org.RoleGuest || changed.Secret != link.Secret {
			t.Error(changed, err)
		}
		links, err := h.Invites.ListLinks(ctx, h.Admin, h.Organization, paging.Request{})
		if err != nil || links.Count != 1 || links.Next != nil || links.Items[0].Secret != link.Secret {
			t.Error(links.Items, links.Count, links.Next, err)
		}
		for name, err := range map[string]error{
			"list":   second(h.Invites.ListLinks(ctx, reader, h.Organization, paging.Request{})),
			"get":    second(h.Invites.Link(ctx, reader, h.Organization, link.Secret)),
			"create": second(h.Invites.CreateLink(ctx, reader, h.Organization, invite.NewLink{Role: org.RoleRead})),
			"delete": h.Invites.DeleteLink(ctx, reader, h.Organization, link.Secret),
			"change to a role": second(h.Invites.UpdateLink(ctx, reader, h.Organization, link.Secret,
				invite.LinkChange{Role: optional.Of(org.RoleAdmin)})),
		} {
			if !errs.Is(err, errs.Forbidden) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.Invites.UpdateLink(ctx, h.Admin, h.Organization, link.Secret,
			invite.LinkChange{Level: optional.Of(org.RoleRead)}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		if err := h.Invites.DeleteLink(ctx, h.Admin, h.Organization, link.Secret); err != nil {
			t.Error(err)
		}
		if err := h.Invites.DeleteLink(ctx, h.Admin, h.Organization, link.Secret); !errs.Is(err, errs.NotFound) {
			t.Errorf("a second time: %v", err)
		}
		if _, err := h.Invites.Accept(ctx, h.Person("p@else.example", true), h.Organization, link.Secret); !errs.Is(
			err, errs.NotFound) {
			t.Error(err)
		}
	})
}
