package spec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestTextBecomesAVersion(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		made, err := h.Create(t.Context(), h.admin, h.organization, "pets", text(pets))
		if err != nil {
			t.Fatal(err)
		}
		if made.State != spec.Pending || made.LastVersion != "" || !made.Permissions.Edit || made.SourceURL != "" {
			t.Errorf("made: %+v", made)
		}
		if _, err := h.Latest(t.Context(), h.admin, h.organization, "pets"); !errs.Is(err, errs.NotFound) ||
			!strings.Contains(err.Error(), "pending") {
			t.Errorf("a version before processing: %v", err)
		}
		done := h.run(t, "pets")
		if done.State != spec.Complete || done.Error != "" || done.LastVersion == "" || done.ProcessedAt.IsZero() ||
			len(done.Problems) != 0 {
			t.Fatalf("done: %+v", done)
		}
		latest, err := h.Latest(t.Context(), h.admin, h.organization, "pets")
		if err != nil || latest.ID != done.LastVersion || latest.Number != 1 || latest.Format != oas.YAML ||
			latest.RawSize != int64(len(pets)) {
			t.Fatalf("latest: %+v, %v", latest, err)
		}
		raw, err := h.Raw(t.Context(), latest)
		if err != nil || string(raw) != pets {
			t.Errorf("raw: %q, %v", raw, err)
		}
		bundle, err := h.Bundle(t.Context(), latest)
		if err != nil || !json.Valid(bundle) || !bytes.Contains(bundle, []byte(`"List pets"`)) {
			t.Errorf("bundle: %s, %v", bundle, err)
		}
	})
}

func TestSameContentIsOneVersion(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.put(t, "pets", text(pets))
		first := h.run(t, "pets")
		h.put(t, "pets", text(pets))
		if waiting := h.get(t, "pets"); waiting.State != spec.Pending || waiting.LastVersion != first.LastVersion {
			t.Errorf("put again: %+v", waiting)
		}
		if second := h.run(t, "pets"); second.LastVersion != first.LastVersion || second.State != spec.Complete {
			t.Errorf("the same content made a version: %+v", second)
		}
		h.put(t, "pets", text(strings.ReplaceAll(pets, "List pets", "List all pets")))
		third := h.run(t, "pets")
		if third.LastVersion == first.LastVersion {
			t.Error("other content made no version")
		}
		h.put(t, "pets", text(pets))
		if back := h.run(t, "pets"); back.LastVersion == first.LastVersion || back.LastVersion == third.LastVersion {
			t.Error("going back to earlier content is a change as well")
		}
		versions, err := h.Versions(t.Context(), h.admin, h.organization, "pets", paging.Request{Limit: 2})
		if err != nil || versions.Count != 3 || len(versions.Items) != 2 || versions.Items[0].Number != 3 ||
			versions.Items[1].Number != 2 ||
			versions.Next == nil {
			t.Fatalf("versions: %+v %d %v %v", versions.Items, versions.Count, versions.Next, err)
		}
		versions, err = h.Versions(t.Context(), h.admin, h.organization, "pets",
			paging.Request{Limit: 2, After: versions.Next})
		if err != nil || len(versions.Items) != 1 || versions.Items[0].ID != first.LastVersion || versions.Next != nil {
			t.Errorf("last page: %+v %v %v", versions.Items, versions.Next, err)
		}
	})
}

