package identity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// town is a server with three organizations, whose providers say of anybody what a sequence of steps wants.
type town struct {
	*fixture
	random *rand.Rand
	orgs   []id.Organization
	admins map[id.Organization]account.Caller
	idps   map[id.Organization]*idp
	links  map[id.Organization]string // the secret of an invite link of each organization
	trace  []string
	people []*somebody
}

// somebody is a person with what the model knows of them.
type somebody struct {
	email string
	// held is everything that anybody ever got into the account with.
	held []*credential
	// password is the last one that was set, and its origin.
	password, passwordOrigin string
	// connected are the organizations whose provider their owner has said may open the account.
	connected map[id.Organization]bool
}

// credential is one way in, and what the model says of it.
type credential struct {
	what, secret string
	// origin is the organization by whose word alone it came into being; "" for a proven one.
	origin string
	// over says that it must not work any more.
	over bool
}

// use authenticates with a credential; ok is false when it works no more.
func (w *town) use(c *credential) (caller account.Caller, ok bool) {
	w.t.Helper()
	var err error
	if c.what == "token" {
		caller, err = w.accounts.Authenticate(w.t.Context(), c.secret)
	} else {
		caller, err = w.accounts.AuthenticateSession(w.t.Context(), c.secret)
	}
	if err != nil && !errs.Is(err, errs.Unauthorized) {
		w.t.Fatal(err)
	}
	return caller, err == nil
}

