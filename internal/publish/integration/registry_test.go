package integration

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

func TestLists(t *testing.T) {
	each(t, func(f *fixture) {
		f.publish("analytics", func(p *Publication) {
			p.Title, p.Target, p.Scopes = "Page Numbers", TargetSite, []Scope{ScopeScript}
			p.Categories = []Category{"analytics"}
		})
		f.publish("board", func(p *Publication) {
			p.Title, p.Scopes = "Board_100%", []Scope{"space:content:read", "space:views:read"}
			p.Blocks = []Block{{ID: "b", Title: "Board", URLUnfurl: []string{"https://www.board.example/**"}}}
		})
		f.publish("feed", func(p *Publication) {
			p.ContentSources = []ContentSource{{ID: "f", Title: "Feed", ComponentID: "c"}}
		})
		f.publish("hidden", func(p *Publication) { p.Visibility = Unlisted })
		f.publish("own", func(p *Publication) { p.Visibility = Private })
		if _, err := f.Publish(f.Context(), f.Stranger, "theirs", f.publication(func(p *Publication) {
			p.Organization = f.Other
		})); err != nil {
			t.Fatal(err)
		}
		reader, guest := f.Members[org.RoleRead], f.Members[org.RoleGuest]
		for _, test := range []struct {
			filter Filter
			want   string
		}{
			{Filter{}, "analytics board feed theirs"},
			{Filter{Search: "BOARD"}, "board"},
			{Filter{Search: "page num"}, "analytics"},
			{Filter{Search: "100%"}, "board"},
			{Filter{Search: "_100"}, "board"},
			{Filter{Search: "%"}, "board"},
			{Filter{Search: "none"}, ""},
			{Filter{Category: "analytics"}, "analytics"},
			{Filter{Category: "gitsync"}, ""},
			{Filter{BlockDomain: "board.example"}, "board"},
			{Filter{BlockDomain: "WWW.board.example"}, "board"},
			{Filter{BlockDomain: "other.example"}, ""},
			{Filter{Blocks: optional.Of(true)}, "board"},
			{Filter{Blocks: optional.Of(false)}, "analytics feed theirs"},
			{Filter{ContentSources: optional.Of(true)}, "feed"},
			{Filter{ContentSources: optional.Of(false)}, "analytics board theirs"},
			{Filter{Scope: "space:content:read"}, "board feed theirs"},
			{Filter{Scope: "space:views:read"}, "board"},
			{Filter{Scope: ScopeScript, Category: "analytics"}, "analytics"},
			{Filter{Target: TargetSite}, "analytics"},
			{Filter{Target: TargetAll}, "board feed theirs"},
			{Filter{Target: TargetOrganization}, ""},
			{Filter{Owner: f.Other}, "theirs"},
			{Filter{Owner: f.Organization}, "analytics board feed hidden own"},
			{Filter{Owner: "nobody"}, ""},
		} {
			if got := f.listed(reader, test.filter); got != test.want {
				f.Errorf("%+v: %q, want %q", test.filter, got, test.want)
			}
		}
		for filter, want := range map[optional.Value[bool]]string{
			{}: "analytics board feed hidden own theirs", optional.Of(true): "board",
		} {
			if got := f.names(f.ListForOrganization(f.Context(), reader, f.Organization, Filter{Blocks: filter},
				paging.Request{})); got != want {
				f.Errorf("of the organization with blocks %+v: %q, want %q", filter, got, want)
			}
		}
		// Who is no member finds the unlisted one by its name, and the private one not at all.
		for who, caller := range map[string]account.Caller{"stranger": f.Stranger, "guest": guest} {
			if got := f.listed(caller, Filter{Owner: f.Organization}); got != "analytics board feed" {
				f.Errorf("for a %s: %q", who, got)
			}
			if _, err := f.Get(f.Context(), caller, "HIDDEN"); err != nil {
				f.Errorf("a %s does not find the unlisted one: %v", who, err)
			}
			_, err := f.Get(f.Context(), caller, "own")
			wantKind(f.T, err, errs.NotFound, "")
			_, err = f.Installations(f.Context(), caller, "own", "", paging.Request{})
			wantKind(f.T, err, errs.NotFound, "")
			for _, kind := range []Kind{OnSpaces, OnSites} {
				_, err = f.ContentOfAll(f.Context(), caller, "own", kind, "", paging.Request{})
				wantKind(f.T, err, errs.NotFound, "")
			}
		}
		if _, err := f.Get(f.Context(), reader, "own"); err != nil {
			f.Errorf("a member does not find the private one: %v", err)
		}
		_, err := f.Install(f.Context(), f.Stranger, "own", f.Other)
		wantKind(f.T, err, errs.NotFound, "")
		_, err = f.ListForOrganization(f.Context(), f.Stranger, f.Organization, Filter{}, paging.Request{})
		wantKind(f.T, err, errs.NotFound, "")
		var found []string
		for request := (paging.Request{Limit: 1}); ; {
			page, err := f.List(f.Context(), reader, Filter{}, request)
			if err != nil || page.Count != 4 || len(page.Items) != 1 {
				t.Fatalf("%+v %v", page, err)
			}
			found = append(found, page.Items[0].Name)
			if request.After = page.Next; page.Next == nil {
				break
			}
		}
		if got := strings.Join(found, " "); got != "analytics board feed theirs" {
			f.Errorf("page by page: %q", got)
		}
	})
}

