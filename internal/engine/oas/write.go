package oas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// errTooLarge ends the writing of a bundle that is over maxBundle.
var errTooLarge = errors.New("the bundle is too large")

// writer writes values as JSON, members in the order of the description.
type writer struct {
	out    bytes.Buffer
	indent bool
	limit  int
}

func (w *writer) value(n *Node, depth int) error {
	if w.out.Len() > w.limit || depth > 4*maxDepth {
		return errTooLarge
	}
	if n == nil {
		w.out.WriteString("null")
		return nil
	}
	switch n.Kind {
	case Null:
		w.out.WriteString("null")
	case Bool, Number:
		w.out.WriteString(n.Text)
	case String:
		if len(n.Text) > w.limit {
			return errTooLarge
		}
		w.text(n.Text)
	case List:
		return w.list(n, depth)
	case Object:
		return w.object(n, depth)
	}
	return nil
}

func (w *writer) list(n *Node, depth int) error {
	w.out.WriteByte('[')
	for i, item := range n.Items {
		w.separate(i, depth+1)
		if err := w.value(item, depth+1); err != nil {
			return err
		}
	}
	w.end(len(n.Items), depth, ']')
	return nil
}

func (w *writer) object(n *Node, depth int) error {
	w.out.WriteByte('{')
	for i, item := range n.Items {
		w.separate(i, depth+1)
		w.text(n.Keys[i].Text)
		w.out.WriteByte(':')
		if w.indent {
			w.out.WriteByte(' ')
		}
		if err := w.value(item, depth+1); err != nil {
			return err
		}
	}
	w.end(len(n.Items), depth, '}')
	return nil
}

func (w *writer) separate(i, depth int) {
	if i > 0 {
		w.out.WriteByte(',')
	}
	w.line(depth)
}

func (w *writer) end(count, depth int, closing byte) {
	if count > 0 {
		w.line(depth)
	}
	w.out.WriteByte(closing)
}

func (w *writer) line(depth int) {
	if w.indent {
		w.out.WriteByte('\n')
		for range depth {
			w.out.WriteString("  ")
		}
	}
}

// text writes a text in quotes; valid UTF-8 always encodes.
func (w *writer) text(text string) {
	encoder := json.NewEncoder(&w.out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	w.out.Truncate(w.out.Len() - 1) // the line break that Encode adds
}

// entryName is the name of the description itself in a bundle.
const entryName = "openapi.json"

// Bundle writes the document with all files that it refers to as one JSON object: the name of each file with
// {"filename", "isEntrypoint", "references", "specification"}. The description itself is "openapi.json" and stands
// first; the others are named by their addresses. It fails when the document is larger than a bundle may be.
func (d *Document) Bundle() ([]byte, error) {
	w := &writer{limit: maxBundle}
	w.out.WriteByte('{')
	for i, file := range d.files {
		if i > 0 {
			w.out.WriteByte(',')
		}
		name := file.Address
		if i == 0 {
			name = entryName
		}
		w.text(name)
		w.out.WriteString(`:{"filename":`)
		w.text(name)
		fmt.Fprintf(&w.out, `,"isEntrypoint":%t,"references":[`, i == 0)
		if i == 0 {
			for j, other := range d.files[1:] {
				if j > 0 {
					w.out.WriteByte(',')
				}
				w.text(other.Address)
			}
		}
		w.out.WriteString(`],"specification":`)
		if err := w.value(file.Root, 0); err != nil {
			return nil, err
		}
		w.out.WriteByte('}')
	}
	w.out.WriteByte('}')
	return w.out.Bytes(), nil
}

// Open reads a bundle back. address is where the description came from, as it was given to Read. It fails for bytes
// that Bundle has not written.
func Open(bundle []byte, address string) (*Document, error) {
	budget := 2*maxUnfolded + 10*MaxFiles
	root, problem := parse(bundle, &budget)
	if problem != nil {
		return nil, fmt.Errorf("read bundle: %s", problem)
	}
	d := &Document{format: JSON}
	byAddress := map[string]*Node{}
	for i, entry := range root.Items {
		file := File{Address: root.Keys[i].Text, Root: entry.Get("specification")}
		if i == 0 {
			file.Address = ""
		}
		if file.Root == nil {
			return nil, fmt.Errorf("read bundle: the file %q is empty", file.Address)
		}
		d.files = append(d.files, file)
		byAddress[file.Address] = file.Root
	}
	if len(d.files) == 0 {
		return nil, errors.New("read bundle: it holds no file")
	}
	for _, file := range d.files {
		eachReference(file.Root, func(holder, ref *Node) {
			if to, pointer, invalid := splitReference(file.Address, address, ref.Text); !invalid {
				holder.target = find(byAddress[to], pointer)
			}
		})
	}
	d.prepare()
	return d, nil
}

// text returns a value as indented JSON, cut at a number of bytes.
func indented(n *Node) string {
	w := &writer{indent: true, limit: maxExample}
	if err := w.value(n, 0); err != nil {
		return ""
	}
	return w.out.String()
}

// maxExample bounds an example as it is printed, in bytes.
const maxExample = 16 << 10
