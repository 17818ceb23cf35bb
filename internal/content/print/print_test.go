package print_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// TestLanguage holds that a PDF says in which language it is.
func TestLanguage(t *testing.T) {
	each(t, func(h *fixture) {
		h.work()
		page := h.write("", entity.Entry{Title: "2026"}, "1. 2\n")
		made := h.bytes(h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{})))
		if bytes.Contains(made, []byte("/Lang")) {
			h.Error("a space of no language has one")
		}
		if err := h.db.Tx(h.Context(), func(ctx context.Context, q db.Querier) error {
			return space.SetLanguage(ctx, q, h.space, "he", h.clock())
		}); err != nil {
			h.Fatal(err)
		}
		scope := print.Scope{Page: page}
		made = h.bytes(h.made(h.Order(h.Context(), h.admin, h.space, scope)))
		if !bytes.Contains(made, []byte("/Lang <6865>")) {
			h.Error("a space in Hebrew is not said to be")
		}
	})
}

// fixture is an organization with a space, and the services that printing needs.
type fixture struct {
	*testing.T
	*print.Service
	db      *db.DB
	content *store.Service
	spaces  *space.Service
	changes *change.Service
	jobs    *job.Runner
	admin   account.Caller
	guest   account.Caller
	space   id.Space

	mu  sync.Mutex
	now time.Time
}

func (h *fixture) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *fixture) wait(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

func each(t *testing.T, test func(h *fixture)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d, pdf.Limits{})) })
}

func newFixture(t *testing.T, d *db.DB, limits pdf.Limits) *fixture {
	t.Helper()
	h := &fixture{T: t, db: d, now: time.Now()}
	h.content, h.changes, h.spaces = changetest.New(t, d, changetest.Options{
		Store: store.Deps{Now: h.clock}, Heads: store.Hooks{BlobInUse: print.BlobInUse}, Now: h.clock})

	orgs := orgtest.NewService(t,
		org.Deps{DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}, org.Hooks{})
	made, err := orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	guest, err := orgs.AddUser(t.Context(), org.NewMember{Email: "guest@example.org",
		Organization: made.Organization.ID})
	if err != nil {
		t.Fatal(err)
	}
	h.admin, h.guest = account.Caller{User: made.User}, account.Caller{User: guest.User}
	h.jobs = job.New(d, slog.New(slog.DiscardHandler))
	h.Service = requiredtest.Wire(print.New(print.Deps{
		DB: d, Content: h.content, Spaces: h.spaces, Changes: h.changes, Jobs: h.jobs,
		Log:     slog.New(slog.DiscardHandler),
		BaseURL: "https://docs.example.org", Now: h.clock, TempDir: t.TempDir(),
		Fetch: fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}), Limits: limits,
	}), print.Uncomputed())
	home, err := h.spaces.Create(t.Context(), h.admin, made.Organization.ID, space.NewSpace{Title: "Docs"})
	if err != nil {
		t.Fatal(err)
	}
	h.space = home.ID
	return h
}

func (h *fixture) work() {
	h.Helper()
	if err := h.jobs.Start(h.Context()); err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := h.jobs.Stop(ctx); err != nil {
			h.Error(err)
		}
	})
}

// write puts a page, and returns its id.
func (h *fixture) write(branch id.Branch, e entity.Entry, body string) string {
	h.Helper()
	if e.ID == "" {
		e.ID = id.New("page")
	}
	e.Kind = entity.KindPage
	if e.Type == "" {
		e.Type = entity.PageDocument
	}
	put := store.Put{Entry: &e}
	if e.Type == entity.PageDocument {
		put.Body = []byte(body)
	}
	_, err := h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch, Author: h.admin.User.ID,
		Put: []store.Put{put}, FixSlugs: true})
	if err != nil {
		h.Fatal(err)
	}
	return e.ID
}

// made orders and waits.
func (h *fixture) made(ordered print.PDF, err error) print.PDF {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
	got, err := h.Await(h.Context(), ordered.ID, 30*time.Second)
	if err != nil {
		h.Fatal(err)
	}
	return got
}

