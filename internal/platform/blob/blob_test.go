package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// eachStore runs test on both kinds of store.
func eachStore(t *testing.T, test func(t *testing.T, store Store)) {
	t.Run("directory", func(t *testing.T) {
		store, err := OpenStore("dir:" + filepath.Join(t.TempDir(), "files", "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		test(t, store)
	})
	t.Run("bucket", func(t *testing.T) { test(t, newTestBucket(t, "installation/one")) })
	t.Run("bucket without prefix", func(t *testing.T) { test(t, newTestBucket(t, "")) })
}

func newTestBucket(t *testing.T, prefix string) *Bucket {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("recto"); err != nil {
		t.Fatal(err)
	}
	// Neighbours in the same bucket are none of the store's business.
	for _, neighbour := range []string{"readme.txt", "other/" + strings.Repeat("a", 64)} {
		if _, err := backend.PutObject("recto", neighbour, nil, strings.NewReader("x"), 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	store, err := NewBucket(BucketConfig{
		Endpoint: server.URL, Region: "us-east-1", Bucket: "recto", Prefix: prefix,
		Credentials: credentials.NewStaticV4("key", "secret", ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func put(t *testing.T, store Store, content string) string {
	t.Helper()
	hash, size, err := store.Put(t.Context(), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if size != int64(len(content)) {
		t.Errorf("Put returned the size %d, want %d", size, len(content))
	}
	return hash
}

func read(t *testing.T, store Store, hash string) string {
	t.Helper()
	file, size, err := store.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(content)) != size {
		t.Errorf("Open returned the size %d of %d bytes", size, len(content))
	}
	return string(content)
}

func list(t *testing.T, store Store) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	previous := ""
	for info, err := range store.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if info.Hash <= previous {
			t.Errorf("%s is listed after %s", info.Hash, previous)
		}
		previous = info.Hash
		found[info.Hash] = info.Size
		if age := time.Since(info.PutAt); age < -time.Hour || age > time.Hour {
			t.Errorf("%s was put %v ago", info.Hash, age)
		}
	}
	return found
}

func TestPutOpenListDelete(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		if err := store.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{}
		for _, content := range []string{"", "a", "recto", strings.Repeat("0123456789", 100_000)} {
			sum := sha256.Sum256([]byte(content))
			hash := put(t, store, content)
			if hash != hex.EncodeToString(sum[:]) {
				t.Errorf("the hash is %s, want the SHA-256 %x", hash, sum)
			}
			if got := read(t, store, hash); got != content {
				t.Errorf("read back %d bytes that differ from the %d put", len(got), len(content))
			}
			info, err := store.Stat(t.Context(), hash)
			if err != nil || info.Hash != hash || info.Size != int64(len(content)) {
				t.Errorf("Stat returned %+v, error %v", info, err)
			}
			want[hash] = int64(len(content))
		}
		again := put(t, store, "recto")
		if diff := cmp.Diff(want, list(t, store)); diff != "" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
		for range 2 {
			if err := store.Delete(t.Context(), again); err != nil {
				t.Errorf("delete: %v", err)
			}
		}
		delete(want, again)
		if diff := cmp.Diff(want, list(t, store)); diff != "" {
			t.Errorf("list after delete (-want +got):\n%s", diff)
		}
		if _, _, err := store.Open(t.Context(), again); !errors.Is(err, ErrNotFound) {
			t.Errorf("open a deleted blob: got %v, want ErrNotFound", err)
		}
		if _, err := store.Stat(t.Context(), again); !errors.Is(err, ErrNotFound) {
			t.Errorf("stat a deleted blob: got %v, want ErrNotFound", err)
		}
		put(t, store, "recto")
		if read(t, store, again) != "recto" {
			t.Error("a blob that was put again after its deletion is not the same")
		}
	})
}

func TestReadRange(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		hash := put(t, store, strings.Repeat("0123456789", 1000))
		file, size, err := store.Open(t.Context(), hash)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if end, err := file.Seek(0, io.SeekEnd); err != nil || end != size {
			t.Errorf("the end is at %d, want %d (error %v)", end, size, err)
		}
		for _, start := range []int64{5003, 17, 9990} {
			if _, err := file.Seek(start, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			part := make([]byte, 10)
			if _, err := io.ReadFull(file, part); err != nil {
				t.Fatal(err)
			}
			if want := strings.Repeat("0123456789", 2)[start%10:][:10]; string(part) != want {
				t.Errorf("at %d: got %q, want %q", start, part, want)
			}
		}
		// http.ServeContent is the use this is for.
		recorder := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		request.Header.Set("Range", "bytes=20-24")
		serve(recorder, request, file)
		if recorder.Code != 206 || recorder.Body.String() != "01234" {
			t.Errorf("a range request got %d %q", recorder.Code, recorder.Body)
		}
	})
}

func TestPutThatFailsStoresNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		broken := errors.New("connection reset")
		_, _, err := store.Put(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the reader's error", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := store.Put(ctx, strings.NewReader("late")); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the context's error", err)
		}
		if found := list(t, store); len(found) != 0 {
			t.Errorf("there are blobs: %v", found)
		}
	})
}

