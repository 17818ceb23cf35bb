package db

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// before are the migrations up to one, without it.
func before(t *testing.T, d *DB, number string) fstest.MapFS {
	t.Helper()
	earlier := fstest.MapFS{}
	all := Migrations(d.dialect)
	names, err := fs.Glob(all, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name < number {
			text, err := fs.ReadFile(all, name)
			if err != nil {
				t.Fatal(err)
			}
			earlier[name] = &fstest.MapFile{Data: text, Mode: 0o444}
		}
	}
	return earlier
}

// TestCredentialsGetTheirMarks holds what the migration makes of credentials of which nobody had noted where they came
// from.
func TestCredentialsGetTheirMarks(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if err := migrate(t.Context(), d, before(t, d, "00260")); err != nil {
			t.Fatal(err)
		}
		run := func(statement string, args ...any) {
			t.Helper()
			if _, err := d.Write().ExecContext(t.Context(), statement, args...); err != nil {
				t.Fatal(statement, err)
			}
		}
		for _, organization := range []string{"evil", "other"} {
			run(
				`INSERT INTO organization (id, title, hostname, type, plan, email_domains, invite_links, created_at,
					updated_at) VALUES ($1, $1, $1, 'business', '', '[]', $2, 1, 1)`, organization, true)
			run(
				`INSERT INTO identity_provider (id, organization_id, kind, label, sso_url, entity_id, certificate,
					issuer, client_id, client_secret, created_at, updated_at)
				VALUES ($1, $2, 'saml', '', '', '', '', '', '', '', 1, 1)`, "of "+organization, organization)
		}
		type link struct {
			organization string
			confirmed    bool
			at           int
		}
		var checks []func()
		for _, test := range []struct {
			name     string
			verified int // 0 for never
			made     int
			links    []link
			// mark is what a token, a password, a passkey and sessions by the latter two have then; "-" when they end.
			mark string
			// session is the same for one by SAML.
			session string
		}{
			{"proven", 100, 200, nil, "", "-"},
			{"at the moment of the proof", 200, 200, nil, "", "-"},
			{"a provider's account", 0, 150, []link{{"evil", false, 100}}, "evil", "evil"},
			{"a provider's account, proven later", 300, 150, []link{{"evil", false, 100}}, "evil", "evil"},
			{"after the proof, while the provider opens it", 120, 400, []link{{"evil", false, 100}}, "evil", "evil"},
			{"before the provider opened it", 100, 150, []link{{"evil", false, 200}}, "", "evil"},
			{"connected by its owner", 100, 200, []link{{"evil", true, 150}}, "", "evil"},
			{"of two providers", 0, 200, []link{{"evil", false, 100}, {"other", false, 100}}, "-", "-"},
			{"of a provider that is gone", 0, 200, nil, "-", "-"},
			{"of a provider that is gone, proven later", 300, 200, nil, "-", "-"},
		} {
			user := test.name
			var verified any
			if test.verified > 0 {
				verified = test.verified
			}
			run(
				`INSERT INTO account_user (id, display_name, email, email_key, photo_url, created_at, updated_at,
					email_verified_at) VALUES ($1, '', $1, $1, '', 1, 1, $2)`, user, verified)
			for n, each := range test.links {
				run(
					`INSERT INTO identity_link (provider_id, subject, user_id, confirmed, created_at, last_used_at)
						VALUES ($1, $2, $3, $4, $5, 1)`,
					"of "+each.organization, fmt.Sprint(user, n), user, each.confirmed, each.at)
			}
			run(
				`INSERT INTO account_token (id, user_id, secret_hash, name, hint, scopes, created_at)
					VALUES ($1, $1, $2, '', '', '[]', $3)`, user, []byte(user), test.made)
			run(`INSERT INTO account_password (user_id, hash, changed_at) VALUES ($1, '', $2)`, user, test.made)
			run(
				`INSERT INTO account_passkey (id, user_id, credential_id, credential, name, created_at)
					VALUES ($1, $1, $2, '{}', '', $3)`, user, []byte(user), test.made)
			for _, method := range []string{"saml", "password", "passkey", "link"} {
				run(
					`INSERT INTO account_session (id, user_id, method, address, agent, secret_hash, secret_at,
						created_at, signed_in_at, seen_at, expires_at)
					VALUES ($1, $2, $3, '', '', $4, 1, $5, 1, 1, 1)`, user+method, user, method, []byte(user+method),
					test.made)
			}
			checks = append(checks, func() {
				for what, query := range map[string]string{
					"token":    `account_token WHERE revoked_at IS NULL AND user_id = $1`,
					"password": `account_password WHERE user_id = $1`, "passkey": `account_passkey WHERE user_id = $1`,
					"session by saml":     `account_session WHERE method = 'saml' AND user_id = $1`,
					"session by password": `account_session WHERE method = 'password' AND user_id = $1`,
					"session by passkey":  `account_session WHERE method = 'passkey' AND user_id = $1`,
				} {
					var marks []string
					rows, err := d.Read().QueryContext(t.Context(), `SELECT vouched_by FROM `+query, user)
					if err != nil {
						t.Fatal(err)
					}
					for rows.Next() {
						var mark string
						if err := rows.Scan(&mark); err != nil {
							t.Fatal(err)
						}
						marks = append(marks, mark)
					}
					if err := rows.Close(); err != nil {
						t.Fatal(err)
					}
					got := "-"
					if len(marks) > 0 {
						got = strings.Join(marks, " ")
					}
					want := test.mark
					if what == "session by saml" {
						want = test.session
					}
					if got != want {
						t.Errorf("%s: the %s has the mark %q, want %q", test.name, what, got, want)
					}
				}
			})
		}
		run(
			`INSERT INTO identity_emergency_code (organization_id, user_id, code_hash, created_at)
				VALUES ('evil', 'proven', $1, 1)`, []byte("code"))
		if err := Migrate(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		for _, check := range checks {
			check()
		}
		var mark string
		if err := d.Read().QueryRowContext(t.Context(), `SELECT vouched_by FROM identity_emergency_code`).
			Scan(&mark); err != nil || mark != "evil" {
			t.Error(mark, err)
		}
	})
}
