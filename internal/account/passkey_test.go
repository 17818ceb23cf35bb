package account_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/db/dbtest"
	"github.com/rectodocs/recto/internal/errs"
)

// authenticator is a device with one passkey, as far as WebAuthn sees it.
type authenticator struct {
	t       *testing.T
	key     *ecdsa.PrivateKey
	id      []byte
	user    []byte
	counter uint32
	// origin and host are what the browser says; flags what the device does: user present, user verified.
	origin, host string
	flags        byte
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authenticator{t: t, key: key, id: make([]byte, 16), origin: "https://docs.example.org", host: "docs.example.org", flags: 0x05}
	_, _ = rand.Read(a.id)
	return a
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// client returns what the browser signs of a challenge.
func (a *authenticator) client(kind string, challenge account.Challenge) []byte {
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
		if a.user, err = base64.RawURLEncoding.DecodeString(options.User.ID); err != nil {
			a.t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"type": kind, "challenge": options.Challenge, "origin": a.origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return data
}

// data returns the authenticator data, with the public key when it is new.
func (a *authenticator) data(fresh bool) []byte {
	host := sha256.Sum256([]byte(a.host))
	flags := a.flags
	if fresh {
		flags |= 0x40
	}
	data := binary.BigEndian.AppendUint32(append(host[:], flags), a.counter)
	if !fresh {
		return data
	}
	data = append(append(data, make([]byte, 16)...), 0, byte(len(a.id)))
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	// The COSE key: EC2, ES256, P-256, x and y.
	data = append(append(data, a.id...), 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(data, point[1:33]...), 0x22, 0x58, 0x20)
	return append(data, point[33:]...)
}

// register answers a challenge to make a passkey.
func (a *authenticator) register(challenge account.Challenge) []byte {
	a.t.Helper()
	client, data := a.client("webauthn.create", challenge), a.data(true)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"), byte(len(data)>>8), byte(len(data)))
	return a.answer(map[string]any{"clientDataJSON": encode(client), "attestationObject": encode(append(object, data...))})
}

// sign answers a challenge to sign in.
func (a *authenticator) sign(challenge account.Challenge) []byte {
	a.t.Helper()
	client := a.client("webauthn.get", challenge)
	a.counter++
	data, hash := a.data(false), sha256.Sum256(client)
	digest := sha256.Sum256(append(data[:len(data):len(data)], hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(a.user),
	})
}

func (a *authenticator) answer(response map[string]any) []byte {
	a.t.Helper()
	answer, err := json.Marshal(map[string]any{
		"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return answer
}

// TestPasskeys needs the clock of the machine, since the library has no other.
func TestPasskeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		now := time.Now()
		refused := false
		s := account.New(account.Deps{
			DB: d, Key: []byte("0123456789abcdef"), BaseURL: "https://docs.example.org", Now: func() time.Time { return now },
			PasswordAllowed: func(context.Context, string) error {
				if refused {
					return errs.Forbiddenf("sign in elsewhere")
				}
				return nil
			},
		})
		ada, bob := newUser(t, s, "ada@example.org"), newUser(t, s, "bob@example.org")
		as := func(user account.User) account.Caller {
			secret, _ := signedIn(t, s, user.ID)
			caller, err := s.AuthenticateSession(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return caller
		}
		caller, device := as(ada), newAuthenticator(t)
		begin := func() account.Challenge {
			challenge, err := s.BeginPasskey(ctx, caller)
			if err != nil {
				t.Fatal(err)
			}
			return challenge
		}

		// What makes no passkey.
		challenge := begin()
		_, err := s.AddPasskey(ctx, as(bob), "laptop", challenge.State, device.register(challenge))
		wantKind(t, err, errs.Invalid, "took too long")
		_, err = s.AddPasskey(ctx, caller, "laptop", challenge.State, []byte(`{}`))
		wantKind(t, err, errs.Invalid, "not a passkey")
		_, err = s.AddPasskey(ctx, caller, "", challenge.State, device.register(challenge))
		wantKind(t, err, errs.Invalid, "name")
		for name, spoil := range map[string]func(*authenticator){
			"another site":   func(a *authenticator) { a.origin = "https://docs.example.org.evil.example" },
			"another host":   func(a *authenticator) { a.host = "evil.example" },
			"not verified":   func(a *authenticator) { a.flags = 0x01 },
			"nobody present": func(a *authenticator) { a.flags = 0x04 },
		} {
			bad := *device
			spoil(&bad)
			_, err := s.AddPasskey(ctx, caller, "laptop", challenge.State, bad.register(challenge))
			wantKind(t, err, errs.Invalid, "not accepted")
			if err == nil {
				t.Error(name)
			}
		}
		answer := device.register(challenge)
		passkey, err := s.AddPasskey(ctx, caller, " Laptop ", challenge.State, answer)
		if err != nil || passkey.Name != "Laptop" {
			t.Fatal(passkey, err)
		}
		_, err = s.AddPasskey(ctx, caller, "again", challenge.State, answer)
		wantKind(t, err, errs.Invalid, "used already")
		challenge = begin()
		if !strings.Contains(string(challenge.Options), encode(device.id)) {
			t.Error("the passkey is not excluded")
		}
		_, err = s.AddPasskey(ctx, caller, "again", challenge.State, device.register(challenge))
		wantKind(t, err, errs.Conflict, "here already")

		// Signing in.
		ask := func() account.Challenge {
			challenge, err := s.BeginPasskeySignIn()
			if err != nil {
				t.Fatal(err)
			}
			return challenge
		}
		challenge = ask()
		answer = device.sign(challenge)
		user, err := s.SignInWithPasskey(ctx, challenge.State, answer)
		if err != nil || user.ID != ada.ID {
			t.Fatal(user, err)
		}
		_, err = s.SignInWithPasskey(ctx, challenge.State, answer)
		wantKind(t, err, errs.Unauthorized, "")
		_, err = s.SignInWithPasskey(ctx, ask().State, answer)
		wantKind(t, err, errs.Unauthorized, "not known")
		_, err = s.SignInWithPasskey(ctx, begin().State, answer)
		wantKind(t, err, errs.Invalid, "took too long")
		for name, spoil := range map[string]func(*authenticator){
			"another site":   func(a *authenticator) { a.origin = "https://evil.example" },
			"another host":   func(a *authenticator) { a.host = "evil.example" },
			"not verified":   func(a *authenticator) { a.flags = 0x01 },
			"another person": func(a *authenticator) { a.user = []byte(bob.ID) },
			"nobody":         func(a *authenticator) { a.user = []byte("user_x") },
			"another key":    func(a *authenticator) { a.key = newAuthenticator(t).key },
			"a copy":         func(a *authenticator) { a.counter = 0 },
		} {
			bad := *device
			spoil(&bad)
			challenge := ask()
			if _, err := s.SignInWithPasskey(ctx, challenge.State, bad.sign(challenge)); !errs.Is(err, errs.Unauthorized) {
				t.Errorf("%s: %v", name, err)
			}
		}
		refused = true
		challenge = ask()
		_, err = s.SignInWithPasskey(ctx, challenge.State, device.sign(challenge))
		wantKind(t, err, errs.Forbidden, "elsewhere")
		refused = false

		// What is there.
		if methods, err := s.MethodsOf(ctx, ada.ID); err != nil || methods.Password() || methods.Passkeys != 1 {
			t.Error(methods, err)
		}
		if err := s.RenamePasskey(ctx, caller, passkey.ID, "Key"); err != nil {
			t.Error(err)
		}
		wantKind(t, s.RenamePasskey(ctx, as(bob), passkey.ID, "Mine"), errs.NotFound, "no such passkey")
		wantKind(t, s.RemovePasskey(ctx, as(bob), passkey.ID), errs.NotFound, "no such passkey")
		passkeys, err := s.ListPasskeys(ctx, ada.ID)
		if err != nil || len(passkeys) != 1 || passkeys[0].Name != "Key" || passkeys[0].LastUsedAt.IsZero() {
			t.Error(passkeys, err)
		}
		now = now.Add(time.Hour)
		wantKind(t, s.RemovePasskey(ctx, caller, passkey.ID), errs.Precondition, "Sign in again")
		_, err = s.BeginPasskey(ctx, caller)
		wantKind(t, err, errs.Precondition, "Sign in again")
		if err := s.RemovePasskey(ctx, as(ada), passkey.ID); err != nil {
			t.Fatal(err)
		}
		challenge = ask()
		_, err = s.SignInWithPasskey(ctx, challenge.State, device.sign(challenge))
		wantKind(t, err, errs.Unauthorized, "not known")
	})
}

func TestPasskeysNeedAName(t *testing.T) {
	d := dbtest.SQLite(t)
	for base, want := range map[string]bool{"https://docs.example.org": true, "http://localhost:8080": true, "http://127.0.0.1:8080": false, "http://[::1]:8080": false, "": false} {
		s := account.New(account.Deps{DB: d, BaseURL: base})
		if s.PasskeysWork() != want {
			t.Errorf("%s: %v", base, !want)
		}
		if !want {
			_, err := s.BeginPasskeySignIn()
			wantKind(t, err, errs.Precondition, "IP address")
		}
	}
}
