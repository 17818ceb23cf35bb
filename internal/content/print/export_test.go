package print

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Uncomputed returns Hooks for spaces without computed pages.
func Uncomputed() Hooks {
	return requiredtest.Fill(Hooks{Computed: ComputedSource{Expand: func(_ context.Context, _ id.Space,
		tree *store.Tree) (*store.Tree, map[string]*doc.Document, error) {
		return tree, nil, nil
	}}})
}
