package secrets

import (
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	kind := Kind{Prefix: "rct_", Bytes: 25}
	seen := map[string]bool{}
	for range 1000 {
		secret := kind.New()
		if seen[secret] || !kind.WellFormed(secret) || !strings.HasPrefix(secret, "rct_") ||
			len(secret) != 44 {
			t.Fatalf("kind.New() = %q", secret)
		}
		seen[secret] = true
	}
	good := kind.New()
	for _, bad := range []string{"", "rct_", good[:43], good + "a", strings.ToUpper(good), "rcx_" + good[4:],
		good[:43] + "1", good[:43] + "\n"} {
		if kind.WellFormed(bad) {
			t.Errorf("kind.WellFormed(%q)", bad)
		}
	}
}
