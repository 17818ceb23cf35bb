package client

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// zipFolder writes a folder as a ZIP. A symbolic link to a file in the folder is written as that file. Other links and
// special files are written as what they are, without content, so that an import names them and never carries a file
// that lies outside the folder. Version control and package folders stay out.
func zipFolder(w io.Writer, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close()

	archive := zip.NewWriter(w)
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && skippedFolder(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		case !entry.Type().IsRegular():
			// The root follows no link out of the folder.
			if info, err := root.Stat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() {
				return addFile(archive, root, name)
			}
			header := &zip.FileHeader{Name: name}
			header.SetMode(entry.Type() | 0o644)
			_, err := archive.CreateHeader(header)
			return err
		}
		return addFile(archive, root, name)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

// skippedFolder names folders that never hold documentation of their own.
func skippedFolder(name string) bool {
	return name == ".git" || name == ".hg" || name == ".svn" || name == "node_modules"
}

// addFile copies one file into the archive.
func addFile(archive *zip.Writer, root *os.Root, name string) error {
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer file.Close()
	target, err := archive.Create(name)
	if err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	if _, err := io.Copy(target, file); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// unzipInto writes the files of an archive below a folder, which must be empty or not exist yet, so that an export
// never mixes with files that were there before.
func unzipInto(folder string, archive *zip.Reader) (files int, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, fmt.Errorf("make the folder: %w", err)
	}
	switch entries, err := os.ReadDir(folder); {
	case err != nil:
		return 0, fmt.Errorf("read the folder: %w", err)
	case len(entries) > 0:
		return 0, fmt.Errorf("%s is not empty: give a new or empty folder", folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return 0, fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close()
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/") {
			continue
		}
		if err := extract(root, entry); err != nil {
			return files, err
		}
		files++
	}
	return files, nil
}

// extract writes one entry; os.Root refuses every name that would leave the folder.
func extract(root *os.Root, entry *zip.File) error {
	if !filepath.IsLocal(filepath.FromSlash(entry.Name)) {
		return fmt.Errorf("the server sent a file outside the folder: %q", entry.Name)
	}
	if parent := path.Dir(entry.Name); parent != "." {
		if err := root.MkdirAll(filepath.FromSlash(parent), 0o755); err != nil {
			return fmt.Errorf("make %s: %w", parent, err)
		}
	}
	source, err := entry.Open()
	if err != nil {
		return fmt.Errorf("read %s: %w", entry.Name, err)
	}
	defer source.Close()
	target, err := root.OpenFile(filepath.FromSlash(entry.Name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", entry.Name, err)
	}
	_, copyErr := io.Copy(target, source)
	if err := errors.Join(copyErr, target.Close()); err != nil {
		return fmt.Errorf("write %s: %w", entry.Name, err)
	}
	return nil
}