// TestFailures holds what each failure says, and that it leaves the version that is there alone.
func TestFailures(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		const at = "https://api.example.com/openapi.yaml"
		h.web.text(at, pets)
		h.put(t, "pets", address(at))
		good := h.run(t, "pets")
		if good.State != spec.Complete || good.LastVersion == "" || good.SourceURL != at {
			t.Fatalf("a good one: %+v", good)
		}
		private := errs.Invalidf("url", "the address is refused")
		for _, test := range []struct {
			name   string
			answer func(ctx context.Context) (int, string, error)
			code   spec.ErrorCode
			says   string
		}{
			{"slow", func(ctx context.Context) (int, string, error) { <-ctx.Done(); return 0, "", ctx.Err() },
				spec.FetchTimeout, "did not answer within"},
			{"not found", func(context.Context) (int, string, error) { return http.StatusNotFound, "no", nil },
				spec.FetchError, "404"},
			{"refused", func(context.Context) (int, string, error) { return 0, "", private }, spec.FetchError,
				"refused"},
			{"unreachable", func(context.Context) (int, string, error) { return 0, "", http.ErrServerClosed },
				spec.FetchError, "cannot be fetched"},
			{"web page", func(context.Context) (int, string, error) { return 200, "<!doctype html><p>Hello", nil },
				spec.ParseError, ""},
			{"broken", func(context.Context) (int, string, error) { return 200, `{"openapi": "3.0.0",`, nil },
				spec.ParseError, "line 1, column 21"},
			{"no description", func(context.Context) (int, string, error) { return 200, `{"name": "x"}`, nil },
				spec.ParseError, "no API description"},
			{"dangling", func(context.Context) (int, string, error) {
				return 200, strings.Replace(pets, "{description: All of them}", `{$ref: "#/components/responses/None"}`,
					1), nil
			}, spec.ParseError, "line 9, column 23"},
			{"file in a private network", func(context.Context) (int, string, error) {
				return 200, strings.Replace(pets, "{description: All of them}", `{$ref: "http://10.0.0.1/x.yaml#/A"}`,
					1), nil
			}, spec.ParseError, "http://10.0.0.1/x.yaml"},
		} {
			t.Run(test.name, func(t *testing.T) {
				h.web.set(at, test.answer)
				h.put(t, "pets", address(at))
				got := h.run(t, "pets")
				if got.State != spec.Complete || got.Error != test.code || got.LastVersion != good.LastVersion {
					t.Fatalf("got %+v", got)
				}
				if len(got.Problems) == 0 || !strings.Contains(got.Problems[0].Message, test.says) ||
					got.Problems[0].Code != "error" {
					t.Errorf("it says %+v", got.Problems)
				}
			})
		}
		h.web.text(at, pets)
		h.put(t, "pets", address(at))
		if healed := h.run(t, "pets"); healed.Error != "" || len(healed.Problems) != 0 ||
			healed.LastVersion != good.LastVersion {
			t.Errorf("after failures: %+v", healed)
		}
	})
}

func TestRefresh(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		const at = "https://api.example.com/openapi.yaml"
		h.web.text(at, pets)
		h.put(t, "pets", address(at))
		h.put(t, "text", text(pets))
		first, other := h.run(t, "pets"), h.run(t, "text")
		refresh := func() spec.Spec {
			t.Helper()
			if err := h.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			return h.get(t, "pets")
		}
		h.clock.advance(spec.RefreshAfter - time.Minute)
		if early := refresh(); early.State != spec.Complete || early.Generation() != first.Generation() {
			t.Errorf("fetched too early: %+v", early)
		}
		h.clock.advance(2 * time.Minute)
		h.web.text(at, strings.ReplaceAll(pets, "List pets", "List all pets"))
		if waiting := refresh(); waiting.State != spec.Pending || waiting.Generation() != first.Generation()+1 {
			t.Fatalf("after six hours: %+v", waiting)
		}
		if again := refresh(); again.Generation() != first.Generation()+1 {
			t.Error("asked for twice")
		}
		if done := h.run(t, "pets"); done.LastVersion == first.LastVersion || done.Error != "" {
			t.Errorf("refreshed: %+v", done)
		}
		if h.web.count(at) != 2 {
			t.Errorf("fetched %d times", h.web.count(at))
		}
		h.clock.advance(1000 * time.Hour)
		refresh()
		if now := h.get(t, "text"); now.Generation() != other.Generation() {
			t.Error("a text is processed again")
		}
		// A request whose job got lost is taken up again.
		h.put(t, "lost", text(pets))
		h.clock.advance(2 * time.Hour)
		refresh()
		if lost := h.get(t, "lost"); lost.Generation() != 2 || lost.State != spec.Pending {
			t.Errorf("a lost request: %+v", lost)
		}
	})
}

// TestConcurrentJobs holds that of overlapping jobs only the newest request counts, and that a job that runs twice
// counts once.
func TestConcurrentJobs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		const at = "https://api.example.com/openapi.yaml"
		reached, release := make(chan struct{}), make(chan struct{})
		h.web.set(at, func(context.Context) (int, string, error) {
			close(reached)
			<-release
			return 200, strings.ReplaceAll(pets, "Pets", "Old pets"), nil
		})
		old := h.put(t, "pets", address(at))
		ended := make(chan error, 1)
		go func() { ended <- h.Process(t.Context(), old.ID, old.Generation()) }()
		<-reached
		if busy := h.get(t, "pets"); busy.State != spec.Progress {
			t.Errorf("while it is fetched: %s", busy.State)
		}
		h.put(t, "pets", text(pets))
		newer := h.run(t, "pets")
		close(release)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		now := h.get(t, "pets")
		if now.State != spec.Complete || now.LastVersion != newer.LastVersion ||
			now.Generation() != newer.Generation() {
			t.Errorf("the older job has written: %+v", now)
		}
		// Both runs of one request at once.
		h.put(t, "pets", text(strings.ReplaceAll(pets, "Pets", "New pets")))
		current := h.get(t, "pets")
		errors := make(chan error, 4)
		for range cap(errors) {
			go func() { errors <- h.Process(t.Context(), current.ID, current.Generation()) }()
		}
		for range cap(errors) {
			if err := <-errors; err != nil {
				t.Error(err)
			}
		}
		list, err := h.Versions(t.Context(), h.admin, h.organization, "pets", paging.Request{})
		if err != nil || list.Count != 2 {
			t.Errorf("%d versions, %v", list.Count, err)
		}
	})
}

