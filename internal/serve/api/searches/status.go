package searches

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SearchStatus says how far search has come with the spaces of an organization, on the server that answers.
type SearchStatus struct {
	Object     string            `json:"object" enum:"search-status"`
	Refreshing bool              `json:"refreshing" doc:"Whether the indexes are being brought up to date because somebody has asked for it."`
	Index      SearchIndexStatus `json:"index"`
	Embeddings *EmbeddingStatus  `json:"embeddings,omitempty" doc:"Absent where no model of embeddings is connected."`
}

// SearchIndexStatus says how far the words have been read.
type SearchIndexStatus struct {
	Spaces  int `json:"spaces" minimum:"0" doc:"How many spaces the organization has."`
	Current int `json:"current" minimum:"0" doc:"Those whose index holds what they say now."`
	Reading int `json:"reading" minimum:"0" doc:"Those that are being read. All others are read when somebody searches them."`
	Failed  int `json:"failed" minimum:"0" doc:"Those that could not be read when it was tried last; the server's log says why."`
	Pages   int `json:"pages" minimum:"0" doc:"How many pages the indexes have that were open since the server began."`
}

// EmbeddingStatus says how far the passages of pages are embedded.
type EmbeddingStatus struct {
	Model    string            `json:"model" doc:"What the endpoint is asked for."`
	Content  string            `json:"content" enum:"public,all" doc:"Whose texts may be sent: those of pages that everybody may find on a public site, or all."`
	Running  bool              `json:"running" doc:"Whether passages are being sent."`
	Spaces   int               `json:"spaces" minimum:"0" doc:"The spaces whose passages were counted since the server began. The others follow when somebody searches them."`
	Passages int               `json:"passages" minimum:"0" doc:"How many passages their pages have."`
	Embedded int               `json:"embedded" minimum:"0" doc:"Those that have a vector."`
	Withheld int               `json:"withheld" minimum:"0" doc:"Those that may not be sent, as far as is known while others are being sent."`
	Refused  int               `json:"refused" minimum:"0" doc:"Those that the endpoint does not take. They are found by their words."`
	Failure  *EmbeddingFailure `json:"failure,omitempty" doc:"What the endpoint fails by; absent while it answers."`
}

// EmbeddingFailure is what an endpoint of embeddings fails by.
type EmbeddingFailure struct {
	Reason  string `json:"reason" enum:"key,settings,texts,busy,failing,away,answer,slow,model,unknown"`
	Message string `json:"message" doc:"What is wrong, and what to look at."`
	Since   string `json:"since" format:"date-time" doc:"When it began to fail."`
	Last    string `json:"last" format:"date-time" doc:"When it failed last."`
	RetryAt string `json:"retryAt" format:"date-time" doc:"Until then nothing is sent. Afterwards whoever searches starts it again."`
}

// getStatus answers how far search has come.
func (h *Handlers) getStatus(ctx context.Context, in *wire.OrganizationPath) (*operation.Body[SearchStatus], error) {
	spaces, err := h.administered(ctx, in.Organization)
	if err != nil {
		return nil, err
	}
	status, err := h.Search.Status(ctx, spaces)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SearchStatus]{Body: wireStatus(status)}, nil
}

// refresh brings the indexes of an organization up to date.
func (h *Handlers) refresh(ctx context.Context, in *wire.OrganizationPath) (*operation.Body[SearchStatus], error) {
	spaces, err := h.administered(ctx, in.Organization)
	if err != nil {
		return nil, err
	}
	if err := h.Search.Refresh(ctx, spaces); err != nil {
		return nil, err
	}
	status, err := h.Search.Status(ctx, spaces)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SearchStatus]{Body: wireStatus(status)}, nil
}

// administered returns the spaces of an organization, which the caller has to be an admin of.
func (h *Handlers) administered(ctx context.Context, organization id.Organization) ([]id.Space, error) {
	caller := operation.Caller(ctx)
	if _, err := h.Access.RequireOrganization(ctx, caller, organization, access.AdministerOrganization); err != nil {
		return nil, err
	}
	readable, err := h.Spaces.Readable(ctx, caller, organization)
	if err != nil {
		return nil, err
	}
	spaces := make([]id.Space, len(readable))
	for i, each := range readable {
		spaces[i] = each.ID
	}
	return spaces, nil
}

func wireStatus(status search.Status) SearchStatus {
	answer := SearchStatus{Object: "search-status", Refreshing: status.Refreshing, Index: SearchIndexStatus{
		Spaces: status.Spaces, Current: status.Current, Reading: status.Reading, Failed: status.Failed,
		Pages: status.Pages,
	}}
	embedded := status.Vectors
	if embedded == nil {
		return answer
	}
	answer.Embeddings = &EmbeddingStatus{Model: embedded.Model, Content: "public", Running: embedded.Running,
		Spaces: embedded.Spaces, Passages: embedded.Passages, Embedded: embedded.Embedded,
		Withheld: embedded.Withheld, Refused: embedded.Refused}
	if status.EmbedAll {
		answer.Embeddings.Content = "all"
	}
	if failure := embedded.Failure; failure != nil {
		answer.Embeddings.Failure = &EmbeddingFailure{Reason: string(failure.Reason), Message: failure.Message,
			Since: wire.Timestamp(failure.Since), Last: wire.Timestamp(failure.Last),
			RetryAt: wire.Timestamp(failure.Until)}
	}
	return answer
}
