package changes

import (
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// ConflictSubject is something that a conflict is about.
type ConflictSubject struct {
	ID    string `json:"id"`
	Kind  string `json:"kind" enum:"page,file,reusable-content,variables,redirect"`
	Title string `json:"title" doc:"The title, or the name of a file."`
}

// ConflictRevisions are the revisions that the values of a conflict are of.
type ConflictRevisions struct {
	Base          id.Revision `json:"base"`
	Main          id.Revision `json:"main"`
	ChangeRequest id.Revision `json:"changeRequest"`
}

// ConflictPart is a stretch of a body that begins and ends between blocks.
type ConflictPart struct {
	// Merged is what everybody has.
	Merged        *ConflictText `json:"merged,omitempty" doc:"What could be merged; absent of a part in conflict, which has the other four."`
	Base          *ConflictText `json:"base,omitempty"`
	Main          *ConflictText `json:"main,omitempty"`
	ChangeRequest *ConflictText `json:"changeRequest,omitempty"`
	Both          *ConflictText `json:"both,omitempty" doc:"The blocks of the change request, then those of main."`
}

// ConflictText is a part of a body as text and as blocks.
type ConflictText struct {
	Markdown string `json:"markdown"`
	Nodes    []any  `json:"nodes" doc:"The blocks as document JSON; none where the body cannot be read as blocks."`
}

// wireSubjects is what a conflict is about, as far as it is known.
func wireSubjects(subjects map[string]change.Subject, c change.Conflict) []ConflictSubject {
	var list []ConflictSubject
	for _, entry := range c.Entries {
		if subject, ok := subjects[entry]; ok {
			list = append(list, ConflictSubject{ID: subject.ID, Kind: string(subject.Kind), Title: subject.Title})
		}
	}
	return list
}

// wireParts turns the parts of a body into their wire form.
func wireParts(body merge.PartedBody) ([]ConflictPart, error) {
	blocks := map[merge.Side][][]*doc.Node{}
	for _, side := range []merge.Side{merge.Base, merge.Ours, merge.Theirs, merge.Both} {
		read, err := body.Documents(side)
		if err != nil && !errs.Is(err, errs.TooLarge) && !errs.Is(err, errs.Invalid) {
			return nil, err
		}
		blocks[side] = read
	}
	list := make([]ConflictPart, 0, len(body.Parts))
	for i, part := range body.Parts {
		text := func(side merge.Side) *ConflictText {
			made := &ConflictText{Markdown: part.Text(side), Nodes: []any{}}
			if blocks[side] != nil {
				for _, node := range blocks[side][i] {
					made.Nodes = append(made.Nodes, node)
				}
			}
			return made
		}
		if !part.Conflict {
			list = append(list, ConflictPart{Merged: text(merge.Ours)})
			continue
		}
		list = append(list, ConflictPart{Base: text(merge.Base), Main: text(merge.Theirs),
			ChangeRequest: text(merge.Ours), Both: text(merge.Both)})
	}
	return list, nil
}

// choice reads what a part of a body is to become.
func (p partChoice) choice(path string) (change.PartChoice, error) {
	if (p.Keep == "") == (p.Content == nil) {
		return change.PartChoice{}, errs.Invalidf(path, "has to have either keep (main, mine or both) or content")
	}
	if p.Keep != "" {
		return change.PartChoice{Keep: change.Keep(p.Keep)}, nil
	}
	var text string
	if json.Unmarshal(p.Content, &text) == nil {
		return change.PartChoice{Text: text}, nil
	}
	text, err := documentInput(path+".content", p.Content)
	return change.PartChoice{Text: text}, err
}
