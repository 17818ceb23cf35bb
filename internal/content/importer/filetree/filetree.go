// Package filetree owns the reading of files that somebody else put together: a directory or a ZIP archive.
//
// A Tree promises that every path in it is relative, clean, valid UTF-8 and free of traps (no "..", no backslash, no
// control character, no name that differs from another only in case), that every file is a regular one of at most
// Limits.FileBytes, and that the whole stays within Limits. What any folder of docs may have and a tree has not is left
// out, and Tree.Left names it: symbolic links, which are never followed, special files, files that are too large, and
// the second of two names that differ only in case. An input that breaks another promise is refused as a whole with an
// errs error that names the offending entry. Directories are read through os.Root. Hidden files and folders are left
// out without a word, except ".gitbook", ".gitbook.yaml" and the configuration in ".vitepress", as are node_modules and
// __MACOSX. Nothing is written.
package filetree

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits bounds a tree.
type Limits struct {
	// Files is the largest number of entries, folders of an archive included.
	Files int
	// Depth is how many folders may lie inside each other.
	Depth int
	// PathBytes is the longest path.
	PathBytes int
	// FileBytes is the largest file.
	FileBytes int64
	// TotalBytes is the largest sum of all files, unpacked.
	TotalBytes int64
	// Ratio is how many times larger than the archive its unpacked content may be, once that is over 64 MB.
	Ratio int64
}

// DefaultLimits are the limits of an import.
var DefaultLimits = Limits{Files: 200_000, Depth: 64, PathBytes: 1024, FileBytes: 100 << 20, TotalBytes: 4 << 30,
	Ratio: 200}

// bombFloor is the unpacked size below which the ratio does not matter.
const bombFloor = 64 << 20

// File is one file of a tree.
type File struct {
	// Path is relative to the tree's root, with slashes.
	Path string
	// Size is in bytes, as the directory or archive states it; Open enforces it.
	Size int64
}

// Left is an entry that a tree leaves out.
type Left struct {
	// Path is relative to the root of what was read, Why says why it is left out, as a sentence without a full stop.
	Path, Why string
}

// maxLeft is how many entries that are left out are named.
const maxLeft = 1000

// Tree is a set of files. It is safe for concurrent use.
type Tree struct {
	files  []File
	left   []Left
	sizes  map[string]int64
	open   func(path string) (io.ReadCloser, error)
	close  func() error
	prefix string // of this view, with a final slash, or ""
}

// Files returns the files in order of their paths. The caller does not change the slice.
func (t *Tree) Files() []File { return t.files }

// Left returns what is left out of the whole tree, at most 1,000 entries. A view of a part has none.
func (t *Tree) Left() []Left { return t.left }

// Has reports whether there is a file at a path.
func (t *Tree) Has(path string) bool {
	_, ok := t.sizes[path]
	return ok
}

// Size returns the size in bytes of the file at a path, and whether there is one.
func (t *Tree) Size(path string) (int64, bool) {
	size, ok := t.sizes[path]
	return size, ok
}

// Open returns the content of a file. It fails with errs.NotFound when there is none and, while reading, with an errs
// error when the content is not what the archive stated.
func (t *Tree) Open(path string) (io.ReadCloser, error) {
	size, ok := t.sizes[path]
	if !ok {
		return nil, errs.NotFoundf("There is no file %q.", path)
	}
	content, err := t.open(t.prefix + path)
	if err != nil {
		return nil, err
	}
	return &sizedReader{ReadCloser: content, path: path, left: size}, nil
}

// Read returns the whole content of a file of at most limit bytes.
func (t *Tree) Read(path string, limit int64) ([]byte, error) {
	if size := t.sizes[path]; size > limit {
		return nil, errs.New(errs.TooLarge, "%s has %d bytes; at most %d can be read", path, size, limit)
	}
	content, err := t.Open(path)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	data, err := io.ReadAll(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// Sub returns a view of the tree below a folder; "" and "." are the tree itself. Closing the view does nothing.
func (t *Tree) Sub(dir string) *Tree {
	dir = strings.Trim(path.Clean("/"+dir), "/")
	if dir == "" {
		return t
	}
	sub := &Tree{sizes: map[string]int64{}, open: t.open, close: func() error {
		return nil
	}, prefix: t.prefix + dir + "/"}
	for _, file := range t.files {
		if rest, ok := strings.CutPrefix(file.Path, dir+"/"); ok {
			sub.files = append(sub.files, File{Path: rest, Size: file.Size})
			sub.sizes[rest] = file.Size
		}
	}
	return sub
}

// Outside counts the files outside of a folder that count, by the file or folder that stands beside it, or beside one
// around it.
func (t *Tree) Outside(dir string, counts func(path string) bool) map[string]int {
	found := map[string]int{}
	within := strings.Split(strings.Trim(dir, "/"), "/")
	for _, file := range t.files {
		parts, same := strings.Split(file.Path, "/"), 0
		for same < min(len(parts), len(within)) && parts[same] == within[same] {
			same++
		}
		if same < min(len(parts), len(within)) && counts(file.Path) {
			found[strings.Join(parts[:same+1], "/")]++
		}
	}
	return found
}

// Close releases the directory or archive behind the tree.
func (t *Tree) Close() error { return t.close() }

// Single returns a tree that holds one file.
func Single(name string, content []byte) (*Tree, error) {
	set := newSet(DefaultLimits)
	if _, err := set.add(name, int64(len(content))); err != nil {
		return nil, err
	}
	tree := set.tree()
	tree.open = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(content))), nil }
	return tree, nil
}

