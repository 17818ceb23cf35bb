package contents

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/pagefile/check"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// ReadMarkdown is what Markdown was read as.
type ReadMarkdown struct {
	Object string `json:"object" enum:"read-markdown"`
	Title  string `json:"title,omitempty" doc:"The first-level heading at the start."`
	// Document is absent when the text is refused.
	Document json.RawMessage `json:"document,omitempty" doc:"The body as document JSON, with links as they are written. Absent when the text is refused."`
	Lines    []int           `json:"lines" doc:"The line at which each block of the document begins."`
	Faults   []MarkdownFault `json:"faults" doc:"What is wrong, in the order of the text as far as it was read; 200 at most."`
}

// MarkdownFault is something that is wrong in Markdown.
type MarkdownFault struct {
	Severity string        `json:"severity" enum:"error,warning,info" doc:"An error keeps the page from being saved. A warning is about what readers will not see as it was meant. An info is about HTML that the dialect does not know. Nothing of it is lost."`
	Message  string        `json:"message"`
	From     MarkdownPlace `json:"from"`
	To       MarkdownPlace `json:"to" doc:"The place behind the last character."`
}

// MarkdownPlace is a place in a text.
type MarkdownPlace struct {
	Line   int `json:"line" doc:"Counts from 1."`
	Column int `json:"column" doc:"Counts characters from 1."`
}

type readMarkdownInput struct {
	Space id.Space `path:"spaceId"`
	Body  struct {
		Markdown string `json:"markdown" doc:"The file of a page. Its body may have 1 MB."`
	}
}

type readMarkdownOutput struct{ Body ReadMarkdown }

// readMarkdown reads Markdown that nobody has saved.
func (h *Handlers) readMarkdown(ctx context.Context, in *readMarkdownInput) (*readMarkdownOutput, error) {
	if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	page := check.Read([]byte(in.Body.Markdown))
	out := ReadMarkdown{Object: "read-markdown", Title: page.Title, Lines: page.Lines, Faults: []MarkdownFault{}}
	if page.Lines == nil {
		out.Lines = []int{}
	}
	if page.Document != nil {
		page.Document.ReadDestinations()
		document, err := json.Marshal(page.Document)
		if err != nil {
			return nil, err
		}
		out.Document = document
	}
	for _, fault := range page.Faults {
		out.Faults = append(out.Faults, MarkdownFault{Severity: string(fault.Severity), Message: fault.Message,
			From: MarkdownPlace(fault.From), To: MarkdownPlace(fault.To)})
	}
	return &readMarkdownOutput{Body: out}, nil
}
