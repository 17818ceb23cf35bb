package api

import (
	"context"

	"github.com/rectodocs/recto/internal/publish/site"
)

// SiteFeedback is what a reader answered to the question whether a page helped.
type SiteFeedback struct {
	Object    string           `json:"object" enum:"site-feedback"`
	ID        string           `json:"id"`
	Space     string           `json:"space" doc:"Id of the space that the page is in."`
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
	Space      string           `json:"space" doc:"Id of the space that the page is in."`
	Page       SiteFeedbackPage `json:"page"`
	Helpful    int              `json:"helpful" doc:"How many said that it helped."`
	NotHelpful int              `json:"notHelpful" doc:"How many said that it did not."`
	UpdatedAt  string           `json:"updatedAt" format:"date-time"`
}

type listFeedbackInput struct {
	SiteParams
	PageParams
	PageID    string `query:"pageId" maxLength:"200" doc:"Only answers to this page."`
	Commented bool   `query:"commented" doc:"Only answers with a comment."`
}

// listSiteFeedback lists what readers answered.
func (a *API) listSiteFeedback(ctx context.Context, in *listFeedbackInput) (*body[List[SiteFeedback]], error) {
	filter := site.FeedbackFilter{Page: in.PageID, Commented: in.Commented}
	name := "site-feedback/" + in.Site + "/" + in.PageID
	if in.Commented {
		name += "/commented"
	}
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := a.Sites.ListFeedback(ctx, callerOf(ctx), in.Organization, in.Site, filter, request)
	if err != nil {
		return nil, err
	}
	return &body[List[SiteFeedback]]{Body: *listed(a, name, found, func(f site.Feedback) SiteFeedback {
		return SiteFeedback{
			Object: "site-feedback", ID: f.ID, Space: f.Space, Page: SiteFeedbackPage{ID: f.Page, Title: f.PageTitle},
			Helpful: f.Helpful, Comment: f.Comment, CreatedAt: timestamp(f.CreatedAt),
		}
	})}, nil
}

type listPageFeedbackInput struct {
	SiteParams
	PageParams
}

// listSitePageFeedback lists how many readers each page helped.
func (a *API) listSitePageFeedback(ctx context.Context,
	in *listPageFeedbackInput) (*body[List[SitePageFeedback]], error) {
	name := "site-page-feedback/" + in.Site
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := a.Sites.ListPageFeedback(ctx, callerOf(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	return &body[List[SitePageFeedback]]{Body: *listed(a, name, found,
		func(f site.PageFeedback) SitePageFeedback {
			return SitePageFeedback{
				Object: "site-page-feedback", Space: f.Space, Page: SiteFeedbackPage{ID: f.Page, Title: f.PageTitle},
				Helpful: f.Helpful, NotHelpful: f.NotHelpful, UpdatedAt: timestamp(f.UpdatedAt),
			}
		})}, nil
}