func (w *town) note(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

// begin starts a session for who has been identified, as the web does.
func (w *town) begin(p *somebody, who account.Identified, method account.Method, origin string) *credential {
	w.t.Helper()
	secret, _, err := w.accounts.StartSession(w.t.Context(), who.ID, account.NewSession{Method: method,
		VouchedBy: who.VouchedBy})
	if err != nil {
		w.t.Fatal(err)
	}
	made := &credential{what: "session", secret: secret, origin: origin}
	p.held = append(p.held, made)
	return made
}

// prove is what the model says of a proof: all that is not proven is over, but for the session in hand, which is proven
// then.
func (p *somebody) prove(inHand *credential) {
	for _, each := range p.held {
		if each == inHand {
			each.origin = ""
		}
		each.over = each.over || each.origin != ""
	}
	if p.passwordOrigin != "" {
		p.password, p.passwordOrigin = "", ""
	}
}

// pick returns a credential that works, with its caller; nil when there is none.
func (w *town) pick(p *somebody, what string) (*credential, account.Caller) {
	w.t.Helper()
	for _, n := range w.random.Perm(len(p.held)) {
		if what != "" && p.held[n].what != what {
			continue
		}
		if caller, ok := w.use(p.held[n]); ok {
			return p.held[n], caller
		}
	}
	return nil, account.Caller{}
}

// step does one thing at random.
func (w *town) step() {
	t := w.t
	t.Helper()
	ctx := t.Context()
	p := w.people[w.random.IntN(len(w.people))]
	organization := w.orgs[w.random.IntN(len(w.orgs))]
	kind := w.random.IntN(14)
	var (
		c, session       *credential
		caller, signedIn account.Caller
	)
	switch kind {
	case 0, 1, 2, 5:
		session, signedIn = w.pick(p, "session")
	case 3, 4, 7, 10, 11, 12, 13:
		c, caller = w.pick(p, "")
	}
	switch kind {
	case 0, 1, 2:
		w.byProvider(p, organization, session, signedIn)
	case 3, 4:
		if c == nil {
			return
		}
		if secret, _, err := w.accounts.CreateTokenAs(ctx, caller, account.NewToken{Name: "made"}); err == nil {
			w.note("%s makes a token with a %s of %q", p.email, c.what, c.origin)
			p.held = append(p.held, &credential{what: "token", secret: secret, origin: c.origin})
		}
	case 5:
		if session == nil {
			return
		}
		password := "chosen number " + strconv.Itoa(w.random.IntN(1_000_000))
		if err := w.accounts.SetPassword(ctx, signedIn, "", password); err == nil {
			w.note("%s sets a password in a session of %q", p.email, session.origin)
			p.password, p.passwordOrigin = password, session.origin
		}
	case 6:
		if p.password == "" {
			return
		}
		if who, err := w.accounts.SignInWithPassword(ctx, account.PasswordAttempt{Email: p.email,
			Password: p.password}); err == nil {
			w.note("%s signs in by password of %q", p.email, p.passwordOrigin)
			w.begin(p, who, account.ByPassword, p.passwordOrigin)
		}
	case 7:
		if c == nil {
			return
		}
		code, _, err := w.service.MakeEmergencyCode(ctx, caller, organization)
		if err != nil {
			return
		}
		if who, err := w.service.UseEmergencyCode(ctx, code); err == nil {
			w.note("%s makes and uses an emergency code of %s with a %s of %q", p.email, organization, c.what, c.origin)
			w.begin(p, who, account.ByLink, c.origin)
		}
	case 8:
		w.byLink(p)
	case 9:
		w.note("the operator adds %s to %s", p.email, organization)
		_, known := w.find(p)
		_, member := w.memberOf(organization, known.ID)
		made, err := w.fixture.orgs.AddUser(ctx, org.NewMember{Email: p.email, Organization: organization,
			Role: org.RoleAdmin})
		if err != nil {
			t.Fatal(err)
		}
		if !member || known.EmailVerifiedAt.IsZero() {
			p.prove(nil)
		}
		p.held = append(p.held, &credential{what: "token", secret: made.Secret})
	case 10, 11:
		w.byInvitation(p, organization, c, caller)
	case 12:
		if c != nil {
			_, err := w.fixture.invites.Accept(ctx, caller, organization, w.links[organization])
			w.note("%s follows a link to %s with a %s of %q: %v", p.email, organization, c.what, c.origin, err)
			w.outlives(c, organization, err)
		}
	case 13:
		if c != nil && w.random.IntN(3) == 0 {
			made, err := w.fixture.orgs.Create(ctx, caller, org.NewOrganization{Title: "Made by somebody"})
			w.note("%s makes an organization with a %s of %q: %v", p.email, c.what, c.origin, err)
			w.outlives(c, made.Organization.ID, err)
			if err == nil {
				w.orgs = append(w.orgs, made.Organization.ID)
			}
		} else if c != nil {
			err := w.fixture.orgs.RemoveMember(ctx, caller, organization, caller.User.ID)
			w.note("%s leaves %s with a %s of %q: %v", p.email, organization, c.what, c.origin, err)
			w.outlives(c, organization, err)
		}
	}
}

// outlives fails when something was done to an organization with what another one alone vouches for.
func (w *town) outlives(c *credential, organization id.Organization, err error) {
	w.t.Helper()
	if err == nil && c.origin != "" && c.origin != string(organization) {
		w.fail("a %s from %q changed what is in %s", c.what, c.origin, organization)
	}
}

// find returns the account of somebody, when there is one.
func (w *town) find(p *somebody) (found bool, user account.User) {
	user, err := w.accounts.UserByEmail(w.t.Context(), p.email)
	return err == nil, user
}

// byProvider has an organization's provider let somebody in, in a new browser or in that of a session.
func (w *town) byProvider(p *somebody, organization id.Organization, session *credential, signedIn account.Caller) {
	idp := w.idps[organization]
	if idp == nil {
		return
	}
	w.invite(p, organization)
	b := newBrowser()
	inOwn := session != nil && w.random.IntN(2) == 0
	if inOwn && signedIn.VouchedBy() == "" { // as the web tells it
		b.signedIn = signedIn.User.ID
	}
	ticket := w.arrive(b, idp, says{nameID: p.email, email: p.email})
	outcome, err := w.finish(b, ticket, "")
	asked := err == nil && outcome.Ask == identity.Connect
	if asked {
		outcome, err = w.finish(b, ticket, identity.Connect)
	}
	if err != nil {
		return
	}
	if asked && session.origin == "" {
		p.connected[organization] = true
	}
	origin := organization
	if p.connected[organization] {
		origin = ""
	}
	w.note("%s comes in by the provider of %s, asked %t", p.email, organization, asked)
	w.begin(p, account.Identified{User: outcome.User, VouchedBy: outcome.VouchedBy}, account.BySAML, string(origin))
}

// invite invites somebody and returns the secret; "" for a member.
func (w *town) invite(p *somebody, organization id.Organization) (secret string) {
	w.t.Helper()
	admin, ok := w.admins[organization]
	if !ok {
		return ""
	}
	done, err := w.fixture.invites.Send(w.t.Context(), admin, organization,
		invite.Invitation{People: []invite.InvitedPerson{{Email: p.email}}})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(done.Invites) == 0 {
		return ""
	}
	w.exec(`UPDATE org_invite SET role = 'admin' WHERE id = $1`, done.Invites[0].ID)
	return done.Invites[0].Secret
}

// byLink sets a password by a link, as it is mailed.
func (w *town) byLink(p *somebody) {
	known, user := w.find(p)
	if !known {
		return
	}
	link, err := w.accounts.CreatePasswordLink(w.t.Context(), user)
	if err != nil {
		w.t.Fatal(err)
	}
	password := "by a link " + strconv.Itoa(w.random.IntN(1_000_000))
	user, err = w.accounts.UsePasswordLink(w.t.Context(), link.Secret, password, false)
	if err != nil {
		w.t.Fatal(err)
	}
	w.note("%s sets a password by a link", p.email)
	p.prove(nil)
	p.password, p.passwordOrigin = password, ""
	w.begin(p, account.Identified{User: user}, account.ByLink, "")
}

// byInvitation accepts an invitation that was mailed or handed over, or makes an account from it.
func (w *town) byInvitation(p *somebody, organization id.Organization, c *credential, caller account.Caller) {
	secret := w.invite(p, organization)
	if secret == "" {
		return
	}
	handedOver := w.random.IntN(2) == 0
	w.exec(`UPDATE org_invite SET handed_over = $1 WHERE email_key = $2 AND organization_id = $3`, handedOver, p.email,
		organization)
	if known, _ := w.find(p); !known {
		who, err := w.fixture.invites.Register(w.t.Context(), organization, secret,
			invite.Registration{Name: "Somebody", Password: "from an invitation"})
		if err != nil {
			w.t.Fatal(err)
		}
		w.note("%s makes an account from an invitation to %s, handed over %t", p.email, organization, handedOver)
		origin := ""
		if handedOver {
			origin = string(organization)
		}
		p.password, p.passwordOrigin = "from an invitation", origin
		w.begin(p, who, account.ByLink, origin)
		return
	}
	if c == nil {
		return
	}
	_, err := w.fixture.invites.Accept(w.t.Context(), caller, organization, secret)
	w.note("%s accepts an invitation to %s with a %s of %q, handed over %t: %v", p.email, organization, c.what,
		c.origin, handedOver, err)
	if handedOver {
		w.outlives(c, organization, err)
	}
	if err == nil && !handedOver && c.what == "session" && (c.origin != "" || caller.User.EmailVerifiedAt.IsZero()) {
		p.prove(c)
	}
}

// check holds everything that anybody holds against the model.
func (w *town) check() {
	w.t.Helper()
	for _, p := range w.people {
		// What a caller reaches follows from who they are and how they came in: of the credentials that are alike in
		// that, one is tried on all organizations.
		type likeness struct{ what, origin string }
		tried := map[likeness]bool{}
		for _, n := range w.random.Perm(len(p.held)) {
			c := p.held[n]
			caller, ok := w.use(c)
			if !ok {
				continue
			}
			if c.over {
				w.fail("a %s of %s works after its end", c.what, p.email)
			}
			if string(caller.VouchedBy()) != c.origin {
				w.fail("a %s of %s is vouched for by %q, and came from %q", c.what, p.email, caller.VouchedBy(),
					c.origin)
			}
			if alike := (likeness{c.what, c.origin}); !tried[alike] {
				tried[alike] = true
				w.reaches(p, c, caller)
			}
		}
	}
}

// reaches holds what a credential opens against the model.
func (w *town) reaches(p *somebody, c *credential, caller account.Caller) {
	w.t.Helper()
	listed, err := w.fixture.orgs.ListForUser(w.t.Context(), caller, paging.Request{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, organization := range w.orgs {
		_, member := w.memberOf(organization, caller.User.ID)
		want := member && (c.origin == "" || c.origin == string(organization))
		_, err := w.fixture.orgs.Get(w.t.Context(), caller, organization)
		if open := err == nil; open != want {
			w.fail("a %s of %s from %q opens %s: %t", c.what, p.email, c.origin, organization, open)
		}
		if slices.ContainsFunc(listed.Items, func(m org.Membership) bool {
			return m.Organization.ID == organization
		}) != want {
			w.fail("the list of a %s of %s from %q has %s: %t", c.what, p.email, c.origin, organization, !want)
		}
	}
}

func (w *town) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf(format+"\n%s", append(args, strings.Join(w.trace, "\n"))...)
}

// vouchCases is how many sequences are made up on a database; RECTO_PROPERTY_CASES sets it, as for other properties.
func vouchCases(t *testing.T) int {
	t.Helper()
	// A case is some dozens of transactions and of hashes of passwords. Each database has half of them.
	return propertytest.Cases(t, 4, 2000)
}

// TestNoSequenceReachesAnotherOrganization makes up sequences of ways in, of what is made with them and of proofs, and
// holds after each step that what came by the word of one organization alone opens that one only, and nothing once the
// address is proven.
func TestNoSequenceReachesAnotherOrganization(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		h := newFixture(t, d)
		h.accounts = accounttest.NewService(account.Deps{
			DB: d, Now: h.deps.Now,
			Key: []byte("0123456789abcdef")},
			account.Hooks{Organizations: org.OrganizationsOf, Proven: identity.EndUnconfirmed})
		h.orgs, h.invites = invitetest.New(t, org.Deps{DB: d, Accounts: h.accounts, Now: h.deps.Now}, org.Hooks{},
			invite.Deps{})
		h.deps.Accounts, h.deps.Organizations = h.accounts, h.orgs
		h.service = identity.New(h.deps)
		w := &town{fixture: h, orgs: []id.Organization{h.org},
			admins: map[id.Organization]account.Caller{h.org: h.admin},
			idps:   map[id.Organization]*idp{h.org: h.idp}, links: map[id.Organization]string{}}
		for n, email := range []string{"eve@evil.example", "carol@third.example"} {
			organization, admin := h.otherOrganization(email)
			w.orgs, w.admins[organization] = append(w.orgs, organization), admin
			w.idps[organization] = h.newIDP(admin, organization, n+1)
		}
		for organization, admin := range w.admins {
			link, err := h.invites.CreateLink(t.Context(), admin, organization, invite.NewLink{Role: org.RoleEdit})
			if err != nil {
				t.Fatal(err)
			}
			w.links[organization] = link.Secret
		}
		shared := w.orgs
		first, cases := 0, vouchCases(t)
		if d.Dialect() == db.Postgres {
			first = cases
		}
		for n := first; n < first+cases; n++ {
			w.random, w.trace, w.people, w.orgs = rand.New(rand.NewPCG(uint64(n), 38)), nil, nil, slices.Clone(shared)
			for m := range 2 {
				w.people = append(w.people, &somebody{email: fmt.Sprintf("person%d-%d@nowhere.example", n, m),
					connected: map[id.Organization]bool{}})
			}
			for range 40 {
				w.step()
				w.check()
			}
		}
	})
}
