package places

import (
	"bytes"
	"fmt"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"
	index "github.com/blevesearch/bleve_index_api"
)

// Document makes what the library indexes under a name of a value that the mapping reads. The library would keep a
// place of a word in ten bytes: those of the words of the field text are stored in a field of their own, for Find.
// Where turn is not nil, it is called before the text is analysed, and what it returns behind that.
func Document(fields mapping.IndexMapping, name string, value any, text, stored string,
	turn func() (done func())) (*document.Document, error) {
	made := document.NewDocument(name)
	if err := fields.MapDocument(made, value); err != nil {
		return nil, fmt.Errorf("index %s: %w", name, err)
	}
	for i, field := range made.Fields {
		if words, ok := field.(*document.TextField); ok && words.Name() == text {
			placed := &placedText{TextField: words, turn: turn}
			made.Fields[i] = placed
			made.AddField(&storedPlaces{
				TextField: document.NewTextFieldCustom(stored, nil, nil, index.StoreField, nil), of: placed})
			break
		}
	}
	return made, nil
}

// placedText is the text of a page. Once it is analysed it knows the places of its words.
type placedText struct {
	*document.TextField

	turn func() (done func())

	length      int
	frequencies index.TokenFrequencies
	places      []byte
}

// Analyze implements index.Field.
func (t *placedText) Analyze() {
	if t.turn != nil {
		defer t.turn()()
	}
	tokens := t.Analyzer().Analyze(bytes.Clone(t.Value()))
	t.length = len(tokens)
	t.frequencies = analysis.TokenFrequency(tokens, nil, t.Options())
	t.places = Encode(tokens)
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
