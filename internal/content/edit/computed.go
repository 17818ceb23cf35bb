package edit

import (
	"maps"
	"regexp"
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
	if integrationSource.MatchString(source.Type) {
		return setIntegrationSource(e, source)
	}
	if source.Type != spec.ComputedType {
		return errs.Invalidf("computed.type", "%.80q is not known; use %s, or integration:NAME:SOURCE for a source of "+
			"an integration", source.Type, spec.ComputedType)
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

// integrationSource is the type of a source that an integration brings: its name, and the id of the source.
var integrationSource = regexp.MustCompile(`^integration:[a-zA-Z0-9-_.]{1,100}:[^:\x00-\x20]{1,100}$`)

// maxDependencies is how many other things pages of an integration may depend on.
const maxDependencies = 10

// setIntegrationSource says that a page is computed by an integration. Whether it works in the space is asked when the
// pages are made, since that changes; what it gets to know is what the author hands over.
func setIntegrationSource(e *entity.Entry, source entity.Computed) error {
	if len(source.Dependencies) > maxDependencies {
		return errs.Invalidf("computed.dependencies", "has %d members; up to %d are accepted",
			len(source.Dependencies), maxDependencies)
	}
	made := &entity.Computed{Type: source.Type, Props: maps.Clone(source.Props)}
	for name, value := range source.Dependencies {
		from, _ := value.(map[string]any)
		ref, _ := from["ref"].(map[string]any)
		kind, _ := ref["kind"].(string)
		member := map[string]string{"space": "space", "openapi": "spec", "translation": "translation"}[kind]
		target, _ := ref[member].(string)
		if member == "" || target == "" {
			return errs.Invalidf("computed.dependencies", `%.80q has to name a space or an API specification: `+
				`{"ref": {"kind": "space", "space": "its id"}} or {"ref": {"kind": "openapi", "spec": "its slug"}}`, name)
		}
		if made.Dependencies == nil {
			made.Dependencies = map[string]any{}
		}
		// What answers add about it is no part of the source.
		made.Dependencies[name] = map[string]any{"ref": map[string]any{"kind": kind, member: target}}
	}
	e.Computed = made
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
