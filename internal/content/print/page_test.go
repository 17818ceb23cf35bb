package print

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestReadings holds that a PDF says what a page says elsewhere.
func TestReadings(t *testing.T) {
	d := dbtest.SQLite(t)
	contents := storetest.NewService(t, d, store.Deps{})
	storetest.NewSpace(t.Context(), t, contents, d, "space_own")
	storetest.ReadPages(t.Context(), t, contents, "space_own")
	view, err := contents.Head(t.Context(), "space_own")
	if err != nil {
		t.Fatal(err)
	}
	hooks, asked := Uncomputed(), 0
	hooks.Blocks = func(_ context.Context, space id.Space, _ *doc.Document) error {
		if asked++; space != "space_own" {
			t.Errorf("blocks of the space %s are asked for", space)
		}
		return nil
	}
	from, err := requiredtest.Wire(&Service{deps: Deps{Content: contents}}, hooks).open(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	storetest.CheckReadings(t, false, func(page string) (string, error) {
		document, err := from.Document(t.Context(), page)
		if err != nil {
			return "", err
		}
		return render.Text(document), nil
	})
	if asked == 0 {
		t.Error("nobody is asked what blocks of integrations say")
	}
}
