package audience_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

type fixture struct {
	t            *testing.T
	database     *db.DB
	service      *audience.Service
	sites        *site.Service
	caller       account.Caller
	organization id.Organization
	site         site.Site
	now          time.Time
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{t: t, database: d, now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	organizations := orgtest.NewService(t, org.Deps{DB: d, Accounts: accounts}, org.Hooks{})
	made, err := organizations.Init(t.Context(), org.Setup{Email: "ada@example.com", Name: "Ada", Title: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	if f.caller, err = accounts.Authenticate(t.Context(), made.Secret); err != nil {
		t.Fatal(err)
	}
	f.organization = made.Organization.ID
	f.sites = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d,
		Spaces: requiredtest.Wire(space.New(space.Deps{DB: d}), space.Hooks{}), BaseURL: "https://docs.example.com"})),
		site.Hooks{})
	box, err := seal.NewBox(bytes.Repeat([]byte{7}, seal.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	f.service = audience.New(requiredtest.Fill(audience.Deps{DB: d, Accounts: accounts, Sites: f.sites, Secrets: box,
		MemberSecret: []byte("0123456789abcdef"),
		Now:          func() time.Time { return f.now }}))
	f.service.SetHooks(requiredtest.Fill(audience.Hooks{}))
	f.site = f.newSite("Handbook")
	return f
}

func (f *fixture) newSite(title string) site.Site {
	f.t.Helper()
	made, err := f.sites.Create(f.t.Context(), f.caller, f.organization,
		site.NewSite{Title: title, Visibility: site.VisibilityShareLink})
	if err != nil {
		f.t.Fatal(err)
	}
	if made, err = f.sites.Publish(f.t.Context(), f.caller, f.organization, made.ID); err != nil {
		f.t.Fatal(err)
	}
	return made
}

// rules are those of the site as it is now.
func (f *fixture) rules() *audience.Rules {
	f.t.Helper()
	now, err := f.sites.Get(f.t.Context(), f.caller, f.organization, f.site.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	rules, err := f.service.Rules(f.t.Context(), now)
	if err != nil {
		f.t.Fatal(err)
	}
	return rules
}

func TestShareLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		ctx := t.Context()
		other := f.newSite("Other")
		link := func(name string) audience.ShareLink {
			made, err := f.service.CreateShareLink(ctx, f.caller, f.organization, f.site.ID, name)
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
		first, second := link("Customers"), link("")
		token := strings.TrimSuffix(strings.TrimPrefix(first.PublishedURL, f.site.PublishedURL), "/")
		if !audience.IsToken(token) || first.PublishedURL == second.PublishedURL {
			t.Fatalf("links %s and %s", first.PublishedURL, second.PublishedURL)
		}
		admitted := func(siteID id.Site, token string) bool {
			found := site.Site{ID: siteID, Organization: f.organization, Visibility: site.VisibilityShareLink}
			verdict, err := f.service.Admit(ctx, &site.Served{Site: found}, audience.Visitor{Keys: []string{token}})
			if err != nil {
				t.Fatal(err)
			}
			return verdict.Decision == audience.Admitted
		}
		if !admitted(f.site.ID, token) || admitted(other.ID, token) || admitted(f.site.ID, "") ||
			admitted(f.site.ID, strings.Repeat("a", 32)) {
			t.Error("who is let in is wrong")
		}

		list := func() []audience.ShareLink {
			links, err := f.service.ListShareLinks(ctx, f.caller, f.organization, f.site.ID,
				paging.Request{})
			if err != nil || links.Count != len(links.Items) || links.Next != nil {
				t.Fatal(links.Count, links.Next, err)
			}
			return links.Items
		}
		if links := list(); len(links) != 2 || !links[0].LastUsedAt.IsZero() ||
			links[0].PublishedURL != first.PublishedURL || links[0].Name != "Customers" {
			t.Errorf("%+v", links)
		}
		if err := f.service.WriteUses(ctx); err != nil {
			t.Fatal(err)
		}
		if links := list(); !links[0].LastUsedAt.Equal(f.now) || !links[1].LastUsedAt.IsZero() {
			t.Errorf("last uses: %+v", links)
		}
		used := f.now
		f.now = f.now.Add(30 * time.Second)
		admitted(f.site.ID, token)
		if err := f.service.WriteUses(ctx); err != nil {
			t.Fatal(err)
		}
		if links := list(); !links[0].LastUsedAt.Equal(used) {
			t.Errorf("written twice in a minute: %v", links[0].LastUsedAt)
		}

		change := audience.ShareLinkChange{Active: optional.Of(false), Name: optional.Of("Old customers")}
		changed, err := f.service.UpdateShareLink(ctx, f.caller, f.organization, f.site.ID, first.ID, change)
		if err != nil || changed.Active || changed.Name != "Old customers" ||
			changed.PublishedURL != first.PublishedURL || admitted(f.site.ID, token) {
			t.Errorf("inactive: %+v, %v", changed, err)
		}
		if _, err := f.service.UpdateShareLink(ctx, f.caller, f.organization, other.ID, first.ID, change); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("through another site: %v", err)
		}
		if _, err := f.service.UpdateShareLink(ctx, f.caller, f.organization, f.site.ID, first.ID,
			audience.ShareLinkChange{Active: optional.Of(true)}); err != nil || !admitted(f.site.ID, token) {
			t.Error("active again:", err)
		}
		if err := f.service.DeleteShareLink(ctx, f.caller, f.organization, f.site.ID, first.ID); err != nil ||
			admitted(f.site.ID, token) {
			t.Error("deleted:", err)
		}
		if err := f.service.DeleteShareLink(ctx, f.caller, f.organization, f.site.ID, first.ID); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("deleted twice: %v", err)
		}

		key := strings.TrimSuffix(strings.TrimPrefix(second.PublishedURL, f.site.PublishedURL), "/")
		with, err := f.service.ShareKey(ctx, f.site, key)
		if err != nil || with(f.site.PublishedURL+"api/") != second.PublishedURL+"api/" {
			t.Error("share key:", err)
		}
		if _, err := f.service.ShareKey(ctx, other, key); !errs.Is(err, errs.NotFound) {
			t.Errorf("share key of another site: %v", err)
		}
	})
}

