package identity_test

import (
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/seal"
)

const base = "https://docs.example.org"

// fixture is a server with an organization whose domain is example.org, and its identity provider.
type fixture struct {
	t        *testing.T
	db       *db.DB
	now      time.Time
	accounts *account.Service
	orgs     *org.Service
	invites  *invite.Service
	service  *identity.Service
	deps     identity.Deps
	org      id.Organization
	admin    account.Caller
	idp      *idp
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	h := &fixture{t: t, db: d, now: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return h.now }
	box, err := seal.NewBox(make([]byte, seal.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	h.accounts = accounttest.NewService(account.Deps{DB: d, Now: clock}, account.Hooks{})
	h.orgs, h.invites = invitetest.New(t, org.Deps{DB: d, Accounts: h.accounts, Now: clock},
		org.Hooks{Gone: identity.Forget}, invite.Deps{})
	h.deps = identity.Deps{
		DB: d, Accounts: h.accounts, Organizations: h.orgs, Secrets: box, BaseURL: base, Now: clock,
		Log:   slog.New(slog.DiscardHandler),
		Fetch: fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}),
	}
	h.service = identity.New(h.deps)
	made, err := h.orgs.Init(t.Context(), org.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	h.org, h.admin = made.Organization.ID, account.Caller{User: made.User}
	h.exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, h.org)
	h.idp = h.newIDP(h.admin, h.org, 0)
	return h
}

// newIDP makes an identity provider and tells an organization of it.
func (h *fixture) newIDP(admin account.Caller, organization id.Organization, key int) *idp {
	h.t.Helper()
	p := &idp{t: h.t, entityID: "https://idp.example.org/metadata", now: h.now}
	p.keys = newKeyPair(h.t, key, h.now.Add(-time.Hour), h.now.Add(365*24*time.Hour))
	var err error
	p.provider, err = h.service.Create(h.t.Context(), admin, organization, identity.NewProvider{
		Kind: identity.SAML, Label: "Example Login", SSOURL: "https://idp.example.org/sso?tenant=1",
		EntityID: p.entityID, Certificate: p.keys.pem(),
		DefaultRole: optional.Of(org.RoleEdit),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if p.provider.Status != identity.Active {
		h.t.Fatalf("the provider is %s", p.provider.Status)
	}
	return p
}

// otherOrganization makes a second organization with its admin.
func (h *fixture) otherOrganization(email string) (id.Organization, account.Caller) {
	h.t.Helper()
	admin := account.Caller{User: h.user(email)}
	made, err := h.orgs.Create(h.t.Context(), admin, org.NewOrganization{Title: "Others"})
	if err != nil {
		h.t.Fatal(err)
	}
	return made.Organization.ID, admin
}

func (h *fixture) user(email string) account.User {
	h.t.Helper()
	user, err := h.accounts.CreateUser(h.t.Context(), account.NewUser{DisplayName: "Somebody", Email: email})
	if err != nil {
		h.t.Fatal(err)
	}
	return user
}

func (h *fixture) member(organization id.Organization, user id.User, role org.Role) {
	h.t.Helper()
	if _, err := h.orgs.AddMember(h.t.Context(), organization, user, role); err != nil {
		h.t.Fatal(err)
	}
}

func (h *fixture) exec(statement string, args ...any) {
	h.t.Helper()
	if _, err := h.db.Write().ExecContext(h.t.Context(), statement, args...); err != nil {
		h.t.Fatal(err)
	}
}

// state counts everything that a sign-in changes.
func (h *fixture) state() string {
	h.t.Helper()
	var state strings.Builder
	for _, table := range []string{
		"account_user", "account_session", "organization_member", "org_team_member", "audit_entry", "identity_link",
		"identity_assertion", "identity_arrival",
	} {
		fmt.Fprintf(&state, "%s %d\n", table, h.count(table))
	}
	return state.String()
}

func (h *fixture) count(table string) int {
	h.t.Helper()
	var count int
	if err := h.db.Read().QueryRowContext(h.t.Context(), `SELECT count(*) FROM `+table).Scan(&count); err != nil {
		h.t.Fatal(err)
	}
	return count
}

// browser is what one browser keeps.
type browser struct {
	attempts map[string]string
	signedIn id.User
}

func newBrowser() *browser { return &browser{attempts: map[string]string{}} }

// begin begins a sign-in and returns the id of the request.
func (h *fixture) begin(b *browser, p *idp, returnTo string) string {
	h.t.Helper()
	beginning, err := h.service.Begin(h.t.Context(), identity.SAML, p.provider.ID, returnTo)
	if err != nil {
		h.t.Fatal(err)
	}
	b.attempts[beginning.ID] = beginning.Attempt
	if id := requestID(h.t, beginning.URL); id != beginning.ID {
		h.t.Fatalf("the request has the id %s, the attempt %s", id, beginning.ID)
	}
	return beginning.ID
}

func (h *fixture) receive(p *idp, encoded string) (string, error) {
	return h.service.ReceiveSAML(h.t.Context(), p.provider.ID, encoded, "")
}

func (h *fixture) finish(b *browser, ticket string, yes identity.Question) (identity.Outcome, error) {
	return h.service.Finish(h.t.Context(), identity.FinishRequest{
		Ticket: ticket, Attempt: func(id string) string { return b.attempts[id] }, SignedIn: b.signedIn, Yes: yes,
	})
}

// signIn goes all the way and wants it to work.
func (h *fixture) signIn(p *idp, s says) identity.Outcome {
	h.t.Helper()
	b := newBrowser()
	s.inResponseTo = h.begin(b, p, "/account")
	ticket, err := h.receive(p, p.encode(p.good(s)))
	if err != nil {
		h.t.Fatal(err)
	}
	outcome, err := h.finish(b, ticket, "")
	if err != nil || outcome.Ask != "" {
		h.t.Fatalf("%+v, %v", outcome, err)
	}
	return outcome
}

// refuse wants an error of a kind that says something.
func refuse(t *testing.T, err error, kind errs.Kind, says string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want a refusal that says %q", err, says)
	}
}

// readRequest returns the id of a request as the redirect binding has it.
func readRequest(t *testing.T, encoded string) string {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(string(packed))))
	if err != nil {
		t.Fatal(err)
	}
	document := etree.NewDocument()
	if err := document.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	return document.Root().SelectAttrValue("ID", "")
}
