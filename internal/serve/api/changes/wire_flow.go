package changes

import (
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ChangeRequestConflict is something that the main content and a change request have both changed, or that cannot be
// had together.
type ChangeRequestConflict struct {
	Object string `json:"object" enum:"change-request-conflict"`
	ID     string `json:"id" doc:"Made of what is in conflict: the same conflict has the same id."`
	// Kind says what the values are.
	Kind    string   `json:"kind" enum:"field,body,edit-delete,duplicate-id,parent-deleted,move-cycle,slug"`
	Entries []string `json:"entries" doc:"Ids of the pages, files and so on in conflict."`
	Field   string   `json:"field,omitempty" doc:"The field in conflict, or a key of one, such as variables.name."`
	Parent  string   `json:"parent,omitempty"`
	Slug    string   `json:"slug,omitempty"`
	// Base, Main and ChangeRequest are the three values.
	Base          any                 `json:"base" doc:"The value before either side changed it; null for none."`
	Main          any                 `json:"main" doc:"The value of the main content."`
	ChangeRequest any                 `json:"changeRequest" doc:"The value of the change request, which it keeps until the conflict is settled."`
	Hunks         []ConflictHunk      `json:"hunks,omitempty" doc:"The places in conflict of a body."`
	Status        string              `json:"status" enum:"open,settled"`
	Settlement    *ConflictSettlement `json:"settlement,omitempty"`
	SettledBy     *wire.User          `json:"settledBy,omitempty"`
	SettledAt     string              `json:"settledAt,omitempty" format:"date-time"`
	CreatedAt     string              `json:"createdAt,omitempty" format:"date-time" doc:"When an update met it; absent when none has yet, as of one that the next update would meet, and of an undo's."`
	Subjects      []ConflictSubject   `json:"subjects,omitempty" doc:"What the entries are; in the list of conflicts and of one alone."`
	Revisions     *ConflictRevisions  `json:"revisions,omitempty" doc:"Where the three values are from; of one conflict alone."`
	Parts         []ConflictPart      `json:"parts,omitempty" doc:"A body, from its beginning to its end; of one conflict alone."`
	// URLs are there for a conflict that can be settled.
	URLs *ConflictURLs `json:"urls,omitempty"`
}

// ConflictHunk is a place of a body in conflict.
type ConflictHunk struct {
	Base          string `json:"base"`
	Main          string `json:"main"`
	ChangeRequest string `json:"changeRequest"`
	StartLine     int    `json:"startLine" doc:"The first line of the place in the change request's text, counted from 0."`
	EndLine       int    `json:"endLine" doc:"The line after the last one."`
}

// ConflictSettlement says how a conflict was settled.
type ConflictSettlement struct {
	Keep    string `json:"keep,omitempty" enum:"main,mine,both"`
	Content any    `json:"content,omitempty"`
}

// ConflictURLs are a conflict's addresses.
type ConflictURLs struct {
	Location string `json:"location" format:"uri"`
}

// MergeResult says what a merge did, or would do.
type MergeResult struct {
	Revision  id.Revision             `json:"revision" doc:"The revision that the main content is at."`
	Result    string                  `json:"result" enum:"merge,conflicts"`
	Conflicts []ChangeRequestConflict `json:"conflicts,omitempty" doc:"What is in the way. Update the change request and settle them."`
}

// UpdateResult says what an update did.
type UpdateResult struct {
	Revision  id.Revision             `json:"revision" doc:"The revision that the change request is at."`
	Result    string                  `json:"result" enum:"update,conflicts"`
	Conflicts []ChangeRequestConflict `json:"conflicts,omitempty" doc:"All that wait to be settled."`
}

// UndoResult says what an undo did.
type UndoResult struct {
	Revision id.Revision `json:"revision" doc:"The revision of the inverse; with conflicts the one that the main content is at."`
	Result   string      `json:"result" enum:"undo,conflicts"`
	// ChangeRequest is the new one, or, after a direct undo, the one that was undone.
	ChangeRequest *wire.ChangeRequest     `json:"changeRequest,omitempty" doc:"The new change request; after a direct undo the one that was undone."`
	Conflicts     []ChangeRequestConflict `json:"conflicts,omitempty" doc:"Later edits in the way: changeRequest is what the undo would bring back."`
}

// SettleResult is a settled conflict with its change request.
type SettleResult struct {
	Conflict      ChangeRequestConflict `json:"conflict"`
	ChangeRequest wire.ChangeRequest    `json:"changeRequest"`
}

func (h *Handlers) wireConflict(r change.Request, users map[id.User]account.User,
	c change.Conflict) ChangeRequestConflict {
	answer := ChangeRequestConflict{
		Object: "change-request-conflict", ID: c.ID, Kind: string(c.Kind), Entries: c.Entries, Field: c.Field,
		Parent: c.Parent, Slug: c.Slug,
		Base: c.Base, Main: c.Main, ChangeRequest: c.Own, Status: "open",
	}
	for _, hunk := range c.Hunks {
		answer.Hunks = append(answer.Hunks, ConflictHunk{Base: hunk.Base, Main: hunk.Main, ChangeRequest: hunk.Own,
			StartLine: hunk.OwnStart, EndLine: hunk.OwnEnd})
	}
	if !c.CreatedAt.IsZero() {
		answer.CreatedAt = wire.Timestamp(c.CreatedAt)
	}
	if c.Ahead || !c.CreatedAt.IsZero() {
		answer.URLs = &ConflictURLs{Location: h.Wire.ChangeRequestURL(r) + "/conflicts/" + c.ID}
	}
	if c.Settled != nil {
		answer.Status, answer.SettledAt = "settled", wire.Timestamp(c.SettledAt)
		answer.Settlement = &ConflictSettlement{Keep: string(c.Settled.Keep), Content: c.Settled.Value}
		answer.SettledBy = new(h.Wire.KnownUser(users, c.SettledBy))
	}
	return answer
}

// wireConflicts turns open conflicts into their wire form.
func (h *Handlers) wireConflicts(r change.Request, conflicts []change.Conflict) []ChangeRequestConflict {
	wire := make([]ChangeRequestConflict, 0, len(conflicts))
	for _, c := range conflicts {
		wire = append(wire, h.wireConflict(r, nil, c))
	}
	return wire
}

// settlementContent reads the content of a settlement: a text in any form, or the value of a field as it is.
func settlementContent(raw json.RawMessage) (any, error) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, wire.AtPath("body.content", err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return value, nil
	}
	_, isMarkdown := object["markdown"].(string)
	_, isDocument := object["document"].(map[string]any)
	if isMarkdown || isDocument || object["object"] == "document" {
		return documentInput("body.content", raw)
	}
	return value, nil
}