func (h *fixture) bytes(made print.PDF) []byte {
	h.Helper()
	if made.State != print.Done {
		h.Fatalf("the PDF is %+v", made)
	}
	reader, size, err := h.Open(h.Context(), made)
	if err != nil {
		h.Fatal(err)
	}
	defer reader.Close()
	data, err := io.ReadAll(reader)
	if err != nil || int64(len(data)) != size || size != made.Size {
		h.Fatalf("%d bytes of %d, %v", len(data), size, err)
	}
	return data
}

func TestOrder(t *testing.T) {
	each(t, func(h *fixture) {
		first := h.write("", entity.Entry{Title: "First"}, "See [second](/pages/nowhere).")
		h.write("", entity.Entry{Title: "Below", Parent: first}, "Text.")
		h.write("", entity.Entry{Title: "Secret", Flags: entity.Flags{Hidden: true}}, "Text.")
		h.write("", entity.Entry{Title: "For some", Condition: "visitor.claims.unsigned.beta"}, "Text.")
		h.work()
		ordered, err := h.Order(h.Context(), h.admin, h.space, print.Scope{})
		whole := h.made(ordered, err)
		if whole.Title != "Docs" || whole.Sheets != 4 || whole.Total != 2 || whole.Done != 2 ||
			!bytes.HasPrefix(h.bytes(whole), []byte("%PDF")) {
			h.Errorf("made %+v", whole)
		}
		again, err := h.Order(h.Context(), h.admin, h.space, print.Scope{})
		if err != nil || again.ID != whole.ID || again.State != print.Done {
			h.Errorf("ordered again: %+v, %v", again, err)
		}
		part := h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{Page: first, Only: true}))
		if part.ID == whole.ID || part.Title != "First" || part.Subtitle != "Docs" || part.Sheets != 2 {
			h.Errorf("a page: %+v", part)
		}

		// The PDF of a change request has its content, and does not change when main does.
		request, err := h.changes.Create(h.Context(), h.admin, h.space, change.New{Subject: "More"})
		if err != nil {
			h.Fatal(err)
		}
		h.write(request.Branch, entity.Entry{Title: "Proposed"}, "New.")
		proposed := h.made(h.OrderChange(h.Context(), h.admin, h.space, "1", print.Scope{}))
		if proposed.Subtitle != "Change request #1: More" || proposed.Sheets != 5 || proposed.Total != 3 {
			h.Errorf("the change request: %+v", proposed)
		}
		h.write("", entity.Entry{Title: "Later"}, "New.")
		if same := h.made(h.OrderChange(h.Context(), h.admin, h.space, request.ID,
			print.Scope{})); same.ID != proposed.ID {
			h.Error("a move of main makes another PDF of a change request")
		}
		if later := h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{})); later.ID == whole.ID ||
			later.Sheets != 5 {
			h.Errorf("after an edit: %+v", later)
		}
	})
}

