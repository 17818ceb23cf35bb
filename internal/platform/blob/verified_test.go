package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
)

// damage changes a byte of a blob behind the store's back.
func damage(t *testing.T, store Store, hash string) {
	t.Helper()
	if v, ok := store.(*Verified); ok {
		store = v.Store
	}
	file, size, err := store.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	content[size/2] ^= 1
	switch store := store.(type) {
	case *Directory:
		err = store.root.WriteFile(place(hash), content, 0o640)
	case *Bucket:
		_, err = store.client.PutObject(t.Context(), store.bucket, store.prefix+hash, bytes.NewReader(content), size,
			minio.PutObjectOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readAll reads a blob from its beginning to its end.
func readAll(t *testing.T, store Store, hash string) ([]byte, error) {
	t.Helper()
	file, _, err := store.Open(t.Context(), hash)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// TestPutMendsDamage holds that the right bytes take the place of wrong ones of the same length.
func TestPutMendsDamage(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		hash := put(t, store, "a picture")
		damage(t, store, hash)
		if err := Verify(t.Context(), store, hash); !errors.Is(err, ErrDamaged) {
			t.Fatalf("a damaged blob: %v", err)
		}
		put(t, store, "a picture")
		if got := read(t, store, hash); got != "a picture" {
			t.Errorf("after putting it again it is %q", got)
		}
		if err := Verify(t.Context(), store, hash); err != nil {
			t.Error(err)
		}
	})
}

// TestDamageIsNotGivenOut holds that no reader gets all bytes of a damaged blob: of a small one none, of a large one
// not the last, and none once it is known; and that putting it again mends that, too.
func TestDamageIsNotGivenOut(t *testing.T) {
	eachStore(t, func(t *testing.T, plain Store) {
		for name, content := range map[string]string{"small": "a picture", "large": strings.Repeat("a film ",
			smallBlob/3)} {
			store := NewVerified(plain)
			hash := put(t, plain, content)
			if got, err := readAll(t, store, hash); err != nil || string(got) != content {
				t.Errorf("%s, sound: %d bytes, %v", name, len(got), err)
			}
			damage(t, store, hash)
			if _, onDisk := plain.(*Directory); onDisk {
				if _, err := readAll(t, store, hash); !errors.Is(err, ErrDamaged) {
					t.Errorf("%s: the file was written since it was verified: %v", name, err)
				}
			}
			store = NewVerified(plain)
			got, err := readAll(t, store, hash)
			if !errors.Is(err, ErrDamaged) || len(got) >= len(content) || name == "small" && len(got) > 0 {
				t.Errorf("%s, damaged: %d bytes, %v", name, len(got), err)
			}
			if _, _, err := store.Open(t.Context(), hash); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, known to be damaged: %v", name, err)
			}
			put(t, store, content)
			if got, err := readAll(t, store, hash); err != nil || string(got) != content {
				t.Errorf("%s, mended: %d bytes, %v", name, len(got), err)
			}
		}
	})
}

// TestDamageIsFoundBehindPartialReads holds that a blob of which a part was read is verified after that.
func TestDamageIsFoundBehindPartialReads(t *testing.T) {
	plain, err := NewDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	hash := put(t, plain, strings.Repeat("a film ", smallBlob/3))
	damage(t, plain, hash)
	store := NewVerified(plain)
	file, _, err := store.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(100, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(file, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	store.Wait()
	if _, _, err := store.Open(t.Context(), hash); !errors.Is(err, ErrDamaged) {
		t.Errorf("after a part was read: %v", err)
	}
}

// TestScrub holds that scrubbing finds what is damaged, goes on where it was stopped, and begins anew at the end.
func TestScrub(t *testing.T) {
	directory := t.TempDir()
	plain, err := NewDirectory(directory)
	if err != nil {
		t.Fatal(err)
	}
	var hashes []string
	for _, content := range []string{"a", "b", "c", "d", "e"} {
		hashes = append(hashes, put(t, plain, content))
	}
	slices.Sort(hashes)
	damage(t, plain, hashes[1])
	damage(t, plain, hashes[4])
	store := NewVerified(plain)
	last, verified, damaged, err := store.Scrub(t.Context(), hashes[1], 1<<30)
	if err != nil || last != "" || verified != 3 || !slices.Equal(damaged, hashes[4:]) {
		t.Errorf("from the second on: %q, %d, %v, %v", last, verified, damaged, err)
	}
	last, verified, damaged, err = store.Scrub(t.Context(), "", 1<<30)
	if err != nil || last != "" || verified != 5 || !slices.Equal(damaged, []string{hashes[1], hashes[4]}) {
		t.Errorf("all: %q, %d, %v, %v", last, verified, damaged, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	last, verified, _, err = store.Scrub(short, "", 10) // a tenth of a second each
	if err != nil || verified == 0 || verified == 5 || last != hashes[verified-1] {
		t.Errorf("stopped: %q, %d, %v", last, verified, err)
	}
	if _, err := os.Stat(filepath.Join(directory, hashes[1][:2], hashes[1])); err != nil {
		t.Errorf("a damaged blob was taken away: %v", err)
	}
}
