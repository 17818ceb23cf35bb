package pub

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
)

const (
	testBase   = "https://docs.example.com"
	testDomain = "example.site"
)

// fixture is a published site with one space, and the services to change them.
type fixture struct {
	database      *db.DB
	t             testing.TB
	accounts      *account.Service
	organizations *org.Service
	server        *Server
	sites         *site.Service
	audiences     *audience.Service
	content       *store.Service
	spaces        *space.Service
	caller        account.Caller
	org           org.Organization
	site          site.Site
	space         space.Space
	blobs         blob.Store
	pages         map[string]string // path to page id
	position      string
	// integrations are published to by tests of blocks, whose scripts are render; nil until then.
	integrations *integration.Service
	render       func(ctx context.Context, ask blocks.Ask) (blocks.Answer, error)
}

// newFixture makes a site of the title "Handbook" without pages.
func newFixture(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	ctx := t.Context()
	f := &fixture{t: t, database: d, pages: map[string]string{}}
	f.accounts = accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	organizations := orgtest.NewService(t, org.Deps{DB: d, Accounts: f.accounts}, org.Hooks{})
	f.organizations = organizations
	var err error
	if f.blobs, err = blob.OpenStore("dir:" + filepath.Join(t.TempDir(), "blobs")); err != nil {
		t.Fatal(err)
	}
	f.content = requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: f.blobs}), store.Hooks{})
	f.spaces = requiredtest.Wire(space.New(space.Deps{DB: d}),
		space.Hooks{InitContent: f.content.Init, DropContent: func(ctx context.Context,
			q db.Querier, spaceID id.Space) error {
			return f.content.DropSpace(ctx, q, spaceID, 0)
		}})

	f.sites = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: f.spaces, BaseURL: testBase})),
		site.Hooks{})
	box, err := seal.NewBox(bytes.Repeat([]byte{7}, seal.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	f.audiences = audience.New(requiredtest.Fill(audience.Deps{DB: d, Accounts: f.accounts, Sites: f.sites,
		Secrets: box, MemberSecret: []byte("0123456789abcdef")}))
	f.audiences.SetHooks(requiredtest.Fill(audience.Hooks{}))
	access, err := organizations.Init(ctx, org.Setup{Email: "ada@example.com", Name: "Ada", Title: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	if f.caller, err = f.accounts.Authenticate(ctx, access.Secret); err != nil {
		t.Fatal(err)
	}
	f.org = access.Organization
	f.space = f.addSpace("Handbook")
	if f.site, err = f.sites.Create(ctx, f.caller, f.org.ID, site.NewSite{Title: "Handbook",
		Spaces: []id.Space{f.space.ID}}); err != nil {
		t.Fatal(err)
	}
	if f.site, err = f.sites.Publish(ctx, f.caller, f.org.ID, f.site.ID); err != nil {
		t.Fatal(err)
	}
	f.server = f.newServer(f.sites, "")
	return f
}

func (f *fixture) newServer(sites *site.Service, domain string) *Server {
	f.t.Helper()
	found, err := search.New(search.Deps{Content: f.content, Dir: f.t.TempDir(),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		f.t.Fatal(err)
	}
	found.SetHooks(requiredtest.Fill(search.Hooks{}))
	f.t.Cleanup(func() {
		if err := found.Close(); err != nil {
			f.t.Errorf("close search: %v", err)
		}
	})
	log := slog.New(slog.NewTextHandler(f.t.Output(), nil))
	jobs, fetcher := job.New(f.database, log), fetch.New(fetch.Options{})
	changes := requiredtest.Wire(change.NewService(change.Deps{DB: f.database, Content: f.content}), change.Hooks{})
	box, err := seal.NewBox(bytes.Repeat([]byte{7}, seal.KeySize))
	if err != nil {
		f.t.Fatal(err)
	}
	f.integrations = integration.New(requiredtest.Fill(integration.Deps{DB: f.database, Organizations: f.organizations,
		Content: f.content, Sites: sites, Secrets: box, Key: make([]byte, 32), BaseURL: testBase}))
	f.integrations.SetHooks(requiredtest.Fill(integration.Hooks{}))
	shows := requiredtest.Wire(blocks.New(blocks.Deps{Integrations: f.integrations}), blocks.Hooks{
		Render: func(ctx context.Context, ask blocks.Ask) (blocks.Answer, error) { return f.render(ctx, ask) }})
	server, err := New(Deps{Sites: sites, Blocks: shows,
		Feedback: feedback.New(feedback.Deps{DB: f.database, Sites: sites}),
		Visits: visit.New(requiredtest.Fill(visit.Deps{DB: f.database, Integrations: f.integrations,
			Key: make([]byte, 32), Log: log})),
		Audiences: f.audiences, Content: f.content, Search: found, Blobs: f.blobs,
		Links: requiredtest.Wire(link.New(link.Deps{DB: f.database, Content: f.content}), link.Hooks{}),
		Specs: requiredtest.Wire(spec.New(spec.Deps{DB: f.database, Content: f.content, Jobs: jobs,
			Fetch: fetcher.ReadAll, Log: log}), spec.Hooks{}),
		Prints: requiredtest.Wire(print.New(print.Deps{DB: f.database, Content: f.content, Spaces: f.spaces,
			Changes: changes, Jobs: jobs, Fetch: fetcher, BaseURL: testBase, Log: log}), print.Hooks{}),
		Translations: requiredtest.Wire(translation.New(translation.Deps{DB: f.database, Accounts: f.accounts,
			Spaces: f.spaces, Content: f.content, Changes: changes, Jobs: jobs, Log: log}), translation.Hooks{}),
		Previews: preview.New(preview.Deps{Accounts: f.accounts, Access: access.New(f.database), Changes: changes,
			Content: f.content, Key: make([]byte, 32)}),
		BaseURL: testBase, SitesDomain: domain, Log: log})
	if err != nil {
		f.t.Fatal(err)
	}
	return server
}

// restart replaces the server by one that stands on something else.
func (f *fixture) restart(change func(*Deps)) {
	f.t.Helper()
	deps := f.server.deps
	change(&deps)
	server, err := New(deps)
	if err != nil {
		f.t.Fatal(err)
	}
	f.server = server
}

func (f *fixture) addSpace(title string) space.Space {
	f.t.Helper()
	made, err := f.spaces.Create(f.t.Context(), f.caller, f.org.ID, space.NewSpace{Title: title})
	if err != nil {
		f.t.Fatal(err)
	}
	return made
}

// document is a page at a path with a title and a Markdown body.
func document(pagePath, title, body string) store.Put {
	return store.Put{Entry: &entity.Entry{Kind: entity.KindPage, Type: entity.PageDocument, Path: pagePath,
		Title: title}, Body: []byte(body)}
}

// groupPage is a group at a path.
func groupPage(pagePath, title string) store.Put {
	return store.Put{Entry: &entity.Entry{Kind: entity.KindPage, Type: entity.PageGroup, Path: pagePath, Title: title}}
}

// with changes the entry of a page before it is put.
func with(put store.Put, change func(*entity.Entry)) store.Put {
	change(put.Entry)
	return put
}

// put commits pages. The Path of each says where it goes: the page there is replaced, parents have to be there or come
// before. Entries of other kinds are put as they are.
func (f *fixture) put(puts ...store.Put) {
	f.t.Helper()
	f.putIn(f.space.ID, puts...)
}

func (f *fixture) putIn(spaceID id.Space, puts ...store.Put) {
	f.t.Helper()
	for i := range puts {
		e := puts[i].Entry
		if e.Kind != entity.KindPage {
			continue
		}
		at := e.Path
		e.Path = ""
		parent, slug := path.Split(at)
		e.Slug = slug
		if parent != "" {
			e.Parent = f.pages[string(spaceID)+"/"+strings.TrimSuffix(parent, "/")]
		}
		key := string(spaceID) + "/" + at
		if f.pages[key] == "" {
			f.pages[key] = id.New("page")
		}
		e.ID = f.pages[key]
		f.position = entity.Between(f.position, "")
		e.Position = f.position
	}
	f.commit(store.CommitRequest{Space: spaceID, Put: puts})
}

// page returns the id of the page that was put at a path.
func (f *fixture) page(at string) string { return f.pages[string(f.space.ID)+"/"+at] }

func (f *fixture) commit(request store.CommitRequest) {
	f.t.Helper()
	request.Author = f.caller.User.ID
	if _, err := f.content.Commit(f.t.Context(), request); err != nil {
		f.t.Fatal(err)
	}
}

// file commits a file and returns its entry.
func (f *fixture) file(name string, body []byte) *entity.Entry {
	f.t.Helper()
	hash, size, err := f.content.PutFile(f.t.Context(), bytes.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	e := &entity.Entry{ID: id.New("file"), Kind: entity.KindFile, Name: name, Blob: hash, Size: size}
	f.commit(store.CommitRequest{Space: f.space.ID, Put: []store.Put{{Entry: e}}})
	return e
}

// home is the path of the site.
func (f *fixture) home() string { return "/sites/" + f.org.Hostname + "/" + f.site.Basename + "/" }

// get asks for a path below the site's root. Headers come as name and value.
func (f *fixture) get(rest string, headers ...string) *httptest.ResponseRecorder {
	f.t.Helper()
	return ask(f.server, http.MethodGet, f.home()+rest, headers...)
}

// asset returns a static file of sites by its name.
func (f *fixture) asset(name string) string {
	f.t.Helper()
	w := f.get("~/assets/" + f.server.services.Themes.Assets.File(name))
	if w.Code != http.StatusOK {
		f.t.Fatalf("%s: %d", name, w.Code)
	}
	return w.Body.String()
}

func ask(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// html asks for a page and parses it.
func (f *fixture) html(rest string) *goquery.Document {
	f.t.Helper()
	w := f.get(rest)
	if w.Code != http.StatusOK {
		f.t.Fatalf("GET %s: status %d: %s", rest, w.Code, w.Body)
	}
	return parse(f.t, w)
}

func parse(t testing.TB, w *httptest.ResponseRecorder) *goquery.Document {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// texts are the texts of the elements that a selector finds.
func texts(page *goquery.Document, selector string) []string {
	found := []string{}
	page.Find(selector).Each(func(_ int, s *goquery.Selection) {
		found = append(found, strings.Join(strings.Fields(s.Text()), " "))
	})
	return found
}

// attribute is the attribute of the first element that a selector finds.
func attribute(page *goquery.Document, selector, name string) string {
	value, _ := page.Find(selector).First().Attr(name)
	return value
}

func sqliteFixture(t testing.TB) *fixture {
	t.Helper()
	return newFixture(t, dbtest.SQLite(t))
}