func TestRefusals(t *testing.T) {
	each(t, func(h *fixture) {
		page := h.write("", entity.Entry{Title: "Page"}, "Text.")
		group := h.write("", entity.Entry{Title: "Group", Type: entity.PageGroup}, "")
		for name, test := range map[string]struct {
			caller account.Caller
			space  id.Space
			scope  print.Scope
			want   errs.Kind
		}{
			"only without a page": {h.admin, h.space, print.Scope{Only: true}, errs.Invalid},
			"a group alone":       {h.admin, h.space, print.Scope{Page: group, Only: true}, errs.Invalid},
			"no such page":        {h.admin, h.space, print.Scope{Page: id.New("page")}, errs.NotFound},
			"not an id":           {h.admin, h.space, print.Scope{Page: "../x"}, errs.NotFound},
			"no such space":       {h.admin, id.Space(id.New("space")), print.Scope{}, errs.NotFound},
			"a guest":             {h.guest, h.space, print.Scope{}, errs.NotFound},
			"a guest, a page":     {h.guest, h.space, print.Scope{Page: page}, errs.NotFound},
		} {
			if _, err := h.Order(h.Context(), test.caller, test.space, test.scope); !errs.Is(err, test.want) {
				h.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.OrderChange(h.Context(), h.admin, h.space, "7", print.Scope{}); !errs.Is(err, errs.NotFound) {
			h.Errorf("no such change request: %v", err)
		}
		if _, err := h.Await(h.Context(), id.New("pdf"), time.Second); !errs.Is(err, errs.NotFound) {
			h.Errorf("no such PDF: %v", err)
		}
		var count int
		if err := h.db.Read().QueryRowContext(h.Context(), `SELECT COUNT(*) FROM print_pdf`).Scan(&count); err != nil ||
			count != 0 {
			h.Errorf("refusals leave %d PDFs, %v", count, err)
		}
	})
}

// TestTogether holds that many orders at once make one PDF.
func TestTogether(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", entity.Entry{Title: "Page"}, "Text.")
		ids := make(chan string, 16)
		var group sync.WaitGroup
		for range cap(ids) {
			group.Go(func() {
				ordered, err := h.Order(h.Context(), h.admin, h.space, print.Scope{})
				if err != nil {
					h.Error(err)
				}
				ids <- ordered.ID
			})
		}
		group.Wait()
		close(ids)
		first := <-ids
		for other := range ids {
			if other != first {
				h.Errorf("%s and %s", first, other)
			}
		}
		var jobs int
		if err := h.db.Read().QueryRowContext(h.Context(), `SELECT COUNT(*) FROM job WHERE kind = 'print.pdf'`).
			Scan(&jobs); err != nil || jobs != 1 {
			h.Errorf("%d jobs, %v", jobs, err)
		}
		// Nobody works yet: patience runs out.
		if got, err := h.Await(h.Context(), first, 50*time.Millisecond); err != nil || got.State != print.Pending {
			h.Errorf("while waiting: %+v, %v", got, err)
		}
	})
}

// TestMany holds that PDFs that wait for one another are all made.
func TestMany(t *testing.T) {
	each(t, func(h *fixture) {
		var ordered []print.PDF
		for i := range 6 {
			page := h.write("", entity.Entry{Title: fmt.Sprint("Page ", i)}, strings.Repeat("Some text.\n\n", 2000))
			one, err := h.Order(h.Context(), h.admin, h.space, print.Scope{Page: page})
			if err != nil {
				h.Fatal(err)
			}
			ordered = append(ordered, one)
		}
		h.work()
		for _, one := range ordered {
			if got := h.made(one, nil); got.State != print.Done || got.Title != one.Title {
				h.Errorf("made %+v", got)
			}
		}
	})
}

func TestExpiry(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", entity.Entry{Title: "Page"}, "Text.")
		h.work()
		made := h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{}))
		h.wait(print.Life - time.Minute)
		if count, err := h.Sweep(h.Context()); err != nil || count != 0 {
			h.Errorf("within its life: %d, %v", count, err)
		}
		h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{})) // lives on
		h.wait(print.Life)
		// Content's own rubbish collection keeps the bytes as long as the PDF is there, and no longer.
		h.wait(2 * store.DefaultGrace)
		if _, err := h.content.Collect(h.Context()); err != nil {
			h.Fatal(err)
		}
		h.bytes(made)
		if count, err := h.Sweep(h.Context()); err != nil || count != 1 {
			h.Errorf("after its life: %d, %v", count, err)
		}
		if _, err := h.Await(h.Context(), made.ID, time.Second); !errs.Is(err, errs.NotFound) {
			h.Errorf("an expired PDF: %v", err)
		}
		if _, err := h.content.Collect(h.Context()); err != nil {
			h.Fatal(err)
		}
		if reader, _, err := h.Open(h.Context(), made); err == nil {
			h.Errorf("the bytes are still there: %v", reader.Close())
		}
	})
}

