package org

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/org/names"
)

func TestRoleOrder(t *testing.T) {
	order := []Role{RoleGuest, RoleRead, RoleComment, RoleEdit, RoleReview, RoleCreate, RoleAdmin}
	for i, high := range order {
		for j, low := range order {
			if high.AtLeast(low) != (i >= j) {
				t.Errorf("%q.AtLeast(%q) = %v", high, low, !(i >= j))
			}
		}
		if Role("owner").AtLeast(high) || high.AtLeast("owner") {
			t.Errorf("a word that is no role compares with %q", high)
		}
	}
}

func TestParseRole(t *testing.T) {
	for _, name := range []string{"read", "comment", "edit", "review", "create", "admin"} {
		if role, err := ParseRole("role", name); err != nil || string(role) != name {
			t.Errorf("%q: %q, %v", name, role, err)
		}
	}
	for _, name := range []string{"", "guest", "Admin", "inherit", "null"} {
		_, err := ParseRole("role", name)
		if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(),
			"one of admin, create, review, edit, comment, read is") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestCheckHostname(t *testing.T) {
	for _, good := range []string{"abc", "a-c", "123", "acme-corp", strings.Repeat("a", 32)} {
		if err := names.CheckHostname("hostname", good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "ab", strings.Repeat("a", 33), "-ab", "ab-", "Acme", "a.b", "a_b", "xn--bcher-kva", "a--b", "äbc", "www",
		"api", "sites", "abc\n",
	} {
		if err := names.CheckHostname("hostname", bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestWithSuffix(t *testing.T) {
	long := strings.Repeat("a", 32)
	for _, test := range []struct{ name, suffix, want string }{
		{"acme", "2", "acme-2"},
		{long, "20", long[:29] + "-20"},
		{long[:28] + "-bcd", "234", long[:28] + "-234"},
	} {
		if got := names.WithSuffix(test.name, test.suffix); got != test.want {
			t.Errorf("names.WithSuffix(%q, %q) = %q, want %q", test.name, test.suffix, got, test.want)
		}
	}
}

func FuzzHostnameFrom(f *testing.F) {
	for _, title := range []string{"Acme", "", "www", "日本語", "xn--a", "a - b", "ﬀ", "İstanbul"} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		name := names.HostnameFrom(title)
		if err := names.CheckHostname("hostname", name); err != nil {
			t.Errorf("%q gives %q: %v", title, name, err)
		}
		if err := names.CheckHostname("hostname", names.WithSuffix(name, "20")); err != nil {
			t.Errorf("%q gives %q with a suffix: %v", title, names.WithSuffix(name, "20"), err)
		}
	})
}

func TestNewOrganizationCheck(t *testing.T) {
	tests := []struct {
		name    string
		in      NewOrganization
		refused string
	}{
		{name: "plain", in: NewOrganization{Title: "Ab"}},
		{name: "longest title", in: NewOrganization{Title: strings.Repeat("é", 255)}},
		{name: "short title", in: NewOrganization{Title: "A"}, refused: "from 2 to 255"},
		{name: "long title", in: NewOrganization{Title: strings.Repeat("é", 256)}, refused: "from 2 to 255"},
		{name: "title of white space", in: NewOrganization{Title: "   "}, refused: "from 2 to 255"},
		{name: "reserved hostname", in: NewOrganization{Title: "Ab", Hostname: "www"}, refused: "kept for the service"},
		{name: "address as domain", in: NewOrganization{Title: "Ab", EmailDomains: []string{"me@example.org"}},
			refused: "without an @"},
		{name: "bare word as domain", in: NewOrganization{Title: "Ab", EmailDomains: []string{"example"}},
			refused: "is not a domain"},
		{name: "too many domains", in: NewOrganization{Title: "Ab", EmailDomains: make([]string, 51)},
			refused: "up to 50"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.in.check()
			if test.refused == "" && err != nil {
				t.Error(err)
			}
			if test.refused != "" && (!errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.refused)) {
				t.Errorf("got %v, want a refusal with %q", err, test.refused)
			}
		})
	}
	got, err := names.CheckEmailDomains("emailDomains", []string{"b.example", " A.example ", "a.EXAMPLE"})
	if diff := cmp.Diff([]string{"a.example", "b.example"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
