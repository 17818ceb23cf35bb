package changes

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/strict"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// documentInput reads a text that a client sends as {"markdown": "…"}, {"document": …} or document JSON, and returns it
// as Markdown. path names it in errors.
func documentInput(path string, raw json.RawMessage) (string, error) {
	var forms struct {
		Object   *string         `json:"object"`
		Markdown *string         `json:"markdown"`
		Document json.RawMessage `json:"document"`
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("{}")) {
		return "", nil
	}
	if err := json.Unmarshal(raw, &forms); err != nil {
		return "", errs.Invalidf(path, `is neither {"markdown": "…"} nor document JSON`)
	}
	if forms.Object == nil {
		if err := oneText(path, raw); err != nil {
			return "", err
		}
	}
	switch {
	case forms.Markdown != nil && forms.Document == nil && forms.Object == nil:
		if _, err := markdown.Parse([]byte(*forms.Markdown)); err != nil {
			return "", wire.AtPath(path+".markdown", err)
		}
		return *forms.Markdown, nil
	case forms.Document != nil && forms.Markdown == nil && forms.Object == nil:
		raw = forms.Document
	case forms.Object == nil || forms.Markdown != nil || forms.Document != nil:
		return "", errs.Invalidf(path, `is neither {"markdown": "…"} nor document JSON`)
	}
	document := new(doc.Document)
	if err := json.Unmarshal(raw, document); err != nil {
		return "", wire.AtPath(path, err)
	}
	return string(markdown.Write(markdown.Normalize(document))), nil
}

// oneText refuses other members than the two forms of a text.
func oneText(path string, raw json.RawMessage) error {
	var forms struct {
		Markdown any `json:"markdown"`
		Document any `json:"document"`
	}
	if unknown, ok := errors.AsType[*strict.UnknownMember](strict.Unmarshal(raw, &forms)); ok {
		return errs.Invalidf(path+"."+failure.Shorten(unknown.Path), "%s", strict.Advice(unknown.Name, unknown.Known))
	}
	return nil
}
