package comments

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// CommentBodyInput is the text of a comment as it is sent: {"markdown"}, {"document"}, or nothing.
type CommentBodyInput struct {
	Markdown *string         `json:"markdown,omitempty" doc:"At most 64 KiB."`
	Document json.RawMessage `json:"document,omitempty" doc:"Document JSON; at most 64 KiB as Markdown."`
}

// text returns the body as Markdown; nil when the body says nothing.
func (in CommentBodyInput) text() (*string, error) {
	switch {
	case in.Markdown != nil && in.Document != nil:
		return nil, errs.Invalidf("body.body", "has both markdown and document; send one of them")
	case in.Document == nil:
		return in.Markdown, nil
	}
	document := new(doc.Document)
	if err := json.Unmarshal(in.Document, document); err != nil {
		return nil, wire.AtPath("body.body.document", err)
	}
	return new(string(markdown.Write(document))), nil
}

// wireMember turns a commenter into a member. The spaces that they may read are counted by the code that lists them.
func (h *Handlers) wireMember(ctx context.Context, c comment.Commenter) (wire.OrganizationMember, error) {
	list, err := h.Spaces.List(ctx, account.Caller{User: c.Person}, c.Organization, paging.Request{Limit: 1})
	if errs.Is(err, errs.NotFound) {
		err = nil // they left the organization just now
	}
	if err != nil {
		return wire.OrganizationMember{}, fmt.Errorf("count the spaces of %s: %w", c.User, err)
	}
	sites, err := h.Access.SiteCounts(ctx, c.Organization, []org.Member{c.Member})
	if err != nil {
		return wire.OrganizationMember{}, err
	}
	return wire.OrganizationMember{
		Object: "member", ID: c.User, Role: wire.RoleOrNull(c.Role), User: h.Wire.User(c.Person),
		JoinedAt: wire.Timestamp(c.JoinedAt), Spaces: list.Count, Sites: sites[c.User],
	}, nil
}
