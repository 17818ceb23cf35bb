package customization

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Read checks a whole customization as JSON means it, and returns it. What is wrong is an errs.Invalid
// with a path each.
func Read(object map[string]any) (Customization, error) {
	var p problems
	kept, _ := customizationShape.check(&p, "", object).(map[string]any)
	if err := p.err(); err != nil {
		return Customization{}, err
	}
	read, err := customizationOf(kept)
	if err != nil {
		return Customization{}, err
	}
	read.settleActions(kept)
	if read.Styling.Tint != nil && read.Styling.Tint.Color == (ThemedColor{}) {
		read.Styling.Tint = nil
	}
	return read, nil
}

// customizationOf completes stored or checked JSON with what a site has by itself.
func customizationOf(object map[string]any) (Customization, error) {
	encoded, err := json.Marshal(object)
	if err != nil {
		return Customization{}, fmt.Errorf("encode customization: %w", err)
	}
	complete := Default()
	if err := json.Unmarshal(encoded, &complete); err != nil {
		return Customization{}, fmt.Errorf("decode customization: %w", err)
	}
	return complete, nil
}

// actionsInOrder are the words of PageActions.Items in the order in which they are listed.
var actionsInOrder = []string{"assistant", "external-ai", "markdown", "mcp", "git", "pdf"}

// settleActions brings the two ways of saying what the menu of a page offers together: a switch of its own counts where
// there is one, the list where there is none. What counts depends on the document alone, so that sending one twice
// changes nothing.
func (c *Customization) settleActions(given map[string]any) {
	actions, _ := given["pageActions"].(map[string]any)
	_, listed := actions["items"]
	settle := func(parent, name, word string, flag *bool) {
		object, _ := given[parent].(map[string]any)
		if _, said := object[name]; listed && !said {
			*flag = slices.Contains(c.PageActions.Items, word)
		}
	}
	settle("pageActions", "externalAI", "external-ai", &c.PageActions.ExternalAI)
	settle("pageActions", "markdown", "markdown", &c.PageActions.Markdown)
	settle("pageActions", "mcp", "mcp", &c.PageActions.MCP)
	settle("git", "showEditLink", "git", &c.Git.ShowEditLink)
	settle("pdf", "enabled", "pdf", &c.PDF.Enabled)
	on := map[string]bool{
		"assistant": slices.Contains(c.PageActions.Items, "assistant"), "external-ai": c.PageActions.ExternalAI,
		"markdown": c.PageActions.Markdown, "mcp": c.PageActions.MCP, "git": c.Git.ShowEditLink, "pdf": c.PDF.Enabled,
	}
	c.PageActions.Items = []string{}
	for _, word := range actionsInOrder {
		if on[word] {
			c.PageActions.Items = append(c.PageActions.Items, word)
		}
	}
}

// Override returns the values that a space has of its own after a change: what it sets is set, what is null in
// it is the site's again, what it leaves out stays.
func Override(overrides, change map[string]any) (map[string]any, error) {
	var p problems
	changed := clone(overrides)
	for _, way := range overridable {
		value, found := lookUp(change, way, &p)
		switch {
		case !found:
		case value == nil:
			remove(changed, way)
		default:
			path := ""
			for _, name := range way {
				path = join(path, name)
			}
			put(changed, way, shapeAt(way).check(&p, path, value))
		}
	}
	return changed, p.err()
}

// shapeAt returns the shape of an overridable value.
func shapeAt(way []string) shape {
	var at shape = customizationShape
	for _, name := range way {
		at = at.(*objectShape).member(name) // every way in the table is one of the shape; a test holds it
	}
	return at
}

// lookUp finds a value; found is also true where null stands for all of an object on the way to it.
func lookUp(object map[string]any, way []string, p *problems) (value any, found bool) {
	path := ""
	for i, name := range way {
		path = join(path, name)
		value, found = object[name]
		if !found || value == nil || i == len(way)-1 {
			return value, found
		}
		below, ok := value.(map[string]any)
		if !ok {
			if !slices.ContainsFunc(p.found, func(d errs.Detail) bool { return d.Path == path }) {
				p.add(path, "is %s; an object or null is accepted", kindOf(value))
			}
			return nil, false
		}
		object = below
	}
	return nil, false
}

// put sets a value, and makes the objects on the way to it.
func put(object map[string]any, way []string, value any) {
	for _, name := range way[:len(way)-1] {
		below, ok := object[name].(map[string]any)
		if !ok {
			below = map[string]any{}
			object[name] = below
		}
		object = below
	}
	object[way[len(way)-1]] = value
}

// remove takes a value away, and the objects that nothing is left in.
func remove(object map[string]any, way []string) {
	if len(way) == 1 {
		delete(object, way[0])
		return
	}
	below, ok := object[way[0]].(map[string]any)
	if !ok {
		return
	}
	remove(below, way[1:])
	if len(below) == 0 {
		delete(object, way[0])
	}
}

// clone copies the objects of a JSON value; what is in arrays is shared, since nothing changes it.
func clone(object map[string]any) map[string]any {
	copied := make(map[string]any, len(object))
	for name, value := range object {
		if below, ok := value.(map[string]any); ok {
			value = clone(below)
		}
		copied[name] = value
	}
	return copied
}

// With returns the customization with the values that a space has of its own.
func (c Customization) With(overrides map[string]any) (Customization, error) {
	if len(overrides) == 0 {
		return c, nil
	}
	encoded, err := json.Marshal(c)
	if err != nil {
		return c, fmt.Errorf("encode customization: %w", err)
	}
	var merged map[string]any
	if err := json.Unmarshal(encoded, &merged); err != nil {
		return c, fmt.Errorf("decode customization: %w", err)
	}
	for _, way := range overridable {
		if value, found := lookUp(overrides, way, &problems{}); found && value != nil {
			put(merged, way, value)
		}
	}
	return customizationOf(merged)
}

// Edited returns what was sent in place of a customization with one of the two ways of saying what the menu of a page
// offers following the other: who reads a customization, changes the list and sends it back leaves the switch as it
// was, and means the list.
func (c Customization) Edited(object map[string]any) map[string]any {
	actions, _ := object["pageActions"].(map[string]any)
	items, listed := actions["items"].([]any)
	if !listed {
		return object
	}
	object = maps.Clone(object)
	follow := func(parent, name, word string, was bool) {
		holder, _ := object[parent].(map[string]any)
		now := slices.Contains(items, any(word))
		if is, ok := holder[name].(bool); !ok || is != was || now == slices.Contains(c.PageActions.Items, word) {
			return
		}
		holder = maps.Clone(holder)
		holder[name] = now
		object[parent] = holder
	}
	follow("pageActions", "externalAI", "external-ai", c.PageActions.ExternalAI)
	follow("pageActions", "markdown", "markdown", c.PageActions.Markdown)
	follow("pageActions", "mcp", "mcp", c.PageActions.MCP)
	follow("git", "showEditLink", "git", c.Git.ShowEditLink)
	follow("pdf", "enabled", "pdf", c.PDF.Enabled)
	return object
}
