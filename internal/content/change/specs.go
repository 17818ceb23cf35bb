package change

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// checkSpecs refuses to settle a conflict with a value that shows API specifications which neither side shows, for
// somebody who may not read them.
func (s *Service) checkSpecs(ctx context.Context, caller account.Caller, r Request, c Conflict, how Settlement) error {
	if how.Keep != "" {
		return nil
	}
	if reads, err := access.New(s.deps.DB).ReadsSpecs(ctx, caller, r.Organization); err != nil || reads {
		return err
	}
	var before []string
	for _, side := range []any{c.Base, c.Main, c.Own} {
		before = append(before, specsIn(side)...)
	}
	return store.RefuseSpecs("The value", before, specsIn(how.Value))
}

// specsIn returns the specifications that a value of a conflict shows: a body, or what a page is computed from.
func specsIn(value any) []string {
	if body, ok := value.(string); ok {
		return store.SpecsShown([]byte(body))
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var computed entity.Computed
	if json.Unmarshal(encoded, &computed) != nil {
		return nil // a value of another field
	}
	return store.SpecComputed(&computed)
}
