package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// secretPrefix marks a token, so that tools which look for leaked secrets can find it.
const secretPrefix = "rct_"

// secretBytes is how many random bytes a secret has: 200 bits, which base32 writes without padding.
const secretBytes = 25

// secretAlphabet is that of base32 (RFC 4648 §6) in lower case.
const secretAlphabet = "abcdefghijklmnopqrstuvwxyz234567"

var secretEncoding = base32.NewEncoding(secretAlphabet).WithPadding(base32.NoPadding)

// newSecret returns a fresh secret with a prefix that says what it is of.
func newSecret(prefix string) string {
	var random [secretBytes]byte
	// Read never fails: the runtime ends the program when the system has no randomness.
	_, _ = rand.Read(random[:])
	return prefix + secretEncoding.EncodeToString(random[:])
}

// wellFormed reports whether a text can be a secret with the prefix at all, so that nonsense costs no database read.
func wellFormed(prefix, secret string) bool {
	rest, ok := strings.CutPrefix(secret, prefix)
	return ok && len(rest) == secretEncoding.EncodedLen(secretBytes) && strings.Trim(rest, secretAlphabet) == ""
}

// hashSecret is what is stored of a secret. A plain hash is enough: nobody can try 2^200 secrets.
func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
