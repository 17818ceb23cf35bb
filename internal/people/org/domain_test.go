package org_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestEmailDomainsAreProven(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		names := map[string][]string{}
		h := newFixture(t, d, org.Deps{
			ChallengeKey: bytes.Repeat([]byte{1}, 32),
			LookupTXT: func(_ context.Context, name string) ([]string, error) {
				if texts, ok := names[name]; ok {
					return texts, nil
				}
				return nil, errors.New("no such name")
			},
		})
		ctx := t.Context()
		set := func(caller account.Caller, domains ...string) error {
			after, err := h.Orgs.Update(ctx, caller, h.Organization, org.Change{EmailDomains: optional.Of(domains)})
			if err == nil && !slices.Equal(after.Organization.EmailDomains, domains) {
				t.Errorf("%v became %v", domains, after.Organization.EmailDomains)
			}
			return err
		}
		if err := set(h.Admin, "acme.example"); err != nil {
			t.Errorf("the admin's own domain: %v", err)
		}
		other := h.Member(org.RoleAdmin, "b@mail.example")
		if err := set(other, "acme.example", "mail.example"); err != nil {
			t.Errorf("what is there stays: %v", err)
		}
		challenge, err := h.Orgs.Challenge(ctx, h.Admin, h.Organization, "DNS.example")
		if err != nil || challenge.Verified || challenge.Domain != "dns.example" {
			t.Fatal(challenge, err)
		}
		if err := set(h.Admin, "dns.example"); !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(),
			challenge.Value) || !strings.Contains(err.Error(), challenge.Name) {
			t.Error(err)
		}
		names[challenge.Name] = []string{"v=spf1", challenge.Value + "x"}
		if err := set(h.Admin, "dns.example"); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		names[challenge.Name] = []string{"v=spf1", challenge.Value}
		if err := set(h.Admin, "dns.example"); err != nil {
			t.Error(err)
		}
		for name, test := range map[string]struct {
			caller account.Caller
			domain string
			want   errs.Kind
		}{
			"free mail": {h.Member(org.RoleAdmin, "somebody@gmail.com"), "gmail.com", errs.Invalid},
			"an address that nobody knows": {func() account.Caller {
				c := h.Person("c@claimed.example", false)
				if _, err := h.Orgs.AddMember(ctx, h.Organization, c.User.ID, org.RoleAdmin); err != nil {
					t.Fatal(err)
				}
				return c
			}(), "claimed.example", errs.Invalid},
			"a reader":  {h.Member(org.RoleRead, "r@reader.example"), "reader.example", errs.Forbidden},
			"no domain": {h.Admin, "@x", errs.Invalid},
		} {
			if err := set(test.caller, test.domain); !errs.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		// The proof of one organization is none for another.
		stranger := h.Person("s@else.example", true)
		second, err := h.Orgs.Create(ctx, stranger, org.NewOrganization{Title: "Second"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orgs.Update(ctx, stranger, second.Organization.ID,
			org.Change{EmailDomains: optional.Of([]string{"dns.example"})}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		found, err := h.Orgs.ByEmailDomain(ctx, h.Person("new@dns.example", true), "DNS.example")
		if err != nil || len(found) != 1 || found[0].Organization.ID != h.Organization || !found[0].JoinedAt.IsZero() {
			t.Error(found, err)
		}
		if _, err := h.Orgs.ByEmailDomain(ctx, stranger, "dns.example"); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
	})
}
