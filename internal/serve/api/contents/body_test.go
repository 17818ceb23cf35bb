package contents

import (
	"testing"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestReadings holds that the API evaluates pages as their readers get them, and refuses what cannot be read.
func TestReadings(t *testing.T) {
	d := dbtest.SQLite(t)
	contents := storetest.NewService(t, d, store.Deps{})
	storetest.NewSpace(t.Context(), t, contents, d, "space_own")
	storetest.ReadPages(t.Context(), t, contents, "space_own")
	view, err := contents.Head(t.Context(), "space_own")
	if err != nil {
		t.Fatal(err)
	}
	storetest.CheckReadings(t, true, func(page string) (string, error) {
		e, err := view.Entry(t.Context(), page)
		if err != nil {
			return "", err
		}
		document, _, err := documentOf(t.Context(), view, e, PageFormat{})
		if err != nil {
			return "", err
		}
		return render.Text(document), nil
	})
}
