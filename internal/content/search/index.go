package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/content/search/typos"
	"github.com/rectodocs/recto/internal/content/search/vectors"
	"github.com/rectodocs/recto/internal/engine/language"
)

// Layout is the folder of all indexes below their directory. Another layout or analysis has another one: it starts from
// nothing instead of misreading an old index.
const Layout = "v8"

// revisionKey is where an index remembers the revision whose content it holds.
var revisionKey = []byte("revision")

// unfinishedKey is where an index remembers which revisions it was being brought to when that was cut short: it may
// hold pages of each of them.
var unfinishedKey = []byte("unfinished")

// maxUnfinished bounds how many of these an update compares with; beyond them the index is filled again.
const maxUnfinished = 16

// spaceIndex is the index of one space on this machine's disk.
type spaceIndex struct {
	space id.Space
	bleve bleve.Index

	// refresh is held while the index is brought to a revision; queries go on meanwhile.
	refresh sync.Mutex
	// updating is not nil while the index is brought to a revision in the background; guarded by Service.mu.
	updating *indexUpdate
	// failed is set when it could not be brought to a revision, until it is; guarded by Service.mu.
	failed bool

	words   typos.Kept
	vectors *vectors.Space // nil where words answer alone

	numbering sync.Once
	number    uint64 // see numbered

	users int // queries and refreshes that use the index now; guarded by Service.mu
}

// indexMapping says how the fields of a page are analysed: alike, but for the language of the page.
func indexMapping() *mapping.IndexMappingImpl {
	text := func(analyzer string) *mapping.FieldMapping {
		field := bleve.NewTextFieldMapping()
		field.Analyzer = analyzer
		field.Store, field.IncludeInAll, field.IncludeTermVectors, field.DocValues = false, false, false, false
		return field
	}
	onlyStored := text(terms.PlainAnalyzer)
	onlyStored.Index, onlyStored.Store = false, true
	unused := bleve.NewDocumentDisabledMapping()
	pages := func(analyzer string) *mapping.DocumentMapping {
		whole := text(analyzer)
		whole.Store = true
		page := bleve.NewDocumentStaticMapping()
		page.AddFieldMappingsAt(fieldTitle, text(analyzer))
		page.AddFieldMappingsAt(fieldHeadings, text(analyzer))
		page.AddFieldMappingsAt(fieldText, whole)
		page.AddFieldMappingsAt(fieldSections, onlyStored)
		page.AddFieldMappingsAt(fieldIncludes, text(terms.PlainAnalyzer))
		for _, field := range []string{fieldHidden, fieldUnlisted, fieldVisitor, fieldLanguage, fieldOperations} {
			page.AddFieldMappingsAt(field, text(keyword.Name))
		}
		page.AddSubDocumentMapping("_all", unused)
		return page
	}
	index := bleve.NewIndexMapping()
	index.TypeField = "Language" // of a pageDocument
	index.DefaultMapping = pages(terms.AnalyzerPrefix + language.Known[0].Name)
	index.DefaultAnalyzer = terms.PlainAnalyzer
	for _, each := range language.Known {
		index.AddDocumentMapping(each.Name, pages(terms.AnalyzerPrefix+each.Name))
	}
	return index
}

// lockWait is how long opening an index waits for a process that has it open.
const lockWait = 2 * time.Second

// openIndex opens the index in a directory, or makes an empty one. An index that cannot be opened is a lost cache: it
// is removed and started again. One that another process has open is an errs.Unavailable error.
func openIndex(dir string) (bleve.Index, error) {
	settings := map[string]any{"bolt_timeout": lockWait.String()} // without it the library waits for ever
	index, err := bleve.OpenUsing(dir, settings)
	if err == nil {
		return index, nil
	}
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, errs.Wrap(fmt.Errorf("open index %s: another process has it open: %w", dir, err), errs.Unavailable,
			"The search index is in use by another process. Try again in a moment.")
	}
	if !errors.Is(err, bleve.ErrorIndexPathDoesNotExist) {
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("remove the damaged index %s: %w", dir, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("make the index directory: %w", err)
	}
	// The index is a cache: after a power cut an older state is as good as the newest, so it does not wait for the
	// disk.
	index, err = bleve.NewUsing(dir, indexMapping(), scorch.Name, scorch.Name, map[string]any{"unsafe_batch": true,
		"bolt_timeout": lockWait.String()})
	if err != nil {
		return nil, fmt.Errorf("make index %s: %w", dir, err)
	}
	return index, nil
}

// revision returns the revision that the index holds, "" when it holds none.
func (i *spaceIndex) revision() (id.Revision, error) {
	value, err := i.bleve.GetInternal(revisionKey)
	if err != nil {
		return "", fmt.Errorf("read the revision of index %s: %w", i.space, err)
	}
	return id.Revision(value), nil
}

// unfinished returns the revisions of which the index may hold pages besides its own, none after an update that was
// finished.
func (i *spaceIndex) unfinished() ([]id.Revision, error) {
	value, err := i.bleve.GetInternal(unfinishedKey)
	if err != nil || len(value) == 0 {
		return nil, err
	}
	var revisions []id.Revision
	if err := json.Unmarshal(value, &revisions); err != nil {
		return nil, fmt.Errorf("read the unfinished updates of index %s: %w", i.space, err)
	}
	return revisions, nil
}
