package sites

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type askSiteInput struct {
	wire.SiteParams
	Format string `query:"format" enum:"document,markdown" default:"document"`
	Body   struct {
		Question string          `json:"question" maxLength:"512"`
		Context  wire.JSONObject `json:"context,omitempty" required:"false"`
		Scope    wire.JSONObject `json:"scope" doc:"As for searchSiteContent."`
		Session  wire.JSONObject `json:"session,omitempty" required:"false"`
	}
}

// ask streams the answer to a question about a site.
func (h *Handlers) ask(ctx context.Context, in *askSiteInput) (*operation.Encoded, error) {
	if _, err := h.Sites.Get(ctx, operation.Caller(ctx), in.Organization, in.Site); err != nil {
		return nil, err
	}
	if !field.Storable(in.Body.Question) {
		return nil, errs.Invalidf("body.question", "holds bytes that are no text")
	}
	return wire.Stream(wire.AskStream{Type: "answer", Answer: wire.NotSetUp(in.Format)})
}

type askQuestionsInput struct {
	wire.SiteParams
	SiteSpace id.SiteSpace `query:"siteSpaceId" maxLength:"100" doc:"Questions about this space of the site."`
	Space     id.Space     `query:"spaceId" maxLength:"100" deprecated:"true"`
}

// askQuestions streams questions that readers of a site could ask.
func (h *Handlers) askQuestions(ctx context.Context, in *askQuestionsInput) (*operation.Encoded, error) {
	if _, err := h.Sites.Get(ctx, operation.Caller(ctx), in.Organization, in.Site); err != nil {
		return nil, err
	}
	return wire.Stream()
}
