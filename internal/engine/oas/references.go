package oas

import (
	"net/url"
	"strconv"
	"strings"
)

// File is one file of a description.
type File struct {
	// Address is where the file was loaded from, "" for the description itself.
	Address string
	Root    *Node
}

// eachReference calls a function for every reference below a node, once for nodes that are shared. References in data
// (examples, defaults and the like) are none.
func eachReference(n *Node, visit func(holder, ref *Node)) {
	w := referenceWalk{seen: map[*Node]bool{}, visit: visit}
	w.walk(n, false)
}

type referenceWalk struct {
	seen  map[*Node]bool
	visit func(holder, ref *Node)
}

func (w referenceWalk) walk(n *Node, named bool) {
	if n == nil || n.scalar() || len(n.Items) == 0 || w.seen[n] {
		return
	}
	w.seen[n] = true
	for i, item := range n.Items {
		if !named && n.Kind == Object && n.Keys[i].Text == "$ref" && item.Kind == String {
			w.visit(n, item)
			continue
		}
		if part, authors := n.below(i, named); part {
			w.walk(item, authors)
		}
	}
}

// gather loads the files that the description refers to, and those that they refer to.
func (r *reader) gather(d *Document) {
	known := map[string]bool{"": true}
	for i := 0; i < len(d.files) && !r.failed(); i++ {
		from := d.files[i]
		eachReference(from.Root, func(_, ref *Node) {
			r.file = from.Address
			address, _, ok := r.address(from.Address, ref)
			if !ok || known[address] || r.failed() {
				return
			}
			known[address] = true
			if len(d.files) > MaxFiles {
				r.fail(ref, "the description refers to more than %d files", MaxFiles)
				return
			}
			if r.options.Load == nil {
				r.fail(ref,
					"%.200q is in another file; references to other files are not followed here, so put it into this "+
						"one", ref.Text)
				return
			}
			source, err := r.options.Load(r.ctx, address)
			if err != nil {
				if r.ctx.Err() == nil {
					r.fail(ref, "the file %.200q cannot be loaded: %.300s", address, err.Error())
				}
				return
			}
			if root := r.read(source, address); root != nil {
				d.files = append(d.files, File{Address: address, Root: root})
			}
		})
		r.file = ""
	}
}

// address splits a reference into the file that it names, "" for the description itself, and the place in it. It
// reports a reference that names no file that could be loaded.
func (r *reader) address(from string, ref *Node) (file, pointer string, ok bool) {
	file, pointer, err := splitReference(from, r.options.Address, ref.Text)
	if err {
		r.fail(ref, "%.200q is no address that can be followed; use a path below this file, or https://…", ref.Text)
		return "", "", false
	}
	return file, pointer, true
}

// splitReference resolves a reference in the file at an address; base is the address of the description itself.
func splitReference(from, base, text string) (file, pointer string, invalid bool) {
	name, pointer, _ := strings.Cut(text, "#")
	if name == "" {
		return from, pointer, false
	}
	if len(text) > 2048 {
		return "", "", true
	}
	target, err := url.Parse(name)
	if err != nil {
		return "", "", true
	}
	start := from
	if start == "" {
		start = base
	}
	if start != "" {
		if parent, err := url.Parse(start); err == nil {
			target = parent.ResolveReference(target)
		}
	}
	if !target.IsAbs() {
		return target.String(), pointer, false // nothing can be loaded from it, but a bundle may hold it
	}
	if target.Scheme != "https" && target.Scheme != "http" || target.Host == "" || target.User != nil {
		return "", "", true
	}
	if address := target.String(); address != base {
		return address, pointer, false
	}
	return "", pointer, false
}

// resolve connects every reference to what it names.
func (r *reader) resolve(d *Document) {
	byAddress := map[string]*Node{}
	for _, file := range d.files {
		byAddress[file.Address] = file.Root
	}
	for _, from := range d.files {
		eachReference(from.Root, func(holder, ref *Node) {
			r.file = from.Address
			address, pointer, ok := r.address(from.Address, ref)
			if !ok {
				return
			}
			target := find(byAddress[address], pointer)
			if target == nil {
				r.fail(ref, "%.200q names nothing that is there", ref.Text)
				return
			}
			holder.target = target
		})
	}
	r.file = ""
	r.cycles(d)
}

// cycles reports references that lead to nothing but references.
func (r *reader) cycles(d *Document) {
	for _, file := range d.files {
		eachReference(file.Root, func(holder, ref *Node) {
			if holder.target != nil && holder.follow() == nil {
				r.file = file.Address
				r.fail(ref, "the reference %.200q leads back to itself", ref.Text)
			}
		})
	}
	r.file = ""
}

// find returns what a JSON pointer names, or an anchor of a schema; nil when there is nothing.
func find(root *Node, pointer string) *Node {
	if root == nil {
		return nil
	}
	if unescaped, err := url.PathUnescape(pointer); err == nil {
		pointer = unescaped
	}
	if pointer == "" {
		return root
	}
	if pointer[0] != '/' {
		return nil
	}
	n := root
	for segment := range strings.SplitSeq(pointer[1:], "/") {
		name := segment
		if strings.Contains(name, "~") {
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		}
		// A place below a reference is a place below what it names.
		if n.target != nil && n.Kind == Object && n.at(name) < 0 {
			n = n.follow()
		}
		switch {
		case n == nil:
			return nil
		case n.Kind == List:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
		default:
			n = n.Get(name)
		}
		if n == nil {
			return nil
		}
	}
	return n
}

// escapePointer escapes a name for a JSON pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
