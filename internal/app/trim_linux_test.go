package app

import (
	"os"
	"strings"
	"testing"
)

func TestReadOnlyPart(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"00400000-02070000 r-xp 00000000 fe:00 10291581                           /bin/recto\n", true},
		{"02070000-04934000 r--p 01c70000 fe:00 10291581                           /bin/recto\n", true},
		{"04934000-04b3e000 rw-p 04534000 fe:00 10291581                           /bin/recto\n", false},
		{"7f0000000000-7f0000008000 r--s 00000000 fe:00 9                          /data/recto.db-shm\n", false},
		{"00400000-02070000 r--s 00000000 fe:00 10291581                           /bin/recto\n", false},
		{"7f0000000000-7f0000400000 rw-p 00000000 00:00 0\n", false},
		{"7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]\n", false},
		{"", false},
	}
	for _, test := range tests {
		from, to, ok := readOnlyPart(test.line, "/bin/recto")
		if ok != test.want || ok && (from != 0x400000 || to != 0x2070000) && (from != 0x2070000 || to != 0x4934000) {
			t.Errorf("%q: %x to %x, %t", test.line, from, to, ok)
		}
	}
}

// TestDropProgramPages holds that the program has such parts, and goes on when they are dropped.
func TestDropProgramPages(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for line := range strings.Lines(string(maps)) {
		if _, _, ok := readOnlyPart(line, program); ok {
			parts++
		}
	}
	if parts == 0 {
		t.Error("no part of the program is found")
	}
	dropProgramPages()
}
