package users

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Program is a program that somebody let in, and what it may do for them.
type Program struct {
	Object     string          `json:"object" enum:"program"`
	ID         string          `json:"id"`
	Name       string          `json:"name" doc:"What the program calls itself, which proves nothing."`
	Scopes     []string        `json:"scopes" doc:"What it is limited to; everything that you may do when empty."`
	CreatedAt  string          `json:"createdAt" format:"date-time" doc:"When you let it in."`
	LastUsedAt string          `json:"lastUsedAt,omitempty" format:"date-time" doc:"To the minute; absent when it has done nothing yet."`
	ExpiresAt  string          `json:"expiresAt" format:"date-time" doc:"When it ends unless the program renews its token before."`
	VouchedBy  id.Organization `json:"vouchedBy,omitempty" doc:"The id of the organization whose identity provider alone vouches for the sign-in in which you let it in: it opens that organization only. Absent when it opens all that you may."`
}

func wireProgram(a oauth.Authorization) Program {
	program := Program{
		Object: "program", ID: a.ID, Name: a.Client.Name, Scopes: slices.Concat([]string{}, a.Scopes),
		CreatedAt: wire.Timestamp(a.CreatedAt), ExpiresAt: wire.Timestamp(a.ExpiresAt), VouchedBy: a.VouchedBy,
	}
	if !a.UsedAt.IsZero() {
		program.LastUsedAt = wire.Timestamp(a.UsedAt)
	}
	return program
}

// listPrograms lists the programs that the caller let in.
func (h *Handlers) listPrograms(ctx context.Context, in *wire.ListInput) (*operation.Body[wire.List[Program]], error) {
	caller := operation.Caller(ctx)
	name := "programs/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	programs, err := h.OAuth.List(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Program]]{Body: *wire.Listed(h.Lists, name, programs, wireProgram)}, nil
}

type programInput struct {
	Program string `path:"programId"`
}

// endProgram signs a program out, with all of its tokens.
func (h *Handlers) endProgram(ctx context.Context, in *programInput) (*operation.Nothing, error) {
	if err := h.OAuth.End(ctx, operation.Caller(ctx), in.Program); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}
