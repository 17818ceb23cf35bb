package id

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestNewIsValidAndSorted(t *testing.T) {
	const count = 20_000
	made := make([]string, count)
	for i := range made {
		made[i] = New("space")
		if !Valid("space", made[i]) {
			t.Fatalf("New made %q, which is not valid", made[i])
		}
	}
	if !slices.IsSorted(made) {
		t.Error("identifiers do not sort in the order in which they were made")
	}
	if len(slices.Compact(made)) != count {
		t.Error("New made the same identifier twice")
	}
}

func TestNewIsUniqueAcrossGoroutines(t *testing.T) {
	var mutex sync.Mutex
	seen := map[string]bool{}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 2_000 {
				made := New("page")
				mutex.Lock()
				if seen[made] {
					t.Errorf("made %s twice", made)
				}
				seen[made] = true
				mutex.Unlock()
			}
		})
	}
	group.Wait()
}

func TestEncodeKeepsOrderOfTime(t *testing.T) {
	before := encode(newUUID(uint64(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()) << 12))
	after := encode(newUUID(uint64(time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()) << 12))
	if before >= after {
		t.Errorf("%s of 2026 does not sort before %s of 2126", before, after)
	}
}

func TestNewHoldsVersionSeven(t *testing.T) {
	uuid := newUUID(0x0123456789abcdef >> 4)
	if uuid[6]>>4 != 7 {
		t.Errorf("version is %d, want 7", uuid[6]>>4)
	}
	if uuid[8]>>6 != 2 {
		t.Errorf("variant is %b, want 10", uuid[8]>>6)
	}
}

func TestEncodeKnownValues(t *testing.T) {
	full := [16]byte{}
	for i := range full {
		full[i] = 0xff
	}
	tests := []struct {
		uuid [16]byte
		want string
	}{
		{[16]byte{}, strings.Repeat("0", 26)},
		{full, "7" + strings.Repeat("z", 25)},
		{[16]byte{15: 1}, strings.Repeat("0", 25) + "1"},
		{[16]byte{15: 32}, strings.Repeat("0", 24) + "10"},
		{[16]byte{7: 1}, strings.Repeat("0", 13) + "g" + strings.Repeat("0", 12)},
	}
	for _, test := range tests {
		if got := encode(test.uuid); got != test.want {
			t.Errorf("encode(%x) = %s, want %s", test.uuid, got, test.want)
		}
	}
}

func TestValidRefuses(t *testing.T) {
	good := New("space")
	body := strings.TrimPrefix(good, "space_")
	tests := map[string]string{
		"empty":              "",
		"prefix alone":       "space_",
		"no underscore":      "space" + body,
		"another prefix":     "page_" + body,
		"longer prefix":      "spaces_" + body,
		"too short":          good[:len(good)-1],
		"too long":           good + "0",
		"upper case":         "space_" + strings.ToUpper(body),
		"letter not in use":  good[:len(good)-1] + "u",
		"over 128 bits":      "space_8" + body[1:],
		"path separator":     good[:len(good)-1] + "/",
		"not ASCII":          good[:len(good)-2] + "é",
		"trailing line feed": good[:len(good)-1] + "\n",
	}
	for name, s := range tests {
		if Valid("space", s) {
			t.Errorf("%s: Valid accepts %q", name, s)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New("space")
	}
}
