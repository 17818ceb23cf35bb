package account

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed" // for the list of common passwords
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of a password, in characters.
const (
	minPassword = 8
	maxPassword = 1024
	// leastDistinct is how many different characters a password has at least.
	leastDistinct = 4
)

// Parameters of argon2id that do not depend on the cost.
const (
	argonThreads = 1
	argonSalt    = 16
	argonKey     = 32
)

// PasswordCost is what working out one hash of a password with argon2id takes.
type PasswordCost struct {
	Memory uint32 // KiB, at least 8
	Passes uint32 // over the memory, at least 1
}

// standardCost is what OWASP asks for at least, about 16 ms. More memory would bound sign-ins at once sooner than it
// would slow down anybody who holds the hashes.
var standardCost = PasswordCost{Memory: 19 * 1024, Passes: 2}

// hasher works out password hashes, few at a time, because each takes 19 MiB and a core.
type hasher struct {
	cost    PasswordCost
	running chan struct{}
	waiting chan struct{}
}

// maxWaiting is how many may wait for their turn.
const maxWaiting = 256

func newHasher(cost PasswordCost) *hasher {
	return &hasher{cost: cmp.Or(cost, standardCost),
		running: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), waiting: make(chan struct{}, maxWaiting)}
}

// turn waits until a hash may be worked out; done gives the place back.
func (h *hasher) turn(ctx context.Context) (done func(), err error) {
	select {
	case h.waiting <- struct{}{}:
		defer func() { <-h.waiting }()
	default:
		return nil, errs.New(errs.Unavailable, "Too many people sign in at once. Try again in a moment.")
	}
	select {
	case h.running <- struct{}{}:
		return func() { <-h.running }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hash returns what is stored of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	done, err := h.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never fails, see crypto/rand
	key := argon2.IDKey([]byte(password), salt, h.cost.Passes, h.cost.Memory, argonThreads, argonKey)
	return h.form() + base64.RawStdEncoding.EncodeToString(salt) + "$" +
		base64.RawStdEncoding.EncodeToString(key), nil
}

// matches reports whether a password is the one of a hash. Without a hash it works as long and says no, so that the
// time does not tell whether there is one.
func (h *hasher) matches(ctx context.Context, hash, password string) (bool, error) {
	// No password has this key.
	parsed := parsedHash{memory: h.cost.Memory, time: h.cost.Passes, threads: argonThreads,
		salt: make([]byte, argonSalt), key: make([]byte, argonKey)}
	if hash != "" {
		var err error
		if parsed, err = parseHash(hash); err != nil {
			return false, err
		}
	}
	done, err := h.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	key := argon2.IDKey([]byte(password), parsed.salt, parsed.time, parsed.memory, parsed.threads,
		uint32(len(parsed.key)))
	return subtle.ConstantTimeCompare(key, parsed.key) == 1 && hash != "", nil
}

// parsedHash is a hash with the parameters that it was made with.
type parsedHash struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

// parseHash reads a PHC string.
func parseHash(hash string) (parsedHash, error) {
	var (
		version int
		parsed  parsedHash
		rest    string
	)
	if _, err := fmt.Sscanf(hash, "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &parsed.memory, &parsed.time,
		&parsed.threads, &rest); err != nil || version != argon2.Version {
		return parsedHash{}, fmt.Errorf("a stored password is not in the form that is known here: %w", err)
	}
	salt, key, _ := strings.Cut(rest, "$")
	var err error
	if parsed.salt, err = base64.RawStdEncoding.DecodeString(salt); err != nil {
		return parsedHash{}, fmt.Errorf("read the salt of a password: %w", err)
	}
	if parsed.key, err = base64.RawStdEncoding.DecodeString(key); err != nil || len(parsed.key) == 0 {
		return parsedHash{}, fmt.Errorf("read the hash of a password: %w", err)
	}
	return parsed, nil
}

// outdated reports whether a hash was made with other parameters than those of today.
func (h *hasher) outdated(hash string) bool { return !strings.HasPrefix(hash, h.form()) }

// form is how the hashes of today begin.
func (h *hasher) form() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, h.cost.Memory, h.cost.Passes, argonThreads)
}

// normalPassword is a password as it is hashed: keyboards and systems write one character in several ways (NIST SP
// 800-63B asks for NFKC).
func normalPassword(password string) string { return norm.NFKC.String(password) }

// checkPassword refuses passwords that are too short, too long or too easy to guess for a person.
func checkPassword(path, password string, user User) error {
	if !utf8.ValidString(password) {
		return errs.Invalidf(path, "is not text in UTF-8")
	}
	password = normalPassword(password)
	length := utf8.RuneCountInString(password)
	if length < minPassword {
		return errs.Invalidf(path, "has %d characters; at least %d are needed", length, minPassword)
	}
	if length > maxPassword {
		return errs.Invalidf(path, "has %d characters; up to %d are accepted", length, maxPassword)
	}
	folded := strings.ToLower(password)
	distinct := map[rune]bool{}
	for _, c := range folded {
		distinct[c] = true
	}
	if len(distinct) < leastDistinct {
		return errs.Invalidf(path, "repeats a few characters; choose one with at least %d different ones",
			leastDistinct)
	}
	local, _, _ := strings.Cut(user.Email, "@")
	for _, known := range []string{user.Email, local, user.DisplayName, strings.ReplaceAll(user.DisplayName, " ", "")} {
		if folded == strings.ToLower(normalPassword(known)) {
			return errs.Invalidf(path, "is your name or address; choose something that others do not know of you")
		}
	}
	if commonPasswords()[folded] {
		return errs.Invalidf(path,
			"is among the passwords that are tried first, because many people have it; choose another one")
	}
	return nil
}

//go:embed passwords/common.txt.gz
var commonPasswordsPacked []byte

// commonPasswords are the passwords of at least eight characters that were found most often in what was stolen
// elsewhere, in lower case; see NOTICE for where they are from.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	// The file is embedded and a test reads it, so this does not fail.
	reader, err := gzip.NewReader(bytes.NewReader(commonPasswordsPacked))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		found[strings.TrimSuffix(line, "\n")] = true
	}
	return found
})
