package link

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// class is the first byte of a key: which part of the index it belongs to.
type class byte

// Classes of links, and the other parts.
const (
	broken    class = 'b'
	inApp     class = 'i'
	inside    class = 'k' // leads to something in the space, or to an address that nobody checks (mailto)
	outside   class = 'u' // an external address of the web
	elsewhere class = 'x' // decided when asked about
	reversed  class = 'r'
	claimed   class = 'c'
	// fromMade is of links whose sources are made: they are in no index, and last in lists.
	fromMade class = 'm'
)

// linkClasses are the classes that hold links, in the order of lists: what needs attention comes first.
var linkClasses = []class{broken, elsewhere, inApp, inside, outside}

// index is the link index of one content. It is immutable.
type index struct {
	root   trie.Hash
	counts counts
	// used is when its row was last known to be in use, in microseconds.
	used int64
}

// counts are the numbers of links by class, and of those that are paths in the Markdown tree.
type counts struct {
	Broken, InApp, Inside, Outside, Elsewhere, Written int
}

func (c counts) total() int { return c.Broken + c.InApp + c.Inside + c.Outside + c.Elsewhere }

func (c *counts) add(of class, written bool, by int) {
	switch of {
	case broken:
		c.Broken += by
	case inApp:
		c.InApp += by
	case inside:
		c.Inside += by
	case outside:
		c.Outside += by
	case elsewhere:
		c.Elsewhere += by
	}
	if written {
		c.Written += by
	}
}

// Keys are
//
//	class  hash  group NUL item
//
// where group is a source, the hash of something looked at, or a path of the Markdown tree, and hash is 14 hexadecimal
// digits of the group's. They stand in the key as well as in the placement, so that the order of leaves (by key) and
// that of branches (by placement) agree: an iteration is in ascending order of class and hash, groups that share a hash
// are together, and a list can go on anywhere.

const (
	hashDigits = 14
	// groupNibbles is how much of a placement the class and the hash of the group take.
	groupNibbles = 2 + hashDigits
)

func groupHash(group string) string {
	sum := sha256.Sum256([]byte(group))
	return hex.EncodeToString(sum[:hashDigits/2])
}

func key(of class, group, item string) string {
	return string(of) + groupHash(group) + group + "\x00" + item
}

// splitKey takes a key apart; ok is false for a key that no index has.
func splitKey(key string) (of class, group, item string, ok bool) {
	if len(key) < 1+hashDigits {
		return 0, "", "", false
	}
	group, item, ok = strings.Cut(key[1+hashDigits:], "\x00")
	return class(key[0]), group, item, ok
}

// place is the placement of the index's trie.
func place(key string) [32]byte {
	var p [32]byte
	sum := sha256.Sum256([]byte(key))
	copy(p[1+hashDigits/2:], sum[:])
	if len(key) > hashDigits {
		p[0] = key[0]
		// A key that no index has stays where zeros put it.
		_, _ = hex.Decode(p[1:1+hashDigits/2], []byte(key[1:1+hashDigits]))
	}
	return p
}

// prefix is the beginning of the placements of a group.
func prefix(of class, group string) []byte {
	p := place(key(of, group, ""))
	return p[:groupNibbles/2]
}

var nameEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

// shortHash is a hash of 120 bits in 24 characters.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return strings.ToLower(nameEncoding.EncodeToString(sum[:15]))
}

// name is the name of a link within its source.
func (r reference) name() string {
	return shortHash(fmt.Sprintf("%s\x00%s\x00%t\x00%s", r.role, r.relation, r.include, r.written))
}

// stored is a link in the index.
type stored struct {
	Role     Role            `json:"l"`
	Relation render.Relation `json:"r"`
	Include  bool            `json:"i,omitempty"`
	Written  string          `json:"w"`
	Target   doc.Ref         `json:"t"`
	Reason   string          `json:"y,omitempty"`
	Order    int             `json:"o"`
	Places   int             `json:"n"`
	Keys     []string        `json:"k,omitempty"`
	// Path says that the destination was looked for in the Markdown tree.
	Path bool `json:"p,omitempty"`
	// Looked are the hashes of what resolving it looked at, sorted.
	Looked []string `json:"a,omitempty"`

	class class
}

func (s stored) encode() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return nil, fmt.Errorf("encode link: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func decodeStored(of class, value []byte) (stored, error) {
	var s stored
	if err := json.Unmarshal(value, &s); err != nil {
		return stored{}, fmt.Errorf("read link index: %w", err)
	}
	s.class = of
	return s, nil
}

func (s stored) link(source, name string) Link {
	l := Link{
		Source: source, Role: s.Role, Written: s.Written, Relation: s.Relation, Status: OK, Reason: s.Reason,
		Target: s.Target,
		Keys:   s.Keys, Places: s.Places, class: s.class, name: name, order: s.Order,
	}
	switch s.class {
	case broken:
		l.Status = Broken
	case inApp:
		l.Status = InApp
	}
	return l
}

func (s *Service) trie() trie.Trie { return trie.New(nodeSource{s}, place) }

