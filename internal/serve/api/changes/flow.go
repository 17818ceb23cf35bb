package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type updateChangeRequestInput struct {
	wire.ChangeRequestPath
	Body struct {
		Subject     wire.Patch[string]          `json:"subject,omitzero" required:"false" doc:"Up to 100 characters."`
		Description wire.Patch[json.RawMessage] `json:"description,omitzero" required:"false" doc:"Document JSON, or {\"markdown\": \"…\"}; null takes it away."`
		Status      wire.Patch[string]          `json:"status,omitzero" required:"false" doc:"draft, open or archived."`
	}
}

// updateChangeRequestByID changes what the body names and leaves the rest.
func (h *Handlers) updateChangeRequestByID(ctx context.Context,
	in *updateChangeRequestInput) (*operation.Body[wire.ChangeRequest], error) {
	edit := change.Edit{Subject: in.Body.Subject.Value, Status: wire.Convert[change.Status](in.Body.Status.Value)}
	var err error
	if edit.Description, err = descriptionEdit(in.Body.Description.Value); err != nil {
		return nil, err
	}
	changed, err := h.Changes.Update(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, edit)
	if err != nil {
		return nil, err
	}
	return h.changeRequestBody(ctx, changed)
}

// descriptionEdit reads a description that may be absent or null.
func descriptionEdit(sent optional.Value[json.RawMessage]) (optional.Value[string], error) {
	raw, ok := sent.Get()
	switch {
	case sent.IsNull():
		return optional.Null[string](), nil
	case !ok:
		return optional.Value[string]{}, nil
	}
	text, err := documentInput("body.description", raw)
	return optional.Of(text), err
}

type mergeChangeRequestInput struct {
	wire.ChangeRequestPath
	DryRun bool `query:"dryRun" doc:"true tells what would happen and changes nothing."`
	Body   *struct {
		Message string `json:"message,omitempty" maxLength:"250" doc:"What the history of the main content says of the merge; without it, the number and subject of the change request."`
	} `required:"false"`
}

// mergeChangeRequest brings a change request into the main content.
func (h *Handlers) mergeChangeRequest(ctx context.Context,
	in *mergeChangeRequestInput) (*operation.Body[MergeResult], error) {
	message := ""
	if in.Body != nil {
		message = in.Body.Message
	}
	outcome, err := h.Changes.Merge(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, message, in.DryRun)
	if err != nil {
		return nil, err
	}
	result := MergeResult{Revision: outcome.Revision, Result: "merge"}
	if len(outcome.Conflicts) > 0 {
		result.Result, result.Conflicts = "conflicts", h.wireConflicts(outcome.Request, outcome.Conflicts)
	}
	return &operation.Body[MergeResult]{Body: result}, nil
}

