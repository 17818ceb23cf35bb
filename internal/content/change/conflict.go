package change

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// Conflict is something that main and a change request have both changed, or that cannot be had together. Until it is
// settled the change request keeps its own version.
type Conflict struct {
	// ID is made of what is in conflict.
	ID      string
	Request id.ChangeRequest
	// Kind is one of package merge. It says what the values are.
	Kind merge.ConflictType
	// Entries are the ids of the pages, files and so on in conflict.
	Entries []string
	// Field is the field in conflict, or the key of one ("variables.name"); Parent and Slug the place that is.
	Field  string
	Parent string
	Slug   string
	// Base, Main and Own are the three values: before either changed it, of main, and of the change request; nil is no
	// value. Those of bodies are their texts.
	Base, Main, Own any
	// Hunks are the places in conflict of a body.
	Hunks []Hunk
	// Settled says how it was settled; nil while it is open.
	Settled   *Settlement
	SettledBy id.User
	SettledAt time.Time
	// CreatedAt is when the update met it; zero for one that has not been met yet.
	CreatedAt time.Time
	// Ahead says that no update has met it, but the next one would.
	Ahead bool

	update   string
	position int
}

// Hunk is a place of a body in conflict: what each side has there.
type Hunk struct {
	Base string `json:"base"`
	Main string `json:"main"`
	Own  string `json:"own"`
	// OwnStart and OwnEnd are the lines of the change request's text, counted from 0, the end not included.
	OwnStart int `json:"ownStart"`
	OwnEnd   int `json:"ownEnd"`
}

// Keep is a side that a settlement takes.
type Keep string

// Sides of a settlement.
const (
	KeepMain Keep = "main"
	// KeepMine keeps what the change request has.
	KeepMine Keep = "mine"
	// KeepBoth is for bodies: at each place the blocks that the change request has, then those that main has.
	KeepBoth Keep = "both"
)

// Settlement says how a conflict is settled: by a side, or by a value.
type Settlement struct {
	// Keep is "" when Value counts.
	Keep Keep
	// Value is the text of a body, the value of a field in its JSON form, or the slug of the change request's page.
	Value any
	// Parts, when there are any, are of a body: what each part in conflict becomes. They count instead.
	Parts []PartChoice
}

// choice is the settlement as package merge wants it: ours is the change request.
func (s Settlement) choice() merge.Choice {
	switch s.Keep {
	case KeepMain:
		return merge.Choice{Take: merge.Theirs}
	case KeepMine:
		return merge.Choice{Take: merge.Ours}
	case KeepBoth:
		return merge.Choice{Take: merge.Both}
	}
	return merge.Choice{Take: merge.Value, Value: s.Value}
}

// settlementOf is the settlement that a choice came from.
func settlementOf(c merge.Choice) *Settlement {
	switch c.Take {
	case merge.Theirs:
		return &Settlement{Keep: KeepMain}
	case merge.Ours:
		return &Settlement{Keep: KeepMine}
	case merge.Both:
		return &Settlement{Keep: KeepBoth}
	}
	return &Settlement{Value: c.Value}
}

// newConflict makes a conflict of one that package merge has found with the change request as ours.
func newConflict(requestID id.ChangeRequest, c merge.Conflict) Conflict {
	out := Conflict{
		ID: c.ID, Request: requestID, Kind: c.Type, Entries: c.Entries, Field: c.Field, Parent: c.Parent, Slug: c.Slug,
		Base: plain(c.Base), Main: plain(c.Theirs), Own: plain(c.Ours),
	}
	for _, h := range c.Hunks {
		out.Hunks = append(out.Hunks, Hunk{Base: h.Base, Main: h.Theirs, Own: h.Ours, OwnStart: h.OursLines.Start,
			OwnEnd: h.OursLines.End})
	}
	return out
}

// place names what a conflict is about: a later conflict about the same takes its place.
func (c Conflict) place() string {
	about := c.Field
	if about == "" {
		about = "(" + string(c.Kind) + ")"
	}
	return strings.Join(c.Entries, ",") + "/" + about
}

// plain is a value of a conflict without what only storage knows: of an entry what people see of it.
func plain(value any) any {
	e, ok := value.(*entity.Entry)
	if !ok {
		return value
	}
	if e == nil {
		return nil
	}
	shown := map[string]any{"id": e.ID, "kind": string(e.Kind)}
	for _, name := range []string{"type", "parent", "slug", "title", "linkTitle", "emoji", "icon", "description",
		"hidden", "target", "variables", "name", "contentType", "size"} {
		if f, ok := entity.FieldNamed(name); ok {
			if v := f.Get(e); v != nil {
				shown[name] = v
			}
		}
	}
	return shown
}

// fill puts the texts of bodies into conflicts where package merge has their hashes.
func (s *Service) fill(ctx context.Context, spaceID id.Space, conflicts []Conflict) error {
	view, err := s.deps.Content.Head(ctx, spaceID)
	if err != nil {
		return err
	}
	for i := range conflicts {
		c := &conflicts[i]
		if c.Kind != merge.BodyConflicts {
			continue
		}
		for _, value := range []*any{&c.Base, &c.Main, &c.Own} {
			hash, ok := (*value).(string)
			if !ok || hash == "" {
				*value = ""
				continue
			}
			text, err := view.Body(ctx, &entity.Entry{Body: hash})
			if err != nil {
				return fmt.Errorf("read a body in conflict: %w", err)
			}
			*value = string(text)
		}
	}
	return nil
}
