package sites

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SiteFeedback is what a reader answered to the question whether a page helped.
type SiteFeedback struct {
	Object    string           `json:"object" enum:"site-feedback"`
	ID        string           `json:"id"`
	Space     id.Space         `json:"space" doc:"Id of the space that the page is in."`
	Page      SiteFeedbackPage `json:"page"`
	Helpful   bool             `json:"helpful"`
	Comment   string           `json:"comment,omitempty"`
	CreatedAt string           `json:"createdAt" format:"date-time"`
}

// SiteFeedbackPage is the page that an answer is about.
type SiteFeedbackPage struct {
	ID    string `json:"id"`
	Title string `json:"title" doc:"What it was called when it was answered."`
}

// SitePageFeedback counts the answers to a page.
type SitePageFeedback struct {
	Object     string           `json:"object" enum:"site-page-feedback"`
	Space      id.Space         `json:"space" doc:"Id of the space that the page is in."`
	Page       SiteFeedbackPage `json:"page"`
	Helpful    int              `json:"helpful" doc:"How many said that it helped."`
	NotHelpful int              `json:"notHelpful" doc:"How many said that it did not."`
	UpdatedAt  string           `json:"updatedAt" format:"date-time"`
}

type listFeedbackInput struct {
	wire.SiteParams
	wire.PageParams
	PageID    string `query:"pageId" maxLength:"200" doc:"Only answers to this page."`
	Commented bool   `query:"commented" doc:"Only answers with a comment."`
}

// listSiteFeedback lists what readers answered.
func (h *Handlers) listSiteFeedback(ctx context.Context,
	in *listFeedbackInput) (*operation.Body[wire.List[SiteFeedback]], error) {
	filter := feedback.Filter{Page: in.PageID, Commented: in.Commented}
	name := "site-feedback/" + string(in.Site) + "/" + in.PageID
	if in.Commented {
		name += "/commented"
	}
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Feedback.List(ctx, operation.Caller(ctx), in.Organization, in.Site, filter, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SiteFeedback]]{Body: *wire.Listed(h.Lists, name, found,
		func(f feedback.Answer) SiteFeedback {
			return SiteFeedback{
				Object: "site-feedback", ID: f.ID, Space: f.Space, Page: SiteFeedbackPage{ID: f.Page,
					Title: f.PageTitle},
				Helpful: f.Helpful, Comment: f.Comment, CreatedAt: wire.Timestamp(f.CreatedAt),
			}
		})}, nil
}

type listPageFeedbackInput struct {
	wire.SiteParams
	wire.PageParams
}

// listSitePageFeedback lists how many readers each page helped.
func (h *Handlers) listSitePageFeedback(ctx context.Context,
	in *listPageFeedbackInput) (*operation.Body[wire.List[SitePageFeedback]], error) {
	name := "site-page-feedback/" + string(in.Site)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Feedback.ListPages(ctx, operation.Caller(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SitePageFeedback]]{Body: *wire.Listed(h.Lists, name, found,
		func(f feedback.PageCount) SitePageFeedback {
			return SitePageFeedback{
				Object: "site-page-feedback", Space: f.Space, Page: SiteFeedbackPage{ID: f.Page, Title: f.PageTitle},
				Helpful: f.Helpful, NotHelpful: f.NotHelpful, UpdatedAt: wire.Timestamp(f.UpdatedAt),
			}
		})}, nil
}
