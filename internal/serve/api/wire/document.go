package wire

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Document is the document JSON of a short Markdown text; nil of an empty one.
func Document(text string) (json.RawMessage, error) {
	if text == "" {
		return nil, nil
	}
	document, err := markdown.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	document.ReadDestinations()
	return json.Marshal(document)
}

// AtPath makes an error about a part of the input one that names the part; within a document JSON it names the place in
// it.
func AtPath(path string, err error) error {
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok {
		return errs.Invalidf(path, "is not document JSON")
	}
	message := refusal.Message
	if len(refusal.Details) == 1 {
		if inside, ok := strings.CutPrefix(refusal.Details[0].Path, "document"); ok {
			path, message = path+inside, refusal.Details[0].Message
		}
	}
	named := errs.Invalidf(path, "%s", message)
	named.Kind = refusal.Kind
	return named
}