func TestHostileNames(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for _, name := range []string{
			"", "..", "../../etc/passwd", "incoming", "incoming/x", strings.Repeat("A", 64), strings.Repeat("g", 64),
			strings.Repeat("a", 63), strings.Repeat("a", 65), "../" + strings.Repeat("a", 61), strings.Repeat("a", 63) +
				"/",
		} {
			if _, _, err := store.Open(t.Context(), name); !errors.Is(err, ErrNotFound) {
				t.Errorf("Open(%q): got %v, want ErrNotFound", name, err)
			}
			if _, err := store.Stat(t.Context(), name); !errors.Is(err, ErrNotFound) {
				t.Errorf("Stat(%q): got %v, want ErrNotFound", name, err)
			}
			if err := store.Delete(t.Context(), name); err != nil {
				t.Errorf("Delete(%q): %v", name, err)
			}
			if deleted, err := store.DeleteBefore(t.Context(), name, time.Now().Add(time.Hour)); err != nil || deleted {
				t.Errorf("DeleteBefore(%q): %v, error %v", name, deleted, err)
			}
		}
	})
}

func TestDeleteBefore(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		hash := put(t, store, "recto")
		if deleted, err := store.DeleteBefore(t.Context(), hash, time.Now().Add(-time.Hour)); err != nil || deleted {
			t.Errorf("a fresh blob: deleted %v, error %v", deleted, err)
		}
		if read(t, store, hash) != "recto" {
			t.Error("the blob is gone")
		}
		if deleted, err := store.DeleteBefore(t.Context(), hash, time.Now().Add(time.Hour)); err != nil || !deleted {
			t.Errorf("an old blob: deleted %v, error %v", deleted, err)
		}
		if deleted, err := store.DeleteBefore(t.Context(), hash, time.Now().Add(time.Hour)); err != nil || deleted {
			t.Errorf("a blob that is not there: deleted %v, error %v", deleted, err)
		}
	})
}

func TestPutAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		var group sync.WaitGroup
		for worker := range 6 {
			group.Go(func() {
				for i := range 8 {
					content := fmt.Sprint("blob ", i)
					hash, _, err := store.Put(t.Context(), strings.NewReader(content))
					if err != nil {
						t.Errorf("worker %d: %v", worker, err)
						return
					}
					if got := read(t, store, hash); got != content {
						t.Errorf("read %q, want %q", got, content)
					}
				}
			})
		}
		group.Wait()
		if found := list(t, store); len(found) != 8 {
			t.Errorf("there are %d blobs, want 8", len(found))
		}
	})
}

