// Package paging owns how lists are cut into pages.
//
// A list has a stable order with a tiebreak. A page ends at an item; the next one starts after the keys of that item
// (keyset paging), so items that come or go meanwhile make no other item appear twice or not at all. Clients see the
// keys as an opaque cursor that is signed, so that they can neither make one up nor take one from another list.
// Domain packages work with Request and plain keys; only the delivery packages know cursors.
package paging

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Sizes of a page, in items.
const (
	// DefaultLimit is what a list gives when the caller names no limit.
	DefaultLimit = 50
	// MaxLimit is the most that a caller may ask for.
	MaxLimit = 1000
)

// maxCursor is the most bytes a cursor may have; what is longer was not made here. Two keys of 255 characters, each
// escaped, fit.
const maxCursor = 6 << 10

// signatureSize is how much of the HMAC-SHA-256 a cursor carries: 128 bits.
const signatureSize = 16

// Request asks a domain function for one page.
type Request struct {
	// After holds the keys of the last item of the page before; nil asks for the first page.
	After []string
	// Limit is the most items wanted; 0 means DefaultLimit.
	Limit int
}

// Time returns the two keys of a list that is in the order of times: microseconds since 1970, and the id of the last
// item. For the first page they are first and last.
func (r Request) Time(first int64, last string) (at int64, tiebreak string, err error) {
	if r.After == nil {
		return first, last, nil
	}
	if len(r.After) == 2 {
		if at, err = strconv.ParseInt(r.After[0], 10, 64); err == nil {
			return at, r.After[1], nil
		}
	}
	return 0, "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

// Size returns the number of items to read: the limit, DefaultLimit when there is none, and never over MaxLimit.
func (r Request) Size() int {
	if r.Limit <= 0 {
		return DefaultLimit
	}
	return min(r.Limit, MaxLimit)
}

// OneKey returns the key that a page of a list with one key starts behind: "" for the first page, before everything.
func (r Request) OneKey() (string, error) {
	switch {
	case r.After == nil:
		return "", nil
	case len(r.After) != 1:
		return "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
	}
	return r.After[0], nil
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are in the order of the list.
	Items []T
	// Count is the number of items on all pages under the same filter.
	Count int
	// Next holds the keys that the page after this one starts behind; nil on the last page.
	Next []string
}

// Cut ends the page after size items and sets Next to the keys of the last of them, when there are more.
func (p *Page[T]) Cut(size int, keys func(T) []string) {
	p.Items, p.Next = Cut(p.Items, size, keys)
}

// WithItems returns a page with other items in the place of its own: what became of each of them.
func WithItems[T, U any](page Page[T], items []U) Page[U] {
	return Page[U]{Items: items, Count: page.Count, Next: page.Next}
}

// Cut turns up to size+1 items, as a query with "LIMIT size+1" returns them, into a page of at most size items and the
// keys of its last item. The keys are nil when there is nothing after the page.
func Cut[T any](items []T, size int, keys func(T) []string) (page []T, next []string) {
	if len(items) <= size {
		return items, nil
	}
	return items[:size], keys(items[size-1])
}

// Cursor is a place in a list.
type Cursor struct {
	// List names the list together with its filter: a cursor is refused by any list with another name.
	List string
	// Keys are the sort keys of the last item that the client has seen.
	Keys []string
}

// Signer writes cursors and reads those that a Signer with the same key has written.
type Signer struct {
	key []byte
}

// NewSigner returns a Signer. All processes that serve the same lists need the same key, of at least 16 bytes.
func NewSigner(key []byte) *Signer {
	return &Signer{key: append([]byte(nil), key...)}
}

// Encode returns the text of a cursor: characters that need no escaping in a URL.
func (s *Signer) Encode(c Cursor) string {
	// A slice of strings always has a JSON text.
	keys, _ := json.Marshal(c.Keys)
	return base64.RawURLEncoding.EncodeToString(append(s.signature(c.List, keys), keys...))
}

// Decode returns the cursor in a text that Encode made for the same list. Anything else is an errs.Invalid error.
func (s *Signer) Decode(list, text string) (Cursor, error) {
	// The decoder skips line breaks; a cursor has none.
	if len(text) > maxCursor || strings.ContainsAny(text, "\r\n") {
		return Cursor{}, invalidCursor()
	}
	// Strict refuses a second spelling of the same bytes.
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < signatureSize {
		return Cursor{}, invalidCursor()
	}
	signature, keys := raw[:signatureSize], raw[signatureSize:]
	if !hmac.Equal(signature, s.signature(list, keys)) {
		return Cursor{}, invalidCursor()
	}
	cursor := Cursor{List: list}
	if err := json.Unmarshal(keys, &cursor.Keys); err != nil {
		return Cursor{}, invalidCursor()
	}
	return cursor, nil
}

// signature covers the list's name, with its length in front so that no part of it can pass for keys.
func (s *Signer) signature(list string, keys []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(binary.BigEndian.AppendUint64([]byte("recto cursor 1"), uint64(len(list))))
	mac.Write([]byte(list))
	mac.Write(keys)
	return mac.Sum(nil)[:signatureSize]
}

func invalidCursor() error {
	return errs.Invalidf("query.page",
		"is not a cursor of this list; send the value of next.page of the page before, with the same filter, or "+
			"leave it out")
}