// TestPublicationsThatAreRefused holds that each bad publication is refused and says where it is wrong.
func TestPublicationsThatAreRefused(t *testing.T) {
	block := func(change func(*Block)) func(*Publication) {
		return func(p *Publication) {
			one := Block{ID: "b", Title: "Block"}
			change(&one)
			p.Blocks = []Block{one}
		}
	}
	many := map[string]string{}
	for _, c := range "abcdefghijklmnopqrstu" {
		many[string(c)] = "x"
	}
	pixel := base64.StdEncoding.EncodeToString(picture(t, "png"))
	header := "default-src 'none';\r\nX-Evil: 1"
	tests := map[string]struct {
		change func(*Publication)
		kind   errs.Kind
		says   string
	}{
		"script of 5 MB and 1": {func(p *Publication) { p.Script = strings.Repeat("a", 5<<20+1) }, errs.TooLarge,
			"5 MB"},
		"no script":      {func(p *Publication) { p.Script = "" }, errs.Invalid, "script"},
		"short title":    {func(p *Publication) { p.Title = "x" }, errs.Invalid, "title"},
		"long title":     {func(p *Publication) { p.Title = strings.Repeat("x", 31) }, errs.Invalid, "title"},
		"title of lines": {func(p *Publication) { p.Title = "a\nb" }, errs.Invalid, "title"},
		"long description": {func(p *Publication) { p.Description = strings.Repeat("x", 101) }, errs.Invalid,
			"description"},
		"long summary":     {func(p *Publication) { p.Summary = strings.Repeat("x", 2049) }, errs.Invalid, "summary"},
		"summary with NUL": {func(p *Publication) { p.Summary = "a\x00" }, errs.Invalid, "summary"},
		"runtime":          {func(p *Publication) { p.Runtime = "v3" }, errs.Invalid, "runtime"},
		"visibility":       {func(p *Publication) { p.Visibility = "secret" }, errs.Invalid, "visibility"},
		"target":           {func(p *Publication) { p.Target = "page" }, errs.Invalid, "target"},
		"scope": {func(p *Publication) { p.Scopes = []Scope{"space:content:read", "space:views:write"} },
			errs.Invalid, "scopes[1]"},
		"category":        {func(p *Publication) { p.Categories = []Category{"games"} }, errs.Invalid, "categories[0]"},
		"organization":    {func(p *Publication) { p.Organization = "nobody" }, errs.NotFound, ""},
		"icon no base64":  {func(p *Publication) { p.Icon = "!" }, errs.Invalid, "icon"},
		"icon no picture": {func(p *Publication) { p.Icon = "aGVsbG8=" }, errs.Invalid, "icon"},
		"icon of 1 MB and 1": {func(p *Publication) {
			p.Icon = base64.StdEncoding.EncodeToString(make([]byte, 1<<20+1))
		}, errs.Invalid, "icon"},
		"four previews": {func(p *Publication) { p.Previews = make([]string, 4) }, errs.Invalid, "previewImages"},
		"second preview": {func(p *Publication) { p.Previews = []string{pixel, "aGVsbG8="} }, errs.Invalid,
			"previewImages[1]"},
		"policy with a header": {func(p *Publication) { p.Policy.Text = &header }, errs.Invalid,
			"contentSecurityPolicy"},
		"policy key with a line break": {func(p *Publication) {
			p.Policy.Directives = map[string]string{"img-src\r\nX-Evil": "1"}
		}, errs.Invalid, "contentSecurityPolicy"},
		"block without id": {block(func(b *Block) { b.ID = "" }), errs.Invalid, "blocks[0]"},
		"block title":      {block(func(b *Block) { b.Title = "B" }), errs.Invalid, "blocks[0].title"},
		"block icon":       {block(func(b *Block) { b.Icon = "javascript:alert(1)" }), errs.Invalid, "blocks[0].icon"},
		"block link": {block(func(b *Block) { b.URLUnfurl = []string{"https://a.example/", "file:///etc"} }),
			errs.Invalid, "blocks[0].urlUnfurl[1]"},
		"block markdown": {block(func(b *Block) { b.Markdown = &BlockMarkdown{Codeblock: "a"} }), errs.Invalid,
			"blocks[0].markdown"},
		"two blocks of an id": {func(p *Publication) {
			p.Blocks = []Block{{ID: "b", Title: "Block"}, {ID: "b", Title: "Block"}}
		}, errs.Invalid, "blocks[1].id"},
		"source without component": {func(p *Publication) {
			p.ContentSources = []ContentSource{{ID: "a", Title: "Ab"}}
		}, errs.Invalid, "contentSources[0]"},
		"link": {func(p *Publication) {
			p.ExternalLinks = []ExternalLink{{URL: "javascript:alert(1)", Label: "x"}}
		}, errs.Invalid, "externalLinks[0].url"},
		"six links": {func(p *Publication) { p.ExternalLinks = make([]ExternalLink, 6) }, errs.Invalid,
			"externalLinks"},
		"configuration type": {func(p *Publication) {
			p.Configurations = configurations(t, `{"account":{"properties":{"a":{"type":"date"}}}}`)
		}, errs.Invalid, "configurations.account.properties.a.type"},
		"configuration default": {func(p *Publication) {
			p.Configurations = configurations(t, `{"site":{"properties":{"a":{"type":"boolean","default":"yes"}}}}`)
		}, errs.Invalid, "configurations.site.properties.a.default"},
		"21 secrets": {func(p *Publication) { p.Secrets = many }, errs.Invalid, "secrets"},
		"name of a secret": {func(p *Publication) { p.Secrets = map[string]string{"a b": "x"} }, errs.Invalid,
			"secrets"},
		"large secret": {func(p *Publication) { p.Secrets = map[string]string{"a": strings.Repeat("x", 16<<10+1)} },
			errs.Invalid, "secrets.a"},
	}
	each(t, func(f *fixture) {
		for name, test := range tests {
			_, err := f.Publish(f.Context(), f.Admin(), "hostile", f.publication(test.change))
			if err == nil {
				f.Errorf("%s is taken", name)
			}
			wantKind(f.T, err, test.kind, test.says)
		}
		for _, name := range []string{"", "a b", strings.Repeat("a", 101), "..", "..."} {
			_, err := f.Publish(f.Context(), f.Admin(), name, f.publication(nil))
			wantKind(f.T, err, errs.Invalid, "")
		}
		if got := f.listed(f.Admin(), Filter{}); got != "" {
			f.Errorf("what was refused is there: %q", got)
		}
		f.publish("large", func(p *Publication) { p.Script = strings.Repeat("\n", 5<<20-1) + ";" })
	})
}

