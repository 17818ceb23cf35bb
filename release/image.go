package main

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user that the image runs as.
const nobody = 65532

// image writes an OCI image for all architectures, made from nothing: the program, the roots of the web's certificates
// and folders for data. It is a tar archive in the OCI layout.
func (r release) image(archs []string) error {
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range archs {
		image, err := r.imageOf(arch)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
	}
	folder, err := os.MkdirTemp("", "recto-image-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(folder)
	// The archive names one thing: the index of the architectures.
	top, err := layout.Write(folder, empty.Index)
	if err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	err = top.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.version}))
	if err != nil {
		return fmt.Errorf("write the image: %w", err)
	}
	var entries []entry
	err = filepath.WalkDir(folder, func(path string, found fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if found.IsDir() {
			entries = append(entries, entry{path: name + "/", mode: 0o755})
		} else {
			entries = append(entries, entry{path: name, mode: 0o644, from: path})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("list the layout: %w", err)
	}
	file, err := os.Create(r.name("oci.tar"))
	if err != nil {
		return fmt.Errorf("write the image: %w", err)
	}
	return errors.Join(writeTar(file, entries, r.at), file.Close())
}

func (r release) imageOf(arch string) (v1.Image, error) {
	var content bytes.Buffer
	err := writeTar(&content, []entry{
		{path: "data/", mode: 0o750, owner: nobody},
		{path: "etc/", mode: 0o755}, {path: "etc/ssl/", mode: 0o755}, {path: "etc/ssl/certs/", mode: 0o755},
		{path: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: roots()},
		{path: "tmp/", mode: 0o1777},
		{path: "usr/", mode: 0o755}, {path: "usr/bin/", mode: 0o755},
		{path: "usr/bin/recto", mode: 0o755, from: r.binary("linux-" + arch)},
	}, r.at)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, fmt.Errorf("make the layer: %w", err)
	}
	image := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer,
		History: v1.History{Created: v1.Time{Time: r.at}, CreatedBy: "release"}})
	if err != nil {
		return nil, fmt.Errorf("add the layer: %w", err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", arch, v1.Time{Time: r.at}
	config.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", nobody, nobody), Entrypoint: []string{"/usr/bin/recto"}, Cmd: []string{"serve"},
		Env: []string{"RECTO_DATA=/data", "RECTO_LISTEN=:8080"}, ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes: map[string]struct{}{"/data": {}}, WorkingDir: "/data", StopSignal: "SIGTERM",
		Labels: map[string]string{"org.opencontainers.image.title": "Recto",
			"org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "Apache-2.0"},
	}
	return mutate.ConfigFile(image, config)
}

// roots returns the roots of Mozilla's list as PEM.
func roots() []byte {
	var blocks []string
	for root := range bundle.Roots() {
		blocks = append(blocks, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})))
	}
	slices.Sort(blocks)
	var out bytes.Buffer
	for _, block := range blocks {
		out.WriteString(block)
	}
	return out.Bytes()
}
