package wiki

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

// FuzzPack holds that whatever a server sends is read or refused with words.
func FuzzPack(f *testing.F) {
	blob := []byte("content")
	f.Add(append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01"), entry(blobObject, len(blob), nil, blob)...))
	f.Add(append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x02"), append(entry(blobObject, len(blob), nil, blob),
		entry(offsetDelta, 3, []byte{16}, []byte{7, 1, 0x90})...)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "pack")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := openPack(t.Context(), file, int64(len(data))); err != nil && errs.KindOf(err) == errs.Internal {
			t.Fatalf("an error without words: %v", err)
		}
	})
}

// FuzzDelta holds that a change is applied to exactly the size that it states, or refused.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("the base"), []byte{8, 3, 0x91, 4, 3})
	f.Add([]byte("x"), []byte{1, 2, 2, 'a', 'b'})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		if _, err := applyDelta(base, delta); err != nil && errs.KindOf(err) == errs.Internal {
			t.Fatalf("an error without words: %v", err)
		}
	})
}

// FuzzRefs holds that whatever a server says of its references is read or refused with words.
func FuzzRefs(f *testing.F) {
	f.Add([]byte("001e# service=git-upload-pack\n0000003f" +
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa HEAD\x00side-band-64k\n0000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := headOf(bufio.NewReader(bytes.NewReader(data)), "https://example.org/a.git"); err != nil &&
			errs.KindOf(err) == errs.Internal {
			t.Fatalf("an error without words: %v", err)
		}
	})
}
