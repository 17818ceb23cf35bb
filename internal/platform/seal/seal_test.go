package seal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/seal"
)

func box(t *testing.T, fill byte) *seal.Box {
	t.Helper()
	b, err := seal.NewBox(bytes.Repeat([]byte{fill}, seal.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSecretsComeBack(t *testing.T) {
	b := box(t, 1)
	for _, secret := range []string{"", "x", "a key\n", strings.Repeat("long ", 10_000)} {
		sealed, err := b.Seal(secret, "site/1")
		if err != nil {
			t.Fatal(err)
		}
		if len(secret) > 1 && strings.Contains(sealed, secret) {
			t.Error("the sealed text shows the secret")
		}
		if got, err := b.Open(sealed, "site/1"); err != nil || got != secret {
			t.Errorf("got %.20q, %v; want %.20q", got, err, secret)
		}
		again, err := b.Seal(secret, "site/1")
		if err != nil || again == sealed {
			t.Error("the same secret is sealed to the same text twice")
		}
	}
}

func TestOthersCannotOpen(t *testing.T) {
	sealed, err := box(t, 1).Seal("secret", "site/1")
	if err != nil {
		t.Fatal(err)
	}
	changed := []byte(sealed)
	changed[len(changed)/2] ^= 1
	tries := map[string]func() (string, error){
		"another key":     func() (string, error) { return box(t, 2).Open(sealed, "site/1") },
		"another purpose": func() (string, error) { return box(t, 1).Open(sealed, "site/2") },
		"changed":         func() (string, error) { return box(t, 1).Open(string(changed), "site/1") },
		"cut":             func() (string, error) { return box(t, 1).Open(sealed[:8], "site/1") },
		"plain":           func() (string, error) { return box(t, 1).Open("secret", "site/1") },
		"empty":           func() (string, error) { return box(t, 1).Open("", "site/1") },
	}
	for name, open := range tries {
		if got, err := open(); !errors.Is(err, seal.ErrUnreadable) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	if _, err := (*seal.Box)(nil).Seal("secret", "site/1"); err == nil {
		t.Error("no box seals")
	}
	if _, err := seal.NewBox([]byte("short")); err == nil {
		t.Error("a short key is taken")
	}
}
