// Package secrets makes secrets that are handed out once and known again by their hash: those of tokens, sessions,
// links and invites. The database keeps hashes alone.
package secrets

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// Kind is a kind of secret.
type Kind struct {
	// Prefix says what a secret is of, so that people and tools which look for leaked secrets can tell.
	Prefix string
	// Bytes is how many random bytes one has.
	Bytes int
}

// alphabet is that of base32 (RFC 4648 §6) in lower case.
const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

var encoding = base32.NewEncoding(alphabet).WithPadding(base32.NoPadding)

// New returns a fresh secret.
func (k Kind) New() string {
	random := make([]byte, k.Bytes)
	// Read never fails: the runtime ends the program when the system has no randomness.
	_, _ = rand.Read(random)
	return k.Prefix + encoding.EncodeToString(random)
}

// WellFormed reports whether a text can be a secret of the kind at all, so that nonsense costs no database read.
func (k Kind) WellFormed(text string) bool {
	rest, ok := strings.CutPrefix(text, k.Prefix)
	return ok && len(rest) == encoding.EncodedLen(k.Bytes) && strings.Trim(rest, alphabet) == ""
}

// Hash is what is stored of a secret. A plain hash is enough for one that cannot be guessed.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
