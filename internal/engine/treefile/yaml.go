package treefile

import (
	"math"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// nodeReader turns YAML into JSON values: string, float64, bool, nil, []any and map[string]any. Dates and other special
// scalars stay the text that they were written as.
type nodeReader struct {
	visited int
	refused bool
}

// Bounds on what aliases may unfold to.
const (
	maxYAMLDepth = 50
	maxYAMLNodes = 20_000
)

func (r *nodeReader) value(n *yaml.Node, depth int) any {
	r.visited++
	if depth > maxYAMLDepth || r.visited > maxYAMLNodes {
		r.refused = true
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, entry := range n.Content {
			list = append(list, r.value(entry, depth+1))
		}
		return list
	case yaml.MappingNode:
		mapping := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			mapping[n.Content[i].Value] = r.value(n.Content[i+1], depth+1)
		}
		return mapping
	case yaml.ScalarNode:
		return scalar(n)
	}
	return nil
}

func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var value bool
		if n.Decode(&value) == nil {
			return value
		}
	case "!!int", "!!float":
		var value float64
		if n.Decode(&value) == nil && !math.IsInf(value, 0) && !math.IsNaN(value) {
			return value
		}
	}
	return dialect.CleanText(n.Value)
}

func isScalar(value any) bool {
	switch value.(type) {
	case string, float64, bool:
		return true
	}
	return false
}

func isNumber(value any) bool {
	_, ok := value.(float64)
	return ok
}

// scalarText returns a scalar as the text that a title or a description is.
func scalarText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
