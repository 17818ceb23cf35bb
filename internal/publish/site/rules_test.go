package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/platform/db"
)

func TestNewSiteCheck(t *testing.T) {
	tests := []struct {
		name    string
		in      NewSite
		want    NewSite
		refused string
	}{
		{name: "nothing", want: NewSite{Type: TypeBasic, Visibility: VisibilityPublic}},
		{
			name: "all", in: NewSite{Type: TypeUltimate, Title: " Docs ", Visibility: VisibilityUnlisted,
				Spaces: []id.Space{"a", "b"}, CreateSpace: true},
			want: NewSite{Type: TypeUltimate, Title: "Docs", Visibility: VisibilityUnlisted,
				Spaces:      []id.Space{"a", "b"},
				CreateSpace: true},
		},
		{name: "short title", in: NewSite{Title: "x"}, refused: "from 2 to 128"},
		{name: "long title", in: NewSite{Title: strings.Repeat("x", 129)}, refused: "from 2 to 128"},
		{name: "type", in: NewSite{Type: "gold"}, refused: "one of basic"},
		{name: "visibility", in: NewSite{Visibility: "private"}, refused: "one of public"},
		{name: "a space twice", in: NewSite{Spaces: []id.Space{"a", "b", "a"}}, refused: `"a" twice`},
		{name: "too many spaces", in: NewSite{Spaces: make([]id.Space, 101)}, refused: "up to 100"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.in.check()
			if test.refused != "" {
				if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want a refusal with %q", err, test.refused)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestCheckBasename(t *testing.T) {
	for _, good := range []string{"a", "docs", "api-v2", "1", "ドキュメント", strings.Repeat("a", 100)} {
		if err := checkBasename(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "Docs", "a b", "a/b", "..", "~", "-a", "a-", "a--b", "a.b", "%20", "api", "assets",
		strings.Repeat("a", 101), "a\x00", "\xff"} {
		if err := checkBasename(bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestChangeApply(t *testing.T) {
	before := Site{Title: "Docs", Basename: "docs", Visibility: VisibilityPublic, AgentsContext: AgentsIncluded,
		AdaptiveContent: true}
	tests := []struct {
		name    string
		change  Change
		want    func(*Site)
		refused string
	}{
		{name: "nothing", want: func(*Site) {}},
		{name: "title", change: Change{Title: optional.Of("New")}, want: func(s *Site) { s.Title = "New" }},
		{name: "short title", change: Change{Title: optional.Of("N")}, refused: "title"},
		{name: "null title", change: Change{Title: optional.Null[string]()}, refused: "title: may not be null"},
		{name: "visibility", change: Change{Visibility: optional.Of(VisibilityUnlisted)}, want: func(s *Site) {
			s.Visibility = VisibilityUnlisted
		}},
		{name: "unknown visibility", change: Change{Visibility: optional.Of(Visibility(""))}, refused: "visibility"},
		{name: "basename", change: Change{Basename: optional.Of("guide")}, want: func(s *Site) {
			s.Basename = "guide"
		}},
		{name: "bad basename", change: Change{Basename: optional.Of("Guide")}, refused: "basename"},
		{name: "adaptive content off", change: Change{AdaptiveContent: optional.Of(false)}, want: func(s *Site) {
			s.AdaptiveContent = false
		}},
		{name: "agents", change: Change{AgentsContext: optional.Of(AgentsExcluded)}, want: func(s *Site) {
			s.AgentsContext = AgentsExcluded
		}},
		{name: "unknown agents", change: Change{AgentsContext: optional.Of(AgentsContext("maybe"))},
			refused: "one of included, excluded"},
		{name: "null default", change: Change{DefaultSiteSpace: optional.Null[id.SiteSpace]()},
			refused: "defaultSiteSpace: may not be null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.change.apply(before)
			if test.refused != "" {
				if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want a refusal with %q", err, test.refused)
				}
				return
			}
			want := before
			test.want(&want)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestTitleFrom(t *testing.T) {
	for in, want := range map[string]string{"X": "X docs", "Guide": "Guide",
		strings.Repeat("x", 200): strings.Repeat("x", 128)} {
		if got := titleFrom(in); got != want {
			t.Errorf("titleFrom(%q) = %q", in, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	local := New(requiredtest.Fill(Deps{DB: new(db.DB), Spaces: new(space.Service), BaseURL: "http://localhost:8080/"}))
	hosted := New(requiredtest.Fill(Deps{DB: new(db.DB), Spaces: new(space.Service), BaseURL: "https://recto.example",
		SitesDomain: ".docs.example."}))
	for _, test := range []struct{ got, want string }{
		{local.SiteURL("acme", "guide"), "http://localhost:8080/sites/acme/guide/"},
		{hosted.SiteURL("acme", "guide"), "https://acme.docs.example/guide/"},
		{hosted.SiteURL("acme", "語"), "https://acme.docs.example/%E8%AA%9E/"},
		{below("https://a/", "v2/"), "https://a/v2/"},
		{below("https://a/", "参考/v1.2/"), "https://a/%E5%8F%82%E8%80%83/v1.2/"},
		{below("https://a/", ""), "https://a/"},
		{below("", "v2/"), ""},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}
