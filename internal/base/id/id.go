// Package id makes and checks the identifiers of everything that has one: "space_01jd3k…".
//
// An identifier is a prefix that names the kind, an underscore, and 26 characters of lower-case Crockford base32 that
// hold a UUID of version 7 (RFC 9562 §5.7). Identifiers sort by the time they were made; those of one process sort
// in the order in which they were made. They need no escaping in a URL, a file name or SQL text, and 74 bits at random
// make them impossible to guess in practice, though nothing may rest on that.
package id

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"sync/atomic"
	"time"
)

// alphabet is Crockford's base32: digits and lower-case letters without i, l, o and u, in ASCII order so that the text
// sorts as the number does.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// length is the number of characters after the prefix: 128 bits in groups of five, with two zero bits in front.
const length = 26

// last is the newest time stamp that New has used, in units of 1/4096 ms. It only makes New monotonic: it is no
// configuration, and nothing can be observed of it but the order of identifiers.
var last atomic.Uint64

// New returns a fresh identifier with the given prefix (without the underscore). Prefixes are lower-case letters.
func New(prefix string) string {
	return prefix + "_" + encode(newUUID(tick(time.Now())))
}

// Valid reports whether s has the form of an identifier with that prefix. It does not say that anything has that
// identifier.
func Valid[T ~string](prefix string, s T) bool {
	rest, ok := strings.CutPrefix(string(s), prefix)
	if !ok || len(rest) != length+1 || rest[0] != '_' {
		return false
	}
	rest = rest[1:]
	// 26 characters hold 130 bits; the first may not use the two that a UUID does not have.
	if rest[0] > '7' {
		return false
	}
	for i := range len(rest) {
		if strings.IndexByte(alphabet, rest[i]) < 0 {
			return false
		}
	}
	return true
}

// tick returns now in units of 1/4096 ms since 1970, and always more than it returned before in this process.
func tick(now time.Time) uint64 {
	nanoseconds := uint64(now.UnixNano())
	milliseconds := nanoseconds / 1e6
	fraction := nanoseconds % 1e6 * 4096 / 1e6
	current := milliseconds<<12 | fraction
	for {
		previous := last.Load()
		next := max(current, previous+1)
		if last.CompareAndSwap(previous, next) {
			return next
		}
	}
}

// newUUID returns a UUID of version 7 whose 12 bits of rand_a hold the fraction of the millisecond (RFC 9562 §6.2,
// method 3).
func newUUID(ticks uint64) [16]byte {
	var uuid [16]byte
	// crypto/rand.Read never fails: it ends the process when the system has no randomness.
	_, _ = rand.Read(uuid[8:])
	milliseconds, fraction := ticks>>12, ticks&0xfff
	binary.BigEndian.PutUint64(uuid[:8], milliseconds<<16|0x7000|fraction)
	uuid[8] = uuid[8]&0x3f | 0x80
	return uuid
}

// encode writes 128 bits as 26 characters, the most significant first.
func encode(uuid [16]byte) string {
	high, low := binary.BigEndian.Uint64(uuid[:8]), binary.BigEndian.Uint64(uuid[8:])
	var text [length]byte
	for i := length - 1; i >= 0; i-- {
		text[i] = alphabet[low&31]
		low = low>>5 | high<<59
		high >>= 5
	}
	return string(text[:])
}
