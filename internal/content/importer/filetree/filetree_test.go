package filetree

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

// entry describes one entry of a test archive.
type entry struct {
	name string
	body string
	mode fs.FileMode
}

func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			header.SetMode(e.mode)
		}
		w, err := writer.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, e.body)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func openZip(data []byte, limits Limits) (*Tree, error) {
	return Zip(bytes.NewReader(data), int64(len(data)), limits)
}

func paths(tree *Tree) []string {
	var all []string
	for _, file := range tree.Files() {
		all = append(all, file.Path)
	}
	return all
}

func TestZipReads(t *testing.T) {
	tree, err := openZip(archive(t,
		entry{name: "docs/"}, entry{name: "docs/b.md", body: "B"}, entry{name: "docs/a.md", body: "A"},
		entry{name: ".git/config", body: "x"}, entry{name: ".gitbook.yaml", body: ""},
		entry{name: ".gitbook/assets/ü (1).png", body: "png"},
		entry{name: "docs/.hidden", body: "x"}, entry{name: "node_modules/m/index.js", body: "x"},
		entry{name: "__MACOSX/docs/._a.md", body: "x"},
		entry{name: "inner.zip", body: string(archive(t, entry{name: "../x", body: "x"}))},
	), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitbook.yaml", ".gitbook/assets/ü (1).png", "docs/a.md", "docs/b.md", "inner.zip"}
	if diff := cmp.Diff(want, paths(tree)); diff != "" {
		t.Fatal(diff)
	}
	sub := tree.Sub("./docs/")
	if diff := cmp.Diff([]string{"a.md", "b.md"}, paths(sub)); diff != "" {
		t.Fatal(diff)
	}
	if body, err := sub.Read("b.md", 10); err != nil || string(body) != "B" {
		t.Errorf("read b.md: %q, %v", body, err)
	}
	if _, err := sub.Read("c.md", 10); !errs.Is(err, errs.NotFound) {
		t.Errorf("read c.md: %v", err)
	}
	if _, err := tree.Read("inner.zip", 3); !errs.Is(err, errs.TooLarge) {
		t.Errorf("read over the limit: %v", err)
	}
}

func TestZipRefusesHostileEntries(t *testing.T) {
	deep := strings.Repeat("d/", 10_000) + "x.md"
	tests := []struct {
		name, want string
		entries    []entry
	}{
		{"traversal", "leads out", []entry{{name: "../../etc/passwd", body: "x"}}},
		{"traversal inside", "leads out", []entry{{name: "docs/../../x.md", body: "x"}}},
		{"traversal to a hidden name", "leads out", []entry{{name: "../.ssh/authorized_keys", body: "x"}}},
		{"traversal folder", "leads out", []entry{{name: "../x/", mode: fs.ModeDir | 0o755}}},
		{"absolute", "absolute", []entry{{name: "/etc/passwd", body: "x"}}},
		{"drive", "absolute", []entry{{name: "C:/windows/x", body: "x"}}},
		{"backslash", "backslash", []entry{{name: `..\..\x.md`, body: "x"}}},
		{"NUL in name", "control", []entry{{name: "a\x00.md", body: "x"}}},
		{"line feed in name", "control", []entry{{name: "a\n.md", body: "x"}}},
		{"not UTF-8", "UTF-8", []entry{{name: "caf\xe9.md", body: "x"}}},
		{"empty segment", "empty name", []entry{{name: "a//b.md", body: "x"}}},
		{"dot segment", "empty name", []entry{{name: "./b.md", body: "x"}}},
		{"deep", "longer than", []entry{{name: deep, body: "x"}}},
		{"deep with short names", "folders deep", []entry{{name: strings.Repeat("d/", 65) + "x", body: "x"}}},
		{"duplicate", "twice", []entry{{name: "a.md", body: "1"}, {name: "a.md", body: "2"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openZip(archive(t, test.entries...), DefaultLimits)
			if errs.KindOf(err) == errs.Internal || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a refusal that says %q", err, test.want)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

// TestZipLeavesOut holds that an entry that a tree cannot have keeps no other out, is not in the tree, and is named.
func TestZipLeavesOut(t *testing.T) {
	tests := map[string]struct {
		entries []entry
		left    map[string]string
	}{
		"symbolic link": {[]entry{{name: "README.md", body: "/etc/passwd", mode: fs.ModeSymlink | 0o777}},
			map[string]string{"README.md": "symbolic link"}},
		"symbolic link to a folder": {[]entry{{name: "x", body: "/etc", mode: fs.ModeSymlink | 0o777}},
			map[string]string{"x": "symbolic link"}},
		"hidden symbolic link": {[]entry{{name: ".x", body: "/etc", mode: fs.ModeSymlink | 0o777},
			{name: ".x/passwd", body: "x"}}, nil},
		"device": {[]entry{{name: "null", mode: fs.ModeDevice | fs.ModeCharDevice | 0o666}},
			map[string]string{"null": "regular"}},
		"pipe": {[]entry{{name: "pipe", mode: fs.ModeNamedPipe | 0o666}}, map[string]string{"pipe": "regular"}},
		"case": {[]entry{{name: "docs/Kept.md", body: "1"}}, map[string]string{"docs/Kept.md": "docs/kept.md only in"}},
		"Unicode forms": {[]entry{{name: "caf\u00e9.md", body: "1"}, {name: "cafe\u0301.md", body: "2"}},
			map[string]string{"cafe\u0301.md": "form of letters"}},
		"size": {[]entry{{name: "large.bin", body: strings.Repeat("0", 3<<20)}},
			map[string]string{"large.bin": "3145728 bytes"}},
	}
	limits := DefaultLimits
	limits.FileBytes = 2 << 20
	for name, test := range tests {
		entries := append([]entry{{name: "docs/kept.md", body: "kept"}}, test.entries...)
		tree, err := openZip(archive(t, entries...), limits)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if content, err := tree.Read("docs/kept.md", 9); string(content) != "kept" {
			t.Errorf("%s: the other file has %q, %v", name, content, err)
		}
		if len(tree.Left()) != len(test.left) {
			t.Errorf("%s: left out: %v", name, tree.Left())
		}
		for _, each := range tree.Left() {
			if why := test.left[each.Path]; why == "" || !strings.Contains(each.Why, why) || tree.Has(each.Path) {
				t.Errorf("%s: %+v, and in the tree: %v", name, each, tree.Has(each.Path))
			}
		}
	}
}

func TestZipLimits(t *testing.T) {
	zeros := strings.Repeat("0", 1<<20)
	tests := []struct {
		name   string
		limits Limits
		want   string
	}{
		{"files", Limits{Files: 2, Depth: 9, PathBytes: 99, FileBytes: 2 << 20, TotalBytes: 9 << 20, Ratio: 9999},
			"more than 2 files"},
		{"total", Limits{Files: 9, Depth: 9, PathBytes: 99, FileBytes: 2 << 20, TotalBytes: 2 << 20, Ratio: 9999},
			"together"},
	}
	data := archive(t, entry{name: "a", body: zeros}, entry{name: "b", body: zeros}, entry{name: "c", body: zeros})
	for _, test := range tests {
		if _, err := openZip(data, test.limits); !errs.Is(err, errs.TooLarge) || !strings.Contains(err.Error(),
			test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	var bomb []entry
	for i := range 70 {
		bomb = append(bomb, entry{name: fmt.Sprintf("%d.md", i), body: zeros})
	}
	if _, err := openZip(archive(t, bomb...), DefaultLimits); !errs.Is(err, errs.TooLarge) ||
		!strings.Contains(err.Error(), "times its size") {
		t.Errorf("bomb: %v", err)
	}
}

// TestZipThatLiesAboutSizes patches the stated size of an entry in the archive's directory.
func TestZipThatLiesAboutSizes(t *testing.T) {
	for _, stated := range []uint32{10, 5000} {
		data := archive(t, entry{name: "a.md", body: strings.Repeat("x", 1000)})
		directory := bytes.Index(data, []byte("PK\x01\x02"))
		binary.LittleEndian.PutUint32(data[directory+24:], stated)
		tree, err := openZip(data, DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Read("a.md", 1<<20); !errs.Is(err, errs.Invalid) {
			t.Errorf("stated %d, has 1000: %v", stated, err)
		}
	}
}

func TestZipDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	good := archive(t, entry{name: "a.md", body: strings.Repeat("text ", 1000)}, entry{name: "b/c.md", body: "c"})
	if _, err := openZip([]byte("<html>"), DefaultLimits); !errs.Is(err, errs.Invalid) {
		t.Errorf("not an archive: %v", err)
	}
	for range 3000 {
		data := bytes.Clone(good)
		for range 1 + random.IntN(4) {
			data[random.IntN(len(data))] = byte(random.Uint32())
		}
		readAll(t, data)
	}
}

// readAll reads what there is to read; whatever fails has to be an errs error.
func readAll(t testing.TB, data []byte) {
	t.Helper()
	tree, err := openZip(data, Limits{Files: 100, Depth: 8, PathBytes: 200, FileBytes: 1 << 20, TotalBytes: 4 << 20,
		Ratio: 200})
	if err != nil {
		if errs.KindOf(err) == errs.Internal {
			t.Fatalf("not a refusal: %v", err)
		}
		return
	}
	for _, file := range tree.Files() {
		if !fs.ValidPath(file.Path) {
			t.Fatalf("the path %q is not valid", file.Path)
		}
		body, err := tree.Read(file.Path, 1<<20)
		if err == nil && int64(len(body)) != file.Size {
			t.Fatalf("%s: %d bytes, stated %d", file.Path, len(body), file.Size)
		}
		if err != nil && errs.KindOf(err) == errs.Internal {
			t.Fatalf("not a refusal: %v", err)
		}
	}
}

func FuzzZip(f *testing.F) {
	f.Add(archive(f, entry{name: "a.md", body: "text"}, entry{name: "b/c.md", body: "c"}))
	f.Add(archive(f, entry{name: "../a.md", body: "text"}))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) { readAll(t, data) })
}

func write(t *testing.T, root, name, body string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDirectoryReadsAndPacks(t *testing.T) {
	root := t.TempDir()
	for name, body := range map[string]string{"README.md": "# A", "guide/x.md": "X", ".git/HEAD": "no",
		"node_modules/x.js": "no", ".gitbook/assets/i.png": "i", "empty.md": ""} {
		write(t, root, name, body)
	}
	// What is left out may hold anything.
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "node_modules", "link")); err != nil {
		t.Fatal(err)
	}
	tree, err := Directory(root, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	want := []string{".gitbook/assets/i.png", "README.md", "empty.md", "guide/x.md"}
	if diff := cmp.Diff(want, paths(tree)); diff != "" {
		t.Fatal(diff)
	}
	var packed bytes.Buffer
	if err := tree.Pack(&packed); err != nil {
		t.Fatal(err)
	}
	again, err := openZip(packed.Bytes(), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree.Files(), again.Files()); diff != "" {
		t.Error(diff)
	}
	for _, path := range want {
		before, _ := tree.Read(path, 99)
		after, err := again.Read(path, 99)
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: %q became %q, %v", path, before, after, err)
		}
	}
}

// TestDirectoryLeavesOut holds that what a tree cannot have keeps no file of a directory out, and is named.
func TestDirectoryLeavesOut(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.md", "x")
	write(t, root, "A.md", "x")
	write(t, root, "big.md", "")
	err := errors.Join(os.Truncate(filepath.Join(root, "big.md"), 200<<20), os.Symlink("/etc/passwd",
		filepath.Join(root, "file.md")), os.Symlink(os.TempDir(), filepath.Join(root, "docs")),
		syscall.Mkfifo(filepath.Join(root, "x.md"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Directory(root, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var left []string
	for _, each := range tree.Left() {
		left = append(left, each.Path)
	}
	if files := tree.Files(); len(files) != 1 || files[0].Path != "A.md" {
		t.Errorf("files: %v", files)
	}
	if want := []string{"a.md", "big.md", "docs", "file.md", "x.md"}; !slices.Equal(left, want) {
		t.Errorf("left out: %v, want %v", left, want)
	}
}

func TestDirectoryRefuses(t *testing.T) {
	tests := []struct {
		name, want string
		prepare    func(t *testing.T, root string)
	}{
		{"name that is not UTF-8", "UTF-8", func(t *testing.T, root string) { write(t, root, "caf\xe9.md", "x") }},
		{"folder name that is not UTF-8", "UTF-8", func(t *testing.T, root string) {
			write(t, root, "caf\xe9/x.md", "x")
		}},
		{"backslash", "backslash", func(t *testing.T, root string) { write(t, root, `a\b.md`, "x") }},
		{"10,000 folders deep", "folders deep", makeDeep},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			test.prepare(t, root)
			tree, err := Directory(root, DefaultLimits)
			if err == nil {
				tree.Close()
			}
			if errs.KindOf(err) == errs.Internal || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a refusal that says %q", err, test.want)
			}
		})
	}
	if _, err := Directory(filepath.Join(t.TempDir(), "none"), DefaultLimits); !errs.Is(err, errs.Invalid) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// makeDeep makes folders one inside the other until the system's longest path is far behind.
func makeDeep(t *testing.T, root string) {
	current, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		if err := current.Mkdir("d", 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := current.OpenRoot("d")
		if err != nil {
			t.Fatal(err)
		}
		current.Close()
		current = next
	}
	current.Close()
}

func TestSingle(t *testing.T) {
	tree, err := Single("page.md", []byte("# Page"))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := tree.Read("page.md", 99); err != nil || string(body) != "# Page" {
		t.Errorf("%q, %v", body, err)
	}
	if _, err := Single("../page.md", nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("a bad name: %v", err)
	}
}
