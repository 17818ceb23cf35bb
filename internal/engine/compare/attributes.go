package compare

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// attributes lists what differs in the attributes of two versions of a block. Those of a table's view are taken one
// by one; its records and columns are compared as such.
func attributes(before, after *doc.Node) []Attribute {
	var list []Attribute
	if before.Type != after.Type {
		list = append(list, Attribute{"type", string(before.Type), string(after.Type)})
	}
	return append(list, differing(values(before), values(after))...)
}

func differing(older, newer map[string]any) []Attribute {
	var list []Attribute
	all := maps.Clone(older)
	maps.Copy(all, newer)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !reflect.DeepEqual(older[name], newer[name]) {
			list = append(list, Attribute{name, older[name], newer[name]})
		}
	}
	return list
}

// values are the attributes of a node by name, as encoding/json decodes them.
func values(n *doc.Node) map[string]any {
	decoded := decode(n.Data)
	switch data := n.Data.(type) {
	case *doc.CodeData:
		setText(decoded, "meta", data.Meta)
	case *doc.ContentRefData:
		setText(decoded, "title", data.Title)
	case *doc.TableData:
		for _, apart := range []string{"records", "definition", "view"} {
			delete(decoded, apart)
		}
		view := decode(data.View)
		delete(view, "columns")
		maps.Copy(decoded, view)
	}
	return decoded
}

func setText(values map[string]any, name, text string) {
	if text != "" {
		values[name] = text
	}
}

func decode(data any) map[string]any {
	decoded := map[string]any{}
	if encoded, err := json.Marshal(data); err == nil {
		// What has just been encoded is an object, or null for no attributes at all.
		_ = json.Unmarshal(encoded, &decoded)
	}
	if decoded == nil {
		decoded = map[string]any{}
	}
	return decoded
}