// set collects the entries of a tree and holds them to its promises.
type set struct {
	limits  Limits
	entries int
	total   int64
	files   []File
	left    []Left
	folded  map[string]string // path in one case and one Unicode form -> path as written
}

func newSet(limits Limits) *set { return &set{limits: limits, folded: map[string]string{}} }

func (s *set) tree() *Tree {
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	sizes := make(map[string]int64, len(s.files))
	for _, file := range s.files {
		sizes[file.Path] = file.Size
	}
	return &Tree{files: s.files, left: s.left, sizes: sizes, close: func() error { return nil }}
}

// leave leaves an entry out.
func (s *set) leave(name, why string) {
	if len(s.left) < maxLeft {
		s.left = append(s.left, Left{name, why})
	}
}

// count counts an entry of any kind.
func (s *set) count() error {
	s.entries++
	if s.entries > s.limits.Files {
		return errs.New(errs.TooLarge, "there are more than %d files and folders", s.limits.Files)
	}
	return nil
}

// add checks a file and keeps it. It reports whether the file is kept or left out.
func (s *set) add(name string, size int64) (bool, error) {
	if err := s.count(); err != nil {
		return false, err
	}
	if err := s.checkPath(name); err != nil {
		return false, err
	}
	key := foldPath(name)
	if other, ok := s.folded[key]; ok {
		if other == name {
			return false, errs.New(errs.Invalid, "%s is there twice", name)
		}
		s.leave(name, fmt.Sprintf("its name differs from that of %s only in case or in the form of letters; "+
			"rename one of them", other))
		return false, nil
	}
	if size < 0 || size > s.limits.FileBytes {
		s.leave(name, fmt.Sprintf("it has %d bytes; a file may have at most %d", uint64(size), s.limits.FileBytes))
		return false, nil
	}
	s.folded[key] = name
	s.total += size
	if s.total > s.limits.TotalBytes {
		return false, errs.New(errs.TooLarge, "the files have more than %d bytes together", s.limits.TotalBytes)
	}
	s.files = append(s.files, File{Path: name, Size: size})
	return true, nil
}

// What is said of entries that are left out for what they are.
const (
	symbolicLink = "it is a symbolic link, which is not followed; put the file itself in its place"
	specialFile  = "it is not a regular file"
)

func foldPath(name string) string {
	return strings.Map(unicode.ToLower, strings.Map(unicode.ToUpper, norm.NFC.String(name)))
}

// checkPath holds a path to the promises of the package comment.
func (s *set) checkPath(name string) error {
	switch {
	case !utf8.ValidString(name):
		return errs.New(errs.Invalid, "the name %q is not UTF-8; rename the file or pack the archive with UTF-8 names",
			name)
	case len(name) > s.limits.PathBytes:
		return errs.New(errs.Invalid, "the path %.80q… is longer than %d bytes", name, s.limits.PathBytes)
	case strings.Count(name, "/") > s.limits.Depth:
		return errs.New(errs.Invalid, "the path %.80q… is more than %d folders deep", name, s.limits.Depth)
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return errs.New(errs.Invalid, "the path %q is absolute; paths have to be relative", name)
	case strings.Contains(name, `\`):
		return errs.New(errs.Invalid, "the path %q holds a backslash; folders are separated by slashes", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return errs.New(errs.Invalid, "the path %q holds a control character", name)
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch segment {
		case "..":
			return errs.New(errs.Invalid, "the path %q leads out of the folder", name)
		case "", ".":
			return errs.New(errs.Invalid, "the path %q holds an empty name", name)
		}
	}
	return nil
}

// vitePress is the folder of VitePress, of which the configuration alone is read: the rest is a theme and what was
// built.
const vitePress = ".vitepress"

// ignoredBelow reports whether a path is left out for the folder that it lies in.
func ignoredBelow(name string) bool {
	before, rest, found := strings.Cut("/"+name, "/"+vitePress+"/")
	return found && !strings.Contains(before, "/"+vitePress) && !strings.HasPrefix(rest, "config.")
}

// ignored reports whether a file or folder name is left out.
func ignored(segment string) bool {
	if segment == ".gitbook" || segment == ".gitbook.yaml" || segment == vitePress {
		return false
	}
	return strings.HasPrefix(segment, ".") || segment == "node_modules" || segment == "__MACOSX"
}

// sizedReader ends with an error when a file turns out longer or shorter than stated.
type sizedReader struct {
	io.ReadCloser
	path string
	left int64
}

func (r *sizedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > r.left+1 {
		p = p[:r.left+1]
	}
	n, err := r.ReadCloser.Read(p)
	if int64(n) > r.left {
		return int(r.left), errs.New(errs.Invalid, "%s is longer than stated", r.path)
	}
	r.left -= int64(n)
	switch {
	case err == io.EOF && r.left > 0:
		return n, errs.New(errs.Invalid, "%s is shorter than stated", r.path)
	case err != nil && err != io.EOF:
		return n, errs.Wrap(err, errs.Invalid, "%s cannot be read; the archive is damaged", r.path)
	}
	return n, err
}

// OnClose returns the tree with something more to do when it is closed, after what was to be done before.
func (t *Tree) OnClose(release func() error) *Tree {
	with := *t
	with.close = func() error { return errors.Join(t.close(), release()) }
	return &with
}