// TestSecretsAreSealed looks for keys and links in everything that the database holds of them.
func TestSecretsAreSealed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		ctx := t.Context()
		link, err := f.service.CreateShareLink(ctx, f.caller, f.organization, f.site.ID, "Customers")
		if err != nil {
			t.Fatal(err)
		}
		auth, err := f.service.RegenerateKey(ctx, f.caller, f.organization, f.site.ID)
		if err != nil {
			t.Fatal(err)
		}
		token := strings.Trim(strings.TrimPrefix(link.PublishedURL, f.site.PublishedURL), "/")
		for _, query := range []string{
			`SELECT token_sealed || token_hash FROM share_link`,
			`SELECT key_sealed || previous_sealed FROM site_publishing_auth`,
			`SELECT action || target_title || details FROM audit_entry`,
		} {
			rows, err := d.Read().QueryContext(ctx, query)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for rows.Next() {
				var text string
				if err := rows.Scan(&text); err != nil {
					t.Fatal(err)
				}
				found++
				if strings.Contains(text, token) || strings.Contains(text, auth.PrivateKey) {
					t.Errorf("%s shows a secret: %s", query, text)
				}
			}
			if err := rows.Close(); err != nil || found == 0 {
				t.Errorf("%s: %d rows, %v", query, found, err)
			}
		}
	})
}

func TestAuthAndSchema(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		ctx := t.Context()
		first, err := f.service.Auth(ctx, f.caller, f.organization, f.site.ID)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := f.service.Auth(ctx, f.caller, f.organization, f.site.ID); err != nil || again != first {
			t.Errorf("the key is another one: %v", err)
		}
		change := audience.AuthChange{Backend: "custom", FallbackURL: optional.Of("https://example.com/login?a=b"),
			LogoutURL: optional.Of("https://example.com/bye")}
		after, err := f.service.UpdateAuth(ctx, f.caller, f.organization, f.site.ID, change)
		if err != nil || after.FallbackURL != "https://example.com/login?a=b" ||
			after.LogoutURL != "https://example.com/bye" || after.PrivateKey != first.PrivateKey {
			t.Errorf("%+v, %v", after, err)
		}
		if rules := f.rules(); rules.FallbackURL != after.FallbackURL || rules.LogoutURL != after.LogoutURL ||
			rules.Schema != nil {
			t.Errorf("%+v", rules)
		}
		after, err = f.service.UpdateAuth(ctx, f.caller, f.organization, f.site.ID,
			audience.AuthChange{Backend: "custom", LogoutURL: optional.Null[string]()})
		if err != nil || after.FallbackURL == "" || after.LogoutURL != "" {
			t.Errorf("%+v, %v", after, err)
		}
		for _, bad := range []audience.AuthChange{
			{}, {Backend: "integration"}, {Backend: "other"},
			{Backend: "custom", FallbackURL: optional.Of("javascript:alert(1)")},
			{Backend: "custom", LogoutURL: optional.Of("/login")},
			{Backend: "custom", LogoutURL: optional.Of("https://u:p@example.com/")},
		} {
			if _, err := f.service.UpdateAuth(ctx, f.caller, f.organization, f.site.ID, bad); !errs.Is(err,
				errs.Invalid) {
				t.Errorf("%+v: %v", bad, err)
			}
		}

		if _, err := f.service.AdaptiveSchema(ctx, f.caller, f.organization, f.site.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("no schema yet: %v", err)
		}
		if conditions, err := f.service.TemplateConditions(ctx, f.caller, f.organization, f.site.ID); err != nil ||
			len(conditions) != 0 {
			t.Error(conditions, err)
		}
		if _, err := f.service.PutAdaptiveSchema(ctx, f.caller, f.organization, f.site.ID,
			[]byte(wholeSchema)); err != nil {
			t.Fatal(err)
		}
		if f.rules().Schema == nil {
			t.Error("the rules have no schema")
		}
		if conditions, err := f.service.TemplateConditions(ctx, f.caller, f.organization, f.site.ID); err != nil ||
			len(conditions) != 11 {
			t.Error(conditions, err)
		}
	})
}
