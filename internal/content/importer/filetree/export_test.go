package filetree

import (
	"archive/zip"
	"io"
)

// Pack writes the tree as a ZIP archive that Zip reads back to the same tree.
func (t *Tree) Pack(w io.Writer) error {
	archive := zip.NewWriter(w)
	for _, file := range t.files {
		if err := t.packFile(archive, file.Path); err != nil {
			return err
		}
	}
	return archive.Close()
}
