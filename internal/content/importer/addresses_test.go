package importer_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestFormerAddresses holds that pages are found where their source's tool published them, that a redirect of
// somebody's own stays, and that importing again changes nothing.
func TestFormerAddresses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		files := map[string]string{
			"docusaurus.config.js":       "module.exports = {}",
			"docs/01-intro.md":           "# Intro\n",
			"docs/02-Guide/03-set-up.md": "---\nslug: /start\n---\n# Set up\n",
			"docs/02-Guide/04-more.md":   "---\nid: further\n---\n# More\n",
		}
		result := h.importFiles(t, spaceID, files)
		view := h.head(t, spaceID)
		for path, want := range map[string]string{
			"docs/intro": "intro", "01-intro": "intro", "docs/start": "Guide/set-up", "start": "Guide/set-up",
			"docs/Guide/further": "Guide/more", "02-Guide/04-more": "Guide/more", "02-Guide/03-set-up": "Guide/set-up",
		} {
			found, err := view.ByPath(t.Context(), path)
			if err != nil || found.Path != want {
				t.Errorf("%s leads to %q, %v; want %q", path, found.Path, err, want)
			}
		}
		if result.Report.Redirects == 0 || result.Report.Detected == nil ||
			result.Report.Detected.Generator != "docusaurus" {
			t.Errorf("the report says %+v", result.Report)
		}
		if again := h.importFiles(t, spaceID, files); again.Revision != result.Revision {
			t.Error("importing again makes a revision")
		}
	})
}
