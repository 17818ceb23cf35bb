// Package seal keeps secrets that the server has to give back or use, such as keys of sites and of integrations,
// unreadable in the database: it encrypts them with a key that is not in it.
//
// A sealed text is version, nonce and AES-256-GCM of the secret, in base64. The purpose that a secret was sealed for is
// authenticated with it, so that one cannot be put in the place of another. Each purpose has a key of its own, made
// from the server's by HKDF-SHA256 (RFC 5869).
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// KeySize is the length of a Box's key in bytes.
const KeySize = 32

const version = 1

// ErrUnreadable says that a text was not sealed with this key for this purpose, or was changed.
var ErrUnreadable = errors.New("the secret cannot be read with the key of this server")

// Box seals and opens secrets with one key. It is safe for use by many goroutines. The zero Box refuses to work.
type Box struct{ key []byte }

// NewBox returns a Box with a key of KeySize secret bytes that every process of the server shares.
func NewBox(key []byte) (*Box, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("the key for secrets has %d bytes, it needs %d", len(key), KeySize)
	}
	return &Box{key: append([]byte(nil), key...)}, nil
}

// Seal returns the secret so that only Open with the same key and purpose can read it. Purpose names the place of the
// secret, such as "site.publishing-auth/site_…".
func (b *Box) Seal(secret, purpose string) (string, error) {
	sealer, err := b.sealer(purpose)
	if err != nil {
		return "", err
	}
	out := make([]byte, 1+sealer.NonceSize(), 1+sealer.NonceSize()+len(secret)+sealer.Overhead())
	out[0] = version
	_, _ = rand.Read(out[1:]) // never fails, see crypto/rand
	out = sealer.Seal(out, out[1:], []byte(secret), []byte(purpose))
	return base64.RawStdEncoding.EncodeToString(out), nil
}

// Open returns the secret of a text that Seal made; ErrUnreadable when it cannot.
func (b *Box) Open(sealed, purpose string) (string, error) {
	sealer, err := b.sealer(purpose)
	if err != nil {
		return "", err
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(raw) < 1+sealer.NonceSize() || raw[0] != version {
		return "", ErrUnreadable
	}
	nonce, text := raw[1:1+sealer.NonceSize()], raw[1+sealer.NonceSize():]
	secret, err := sealer.Open(nil, nonce, text, []byte(purpose))
	if err != nil {
		return "", ErrUnreadable
	}
	return string(secret), nil
}

func (b *Box) sealer(purpose string) (cipher.AEAD, error) {
	if b == nil || len(b.key) != KeySize {
		return nil, errors.New("there is no key for secrets")
	}
	key, err := hkdf.Key(sha256.New, b.key, nil, "recto seal "+purpose, KeySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