// TestJobsRun holds that what is asked for is carried out by the workers, and ends with a deleted specification.
func TestJobsRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.put(t, "gone", text(pets))
		if err := h.Delete(t.Context(), h.admin, h.organization, "gone"); err != nil {
			t.Fatal(err)
		}
		h.put(t, "pets", text(pets))
		if err := h.jobs.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := h.jobs.Stop(ctx); err != nil {
				t.Error(err)
			}
		})
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if now := h.get(t, "pets"); now.State == spec.Complete && now.LastVersion != "" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("nobody processes it")
			}
		}
	})
}

func TestAccess(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.put(t, "pets", text(pets))
		h.run(t, "pets")
		for _, role := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleReview, org.RoleCreate} {
			caller := h.member(t, role)
			found, err := h.Get(t.Context(), caller, h.organization, "pets")
			if role == org.RoleGuest {
				if !errs.Is(err, errs.Forbidden) {
					t.Errorf("a guest reads: %v", err)
				}
				continue
			}
			mayEdit := role == org.RoleCreate
			if err != nil || !found.Permissions.View || found.Permissions.Edit != mayEdit {
				t.Errorf("%s reads: %+v, %v", role, found.Permissions, err)
			}
			_, createErr := h.Create(t.Context(), caller, h.organization, "by-"+string(role), text(pets))
			_, _, putErr := h.Upsert(t.Context(), caller, h.organization, "pets", text(pets))
			for name, err := range map[string]error{"create": createErr, "put": putErr} {
				if mayEdit != (err == nil) || !mayEdit && !errs.Is(err, errs.Forbidden) {
					t.Errorf("%s as %s: %v", name, role, err)
				}
			}
			if err := h.Delete(t.Context(), caller, h.organization, "pets"); mayEdit != (err == nil) {
				t.Errorf("delete as %s: %v", role, err)
			}
		}
		if _, err := h.Get(t.Context(), h.admin, h.organization, "pets"); !errs.Is(err, errs.NotFound) {
			t.Errorf("after deleting: %v", err)
		}
	})
}

func TestInvalidSources(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	h.put(t, "taken", text(pets))
	both := address("https://example.com/")
	both.Text = text(pets).Text
	for name, test := range map[string]struct {
		slug   string
		source spec.Source
		kind   errs.Kind
	}{
		"taken":        {"taken", text(pets), errs.Conflict},
		"empty slug":   {"", text(pets), errs.Invalid},
		"upper case":   {"Pets", text(pets), errs.Invalid},
		"hyphens":      {"a--b", text(pets), errs.Invalid},
		"long slug":    {strings.Repeat("a", 101), text(pets), errs.Invalid},
		"no source":    {"a", spec.Source{}, errs.Invalid},
		"two sources":  {"a", both, errs.Invalid},
		"empty text":   {"a", text(""), errs.Invalid},
		"large text":   {"a", text(strings.Repeat("a", oas.MaxBytes+1)), errs.TooLarge},
		"no address":   {"a", address("openapi.yaml"), errs.Invalid},
		"file":         {"a", address("file:///etc/passwd"), errs.Invalid},
		"credentials":  {"a", address("https://me:secret@example.com/"), errs.Invalid},
		"long address": {"a", address("https://example.com/" + strings.Repeat("a", 2048)), errs.Invalid},
	} {
		if _, err := h.Create(t.Context(), h.admin, h.organization, test.slug, test.source); !errs.Is(err, test.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if specs, err := h.List(t.Context(), h.admin, h.organization, paging.Request{}); err != nil ||
		specs.Count != 1 || len(specs.Items) != 1 {
		t.Errorf("refused ones are there: %v %v", specs.Items, err)
	}
}

// TestFilesAreKept holds that the collector of unused files spares those of specifications, and takes them afterwards.
func TestFilesAreKept(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.put(t, "pets", text(pets))
		h.run(t, "pets")
		latest, err := h.Latest(t.Context(), h.admin, h.organization, "pets")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.content.Collect(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, read := range []func(context.Context, spec.Version) ([]byte, error){h.Raw, h.Bundle} {
			if _, err := read(t.Context(), latest); err != nil {
				t.Errorf("after collecting: %v", err)
			}
		}
		if err := h.Delete(t.Context(), h.admin, h.organization, "pets"); err != nil {
			t.Fatal(err)
		}
		for _, hash := range []string{latest.RawBlob, latest.BundleBlob} {
			if used, err := spec.BlobInUse(t.Context(), d.Read(), hash); err != nil || used {
				t.Errorf("in use after deleting: %t, %v", used, err)
			}
		}
	})
}