// updateChangeRequest brings the main content into a change request.
func (h *Handlers) updateChangeRequest(ctx context.Context,
	in *struct{ wire.ChangeRequestPath }) (*operation.Body[UpdateResult], error) {
	outcome, err := h.Changes.Pull(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	result := UpdateResult{Revision: outcome.Revision, Result: "update"}
	if len(outcome.Conflicts) > 0 {
		result.Result, result.Conflicts = "conflicts", h.wireConflicts(outcome.Request, outcome.Conflicts)
	}
	return &operation.Body[UpdateResult]{Body: result}, nil
}

type listConflictsInput struct {
	wire.ChangeRequestPath
	wire.PageParams
	Status string `query:"status" enum:"open,settled" default:"open"`
}

// listConflicts lists the conflicts of a change request.
func (h *Handlers) listConflicts(ctx context.Context,
	in *listConflictsInput) (*operation.Body[wire.List[ChangeRequestConflict]], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("conflicts/%s/%s", found.ID, in.Status)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	conflicts, err := h.Changes.Conflicts(ctx, operation.Caller(ctx), in.Space, found.ID,
		change.ConflictFilter(in.Status), request)
	if err != nil {
		return nil, err
	}
	ids := make([]id.User, len(conflicts.Items))
	for i, c := range conflicts.Items {
		ids[i] = c.SettledBy
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	subjects, err := h.Changes.Subjects(ctx, found, conflicts.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[ChangeRequestConflict]]{Body: *wire.Listed(h.Lists, name, conflicts,
		func(c change.Conflict) ChangeRequestConflict {
			answer := h.wireConflict(found, users, c)
			answer.Subjects = wireSubjects(subjects, c)
			return answer
		})}, nil
}

type conflictInput struct {
	wire.ChangeRequestPath
	Conflict string `path:"conflictId"`
}

// getConflict answers a conflict with what people need to settle it.
func (h *Handlers) getConflict(ctx context.Context, in *conflictInput) (*operation.Body[ChangeRequestConflict], error) {
	full, request, err := h.Changes.Conflict(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.Conflict)
	if err != nil {
		return nil, err
	}
	users, err := h.UserReader.ByID(ctx, []id.User{full.SettledBy})
	if err != nil {
		return nil, err
	}
	subjects, err := h.Changes.Subjects(ctx, request, []change.Conflict{full.Conflict})
	if err != nil {
		return nil, err
	}
	answer := h.wireConflict(request, users, full.Conflict)
	answer.Subjects = wireSubjects(subjects, full.Conflict)
	answer.Revisions = &ConflictRevisions{Base: full.BaseAt, Main: full.MainAt, ChangeRequest: full.OwnAt}
	if full.Body != nil {
		if answer.Parts, err = wireParts(*full.Body); err != nil {
			return nil, err
		}
	}
	return &operation.Body[ChangeRequestConflict]{Body: answer}, nil
}

type settleConflictInput struct {
	wire.ChangeRequestPath
	Conflict string `path:"conflictId"`
	Body     struct {
		Keep    string          `json:"keep,omitempty" enum:"main,mine,both" doc:"both is for bodies: the change request's text, then that of the main content."`
		Content json.RawMessage `json:"content,omitempty" doc:"What takes the place of both: the whole text of a body, as a string, {\"markdown\": \"…\"} or document JSON; the value of a field; or the slug of the change request's page."`
		Parts   []partChoice    `json:"parts,omitempty" maxItems:"10000" nullable:"false" doc:"Of a body: what each of its parts in conflict becomes, in their order."`
	}
}

// partChoice says what a part of a body becomes.
type partChoice struct {
	Keep    string          `json:"keep,omitempty" enum:"main,mine,both"`
	Content json.RawMessage `json:"content,omitempty" doc:"The text of the part, as a string, {\"markdown\": \"…\"} or document JSON."`
}

// settleConflict settles a conflict.
func (h *Handlers) settleConflict(ctx context.Context, in *settleConflictInput) (*operation.Body[SettleResult], error) {
	given := 0
	for _, there := range []bool{in.Body.Keep != "", in.Body.Content != nil, in.Body.Parts != nil} {
		if there {
			given++
		}
	}
	if given != 1 {
		return nil, errs.Invalidf("body", "has to have one of keep (main, mine or both), content and parts")
	}
	how := change.Settlement{Keep: change.Keep(in.Body.Keep)}
	for i, part := range in.Body.Parts {
		choice, err := part.choice(fmt.Sprintf("body.parts[%d]", i))
		if err != nil {
			return nil, err
		}
		how.Parts = append(how.Parts, choice)
	}
	if in.Body.Content != nil {
		var err error
		if how.Value, err = settlementContent(in.Body.Content); err != nil {
			return nil, err
		}
	}
	settled, request, err := h.Changes.Settle(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.Conflict, how)
	if err != nil {
		return nil, err
	}
	users, err := h.UserReader.ByID(ctx, []id.User{settled.SettledBy})
	if err != nil {
		return nil, err
	}
	result := SettleResult{Conflict: h.wireConflict(request, users, settled)}
	if result.ChangeRequest, err = h.ChangeRequestWriter.WriteOne(ctx, request); err != nil {
		return nil, err
	}
	return &operation.Body[SettleResult]{Body: result}, nil
}

type undoChangeRequestInput struct {
	wire.ChangeRequestPath
	Body *struct {
		Direct bool `json:"direct,omitempty" doc:"true changes the main content itself; otherwise the inverse becomes a new change request."`
	} `required:"false"`
}

// undoOutput is the outcome of an undo, with the address of the change request that it made.
type undoOutput struct {
	Location string `header:"Location"`
	Body     UndoResult
}

// undoChangeRequest takes back what a merge has changed.
func (h *Handlers) undoChangeRequest(ctx context.Context, in *undoChangeRequestInput) (*undoOutput, error) {
	direct := in.Body != nil && in.Body.Direct
	outcome, err := h.Changes.Undo(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, direct)
	if err != nil {
		return nil, err
	}
	result := UndoResult{Revision: outcome.Revision, Result: "undo"}
	if len(outcome.Conflicts) > 0 {
		result.Result, result.Conflicts = "conflicts", h.wireConflicts(outcome.Request, outcome.Conflicts)
		return &undoOutput{Body: result}, nil
	}
	wire, err := h.ChangeRequestWriter.WriteOne(ctx, outcome.Request)
	if err != nil {
		return nil, err
	}
	result.ChangeRequest = &wire
	out := &undoOutput{Body: result}
	if !direct {
		out.Location = wire.URLs.Location
	}
	return out, nil
}

type listOrganizationChangeRequestsInput struct {
	wire.PageParams
	Organization      id.Organization `path:"organizationId"`
	Status            []string        `query:"status,explode" maxItems:"8" doc:"One or more of draft, open, archived and merged; open when absent."`
	Creator           id.User         `query:"creator" maxLength:"100" doc:"Id of the user who made it."`
	Contributor       id.User         `query:"contributor" maxLength:"100" doc:"Id of a user who has written in it."`
	RequestedReviewer id.User         `query:"requestedReviewer" maxLength:"100" doc:"Id of a user who was asked for a review."`
	Site              id.Site         `query:"site" maxLength:"100" doc:"Id of a site: change requests of its spaces."`
	Space             id.Space        `query:"space" maxLength:"100" doc:"Id of a space."`
	Topic             string          `query:"topic" maxLength:"100" doc:"There are no topics on this server: nothing has one."`
	StyleguideRun     string          `query:"styleguideRun" maxLength:"100" doc:"There are no style guide runs on this server: nothing comes from one."`
	Finding           string          `query:"finding" enum:"none,all" doc:"No change request of this server comes from a finding: both list the same."`
	OrderBy           string          `query:"orderBy" enum:"updatedAt,createdAt" default:"updatedAt"`
}

// listOrganizationChangeRequests lists the change requests of the spaces that the caller may read.
func (h *Handlers) listOrganizationChangeRequests(ctx context.Context,
	in *listOrganizationChangeRequestsInput) (*operation.Body[wire.List[wire.ChangeRequest]], error) {
	caller := operation.Caller(ctx)
	statuses := words(in.Status)
	if len(statuses) == 0 {
		statuses = []string{"open"}
	}
	name := fmt.Sprintf("org-changes/%s/%s/%q", in.Organization, caller.User.ID, append(statuses,
		string(in.Creator), string(in.Contributor), string(in.RequestedReviewer), string(in.Site), string(in.Space),
		in.Topic, in.StyleguideRun, in.OrderBy))
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	filter := change.OrganizationFilter{
		Creator: in.Creator, Contributor: in.Contributor, RequestedReviewer: in.RequestedReviewer,
		Order: change.Order(in.OrderBy),
	}
	for _, status := range statuses {
		filter.Statuses = append(filter.Statuses, change.Status(status))
	}
	if filter.Spaces, err = h.filteredSpaces(ctx, in); err != nil {
		return nil, err
	}
	requests, err := h.Changes.ListOrganization(ctx, caller, in.Organization, filter, request)
	if err != nil {
		return nil, err
	}
	return h.changeRequestList(ctx, name, requests)
}

// filteredSpaces returns the spaces that the filters for site and space leave; nil for all.
func (h *Handlers) filteredSpaces(ctx context.Context, in *listOrganizationChangeRequestsInput) ([]id.Space, error) {
	if in.Topic != "" || in.StyleguideRun != "" {
		return []id.Space{}, nil
	}
	if in.Site == "" {
		if in.Space == "" {
			return nil, nil
		}
		return []id.Space{in.Space}, nil
	}
	found := []id.Space{}
	request, err := h.Lists.Request("", wire.PageParams{Limit: 1000})
	for err == nil {
		siteSpaces, failure := h.Sites.ListSpaces(ctx, operation.Caller(ctx), in.Organization, in.Site,
			optional.Value[bool]{}, request)
		if failure != nil {
			return nil, failure
		}
		for _, s := range siteSpaces.Items {
			if in.Space == "" || in.Space == s.Space.ID {
				found = append(found, s.Space.ID)
			}
		}
		if siteSpaces.Next == nil {
			break
		}
		request.After = siteSpaces.Next
	}
	return found, err
}

// changeFlowOperations are those that move change requests on.
func (h *Handlers) changeFlowOperations() []operation.Operation {
	const (
		tag = "Change requests"
		one = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}"
	)
	scope := operation.Scoped("change-requests")
	return []operation.Operation{
		operation.New("updateChangeRequestById", http.MethodPatch, one, tag, "Change a change request",
			h.updateChangeRequestByID, scope,
			operation.May(http.StatusConflict),
			operation.Describe(
				"Fields that the body leaves out stay as they are. The status may be set to draft, open and "+
					"archived and back, until the change request is merged: that is final.")),
		operation.New("mergeChangeRequest", http.MethodPost, one+"/merge", tag, "Merge a change request",
			h.mergeChangeRequest, scope,
			operation.May(http.StatusConflict),
			operation.Describe(
				"It needs the role review. The result is merge, or conflicts, and then nothing has changed: "+
					"update the change request and settle them. 409 says why it may not be merged: it is merged or "+
					"archived, or does not meet a merge rule; details name each rule.")),
		operation.New("getChangeRequestMergeChecks", http.MethodGet, one+"/merge-checks", tag,
			"Get what a merge needs",
			h.getMergeChecks, scope,
			operation.Describe(
				"Every merge rule, met or not, as it is for you. Conflicts and broken links are in lists "+
					"of their own.")),
		operation.New("listChangeRequestEvents", http.MethodGet, one+"/events", tag,
			"List what has happened to a change request",
			h.listEvents, scope,
			operation.Describe(
				"The oldest first: its status and subject, who was asked for a review, conflicts with the main "+
					"content, the undo of its merge. That it was made and merged it says itself; reviews, comments "+
					"and revisions are in lists of their own.")),
		operation.New("updateChangeRequest", http.MethodPost, one+"/update", tag,
			"Update a change request from the main content",
			h.updateChangeRequest, scope, operation.May(http.StatusConflict),
			operation.Describe(
				"What can be merged is taken. With the result conflicts the change request has its own version "+
					"where there is one, until the conflicts are settled; after the last it is up to date.")),
		operation.New("listChangeRequestConflicts", http.MethodGet, one+"/conflicts", tag,
			"List the conflicts of a change request",
			h.listConflicts, scope,
			operation.Describe(
				"Those that updates have met and that wait to be settled, and those that the next update would "+
					"meet, with the values of both sides and the one before. With status=settled those that were "+
					"settled.")),
		operation.New("getChangeRequestConflict", http.MethodGet, one+"/conflicts/{conflictId}", tag,
			"Get a conflict of a change request",
			h.getConflict, scope,
			operation.Describe(
				"With the revisions that the three values are of, and a body cut into parts that begin and end "+
					"between blocks: what could be merged, and the places in conflict as each side has them.")),
		operation.New("settleChangeRequestConflict", http.MethodPost, one+"/conflicts/{conflictId}", tag,
			"Settle a conflict",
			h.settleConflict, scope, operation.May(http.StatusConflict),
			operation.Describe(
				"Keep main takes the version of the main content, keep mine that of the change request; content "+
					"takes the place of both; parts say it for each part of a body, and leave the bytes of the others "+
					"as they are. What was written in the change request since stays. A conflict that was "+
					"settled and comes up again just so stays settled. To settle one that only the next update would "+
					"meet updates the change request first.")),
		operation.New("undoChangeRequest", http.MethodPost, one+"/undo", tag, "Undo a merge", h.undoChangeRequest,
			scope,
			operation.May(http.StatusConflict),
			operation.Describe(
				"Takes back what the merge of the change request has changed; later edits stay. The inverse "+
					"becomes a new change request, or, with direct, a revision of the main content, which needs the "+
					"role "+
					"review. With the result conflicts later edits stand in the way and nothing has changed.")),
		operation.New("listChangeRequestsForOrganization", http.MethodGet, "/v1/orgs/{organizationId}/change-requests",
			tag,
			"List the change requests of an organization", h.listOrganizationChangeRequests, scope,
			operation.Describe("Those of all spaces that you may read, the latest first.")),
	}
}

// words splits a query parameter that is repeated or has commas.
func words(values []string) []string {
	var found []string
	for _, value := range values {
		for word := range strings.SplitSeq(value, ",") {
			if word = strings.TrimSpace(word); word != "" {
				found = append(found, word)
			}
		}
	}
	return found
}