// TestFailures holds that a PDF that cannot be made says why, and is tried again when it is ordered again.
func TestFailures(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, pdf.Limits{Sheets: 3})
		long := h.write("", entity.Entry{Title: "Long"}, strings.Repeat("Text.\n\n", 500))
		h.work()
		failed := h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{}))
		if failed.State != print.Failed || !failed.Mendable || !strings.Contains(failed.Message, "Long") ||
			!strings.Contains(failed.Message, "3 pages") {
			h.Errorf("too large: %+v", failed)
		}
		h.wait(time.Second)
		again, err := h.Order(h.Context(), h.admin, h.space, print.Scope{})
		if err != nil || again.ID != failed.ID || again.State != print.Pending {
			h.Errorf("ordered again: %+v, %v", again, err)
		}
		if got := h.made(again, nil); got.State != print.Failed {
			h.Errorf("tried again: %+v", got)
		}
		h.write("", entity.Entry{ID: long, Title: "Long"}, "Short.")
		if got := h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{})); got.State != print.Done {
			h.Errorf("after the page was mended: %+v", got)
		}
	})
}

// TestImages holds that pages show files of the space, in any form of reference, and images from elsewhere.
func TestImages(t *testing.T) {
	each(t, func(h *fixture) {
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 30, 20))); err != nil {
			h.Fatal(err)
		}
		elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/there.png" {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write(picture.Bytes()) // the test sees what is missing
		}))
		h.Cleanup(elsewhere.Close)
		hash, size, err := h.content.PutFile(h.Context(), bytes.NewReader(picture.Bytes()))
		if err != nil {
			h.Fatal(err)
		}
		file := id.New("file")
		_, err = h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Author: h.admin.User.ID,
			Put: []store.Put{{Entry: &entity.Entry{
				ID: file, Kind: entity.KindFile, Name: "my pixel.png", ContentType: "image/png", Size: size, Blob: hash,
			}}}})
		if err != nil {
			h.Fatal(err)
		}
		h.write("", entity.Entry{Title: "Page"},
			fmt.Sprintf("![](/files/%s)\n\n![](.gitbook/assets/my%%20pixel.png)\n\n![](%s/there.png)\n\n"+
				"![](%s/gone.png)\n\n![](gone.png)\n",
				file, elsewhere.URL, elsewhere.URL))
		h.work()
		made := h.bytes(h.made(h.Order(h.Context(), h.admin, h.space, print.Scope{})))
		if got := bytes.Count(made,
			[]byte(
				"/Subtype /Image /Width 30 /Height 20 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask")); got != 3 {
			h.Errorf("%d images", got)
		}
	})
}

// TestStop holds that a PDF is made after the process that was at it has stopped.
func TestStop(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", entity.Entry{Title: "Page"}, strings.Repeat("Some text.\n\n", 3000))
		ordered, err := h.Order(h.Context(), h.admin, h.space, print.Scope{})
		if err != nil {
			h.Fatal(err)
		}
		if err := h.jobs.Start(h.Context()); err != nil {
			h.Fatal(err)
		}
		now, cancel := context.WithCancel(h.Context())
		cancel()
		_ = h.jobs.Stop(now) // cuts what runs
		other := job.New(h.db, slog.New(slog.DiscardHandler))
		requiredtest.Wire(print.New(print.Deps{DB: h.db, Content: h.content, Spaces: h.spaces, Changes: h.changes,
			Jobs: other, Fetch: fetch.New(fetch.Options{}), BaseURL: "https://docs.example.org",
			Log: slog.New(slog.DiscardHandler), TempDir: h.TempDir()}), print.Uncomputed())
		if err := other.Start(h.Context()); err != nil {
			h.Fatal(err)
		}
		defer func() {
			if err := other.Stop(h.Context()); err != nil {
				h.Error(err)
			}
		}()
		if got := h.made(ordered, nil); got.State != print.Done {
			h.Errorf("made %+v", got)
		}
	})
}
