package org_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

func TestUpdateOrganization(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		blobs, err := blob.OpenStore("dir:" + t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		pixel, err := base64.StdEncoding.DecodeString(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
		if err != nil {
			t.Fatal(err)
		}
		huge := bytes.Clone(pixel)
		copy(huge[16:20], []byte{0, 1, 0, 0}) // the width, in the head
		bodies := map[string][]byte{"https://x.example/a.png": pixel, "https://x.example/a.svg": []byte("<svg/>"),
			"https://x.example/huge.png": huge}
		h := newFixture(t, d, org.Deps{Blobs: blobs, Fetch: func(_ context.Context, address string,
			_ fetch.Limits) (*fetch.Response, []byte, error) {
			body, ok := bodies[address]
			if !ok {
				return &fetch.Response{Status: 404}, nil, nil
			}
			return &fetch.Response{Status: 200, ContentType: "image/png"}, body, nil
		}})
		ctx := t.Context()
		update := func(change org.Change) (org.Organization, error) {
			after, err := h.Orgs.Update(ctx, h.Admin, h.Organization, change)
			return after.Organization, err
		}
		after, err := update(org.Change{
			Title: optional.Of(" New "), Hostname: optional.Of("new-name"), DefaultRole: optional.Null[org.Role](),
			Logo: optional.Of("https://x.example/a.png"),
			SSO:  optional.Of(true), AI: optional.Of(true), InviteLinks: optional.Of(false),
		})
		if err != nil || after.Title != "New" || after.Hostname != "new-name" || after.DefaultRole != org.RoleGuest ||
			!after.SSO || !after.AI || after.InviteLinks || after.Logo.Name != "logo.png" {
			t.Fatal(after, err)
		}
		file, name, err := h.Orgs.OpenLogo(ctx, h.Organization, after.Logo.Blob)
		if err != nil || name != "logo.png" {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if used, err := org.BlobInUse(ctx, d.Read(), after.Logo.Blob); err != nil || !used {
			t.Error(used, err)
		}
		other, err := h.Orgs.Create(ctx, h.Admin, org.NewOrganization{Title: "Other"})
		if err != nil {
			t.Fatal(err)
		}
		for name, test := range map[string]struct {
			change org.Change
			want   errs.Kind
		}{
			"title":          {org.Change{Title: optional.Of("x")}, errs.Invalid},
			"null":           {org.Change{Title: optional.Null[string]()}, errs.Invalid},
			"reserved":       {org.Change{Hostname: optional.Of("www")}, errs.Invalid},
			"malformed":      {org.Change{Hostname: optional.Of("A b")}, errs.Invalid},
			"taken":          {org.Change{Hostname: optional.Of(other.Organization.Hostname)}, errs.Conflict},
			"role":           {org.Change{DefaultRole: optional.Of(org.Role("boss"))}, errs.Invalid},
			"a drawing":      {org.Change{Logo: optional.Of("https://x.example/a.svg")}, errs.Invalid},
			"a huge picture": {org.Change{Logo: optional.Of("https://x.example/huge.png")}, errs.Invalid},
			"no picture":     {org.Change{Logo: optional.Of("https://x.example/none")}, errs.Invalid},
			"no address":     {org.Change{Logo: optional.Of("x")}, errs.Invalid},
			"site elsewhere": {org.Change{DefaultSite: optional.Of(id.Site("site_01jd3k00000000000000000000"))},
				errs.Invalid},
			"no site":          {org.Change{DefaultSite: optional.Of(id.Site("x"))}, errs.Invalid},
			"no e-mail domain": {org.Change{EmailDomains: optional.Null[[]string]()}, errs.Invalid},
		} {
			if _, err := update(test.change); !errs.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if again, err := h.Orgs.Get(ctx, h.Admin, h.Organization); err != nil ||
			cmp.Diff(after, again.Organization) != "" {
			t.Error(cmp.Diff(after, again.Organization), err)
		}
		if cleared, err := update(org.Change{Logo: optional.Null[string]()}); err != nil ||
			cleared.Logo != (org.Logo{}) {
			t.Error(cleared, err)
		}
		if _, _, err := h.Orgs.OpenLogo(ctx, h.Organization, after.Logo.Blob); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
	})
}
