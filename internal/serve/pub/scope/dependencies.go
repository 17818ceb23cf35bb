package scope

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// dependency is something about a visitor that a page was made with: what came of an expression, or which edition of
// another space was looked into.
type dependency struct {
	id string
	// Of an expression.
	program   *expr.Program
	condition bool
	page      *entity.Entry
	// Of another space.
	space *site.ServedSpace
}

// outcome is what comes of a dependency for the visitor of a scope; variables are those of its page.
func (d dependency) outcome(ctx context.Context, s *Scope, variables map[string]any) string {
	if d.space != nil {
		e, err := s.Services.Editions.For(ctx, d.space.Head, s.Specs, s.Visitor)
		if err != nil {
			return "!"
		}
		return edition.ShortKey(e.Outcomes)
	}
	return render.Outcome(ctx, d.program, d.condition, variables)
}

// uses are the dependencies that the making of one page has met, with their outcomes.
type uses struct {
	met      []dependency
	outcomes map[string]string // by id
}

func (u *uses) add(d dependency, outcome string) {
	if u == nil {
		return
	}
	if _, known := u.outcomes[d.id]; !known {
		u.met = append(u.met, d)
		u.outcomes[d.id] = outcome
	}
}

// used notes the use of an expression of a page.
func (s *Scope) used(page *entity.Entry) func(render.Use) {
	if s.uses == nil {
		return nil
	}
	return func(use render.Use) {
		program, err := expr.Parse(use.Source)
		if err != nil {
			return // it does not depend on anybody
		}
		id := strconv.FormatBool(use.Condition) + " " + page.ID + " " + use.Source
		s.uses.add(dependency{id: id, program: program, condition: use.Condition, page: page}, use.Outcome)
	}
}

// Holds decides a condition of the site: on a link of the header, a variant, a section.
func (s *Scope) Holds(condition string) bool {
	if strings.TrimSpace(condition) == "" {
		return true
	}
	program, err := expr.Parse(condition)
	if err != nil {
		return false
	}
	page := &entity.Entry{}
	outcome := render.Outcome(context.Background(), program, true, s.Edition.Variables(s.Visitor, page))
	if program.UsesVisitor() {
		s.uses.add(dependency{id: "true  " + condition, program: program, condition: true, page: page}, outcome)
	}
	return outcome == render.Holds
}

// variance is what the pages at one key have depended on so far, for any visitor. It does not change; another one takes
// its place when a page meets something new.
type variance struct {
	id           string
	dependencies []dependency
}

// key tells visitors apart as far as the dependencies do. Outcomes that are known are not computed again.
func (v *variance) key(ctx context.Context, s *Scope, known map[string]string) string {
	var b strings.Builder
	var page *entity.Entry
	var variables map[string]any
	for _, d := range v.dependencies {
		if d.page != nil && d.page != page {
			page, variables = d.page, s.Edition.Variables(s.Visitor, d.page)
		}
		outcome, ok := known[d.id]
		if !ok {
			outcome = d.outcome(ctx, s, variables)
		}
		b.WriteString(strconv.Itoa(len(outcome)) + ":" + outcome)
	}
	return v.id + "\x00" + edition.ShortKey(b.String())
}

// with returns the variance with what one page has met.
func (v *variance) with(met []dependency) *variance {
	grown := &variance{}
	seen := map[string]bool{}
	take := func(all []dependency) {
		for _, d := range all {
			if !seen[d.id] {
				seen[d.id] = true
				grown.dependencies = append(grown.dependencies, d)
			}
		}
	}
	if v != nil {
		take(v.dependencies)
		if take(met); len(grown.dependencies) == len(v.dependencies) {
			return v
		}
	} else {
		take(met)
	}
	var ids strings.Builder
	for _, d := range grown.dependencies {
		ids.WriteString(strconv.Itoa(len(d.id)) + ":" + d.id)
	}
	grown.id = edition.ShortKey(ids.String())
	return grown
}

// WriteOutcomes writes what comes of each condition and value that some pages meet for the visitor.
func (s *Scope) WriteOutcomes(ctx context.Context, to io.Writer, pages []*store.TreeNode) error {
	for _, node := range pages {
		in := *s
		in.uses = &uses{outcomes: map[string]string{}}
		if _, err := in.Load(ctx, node, in.Options(ctx, node)); err != nil {
			return err
		}
		for _, met := range in.uses.met {
			fmt.Fprintf(to, "%q %q", met.id, in.uses.outcomes[met.id])
		}
	}
	return nil
}
