package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// ChangeRequest is a proposal to change the content of a space.
type ChangeRequest struct {
	Object string           `json:"object" enum:"change-request"`
	ID     id.ChangeRequest `json:"id"`
	// Number is 1 for the first of the space.
	Number  int    `json:"number" doc:"Counts within the space; in paths it may stand for the id."`
	Status  string `json:"status" enum:"draft,open,archived,merged"`
	Subject string `json:"subject" maxLength:"100"`
	// Description is document JSON.
	Description json.RawMessage `json:"description,omitempty" doc:"Document JSON."`
	CreatedBy   User            `json:"createdBy"`
	CreatedAt   string          `json:"createdAt" format:"date-time"`
	UpdatedAt   string          `json:"updatedAt" format:"date-time"`
	MergedBy    *User           `json:"mergedBy,omitempty"`
	MergedAt    string          `json:"mergedAt,omitempty" format:"date-time"`
	Space       id.Space        `json:"space"`
	// Revision is the newest revision of the change request itself.
	Revision               id.Revision       `json:"revision" doc:"The newest revision of the change request."`
	RevisionInitial        id.Revision       `json:"revisionInitial" doc:"The revision of the main content that it began from."`
	RevisionMergedAncestor id.Revision       `json:"revisionMergedAncestor,omitempty" doc:"The revision of the main content that was last brought in."`
	RevisionMerged         id.Revision       `json:"revisionMerged,omitempty" doc:"The revision of the main content that the merge made."`
	Comments               int               `json:"comments"`
	Outdated               bool              `json:"outdated" doc:"The main content has moved on since the last update, or a conflict waits to be settled."`
	URLs                   ChangeRequestURLs `json:"urls"`
}

// ChangeRequestURLs are a change request's addresses.
type ChangeRequestURLs struct {
	App      string `json:"app" format:"uri"`
	Location string `json:"location" format:"uri"`
	Preview  string `json:"preview,omitempty" format:"uri" doc:"Shows the change request on a published site of the space. It works for twelve hours, for whoever has it, while you may read the space and the session or token counts with which you ask."`
}

// Write turns change requests into their wire form, reading their users and sites in one query each.
func (w ChangeRequestWriter) Write(ctx context.Context, requests []change.Request) ([]ChangeRequest, error) {
	var (
		ids    []id.User
		spaces []id.Space
	)
	for _, r := range requests {
		ids = append(ids, r.CreatedBy, r.MergedBy)
		if !slices.Contains(spaces, r.Space) {
			spaces = append(spaces, r.Space)
		}
	}
	users, err := w.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	published, err := w.Sites.PublishedURLs(ctx, spaces)
	if err != nil {
		return nil, fmt.Errorf("find the sites of spaces: %w", err)
	}
	comments, err := w.openComments(ctx, requests)
	if err != nil {
		return nil, err
	}
	tickets := map[id.Space]string{} // one is good for all change requests of its space
	for space, site := range published {
		if site != "" {
			tickets[space] = w.Previews.Ticket(operation.Caller(ctx), string(space))
		}
	}
	wire := make([]ChangeRequest, 0, len(requests))
	for _, r := range requests {
		one, err := w.Wire.changeRequest(r, users)
		if err != nil {
			return nil, err
		}
		if site := published[r.Space]; site != "" {
			one.URLs.Preview = site + "~/changes/" + strconv.Itoa(r.Number) + "/?ticket=" + tickets[r.Space]
		}
		one.Comments = comments[r.ID]
		wire = append(wire, one)
	}
	return wire, nil
}

// WriteOne is ChangeRequestWriter.Write for one.
func (w ChangeRequestWriter) WriteOne(ctx context.Context, r change.Request) (ChangeRequest, error) {
	wire, err := w.Write(ctx, []change.Request{r})
	if err != nil {
		return ChangeRequest{}, err
	}
	return wire[0], nil
}

func (w Writer) changeRequest(r change.Request, users map[id.User]account.User) (ChangeRequest, error) {
	description, err := Document(r.Description)
	if err != nil {
		return ChangeRequest{}, fmt.Errorf("write the description of %s: %w", r.ID, err)
	}
	wire := ChangeRequest{
		Object: "change-request", ID: r.ID, Number: r.Number, Status: string(r.Status), Subject: r.Subject,
		Description: description,
		CreatedBy:   w.KnownUser(users, r.CreatedBy), CreatedAt: Timestamp(r.CreatedAt),
		UpdatedAt: Timestamp(r.UpdatedAt),
		Space:     r.Space, Revision: r.Head, RevisionInitial: r.Initial, RevisionMergedAncestor: r.MergedAncestor,
		RevisionMerged: r.Merged,
		Outdated:       r.Outdated,
		URLs: ChangeRequestURLs{App: w.BaseURL + "/app/spaces/" + string(r.Space) + "/changes/" + strconv.Itoa(
			r.Number),
			Location: w.ChangeRequestURL(r)},
	}
	if r.Status == change.Merged {
		wire.MergedBy, wire.MergedAt = new(w.KnownUser(users, r.MergedBy)), Timestamp(r.MergedAt)
	}
	return wire, nil
}

// ChangeRequestURL is the address of a change request.
func (w Writer) ChangeRequestURL(r change.Request) string {
	return w.BaseURL + "/v1/spaces/" + string(r.Space) + "/change-requests/" + string(r.ID)
}

// openComments counts the open comments on change requests, by their ids.
func (w ChangeRequestWriter) openComments(ctx context.Context,
	requests []change.Request) (map[id.ChangeRequest]int, error) {
	bySpace := map[id.Space][]id.ChangeRequest{}
	for _, r := range requests {
		bySpace[r.Space] = append(bySpace[r.Space], r.ID)
	}
	counts := make(map[id.ChangeRequest]int, len(requests))
	for space, ids := range bySpace {
		found, err := w.Comments.OpenOnChangeRequests(ctx, space, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(counts, found)
	}
	return counts, nil
}
