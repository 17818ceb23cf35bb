package filetree

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// encryptedFlag is the general purpose bit of an entry that needs a password.
const encryptedFlag = 0x1

// Zip reads the directory of a ZIP archive of size bytes. Archives inside it are files like others. The reader stays
// in use until the tree is closed; it is the caller's to close.
func Zip(r io.ReaderAt, size int64, limits Limits) (*Tree, error) {
	reader, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, errs.Wrap(err, errs.Invalid, "this is not a ZIP archive, or it is damaged")
	}
	set := newSet(limits)
	entries := map[string]*zip.File{}
	for _, entry := range reader.File {
		kept, err := addEntry(set, entry)
		if err != nil {
			return nil, err
		}
		if kept {
			entries[entry.Name] = entry
		}
	}
	if set.total > bombFloor && set.total/max(size, 1) > limits.Ratio {
		return nil, errs.New(errs.TooLarge,
			"the archive unpacks to more than %d times its size; that is not documentation", limits.Ratio)
	}
	tree := set.tree()
	tree.open = func(path string) (io.ReadCloser, error) {
		content, err := entries[path].Open()
		if err != nil {
			return nil, errs.Wrap(err, errs.Invalid,
				"%s cannot be unpacked; pack the archive with the usual method (deflate)", path)
		}
		return content, nil
	}
	return tree, nil
}

// addEntry checks one entry and reports whether it is a file to keep. Everything is checked before anything is left
// out: an archive with one hostile entry is a hostile archive.
func addEntry(set *set, entry *zip.File) (bool, error) {
	name, folder := strings.CutSuffix(entry.Name, "/")
	if folder || entry.Mode().IsDir() {
		if err := set.count(); err != nil {
			return false, err
		}
		return false, set.checkPath(name)
	}
	if err := set.checkPath(name); err != nil {
		return false, err
	}
	if ignoredBelow(name) {
		return false, set.count()
	}
	for segment := range strings.SplitSeq(name, "/") {
		if ignored(segment) {
			return false, set.count()
		}
	}
	if mode := entry.Mode(); !mode.IsRegular() {
		why := specialFile
		if mode&fs.ModeSymlink != 0 {
			why = symbolicLink
		}
		set.leave(name, why)
		return false, set.count()
	}
	if entry.Flags&encryptedFlag != 0 {
		return false, errs.New(errs.Invalid, "%s is encrypted; pack the archive without a password", name)
	}
	// A size over the limit of int64 would turn negative; add refuses negative sizes.
	return set.add(name, int64(entry.UncompressedSize64))
}

func (t *Tree) packFile(archive *zip.Writer, path string) error {
	content, err := t.Open(path)
	if err != nil {
		return err
	}
	defer content.Close()
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, content)
	return err
}
