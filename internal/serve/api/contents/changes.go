package contents

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SemanticChanges are what differs between two revisions, in the words of people.
type SemanticChanges struct {
	// MergedFrom is the change request that the newer revision brought in.
	MergedFrom *wire.ChangeRequest `json:"mergedFrom,omitempty"`

	Base    id.Revision      `json:"base,omitempty" doc:"The revision that the changes are from; absent when they are from nothing at all."`
	Head    id.Revision      `json:"head" doc:"The revision that has the changes."`
	Changes []SemanticChange `json:"changes"`
	// More is the number of changes that the limit left out.
	More int `json:"more,omitempty" doc:"Number of changes beyond the limit; absent when all are there."`
	// BrokenLinks is set for a change request that is not merged.
	BrokenLinks *int `json:"brokenLinks,omitempty" doc:"Of a change request: number of links that it would break; its links with added=true are their list."`
}

// SemanticChange is one change; Type says which of the fields are there.
type SemanticChange struct {
	Type            string                `json:"type" enum:"page_created,page_edited,page_deleted,page_moved,file_created,file_edited,file_deleted,variables_edited,reusable_content_created,reusable_content_edited,reusable_content_deleted"`
	Page            *ChangedPage          `json:"page,omitempty"`
	Parent          *ChangedParent        `json:"parent,omitempty" doc:"Of a page that was moved: the page that it was below, and is. Both are absent at the root."`
	File            *ChangedFile          `json:"file,omitempty"`
	ReusableContent *wire.ReusableContent `json:"reusableContent,omitempty"`
	// Attributes are what was edited, by name.
	Attributes map[string]ChangedAttribute `json:"attributes,omitempty"`
	// Variables are the edited variables of the space, by name.
	Variables map[string]ChangedAttribute `json:"variables,omitempty"`
}

// ChangedPage is a page in a change.
type ChangedPage struct {
	ID    string `json:"id"`
	Type  string `json:"type" enum:"document,group,link,computed"`
	Title string `json:"title"`
	Path  string `json:"path"`
}

// ChangedParent is where a page was moved from and to.
type ChangedParent struct {
	Before *ChangedPage `json:"before,omitempty"`
	After  *ChangedPage `json:"after,omitempty"`
}

// ChangedFile is a file in a change.
type ChangedFile struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	DownloadURL string `json:"downloadURL" format:"uri"`
}

// ChangedAttribute is the value of an attribute before and after a change; one that had or has none is absent.
type ChangedAttribute struct {
	Before any `json:"before,omitempty"`
	After  any `json:"after,omitempty"`
}

// wireChanges compares two revisions of a space.
func (h *Handlers) wireChanges(ctx context.Context, from, to *store.View, limit int) (*SemanticChanges, error) {
	list, err := changes.Between(ctx, from, to, limit)
	if err != nil {
		return nil, err
	}
	wire := &SemanticChanges{Changes: make([]SemanticChange, 0, len(list.Changes)),
		More: list.Total - len(list.Changes)}
	for _, change := range list.Changes {
		wire.Changes = append(wire.Changes, h.wireChange(from.Revision(), to.Revision(), change))
	}
	return wire, nil
}

func (h *Handlers) wireChange(from, to store.Revision, c changes.Change) SemanticChange {
	answer := SemanticChange{Type: string(c.Kind)}
	revision := to.ID
	if slices.Contains([]changes.Kind{changes.PageDeleted, changes.FileDeleted, changes.ReusableDeleted}, c.Kind) {
		revision = from.ID
	}
	switch c.Entry.Kind {
	case entity.KindPage:
		answer.Page = changedPage(c.Entry, c.Path)
	case entity.KindFile:
		answer.File = &ChangedFile{ID: c.Entry.ID, Name: c.Entry.Name, ContentType: c.Entry.ContentType,
			DownloadURL: h.Wire.Downloads.URL(string(to.Space), c.Entry)}
	case entity.KindReusable:
		answer.ReusableContent = &wire.ReusableContent{ID: c.Entry.ID, Title: c.Entry.Title,
			Document: documentAt(revision,
				c.Entry.ID), Git: wire.GitFileOf(c.Entry.Git)}
	}
	if c.Kind == changes.PageMoved {
		answer.Parent = &ChangedParent{Before: changedParent(c.Before), After: changedParent(c.After)}
	}
	if len(c.Attributes) == 0 {
		return answer
	}
	edited := make(map[string]ChangedAttribute, len(c.Attributes))
	for _, attribute := range c.Attributes {
		name, value := h.wireAttribute(from, to, c.Entry, attribute)
		edited[name] = value
	}
	if c.Kind == changes.VariablesEdited {
		answer.Variables = edited
	} else {
		answer.Attributes = edited
	}
	return answer
}

