package edition

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/publish/audience"
)

// Visitor is who reads, as far as conditions and expressions may know it. It does not change.
type Visitor struct {
	// Claims are what the site's schema accepts of what is known, with those that nobody signed below "unsigned".
	Claims map[string]any

	variables map[string]any
	encoded   func() string
	// last is what came of the conditions on pages where they were asked last.
	last atomic.Pointer[decision]
}

// decision is what came of the conditions on the pages of a revision.
type decision struct {
	material *material
	outcomes string
}

// NewVisitor makes the visitor with some claims.
func NewVisitor(claims map[string]any) *Visitor {
	return &Visitor{Claims: claims, variables: page.Visitor(claims), encoded: sync.OnceValue(func() string {
		text, err := json.Marshal(claims)
		if err != nil {
			panic(err) // claims come from JSON
		}
		return string(text)
	})}
}

// Nobody is the visitor of whom nothing is known.
var Nobody = NewVisitor(map[string]any{"unsigned": map[string]any{}})

// Variables is what expressions know of the visitor, as page.Reader has it.
func (v *Visitor) Variables() map[string]any { return v.variables }

// Meets decides a condition on a section or a variant.
func (v *Visitor) Meets(condition string) bool { return audience.Meets(v.Claims, condition) }

// Key tells visitors apart by their claims.
func (v *Visitor) Key() string { return v.encoded() }
