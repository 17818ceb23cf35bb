package doc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/rectodocs/recto/internal/base/strict"
)

// MarshalJSON encodes the document as the document JSON: {"object":"document","data":{"schemaVersion":2},"nodes":[…]}.
func (d *Document) MarshalJSON() ([]byte, error) {
	e := encoder{}
	e.WriteString(`{"object":"document","data":{"schemaVersion":` + strconv.Itoa(SchemaVersion) + `}`)
	if err := e.list("nodes", d.Nodes); err != nil {
		return nil, err
	}
	e.WriteByte('}')
	return e.Bytes(), nil
}

// MarshalJSON encodes a node as the document JSON.
func (n *Node) MarshalJSON() ([]byte, error) {
	e := encoder{}
	if err := e.node(n); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// encoder writes nodes into one buffer, so that a deep tree is not copied once per level.
type encoder struct{ bytes.Buffer }

func (e *encoder) node(n *Node) error {
	if n == nil {
		return fmt.Errorf("encode document: nil node")
	}
	e.WriteString(`{"object":`)
	if err := e.value(string(n.Object)); err != nil {
		return err
	}
	if n.Object != ObjectFragment && n.Type != "" {
		if err := e.member("type", string(n.Type)); err != nil {
			return err
		}
	}
	if n.Key != "" {
		if err := e.member("key", n.Key); err != nil {
			return err
		}
	}
	var err error
	switch n.Object {
	case ObjectText:
		err = e.leaves(n.Leaves)
	case ObjectFragment:
		err = e.fragment(n)
	default:
		err = e.element(n)
	}
	if err != nil {
		return err
	}
	return e.WriteByte('}')
}

func (e *encoder) element(n *Node) error {
	void := IsVoid(n.Type)
	e.WriteString(`,"isVoid":` + strconv.FormatBool(void))
	if n.Data == nil {
		e.WriteString(`,"data":{}`)
	} else if err := e.member("data", n.Data); err != nil {
		return err
	}
	if !void || len(n.Nodes) > 0 && n.Type == Swagger { // an inline operation has what describes it
		if err := e.list("nodes", n.Nodes); err != nil {
			return err
		}
	}
	if len(n.Fragments) > 0 || HasFragments(n.Type) {
		if err := e.list("fragments", n.Fragments); err != nil {
			return err
		}
	}
	if n.ID != "" {
		return e.member("meta", map[string]string{"id": n.ID})
	}
	return nil
}

func (e *encoder) fragment(n *Node) error {
	if n.Fragment != "" {
		if err := e.member("fragment", n.Fragment); err != nil {
			return err
		}
	}
	if n.Type != "" {
		if err := e.member("type", string(n.Type)); err != nil {
			return err
		}
	}
	return e.list("nodes", n.Nodes)
}

func (e *encoder) list(name string, nodes []*Node) error {
	e.WriteString(`,"` + name + `":[`)
	for i, n := range nodes {
		if i > 0 {
			e.WriteByte(',')
		}
		if err := e.node(n); err != nil {
			return err
		}
	}
	return e.WriteByte(']')
}

func (e *encoder) leaves(leaves []Leaf) error {
	e.WriteString(`,"leaves":[`)
	for i, leaf := range leaves {
		if i > 0 {
			e.WriteByte(',')
		}
		e.WriteString(`{"object":"leaf"`)
		if err := e.member("text", leaf.Text); err != nil {
			return err
		}
		e.WriteString(`,"marks":[`)
		for j, mark := range leaf.Marks {
			if j > 0 {
				e.WriteByte(',')
			}
			e.WriteString(`{"object":"mark"`)
			if err := e.member("type", string(mark.Type)); err != nil {
				return err
			}
			if mark.Type == Color {
				data := struct {
					Text       string `json:"text"`
					Background string `json:"background"`
				}{mark.Text, mark.Background}
				if err := e.member("data", data); err != nil {
					return err
				}
			}
			e.WriteByte('}')
		}
		e.WriteString(`]}`)
	}
	return e.WriteByte(']')
}

func (e *encoder) member(name string, value any) error {
	e.WriteString(`,"` + name + `":`)
	return e.value(value)
}

func (e *encoder) value(value any) error {
	encoder := json.NewEncoder(&e.Buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("encode document: %w", err)
	}
	e.Truncate(e.Len() - 1) // the line break that Encode adds
	return nil
}

// MarshalJSON encodes pixels as a number and other units as {"unit","value"}.
func (l Length) MarshalJSON() ([]byte, error) {
	if l.Unit == "" {
		return json.Marshal(l.Value)
	}
	type plain Length
	return json.Marshal(plain(l))
}

// UnmarshalJSON decodes both forms of MarshalJSON.
func (l *Length) UnmarshalJSON(data []byte) error {
	*l = Length{}
	if len(data) > 0 && data[0] != '{' {
		return json.Unmarshal(data, &l.Value)
	}
	type plain Length
	return strict.Unmarshal(data, (*plain)(l))
}
