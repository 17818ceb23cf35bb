package importer_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/importer/gitsync"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestImportsOfCommitsAreTold holds that both ends of an import from a repository are told with what was there, and
// nothing of other imports.
func TestImportsOfCommitsAreTold(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		files := map[string]string{"a.md": "# A\n"}
		told := func(what string, want ...gitsync.Sync) {
			t.Helper()
			if diff := cmp.Diff(want, h.syncs); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
			h.syncs = nil
		}
		// A dry run, a change request, and what comes from nowhere.
		request, err := h.changes.Create(t.Context(), h.admin, spaceID, change.New{})
		if err != nil {
			t.Fatal(err)
		}
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme, DryRun: true}, files)
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme, ChangeRequest: request.ID}, files)
		h.importFrom(t, importer.Request{Space: spaceID}, map[string]string{"b.md": "# B\n"})
		told("imports of no commit into main")

		before, err := h.content.BranchHead(t.Context(), spaceID, "")
		if err != nil {
			t.Fatal(err)
		}
		was := before.Revision().ID
		done := h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme}, files)
		if done.Revision == was {
			t.Error("the import has changed nothing")
		}
		told("a new commit",
			gitsync.Sync{Space: spaceID, Revision: was, Commit: acme.Commit, State: gitsync.Started},
			gitsync.Sync{Space: spaceID, Revision: done.Revision, Commit: acme.Commit, State: gitsync.Succeeded})
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme}, files)
		told("the same commit",
			gitsync.Sync{Space: spaceID, Revision: done.Revision, Commit: acme.Commit, State: gitsync.Started},
			gitsync.Sync{Space: spaceID, Revision: done.Revision, Commit: acme.Commit, State: gitsync.Succeeded})

		// Success is told with the revision or not at all, and what fails is told to have failed.
		h.syncFails = map[gitsync.State]error{gitsync.Succeeded: errors.New("the queue is away")}
		_, err = h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Origin: &acme, Name: "docs.zip",
			Source: importer.SourceZIP, Upload: bytes.NewReader(pack(t, map[string]string{"c.md": "# C\n"}))}, nil)
		after, headErr := h.content.BranchHead(t.Context(), spaceID, "")
		if err == nil || headErr != nil || after.Revision().ID != done.Revision {
			t.Errorf("the import that cannot be told: %v, %v", err, headErr)
		}
		if len(h.syncs) == 3 {
			h.syncs[1].Revision = "" // nobody ever sees that one
		}
		told("a failure",
			gitsync.Sync{Space: spaceID, Revision: done.Revision, Commit: acme.Commit, State: gitsync.Started},
			gitsync.Sync{Space: spaceID, Commit: acme.Commit, State: gitsync.Succeeded},
			gitsync.Sync{Space: spaceID, Revision: done.Revision, Commit: acme.Commit, State: gitsync.Failed})
	})
}
