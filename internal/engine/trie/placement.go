package trie

import "crypto/sha256"

// Placement says where in the trie a key lives, as 64 nibbles, high nibble of the first byte first. It is a pure
// function; different keys should get different and evenly spread placements. A trie in which more than LeafSize
// keys share a whole placement cannot be built.
type Placement func(key string) [32]byte

// ByID places a key by its SHA-256: the entries spread evenly.
func ByID(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// ParentNibbles is the number of leading nibbles that all children of one parent share under ByParent.
const ParentNibbles = 8

// ByParent places a key of the form that ChildKey makes so that all children of one parent lie below one prefix of
// ParentNibbles nibbles: 4 bytes of the parent's SHA-256, then 28 bytes of the key's. A key without a NUL byte
// is a child of the parent "".
func ByParent(key string) [32]byte {
	parent, end := "", 0
	for end < len(key) && key[end] != 0 {
		end++
	}
	if end < len(key) {
		parent = key[:end]
	}
	var placed [32]byte
	copy(placed[:4], ParentPrefix(parent))
	whole := sha256.Sum256([]byte(key))
	copy(placed[4:], whole[:28])
	return placed
}

// ChildKey returns the key of the child of a parent under ByParent. The parent must not contain a NUL byte.
func ChildKey(parent, name string) string { return parent + "\x00" + name }

// ParentPrefix returns the prefix of ParentNibbles nibbles below which ByParent places the children of a parent, for
// Under. Children of another parent can share the prefix, though that is rare: compare the key.
func ParentPrefix(parent string) []byte {
	sum := sha256.Sum256([]byte(parent))
	return sum[:ParentNibbles/2]
}

// nibble returns the i-th nibble of a placement.
func nibble(placed [32]byte, i int) byte {
	b := placed[i/2]
	if i%2 == 0 {
		return b >> 4
	}
	return b & 0x0f
}