// TestSecretsAreSealed holds that nothing readable is in the database.
func TestSecretsAreSealed(t *testing.T) {
	each(t, func(f *fixture) {
		f.publish("vault", func(p *Publication) { p.Secrets = map[string]string{"API_KEY": "very secret"} })
		f.change("vault", f.install("vault"),
			Change{Configuration: optional.Of(json.RawMessage(`{"token":"very secret"}`))})
		var secrets, configuration, details string
		err := f.db.Read().QueryRowContext(f.Context(), `
			SELECT i.secrets, n.configuration, (SELECT max(details) FROM audit_entry
			WHERE action = 'integration.configure')
			FROM integration i JOIN integration_installation n ON n.integration_id = i.id`).Scan(&secrets,
			&configuration, &details)
		if err != nil {
			t.Fatal(err)
		}
		if secrets == "" || configuration == "" || strings.Contains(secrets+configuration+details, "very secret") ||
			!strings.Contains(details, "configuration") {
			f.Errorf("%q %q %q", secrets, configuration, details)
		}
		var actions int
		err = f.db.Read().QueryRowContext(f.Context(),
			`SELECT count(*) FROM audit_entry WHERE action LIKE 'integration.%' AND target_id = 'vault'`).Scan(&actions)
		if err != nil || actions != 3 {
			f.Errorf("%d entries in the audit log, %v", actions, err)
		}
	})
}
