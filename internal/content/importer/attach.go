package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// takeFiles stores the bytes of all files and gives them entries. A file that is there under the same path keeps its
// id; one whose place is taken by other bytes of this import gets a number behind its name.
func (a *assembly) takeFiles(ctx context.Context) error {
	there, err := a.view.Files(ctx)
	if err != nil {
		return err
	}
	byPlace := map[string]*entity.Entry{}
	for _, e := range there {
		byPlace[pagefile.Of(e)] = e
	}
	taken := map[string]*entity.Entry{}
	files := a.orderedFiles()
	entries, err := a.storeFiles(ctx, files)
	if err != nil {
		return err
	}
	for i, file := range files {
		e := entries[i]
		same := uniqueFile(e, taken)
		if same != nil {
			a.files[file] = same
			continue
		}
		place := pagefile.Of(e)
		before := byPlace[place]
		if before != nil {
			e.ID = before.ID
		} else {
			e.ID = id.New("file")
		}
		taken[place] = e
		a.files[file] = e
		a.put(e, before)
	}
	return nil
}

// storeWorkers is how many files are stored at once: storing one is mostly waiting for the disk or the object store.
const storeWorkers = 4

// storeFiles stores the bytes of files and returns an entry for each, still without an id.
func (a *assembly) storeFiles(ctx context.Context, files []*source.File) ([]*entity.Entry, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	entries := make([]*entity.Entry, len(files))
	done := make(chan int, storeWorkers)
	slots := make(chan struct{}, storeWorkers)
	var workers sync.WaitGroup
	defer workers.Wait()
	workers.Go(func() {
		for i, file := range files {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			workers.Go(func() {
				defer func() { <-slots }()
				e, err := a.takeFile(ctx, file)
				if err != nil {
					cancel(fmt.Errorf("take %s: %w", file.Place, err))
					return
				}
				entries[i] = e
				select {
				case done <- i:
				case <-ctx.Done():
				}
			})
		}
	})
	for range files {
		select {
		case i := <-done:
			if err := a.step(ctx, files[i].Place); err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return entries, nil
}

// uniqueFile gives a file a place that no other file of the import has. It returns the other file when both have the
// same bytes: one is enough.
func uniqueFile(e *entity.Entry, taken map[string]*entity.Entry) *entity.Entry {
	name := e.Name
	for number := 1; ; number++ {
		other := taken[pagefile.Of(e)]
		if other == nil {
			return nil
		}
		if other.Blob == e.Blob {
			return other
		}
		extension := path.Ext(name)
		e.Name = strings.TrimSuffix(name, extension) + "-" + strconv.Itoa(number) + extension
		e.Path = ""
	}
}

// sniffBytes is how much of a file its type and its size in pixels are found from.
const sniffBytes = 64 << 10

func (a *assembly) takeFile(ctx context.Context, file *source.File) (*entity.Entry, error) {
	content, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	var start bytes.Buffer
	var reader io.Reader = io.TeeReader(content, &prefixWriter{&start})
	var object *git.Object
	if a.tree.Origin != nil {
		object = git.NewObject(file.Size)
		reader = io.TeeReader(reader, object)
	}
	blob, size, err := a.content.PutFile(ctx, reader)
	if err != nil {
		return nil, err
	}
	e := &entity.Entry{Kind: entity.KindFile, Name: fitName(file.Name), Path: file.Path, Blob: blob, Size: size}
	e.ContentType = contentType(file, start.Bytes())
	e.Width, e.Height = imageSize(e.ContentType, start.Bytes())
	if file.Path == pagefile.AssetFolder+e.Name {
		e.Path = ""
	}
	if object != nil {
		e.Git = a.file(file.Place, object.OID())
	}
	return e, nil
}

// prefixWriter keeps the first bytes written to it.
type prefixWriter struct{ kept *bytes.Buffer }

func (w *prefixWriter) Write(p []byte) (int, error) {
	if room := sniffBytes - w.kept.Len(); room > 0 {
		w.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// contentType returns the media type of a file: what its extension says, else what its source says, else what its
// bytes look like.
func contentType(file *source.File, start []byte) string {
	if known := TypeByName(file.Name); known != "" {
		return known
	}
	if mediaType, _, err := mime.ParseMediaType(file.ContentType); err == nil {
		return mediaType
	}
	mediaType, _, _ := strings.Cut(http.DetectContentType(start), ";")
	return mediaType
}

// knownTypes are media types by extension: the same on every machine, unlike those of package mime.
var knownTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".avif": "image/avif",
	".svg":  "image/svg+xml", ".ico": "image/x-icon", ".bmp": "image/bmp", ".pdf": "application/pdf",
	".zip": "application/zip",
	".gz":  "application/gzip", ".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml",
	".csv": "text/csv",
	".txt": "text/plain", ".md": "text/markdown", ".html": "text/html", ".htm": "text/html", ".xml": "application/xml",
	".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".css": "text/css", ".js": "text/javascript",
	".toml": "application/toml",
}

// fitName cuts a file name to the length that an entry may have, and keeps its extension.
func fitName(name string) string {
	runes := []rune(strings.ToValidUTF8(name, "-"))
	if len(runes) <= entity.MaxNameLength {
		return string(runes)
	}
	extension := []rune(path.Ext(name))
	if len(extension) > 20 {
		extension = nil
	}
	return string(runes[:entity.MaxNameLength-len(extension)]) + string(extension)
}
