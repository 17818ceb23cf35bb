package edit

import (
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// setComputed says what a computed page is made from. Imports keep other types of sources than the one that is known
// here; nobody can choose these.
func setComputed(e *entity.Entry, computed optional.Value[entity.Computed]) error {
	if !computed.IsSet() {
		return nil
	}
	if e.Type != entity.PageComputed {
		return errs.Invalidf("computed", "a page of type %s is not computed", e.Type)
	}
	source, ok := computed.Get()
	if !ok {
		return errs.Invalidf("computed", "a computed page needs to say what it is computed from")
	}
	if source.Type != spec.ComputedType {
		return errs.Invalidf("computed.type", "%.80q is not known; use %s", source.Type, spec.ComputedType)
	}
	if err := checkComputedProps(source.Props); err != nil {
		return err
	}
	from, _ := source.Dependencies["spec"].(map[string]any)
	ref, _ := from["ref"].(map[string]any)
	name, _ := ref["spec"].(string)
	if kind, _ := ref["kind"].(string); kind != "openapi" || name == "" {
		return errs.Invalidf("computed.dependencies.spec.ref",
			`has to name an API specification: {"kind": "openapi", "spec": "its slug"}`)
	}
	if len(source.Dependencies) > 1 {
		return errs.Invalidf("computed.dependencies", "has other members than spec")
	}
	// What answers add about the specification is no part of the source.
	e.Computed = &entity.Computed{
		Type: source.Type, Props: maps.Clone(source.Props),
		Dependencies: map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi", "spec": name}}},
	}
	return nil
}

// checkComputedProps refuses what the pages of a specification cannot be told.
func checkComputedProps(props map[string]any) error {
	for name, value := range props {
		_, flag := value.(bool)
		text, _ := value.(string)
		switch {
		case (name == "models" || name == "downloadLink") && !flag:
			return errs.Invalidf("computed.props."+name, "is not true or false")
		case name == "grouping" && !slices.Contains([]string{"by-tag", "by-operation"}, text):
			return errs.Invalidf("computed.props.grouping", "use by-tag or by-operation")
		case name != "models" && name != "downloadLink" && name != "grouping":
			return errs.Invalidf("computed.props", "%.80q is not known; use models, downloadLink and grouping", name)
		}
	}
	return nil
}
