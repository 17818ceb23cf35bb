package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/db"
)

// measureImport compares importing the book, until its words are found, with the bare cost of parsing, inserting and
// indexing the same texts: no links, no files, no history, one table, one plain index.
func measureImport(ctx context.Context, o options) error {
	archive, err := os.ReadFile(o.book)
	if err != nil {
		return err
	}
	texts, err := markdownOf(archive)
	if err != nil {
		return err
	}
	var p pair
	for range o.rounds {
		ours, err := importOnce(ctx, o, archive)
		if err != nil {
			return err
		}
		bare, err := bareOnce(ctx, texts)
		if err != nil {
			return err
		}
		p.ours, p.bare = append(p.ours, ours), append(p.bare, bare)
	}
	p.report(fmt.Sprintf("import of %d pages until they are found", len(texts)), "ms", 0.5,
		func(ours, bare float64) float64 { return bare / ours })
	return nil
}

// markdownOf returns the Markdown files of an archive.
func markdownOf(archive []byte) ([][]byte, error) {
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, entry := range reader.File {
		if !strings.HasSuffix(entry.Name, ".md") || strings.HasSuffix(entry.Name, "SUMMARY.md") {
			continue
		}
		file, err := entry.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// importOnce times an import into a new space of a new server and the first search, in milliseconds.
func importOnce(ctx context.Context, o options, archive []byte) (float64, error) {
	dir, forget, err := temporary()
	if err != nil {
		return 0, err
	}
	defer forget()
	recto, err := startRecto(ctx, o, filepath.Join(dir, "data"))
	if err != nil {
		return 0, err
	}
	defer recto.stop()
	took, err := recto.importAndFind(ctx, archive, onClock)
	return milliseconds(took), err
}

// prepareImport measures the import of the book into one new space after the other.
func prepareImport(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	archive, err := os.ReadFile(o.book)
	if err != nil {
		return nil, nil, err
	}
	recto, err := startRecto(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	return only(func() (float64, error) {
		took, err := recto.importAndFind(ctx, archive, (*server).spend)
		return milliseconds(took), err
	}), recto.stop, nil
}

// importAndFind measures an import into a new space and the first search there.
func (i *instance) importAndFind(ctx context.Context, archive []byte,
	measure func(*server, func() error) (time.Duration, error)) (time.Duration, error) {
	space, err := i.newSpace(ctx)
	if err != nil {
		return 0, err
	}
	var found struct{ Count int }
	took, err := measure(i.server, func() error {
		if err := i.upload(ctx, space, archive); err != nil {
			return err
		}
		return i.call(ctx, http.MethodGet, "/v1/spaces/"+space+"/search?query=ownership", "", &found)
	})
	if err == nil && found.Count == 0 {
		err = errors.New("the imported pages are not found")
	}
	return took, err
}

// bareOnce times parsing, inserting and indexing texts, in milliseconds.
func bareOnce(ctx context.Context, texts [][]byte) (float64, error) {
	dir, forget, err := temporary()
	if err != nil {
		return 0, err
	}
	defer forget()
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "bare.db")})
	if err != nil {
		return 0, err
	}
	defer database.Close()
	start := time.Now()
	index, err := bleve.New(filepath.Join(dir, "index"), bleve.NewIndexMapping())
	if err != nil {
		return 0, err
	}
	defer index.Close()
	batch := index.NewBatch()
	plain := make([]string, len(texts))
	for i, text := range texts {
		document, err := markdown.Parse(text)
		if err != nil {
			return 0, err
		}
		plain[i] = render.Text(document)
		if err := batch.Index(fmt.Sprint(i), map[string]string{"text": plain[i]}); err != nil {
			return 0, err
		}
	}
	err = database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := q.ExecContext(ctx, `CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT NOT NULL)`); err != nil {
			return err
		}
		for i, text := range texts {
			if _, err := q.ExecContext(ctx, `INSERT INTO page (id, body) VALUES ($1, $2)`, i,
				string(text)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if err := index.Batch(batch); err != nil {
		return 0, err
	}
	return float64(time.Since(start).Microseconds()) / 1000, nil
}