// group yields the items of a group.
func (s *Service) group(ctx context.Context, root trie.Hash, of class, name string) iter.Seq2[trie.Item, error] {
	return func(yield func(trie.Item, error) bool) {
		start := string(of) + groupHash(name) + name + "\x00"
		for item, err := range s.trie().Under(ctx, root, prefix(of, name), groupNibbles) {
			if err != nil {
				yield(trie.Item{}, err)
				return
			}
			// Another group can share the hash.
			if rest, mine := strings.CutPrefix(item.Key, start); mine && !yield(trie.Item{Key: rest, Value: item.Value},
				nil) {
				return
			}
		}
	}
}

// linksOf returns the links of a source by name.
func (s *Service) linksOf(ctx context.Context, root trie.Hash, source string) (map[string]stored, error) {
	found := map[string]stored{}
	for _, of := range linkClasses {
		for item, err := range s.group(ctx, root, of, source) {
			if err != nil {
				return nil, fmt.Errorf("read the links of %s: %w", source, err)
			}
			link, err := decodeStored(of, item.Value)
			if err != nil {
				return nil, err
			}
			found[item.Key] = link
		}
	}
	return found, nil
}

// dependent names a link by its source.
type dependent struct {
	source, name string
	class        class
}

// dependents returns the links that have looked at something.
func (s *Service) dependents(ctx context.Context, root trie.Hash, looked string) ([]dependent, error) {
	var found []dependent
	for item, err := range s.group(ctx, root, reversed, looked) {
		if err != nil {
			return nil, fmt.Errorf("read who links: %w", err)
		}
		source, name, ok := strings.Cut(item.Key, "\x00")
		if !ok || len(item.Value) != 1 {
			return nil, fmt.Errorf("read who links: the key %q is damaged", item.Key)
		}
		found = append(found, dependent{source: source, name: name, class: class(item.Value[0])})
	}
	return found, nil
}

// get returns one link.
func (s *Service) get(ctx context.Context, root trie.Hash, d dependent) (stored, error) {
	value, ok, err := s.trie().Get(ctx, root, key(d.class, d.source, d.name))
	if err != nil {
		return stored{}, fmt.Errorf("read a link of %s: %w", d.source, err)
	}
	if !ok {
		return stored{}, fmt.Errorf("read a link of %s: it is not in the index", d.source)
	}
	return decodeStored(d.class, value)
}

// place of a link in a list.
type position struct {
	class  class
	source string
	order  int
	name   string
}

// walk yields the links of one class in the order of lists: by the hash of the source, the source, and the order in
// it. It begins after a position of that class when there is one.
func (s *Service) walk(ctx context.Context, root trie.Hash, of class, after *position) iter.Seq2[Link, error] {
	return func(yield func(Link, error) bool) {
		var together []Link // links whose sources share a hash
		var shared string
		flush := func() bool {
			slices.SortFunc(together, Link.before)
			for _, link := range together {
				if after != nil && link.before(after.link()) <= 0 {
					continue
				}
				if !yield(link, nil) {
					return false
				}
			}
			together = together[:0]
			return true
		}
		visit := func(start []byte, nibbles int) bool {
			for item, err := range s.trie().Under(ctx, root, start, nibbles) {
				if err != nil {
					yield(Link{}, fmt.Errorf("list links: %w", err))
					return false
				}
				_, source, name, ok := splitKey(item.Key)
				if !ok {
					yield(Link{}, fmt.Errorf("list links: the key %q is damaged", item.Key))
					return false
				}
				if hash := item.Key[:1+hashDigits]; hash != shared {
					if !flush() {
						return false
					}
					shared = hash
				}
				stored, err := decodeStored(of, item.Value)
				if err != nil {
					yield(Link{}, err)
					return false
				}
				together = append(together, stored.link(source, name))
			}
			return true
		}
		if after == nil {
			if visit([]byte{byte(of)}, 2) {
				flush()
			}
			return
		}
		start := prefix(of, after.source)
		if !visit(start, groupNibbles) {
			return
		}
		for nibble := groupNibbles - 1; nibble >= 2; nibble-- {
			for next := nibbleAt(start, nibble) + 1; next < 16; next++ {
				if !visit(withNibble(start, nibble, next), nibble+1) {
					return
				}
			}
		}
		flush()
	}
}

func nibbleAt(p []byte, i int) byte {
	if i%2 == 0 {
		return p[i/2] >> 4
	}
	return p[i/2] & 15
}

// withNibble returns the prefix up to and with the i-th nibble, which is replaced.
func withNibble(p []byte, i int, value byte) []byte {
	q := slices.Clone(p[:i/2+1])
	if i%2 == 0 {
		q[i/2] = value << 4
	} else {
		q[i/2] = q[i/2]&0xf0 | value
	}
	return q
}

func (p position) link() Link {
	return Link{Source: p.source, class: p.class, name: p.name, order: p.order}
}

// before orders the links of one class.
func (l Link) before(other Link) int {
	if l.Source != other.Source {
		if order := strings.Compare(groupHash(l.Source), groupHash(other.Source)); order != 0 {
			return order
		}
		return strings.Compare(l.Source, other.Source)
	}
	if l.order != other.order {
		return l.order - other.order
	}
	return strings.Compare(l.name, other.name)
}
