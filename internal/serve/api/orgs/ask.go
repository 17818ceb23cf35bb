package orgs

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AskFormat is how the answer to a question is written.
type AskFormat struct {
	Format  string `query:"format" enum:"document,markdown" default:"document"`
	Details bool   `query:"details" doc:"Sources with reasons, where there are any."`
}

type askInput struct {
	wire.OrganizationPath
	AskFormat
	Body struct {
		Query    string   `json:"query" maxLength:"512"`
		Previous []string `json:"previousQueries,omitempty" maxItems:"10" deprecated:"true"`
	}
}

// Asked is the answer to a question about an organization's content.
type Asked struct {
	Answer *wire.AskAnswer `json:"answer,omitempty"`
}

// mayAsk lets members ask, and the integrations that their organization has installed.
func (h *Handlers) mayAsk(ctx context.Context, organizationID id.Organization) error {
	caller := operation.Caller(ctx)
	if caller.IsAgent() && caller.Agent.Organization == organizationID {
		return nil
	}
	_, err := h.Organizations.Get(ctx, caller, organizationID)
	return err
}

// ask answers a question about an organization's content.
func (h *Handlers) ask(ctx context.Context, in *askInput) (*operation.Body[Asked], error) {
	if err := h.mayAsk(ctx, in.Organization); err != nil {
		return nil, err
	}
	if !field.Storable(in.Body.Query) {
		return nil, errs.Invalidf("body.query", "holds bytes that are no text")
	}
	answer := wire.NotSetUp(in.Format)
	return &operation.Body[Asked]{Body: Asked{Answer: &answer}}, nil
}

type streamAskInput struct {
	wire.OrganizationPath
	AskFormat
	Query string `query:"query" required:"true" maxLength:"512"`
}

// streamAsk streams the answer to a question about an organization's content.
func (h *Handlers) streamAsk(ctx context.Context, in *streamAskInput) (*operation.Encoded, error) {
	if err := h.mayAsk(ctx, in.Organization); err != nil {
		return nil, err
	}
	if !field.Storable(in.Query) {
		return nil, errs.Invalidf("query.query", "holds bytes that are no text")
	}
	return wire.Stream(wire.AskStream{Type: "answer", Answer: wire.NotSetUp(in.Format)})
}

// AskQuestions are questions that could be asked.
type AskQuestions struct {
	Questions []string `json:"questions"`
}

// askQuestions answers questions that could be asked.
func (h *Handlers) askQuestions(ctx context.Context,
	in *wire.OrganizationPath) (*operation.Body[AskQuestions], error) {
	if _, err := h.Organizations.Get(ctx, operation.Caller(ctx), in.Organization); err != nil {
		return nil, err
	}
	return &operation.Body[AskQuestions]{Body: AskQuestions{Questions: []string{}}}, nil
}

// streamAskQuestions streams questions that could be asked.
func (h *Handlers) streamAskQuestions(ctx context.Context, in *wire.OrganizationPath) (*operation.Encoded, error) {
	if _, err := h.Organizations.Get(ctx, operation.Caller(ctx), in.Organization); err != nil {
		return nil, err
	}
	return wire.Stream()
}
