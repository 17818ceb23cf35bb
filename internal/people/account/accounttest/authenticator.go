// Package accounttest owns what tests need of the devices that people sign in with.
package accounttest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/rectodocs/recto/internal/people/account"
)

// Authenticator is a device with one passkey, as far as WebAuthn sees it.
type Authenticator struct {
	t *testing.T
	// Key signs; Counter is how often it did.
	Key     *ecdsa.PrivateKey
	Counter uint32
	// User is the handle of the user that the passkey is for.
	User []byte
	// ID is the passkey's own id.
	ID []byte
	// Origin and Host are what the browser says; Flags what the device does: user present, user verified.
	Origin, Host string
	Flags        byte
}

// NewAuthenticator returns a device with a new key, in a browser at an origin with a host.
func NewAuthenticator(t *testing.T, origin, host string) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &Authenticator{t: t, Key: key, ID: make([]byte, 16), Origin: origin, Host: host, Flags: 0x05}
	_, _ = rand.Read(a.ID)
	return a
}

// Encode is how WebAuthn writes bytes as text.
func Encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// client returns what the browser signs of a challenge.
func (a *Authenticator) client(kind string, challenge account.Challenge) []byte {
	a.t.Helper()
	var options struct {
		Challenge string
		User      struct{ ID string }
	}
	if err := json.Unmarshal(challenge.Options, &options); err != nil {
		a.t.Fatal(err)
	}
	if options.User.ID != "" {
		var err error
		if a.User, err = base64.RawURLEncoding.DecodeString(options.User.ID); err != nil {
			a.t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"type": kind, "challenge": options.Challenge, "origin": a.Origin,
		"crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return data
}

// data returns the authenticator data, with the public key when it is new.
func (a *Authenticator) data(fresh bool) []byte {
	host := sha256.Sum256([]byte(a.Host))
	flags := a.Flags
	if fresh {
		flags |= 0x40
	}
	data := binary.BigEndian.AppendUint32(append(host[:], flags), a.Counter)
	if !fresh {
		return data
	}
	data = append(append(data, make([]byte, 16)...), 0, byte(len(a.ID)))
	point, err := a.Key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	// The COSE key: EC2, ES256, P-256, x and y.
	data = append(append(data, a.ID...), 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(data, point[1:33]...), 0x22, 0x58, 0x20)
	return append(data, point[33:]...)
}

// Register answers a challenge to make a passkey.
func (a *Authenticator) Register(challenge account.Challenge) []byte {
	a.t.Helper()
	client, data := a.client("webauthn.create", challenge), a.data(true)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"), byte(len(data)>>8), byte(len(data)))
	return a.answer(map[string]any{"clientDataJSON": Encode(client),
		"attestationObject": Encode(append(object, data...))})
}

// Sign answers a challenge to sign in.
func (a *Authenticator) Sign(challenge account.Challenge) []byte {
	a.t.Helper()
	client := a.client("webauthn.get", challenge)
	a.Counter++
	data, hash := a.data(false), sha256.Sum256(client)
	digest := sha256.Sum256(append(data[:len(data):len(data)], hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.Key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]any{
		"clientDataJSON": Encode(client), "authenticatorData": Encode(data), "signature": Encode(signature),
		"userHandle": Encode(a.User),
	})
}

func (a *Authenticator) answer(response map[string]any) []byte {
	a.t.Helper()
	answer, err := json.Marshal(map[string]any{
		"id": Encode(a.ID), "rawId": Encode(a.ID), "type": "public-key", "response": response,
		"clientExtensionResults": map[string]any{},
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return answer
}
