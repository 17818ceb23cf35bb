package importer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/importer/gitsync"
	"github.com/rectodocs/recto/internal/content/importer/website"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// fixture is an organization with an admin, a reader, and the services that an import needs.
type fixture struct {
	*importer.Service
	db           *db.DB
	blobs        blob.Store
	content      *store.Service
	changes      *change.Service
	spaces       *space.Service
	jobs         *job.Runner
	organization id.Organization
	admin        account.Caller
	reader       account.Caller
	temp         string
	// google answers what documents of Google Docs are asked for.
	google http.HandlerFunc
	// syncs are what was told of imports of commits, syncFails what the listener answers.
	syncs     []gitsync.Sync
	syncFails map[gitsync.State]error
}

func newFixture(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	ctx := t.Context()
	blobs, err := blob.OpenStore("dir:" + t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &fixture{db: d, blobs: blobs, temp: t.TempDir()}
	h.content, h.changes, h.spaces = changetest.New(t, d, changetest.Options{
		Store: store.Deps{Blobs: blobs}, Heads: store.Hooks{BlobInUse: importer.BlobInUse}})
	accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	orgs := orgtest.NewService(t, org.Deps{DB: d, Accounts: accounts}, org.Hooks{})
	made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	h.organization, h.admin = made.Organization.ID, account.Caller{User: made.User}
	reader, err := orgs.AddUser(ctx, org.NewMember{Email: "reader@example.org", Organization: h.organization,
		Role: org.RoleRead})
	if err != nil {
		t.Fatal(err)
	}
	h.reader = account.Caller{User: reader.User}
	h.jobs = job.New(d, discard())
	documents := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.google(w, r) }))
	t.Cleanup(documents.Close)
	h.Service = requiredtest.Wire(importer.New(importer.Deps{
		GoogleDocs: documents.URL,
		DB:         d, Content: h.content, Changes: h.changes, Jobs: h.jobs, Log: discard(), TempDir: h.temp,
		Fetch: fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}),
		Crawl: website.Options{Interval: -1, Retry: time.Millisecond},
	}), importer.Hooks{Sync: func(_ context.Context, _ db.Querier, sync gitsync.Sync) error {
		h.syncs = append(h.syncs, sync)
		return h.syncFails[sync.State]
	}})
	return h
}

func (h *fixture) newSpace(t testing.TB) id.Space {
	t.Helper()
	made, err := h.spaces.Create(t.Context(), h.admin, h.organization, space.NewSpace{Title: "Docs"})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// importFiles imports an archive of the files as the admin.
func (h *fixture) importFiles(t testing.TB, spaceID id.Space, files map[string]string) importer.Result {
	t.Helper()
	return h.importZIP(t, spaceID, pack(t, files))
}

func (h *fixture) importZIP(t testing.TB, spaceID id.Space, archive []byte) importer.Result {
	t.Helper()
	result, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceZIP,
		Upload: bytes.NewReader(archive), Name: "docs.zip"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (h *fixture) head(t testing.TB, spaceID id.Space) *store.View {
	t.Helper()
	view, err := h.content.Head(t.Context(), spaceID)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// export returns the files of a space's export.
func (h *fixture) export(t testing.TB, spaceID id.Space) map[string]string {
	t.Helper()
	var archive bytes.Buffer
	sink := importer.NewZIPSink(&archive)
	count, err := h.Export(t.Context(), h.head(t, spaceID), sink)
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, archive.Bytes())
	if len(files) != count {
		t.Errorf("%d files, said to be %d", len(files), count)
	}
	return files
}

func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := writer.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[name])
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func unpack(t testing.TB, archive []byte) map[string]string {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range reader.File {
		content, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name] = string(data)
	}
	return files
}

// outline shows the pages of a view: a line a page with its type, slug, title and link title.
func outline(t testing.TB, view *store.View) string {
	t.Helper()
	tree, err := view.Pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, node := range tree.Ordered {
		e := node.Entry
		fmt.Fprintf(&out, "%s%c %s: %s", strings.Repeat("  ", strings.Count(node.Path, "/")), e.Type[0], e.Slug,
			e.Title)
		if e.LinkTitle != "" {
			fmt.Fprintf(&out, " (%s)", e.LinkTitle)
		}
		if e.Target != nil {
			fmt.Fprintf(&out, " -> %s", describeTarget(tree, e.Target))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func describeTarget(tree *store.Tree, target *doc.Ref) string {
	where := target.URL + target.File
	if node := tree.ByID[target.Page]; node != nil {
		where = "page " + node.Path
	}
	if target.Anchor != "" {
		where += "#" + target.Anchor
	}
	return string(target.Kind) + " " + where
}

// described is everything that a view holds, with ids replaced by paths: two spaces with the same content have equal
// descriptions.
func described(t testing.TB, view *store.View) map[string]string {
	t.Helper()
	ctx := t.Context()
	all := map[string]string{}
	names := map[string]string{}
	tree, err := view.Pages(ctx)
	if err != nil {
		t.Fatal(err)
	}
	files, err := view.Files(ctx)
	if err != nil {
		t.Fatal(err)
	}
	reusables, err := view.ReusableContents(ctx)
	if err != nil {
		t.Fatal(err)
	}
	redirects, err := view.Redirects(ctx)
	if err != nil {
		t.Fatal(err)
	}
	variables, err := view.Variables(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, node := range tree.Ordered {
		names[node.Entry.ID] = fmt.Sprintf("page:%s(%s)", node.Path, node.Entry.Type)
		all[fmt.Sprintf("order %04d", i)] = names[node.Entry.ID]
	}
	for _, file := range files {
		place := file.Path
		if place == "" {
			place = pagefile.AssetFolder + file.Name
		}
		names[file.ID] = "file:" + place
	}
	for _, reusable := range reusables {
		names[reusable.ID] = "content:" + reusable.Title
	}
	var pairs []string
	for id, name := range names {
		pairs = append(pairs, id, "{"+name+"}")
	}
	replacer := strings.NewReplacer(pairs...)
	body := func(e *entity.Entry) string {
		bytes, err := view.Body(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		return replacer.Replace(string(bytes))
	}
	fields := func(e *entity.Entry) string {
		clean := *e
		clean.CreatedAt, clean.UpdatedAt, clean.Position, clean.Body = 0, 0, "", ""
		encoded, err := entity.Encode(&clean)
		if err != nil {
			t.Fatal(err)
		}
		return replacer.Replace(string(encoded))
	}
	for _, node := range tree.Ordered {
		all[names[node.Entry.ID]] = fields(node.Entry)
		all["body of "+names[node.Entry.ID]] = body(node.Entry)
	}
	for _, file := range files {
		all[names[file.ID]] = fields(file)
	}
	for _, reusable := range reusables {
		all[names[reusable.ID]] = fields(reusable)
		all["body of "+names[reusable.ID]] = body(reusable)
	}
	for _, redirect := range redirects {
		all["redirect "+replacer.Replace(redirect.Parent)+"/"+redirect.Path] = fields(redirect)
	}
	if len(variables) > 0 {
		all["variables"] = fmt.Sprint(variables)
	}
	return all
}
