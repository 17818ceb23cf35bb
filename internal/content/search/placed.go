package search

import (
	"bytes"
	"fmt"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/rectodocs/recto/internal/content/search/places"
)

// mapped makes of a page what the library indexes. The library would keep a place of a word in ten bytes: what is kept
// of them here is a stored field beside the text.
func mapped(fields mapping.IndexMapping, name string, page pageDocument) (*document.Document, error) {
	made := document.NewDocument(name)
	if err := fields.MapDocument(made, page); err != nil {
		return nil, fmt.Errorf("index %s: %w", name, err)
	}
	for i, field := range made.Fields {
		if text, ok := field.(*document.TextField); ok && text.Name() == fieldText {
			placed := &placedText{TextField: text}
			made.Fields[i] = placed
			made.AddField(&storedPlaces{
				TextField: document.NewTextFieldCustom(fieldPlaces, nil, nil, index.StoreField, nil), of: placed})
			break
		}
	}
	return made, nil
}

// placedText is the text of a page. Once it is analysed it knows the places of its words.
type placedText struct {
	*document.TextField

	length      int
	frequencies index.TokenFrequencies
	places      []byte
}

// Analyze implements index.Field.
func (t *placedText) Analyze() {
	tokens := t.Analyzer().Analyze(bytes.Clone(t.Value()))
	t.length = len(tokens)
	t.frequencies = analysis.TokenFrequency(tokens, nil, t.Options())
	t.places = places.Encode(tokens)
}

// AnalyzedLength implements index.Field.
func (t *placedText) AnalyzedLength() int { return t.length }

// AnalyzedTokenFrequencies implements index.Field.
func (t *placedText) AnalyzedTokenFrequencies() index.TokenFrequencies { return t.frequencies }

// storedPlaces are the places of a text, which the library asks for when it is analysed.
type storedPlaces struct {
	*document.TextField

	of *placedText
}

// Value implements index.Field.
func (p *storedPlaces) Value() []byte { return p.of.places }
