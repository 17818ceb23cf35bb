package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/strict"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/account"
)

// ChangeRequest is a proposal to change the content of a space.
type ChangeRequest struct {
	Object string `json:"object" enum:"change-request"`
	ID     string `json:"id"`
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
	Space       string          `json:"space"`
	// Revision is the newest revision of the change request itself.
	Revision               string            `json:"revision" doc:"The newest revision of the change request."`
	RevisionInitial        string            `json:"revisionInitial" doc:"The revision of the main content that it began from."`
	RevisionMergedAncestor string            `json:"revisionMergedAncestor,omitempty" doc:"The revision of the main content that was last brought in."`
	RevisionMerged         string            `json:"revisionMerged,omitempty" doc:"The revision of the main content that the merge made."`
	Comments               int               `json:"comments"`
	Outdated               bool              `json:"outdated" doc:"The main content has moved on since the last update, or a conflict waits to be settled."`
	URLs                   ChangeRequestURLs `json:"urls"`
}

// ChangeRequestURLs are a change request's addresses.
type ChangeRequestURLs struct {
	App      string `json:"app" format:"uri"`
	Location string `json:"location" format:"uri"`
	Preview  string `json:"preview,omitempty" format:"uri" doc:"Shows the change request on a published site of the space. It works for twelve hours, for whoever has it, while you may read the space."`
}

// previewLifetime is how long the address of a preview works.
const previewLifetime = 12 * time.Hour

// wireChangeRequests turns change requests into their wire form, reading their users and sites in one query each.
func (a *API) wireChangeRequests(ctx context.Context, requests []change.Request) ([]ChangeRequest, error) {
	var ids, spaces []string
	for _, r := range requests {
		ids = append(ids, r.CreatedBy, r.MergedBy)
		if !slices.Contains(spaces, r.Space) {
			spaces = append(spaces, r.Space)
		}
	}
	users, err := a.usersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	published, err := a.Sites.PublishedURLs(ctx, spaces)
	if err != nil {
		return nil, fmt.Errorf("find the sites of spaces: %w", err)
	}
	comments, err := a.openComments(ctx, requests)
	if err != nil {
		return nil, err
	}
	wire := make([]ChangeRequest, 0, len(requests))
	for _, r := range requests {
		one, err := a.wireChangeRequest(r, users)
		if err != nil {
			return nil, err
		}
		if site := published[r.Space]; site != "" {
			ticket := a.PreviewTicket(callerOf(ctx), r.Space, previewLifetime)
			one.URLs.Preview = site + "~/changes/" + strconv.Itoa(r.Number) + "/?ticket=" + ticket
		}
		one.Comments = comments[r.ID]
		wire = append(wire, one)
	}
	return wire, nil
}

// oneChangeRequest is wireChangeRequests for one.
func (a *API) oneChangeRequest(ctx context.Context, r change.Request) (ChangeRequest, error) {
	wire, err := a.wireChangeRequests(ctx, []change.Request{r})
	if err != nil {
		return ChangeRequest{}, err
	}
	return wire[0], nil
}

func (a *API) wireChangeRequest(r change.Request, users map[string]account.User) (ChangeRequest, error) {
	description, err := wireDocument(r.Description)
	if err != nil {
		return ChangeRequest{}, fmt.Errorf("write the description of %s: %w", r.ID, err)
	}
	wire := ChangeRequest{
		Object: "change-request", ID: r.ID, Number: r.Number, Status: string(r.Status), Subject: r.Subject,
		Description: description,
		CreatedBy:   a.wireKnownUser(users, r.CreatedBy), CreatedAt: timestamp(r.CreatedAt),
		UpdatedAt: timestamp(r.UpdatedAt),
		Space:     r.Space, Revision: r.Head, RevisionInitial: r.Initial, RevisionMergedAncestor: r.MergedAncestor,
		RevisionMerged: r.Merged,
		Outdated:       r.Outdated,
		URLs: ChangeRequestURLs{App: a.BaseURL + "/app/spaces/" + r.Space + "/changes/" + strconv.Itoa(r.Number),
			Location: a.changeRequestURL(r)},
	}
	if r.Status == change.Merged {
		wire.MergedBy, wire.MergedAt = new(a.wireKnownUser(users, r.MergedBy)), timestamp(r.MergedAt)
	}
	return wire, nil
}

func (a *API) changeRequestURL(r change.Request) string {
	return a.BaseURL + "/v1/spaces/" + r.Space + "/change-requests/" + r.ID
}

// usersByID reads users; ids may repeat and be empty.
func (a *API) usersByID(ctx context.Context, ids []string) (map[string]account.User, error) {
	wanted := make([]string, 0, len(ids))
	seen := map[string]bool{"": true}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			wanted = append(wanted, id)
		}
	}
	users, err := a.Accounts.UsersByIDs(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	return users, nil
}

// wireKnownUser is the wire form of a user of a map; of one who is gone, as wireAuthor has it.
func (a *API) wireKnownUser(users map[string]account.User, id string) User {
	return a.wireAuthor(users[id])
}

// wireDocument is the document JSON of a short Markdown text; nil of an empty one.
func wireDocument(text string) (json.RawMessage, error) {
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
			return "", at(path+".markdown", err)
		}
		return *forms.Markdown, nil
	case forms.Document != nil && forms.Markdown == nil && forms.Object == nil:
		raw = forms.Document
	case forms.Object == nil || forms.Markdown != nil || forms.Document != nil:
		return "", errs.Invalidf(path, `is neither {"markdown": "…"} nor document JSON`)
	}
	document := new(doc.Document)
	if err := json.Unmarshal(raw, document); err != nil {
		return "", at(path, err)
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
		return errs.Invalidf(path+"."+shown(unknown.Path), "%s", strict.Advice(unknown.Name, unknown.Known))
	}
	return nil
}

// at makes an error about a part of the input one that names the part; within a document JSON it names the place in it.
func at(path string, err error) error {
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
