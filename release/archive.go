package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// entry is a file or folder of an archive.
type entry struct {
	path string
	mode int64
	// owner is the id of the user and group.
	owner int
	// from is the file with the content, or content is it; a path that ends with a slash is a folder.
	from    string
	content []byte
}

// writeTar writes entries, all with one time.
func writeTar(w io.Writer, entries []entry, at time.Time) error {
	out := tar.NewWriter(w)
	for _, each := range entries {
		content := each.content
		if each.from != "" {
			raw, err := os.ReadFile(each.from)
			if err != nil {
				return fmt.Errorf("read what to pack: %w", err)
			}
			content = raw
		}
		header := &tar.Header{Name: each.path, Mode: each.mode, Size: int64(len(content)), ModTime: at,
			Uid: each.owner, Gid: each.owner, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if each.path[len(each.path)-1] == '/' {
			header.Typeflag = tar.TypeDir
		}
		if err := out.WriteHeader(header); err != nil {
			return fmt.Errorf("write %s: %w", each.path, err)
		}
		if _, err := out.Write(content); err != nil {
			return fmt.Errorf("write %s: %w", each.path, err)
		}
	}
	return out.Close()
}

// archive writes a platform's tar.gz: the program, the license, manual pages and completions.
func (r release) archive(platform, extras string) error {
	top := fmt.Sprintf("recto-%s/", r.version)
	entries := []entry{{path: top, mode: 0o755}, {path: top + "recto", mode: 0o755, from: r.binary(platform)},
		{path: top + "LICENSE", mode: 0o644, from: r.license}}
	for _, shell := range []string{"bash", "fish", "zsh"} {
		entries = append(entries, entry{path: top + "completion/recto." + shell, mode: 0o644,
			from: filepath.Join(extras, shell)})
	}
	pages, err := filepath.Glob(filepath.Join(extras, "man", "*.1"))
	if err != nil {
		return fmt.Errorf("list the manual pages: %w", err)
	}
	slices.Sort(pages)
	for _, page := range pages {
		entries = append(entries, entry{path: top + "man/man1/" + filepath.Base(page), mode: 0o644, from: page})
	}
	file, err := os.Create(r.name("%s.tar.gz", platform))
	if err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	zip := gzip.NewWriter(file)
	err = writeTar(zip, entries, r.at)
	return errors.Join(err, zip.Close(), file.Close())
}
