package importer

import (
	"bytes"
	"context"
	"io"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// StoreFile stores the bytes of a file as they come and returns an entry for them, still without an id: with its name
// (cut to the length that an entry may have), its type (by its extension, else what mediaType declares, else what its
// bytes look like) and its size, for an image in pixels too. Nothing of the file is kept in memory but its beginning.
func StoreFile(ctx context.Context, content *store.Service, name, mediaType string,
	r io.Reader) (*entity.Entry, error) {
	var start bytes.Buffer
	blob, size, err := content.PutFile(ctx, io.TeeReader(r, &prefixWriter{&start}))
	if err != nil {
		return nil, err
	}
	e := &entity.Entry{Kind: entity.KindFile, Name: fitName(name), Blob: blob, Size: size}
	e.ContentType = contentType(&source.File{Name: name, ContentType: mediaType}, start.Bytes())
	e.Width, e.Height = imageSize(e.ContentType, start.Bytes())
	return e, nil
}

// TypeByName returns the media type that the extension of a file's name stands for, "" when it stands for none that is
// known.
func TypeByName(name string) string { return knownTypes[strings.ToLower(path.Ext(name))] }
