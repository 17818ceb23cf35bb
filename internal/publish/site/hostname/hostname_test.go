package hostname

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	for text, want := range map[string]bool{
		"docs.example.com": true, "a.b.example.com": true, "example.com": false, "Docs.example.com": false, "": false,
		"docs.example.com.": false, "-docs.example.com": false, "docs.example.com:80": false,
		strings.Repeat("a.", Max/2) + "com": false,
	} {
		if Valid(text) != want {
			t.Errorf("the hostname %.40q: want %v", text, want)
		}
	}
	for text, want := range map[string]bool{
		"example.com/docs": true, "Example.com/a/b": true, "example.com": false, "example.com/": false,
		"https://example.com/docs": false, "example.com/a/../b": false, "": false,
		"example.com/" + strings.Repeat("a", Max): false,
	} {
		if ValidProxy(text) != want {
			t.Errorf("the proxy %.40q: want %v", text, want)
		}
	}
}

// TestProven holds that only the record of the site itself, or the organization's own host, is a proof.
func TestProven(t *testing.T) {
	const host, token, alias = "docs.example.com", "token", "acme.sites.example"
	record := RecordFor(host, token)
	away := errors.New("no answer")
	for name, test := range map[string]struct {
		texts     []string
		canonical string
		failed    error
		alias     string
		want      bool
	}{
		"its record":           {texts: []string{"x", " " + record.Value}, want: true},
		"another site's":       {texts: []string{RecordFor(host, "other").Value}, canonical: host, alias: alias},
		"nothing":              {canonical: host, alias: alias},
		"the alias":            {canonical: "Acme.sites.example.", alias: alias, want: true},
		"another alias":        {canonical: "evil.sites.example.", alias: alias},
		"no domain for sites":  {canonical: ".", alias: ""},
		"a server that is off": {texts: []string{record.Value}, canonical: alias, failed: away, alias: alias},
	} {
		lookups := Lookups{
			TXT: func(_ context.Context, name string) ([]string, error) {
				if name != record.Name {
					t.Errorf("%s: %q was asked", name, record.Name)
				}
				return test.texts, test.failed
			},
			CNAME: func(context.Context, string) (string, error) { return test.canonical, test.failed },
		}
		if got := lookups.Proven(t.Context(), host, token, test.alias); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