func TestListStopsEarlyAndOnCancel(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for i := range 20 {
			put(t, store, fmt.Sprint(i))
		}
		count := 0
		for _, err := range store.List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count == 3 {
				break
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var last error
		for _, err := range store.List(ctx) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("a cancelled list ended with %v", last)
		}
	})
}

func TestDirectoryRefreshesAndMends(t *testing.T) {
	directory := t.TempDir()
	store, err := NewDirectory(directory)
	if err != nil {
		t.Fatal(err)
	}
	hash := put(t, store, "recto")
	file := filepath.Join(directory, hash[:2], hash)
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	put(t, store, "recto")
	if deleted, err := store.DeleteBefore(t.Context(), hash, time.Now().Add(-MinimumAge)); err != nil || deleted {
		t.Errorf("a blob that was put again is collected (error %v)", err)
	}
	// A file that was cut short by a broken disk is replaced when the same bytes come again.
	if err := os.WriteFile(file, []byte("rec"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, store, "recto")
	if got := read(t, store, hash); got != "recto" {
		t.Errorf("read %q", got)
	}
}

func TestDirectoryPassesOverStrangers(t *testing.T) {
	directory := t.TempDir()
	store, err := NewDirectory(directory)
	if err != nil {
		t.Fatal(err)
	}
	hash := put(t, store, "recto")
	name := strings.Repeat("c", 64)
	for _, stranger := range []string{"note.txt", name, "cc/note.txt", "dd/" + name, "lost+found/" + name,
		"cc/cc/" + name} {
		path := filepath.Join(directory, stranger)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]int64{hash: 5}, list(t, store)); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestDirectoryClearsOldIncomingFiles(t *testing.T) {
	directory := t.TempDir()
	if _, err := NewDirectory(directory); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old": 2 * MinimumAge, "fresh": time.Minute} {
		path := filepath.Join(directory, incoming, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewDirectory(directory); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(directory, incoming))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != "fresh" {
		t.Errorf("incoming holds %v, want the fresh file alone", entries)
	}
}

func TestOpenStoreRefuses(t *testing.T) {
	tests := map[string]string{
		"":                               `"dir:PATH"`,
		"ftp://user:hidden@host/":        `"dir:PATH"`,
		"dir:":                           "needs a directory",
		"s3://":                          "needs a bucket",
		"s3://key:hidden@b/%zz":          "malformed",
		"s3://b?endpoint=host":           "endpoint",
		"s3://b?endpoint=https://h/path": "endpoint",
		"s3://b?endpoint=ftp://h":        "endpoint",
		"s3://b?regoin=eu":               `"regoin"`,
	}
	for address, want := range tests {
		_, err := OpenStore(address)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("OpenStore(%q): got error %v, want one with %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hidden") {
			t.Errorf("OpenStore(%q): the error shows the secret: %v", address, err)
		}
	}
}

func TestBucketCheck(t *testing.T) {
	store := newTestBucket(t, "")
	store.bucket = "another"
	if err := store.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("got %v, want an error that says that the bucket does not exist", err)
	}
}

func TestBucketFromURL(t *testing.T) {
	store, err := OpenStore("s3://key:secret@docs/a/b/?endpoint=http://127.0.0.1:9000&region=eu-central-1")
	if err != nil {
		t.Fatal(err)
	}
	bucket, ok := store.(*Bucket)
	if !ok || bucket.bucket != "docs" || bucket.prefix != "a/b/" ||
		bucket.client.EndpointURL().String() != "http://127.0.0.1:9000" {
		t.Errorf("got %+v", bucket)
	}
}

func BenchmarkDirectoryPut(b *testing.B) {
	store, err := NewDirectory(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	content := bytes.Repeat([]byte("x"), 64<<10)
	b.SetBytes(int64(len(content)))
	for i := 0; b.Loop(); i++ {
		copy(content, fmt.Sprint(i))
		if _, _, err := store.Put(b.Context(), bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
	}
}
