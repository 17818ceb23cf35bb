package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// debian writes the Debian package of an architecture.
func (r release) debian(arch, extras string) error {
	script := func(name string) string { return filepath.Join(r.files, name) }
	contents := files.Contents{
		r.content(r.binary("linux-"+arch), "/usr/bin/recto", 0o755, ""),
		r.content(script("recto.service"), "/usr/lib/systemd/system/recto.service", 0o644, ""),
		r.content(script("recto.yaml"), "/etc/recto/recto.yaml", 0o644, files.TypeConfigNoReplace),
		r.content(r.license, "/usr/share/doc/recto/copyright", 0o644, ""),
		r.content(filepath.Join(extras, "bash"), "/usr/share/bash-completion/completions/recto", 0o644, ""),
		r.content(filepath.Join(extras, "zsh"), "/usr/share/zsh/vendor-completions/_recto", 0o644, ""),
		r.content(filepath.Join(extras, "fish"), "/usr/share/fish/vendor_completions.d/recto.fish", 0o644, ""),
	}
	pages, err := filepath.Glob(filepath.Join(extras, "man", "*.1"))
	if err != nil {
		return fmt.Errorf("list the manual pages: %w", err)
	}
	for _, page := range pages {
		zipped, err := zip(page)
		if err != nil {
			return err
		}
		contents = append(contents, r.content(zipped, "/usr/share/man/man1/"+filepath.Base(zipped), 0o644, ""))
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "recto", Arch: arch, Platform: "linux", Version: r.version, Section: "web", Priority: "optional",
		Maintainer: "The Recto project", Description: "Documentation platform\n A server for teams that write, review and " +
			"publish documentation,\n with its command line.",
		Homepage: "https://github.com/rectodocs/recto", License: "Apache-2.0", MTime: r.at,
		Overridables: nfpm.Overridables{
			Depends: []string{"passwd"}, Recommends: []string{"ca-certificates"}, Contents: contents,
			Scripts: nfpm.Scripts{PostInstall: script("postinst"), PreRemove: script("prerm"),
				PostRemove: script("postrm")},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return fmt.Errorf("prepare the package: %w", err)
	}
	file, err := os.Create(r.name("%s.deb", arch))
	if err != nil {
		return fmt.Errorf("write the package: %w", err)
	}
	return errors.Join(deb.Default.Package(info, file), file.Close())
}

func (r release) content(source, destination string, mode os.FileMode, kind string) *files.Content {
	return &files.Content{Source: source, Destination: destination, Type: kind,
		FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.at, Owner: "root", Group: "root"}}
}

// zip compresses a file beside itself and returns the path.
func zip(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read a manual page: %w", err)
	}
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", fmt.Errorf("compress a manual page: %w", err)
	}
	_, err = writer.Write(raw)
	if err := errors.Join(err, writer.Close()); err != nil {
		return "", fmt.Errorf("compress a manual page: %w", err)
	}
	return path + ".gz", os.WriteFile(path+".gz", out.Bytes(), 0o644)
}