func changedPage(e *entity.Entry, path string) *ChangedPage {
	return &ChangedPage{ID: e.ID, Type: string(e.Type), Title: e.Title, Path: path}
}

func changedParent(parent *changes.Parent) *ChangedPage {
	if parent == nil {
		return nil
	}
	return changedPage(parent.Entry, parent.Path)
}

// wireAttribute gives an attribute the name and the values that the entity itself has on the wire.
func (h *Handlers) wireAttribute(from, to store.Revision, e *entity.Entry,
	attribute changes.Attribute) (string, ChangedAttribute) {
	if e.Kind == entity.KindVariables {
		return attribute.Name, ChangedAttribute{Before: attribute.Before, After: attribute.After}
	}
	both := func(wire func(value any, revision store.Revision) any) ChangedAttribute {
		return ChangedAttribute{Before: wire(attribute.Before, from), After: wire(attribute.After, to)}
	}
	switch attribute.Name {
	case "document":
		return "document", both(func(_ any, revision store.Revision) any { return documentAt(revision.ID, e.ID) })
	case "blob":
		return "downloadURL", both(func(value any, _ store.Revision) any {
			bytes := *e
			bytes.Blob, _ = value.(string)
			return h.Wire.Downloads.URL(string(to.Space), &bytes)
		})
	}
	return attribute.Name, both(func(value any, _ store.Revision) any { return wireValue(attribute.Name, e, value) })
}

// wireValue gives a value of an entry's field the form that it has on the wire; nil for none.
func wireValue(name string, e *entity.Entry, value any) any {
	switch value := value.(type) {
	case *entity.Layout:
		return wire.LayoutOf(value, e.Cover != nil)
	case *entity.Cover:
		return wire.CoverOf(value)
	case *doc.Ref:
		return wire.ReferenceOf(value)
	case []entity.Tag:
		tags := make([]wire.PageTag, len(value))
		for i, tag := range value {
			tags[i] = wire.PageTag{Tag: wire.Reference{Kind: "tag", Tag: tag.Tag}, Primary: tag.Primary}
		}
		return tags
	case *entity.Computed:
		return wire.Computed{Type: value.Type, Props: value.Props, Dependencies: value.Dependencies}
	case changes.Dimensions:
		return wire.FileDimensions(value)
	case nil:
		if name == "layout" {
			return wire.LayoutOf(nil, e.Cover != nil)
		}
		if e.Flags.Named(name) != nil {
			return false
		}
	}
	return value
}

type revisionChangesInput struct {
	RevisionParams
	AtRevision
	ChangesParams
	From id.Revision `query:"from" maxLength:"100" doc:"A revision of the same space to compare with; the first parent when absent."`
}

// ChangesParams say how many changes to list.
type ChangesParams struct {
	Limit int `query:"limit" minimum:"0" maximum:"1000" default:"10" doc:"Most changes in the answer; more says how many there are beyond it."`
}

// getRevisionChanges answers what a revision changed.
func (h *Handlers) getRevisionChanges(ctx context.Context, in *revisionChangesInput) (*operation.Encoded, error) {
	if _, err := h.head(ctx, in.Space, version{}); err != nil {
		return nil, err
	}
	revision, err := h.revisionOf(ctx, in.Space, in.Revision)
	if err != nil {
		return nil, err
	}
	from := in.From
	if from != "" {
		if _, err := h.revisionOf(ctx, in.Space, from); err != nil {
			return nil, err
		}
	} else if len(revision.Parents) > 0 {
		from = revision.Parents[0]
	}
	merged, err := h.mergedFrom(ctx, revision.ID)
	if err != nil {
		return nil, err
	}
	return h.changesBetween(ctx, in.RevisionParams, from, revision.ID, in.Limit, merged, nil)
}

// changesBetween answers what differs between two revisions that the caller may read; from is "" for nothing at all.
func (h *Handlers) changesBetween(ctx context.Context, params RevisionParams, from, to id.Revision, limit int,
	merged *wire.ChangeRequest, broken *int) (*operation.Encoded, error) {
	variant, err := json.Marshal([]any{"changes", from, limit, merged, broken})
	if err != nil {
		return nil, err
	}
	return h.encode(ctx, to, params, string(variant), func(ctx context.Context, newer *store.View) (any, error) {
		older := newer.Empty()
		if from != "" {
			var err error
			if older, err = h.Content.View(ctx, from); err != nil {
				return nil, err
			}
		}
		answer, err := h.wireChanges(ctx, older, newer, limit)
		if err != nil {
			return nil, err
		}
		answer.MergedFrom, answer.BrokenLinks = merged, broken
		answer.Base, answer.Head = from, to
		return answer, nil
	})
}
