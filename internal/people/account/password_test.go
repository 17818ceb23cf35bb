package account

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestCheckPassword(t *testing.T) {
	ada := User{DisplayName: "Ada Lovelace", Email: "countess@example.org"}
	for _, good := range []string{"engine no. 9", "пароль-долгий", "🦉🐈🦉🐈🦔🐌🐇🐎", strings.Repeat("abcd", 256),
		"  four spaces  "} {
		if err := checkPassword("password", good, ada); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, why := range map[string]string{
		"": "has 0 characters", "short.7": "at least 8", "🦉🐈🦔🐌🐇🐎🐢": "has 7 characters", strings.Repeat("abcd", 256) +
			"e": "up to 1024",
		"password1": "many people", "PASSWORD1": "many people", "iloveyou2": "many people", "ｐａｓｓｗｏｒｄ１": "many people",
		"aaaaaaaaaaaaaaaa": "different", "abababababab": "different", "Ada Lovelace": "your name",
		"adalovelace": "your name", "COUNTESS": "your name", "countess@example.org": "your name",
		"bad\xffbytes....": "UTF-8",
	} {
		if err := checkPassword("password", bad, ada); !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(),
			why) {
			t.Errorf("%q: %v, want %q", bad, err, why)
		}
	}
	if n := len(commonPasswords()); n < 10_000 {
		t.Errorf("the list has %d passwords", n)
	}
}

func TestHashes(t *testing.T) {
	h := newHasher(PasswordCost{})
	hash, err := h.hash(t.Context(), "engine no. 9")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || h.outdated(hash) {
		t.Error(hash)
	}
	again, err := h.hash(t.Context(), "engine no. 9")
	if err != nil || again == hash {
		t.Error("two hashes of one password are the same", err)
	}
	// Made with the reference program of the Password Hashing Competition: argon2 somesalt -id -t 2 -m 16 -p 1.
	const elsewhere = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if !h.outdated(elsewhere) {
		t.Error("a hash with other parameters is one of today")
	}
	for _, test := range []struct {
		hash, password string
		want           bool
	}{{hash, "engine no. 9", true}, {hash, "engine no. 8", false}, {hash, "", false}, {"", "engine no. 9", false},
		{"", "", false}, {elsewhere, "password", true}, {elsewhere, "passwore", false}} {
		if got, err := h.matches(t.Context(), test.hash, test.password); err != nil || got != test.want {
			t.Errorf("%q against %q: %v, %v", test.password, test.hash, got, err)
		}
	}
	for _, broken := range []string{"x", "$argon2id$v=18$m=1,t=1,p=1$c29tZXNhbHQ$CTFh",
		"$argon2id$v=19$m=1,t=1,p=1$!$CTFh", "$argon2id$v=19$m=1,t=1,p=1$c29t$"} {
		if _, err := h.matches(t.Context(), broken, "p"); err == nil {
			t.Errorf("%q is taken for a hash", broken)
		}
	}
}

// TestHashesAreBounded holds that hashes wait for their turn, and give up with their request.
func TestHashesAreBounded(t *testing.T) {
	h := &hasher{running: make(chan struct{}, 1), waiting: make(chan struct{}, 1)}
	done, err := h.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var waited error
	wg.Go(func() { _, waited = h.turn(ctx) })
	for len(h.waiting) == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := h.turn(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	wg.Wait()
	if !errors.Is(waited, context.Canceled) {
		t.Error(waited)
	}
	done()
	if done, err = h.turn(t.Context()); err != nil {
		t.Fatal(err)
	}
	done()
}

func TestWaiting(t *testing.T) {
	for excess, want := range map[int64]time.Duration{
		-3: 0, 0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second, 6: 64 * time.Second, 9: 512 * time.Second,
		10: longestWait, 1000: longestWait, 1 << 40: longestWait,
	} {
		if got := waitAfter(excess); got != want {
			t.Errorf("waitAfter(%d) = %v, want %v", excess, got, want)
		}
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	state := counted{}
	locked := 0
	for range 11 {
		state = state.add(byAccount, now)
		if state.locks(byAccount) {
			locked++
		}
	}
	if state.failures != 11 || state.blockedUntil != now.Add(64*time.Second) || locked != 1 {
		t.Errorf("%+v, locked %d times", state, locked)
	}
	if later := state.add(byAccount, now.Add(3*time.Hour)); later.failures != 9 {
		t.Errorf("after three hours: %+v", later)
	}
	if later := state.add(byAccount, now.Add(300*time.Hour)); later.failures != 1 {
		t.Errorf("after days: %+v", later)
	}
}

func BenchmarkHash(b *testing.B) {
	h := newHasher(PasswordCost{})
	for b.Loop() {
		if _, err := h.hash(b.Context(), "engine no. 9"); err != nil {
			b.Fatal(err)
		}
	}
}
