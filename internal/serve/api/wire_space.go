package api

import (
	"context"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
)

// Space is a tree of pages with a history.
type Space struct {
	Object string `json:"object" enum:"space"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	// Emoji is "" for none.
	Emoji string `json:"emoji"`
	// Visibility is that of the most open of the published sites that show the space; without one it is in-collection
	// for a space in a collection, and else private.
	Visibility string `json:"visibility" enum:"public,unlisted,share-link,visitor-auth,in-collection,private"`
	CreatedAt  string `json:"createdAt" format:"date-time"`
	UpdatedAt  string `json:"updatedAt" format:"date-time" doc:"When the space or its main content was last changed."`
	// DeletedAt is there while the space is in the trash.
	DeletedAt    string     `json:"deletedAt,omitempty" format:"date-time"`
	EditMode     string     `json:"editMode" enum:"live,locked"`
	MergeRules   MergeRules `json:"mergeRules"`
	URLs         SpaceURLs  `json:"urls"`
	Organization string     `json:"organization"`
	// Parent is the id of the collection that the space is in.
	Parent   string `json:"parent,omitempty"`
	Language string `json:"language,omitempty"`
	// Revision is the id of the current revision.
	Revision string `json:"revision"`
	// DefaultLevel is what members may do who have no grant; null means no access.
	DefaultLevel LevelOrNull `json:"defaultLevel"`
	// GitSync is absent for content that did not come from a repository.
	GitSync *GitSync `json:"gitSync,omitempty"`
	// VisitorAuth is there while a published site shows the space to visitors who prove who they are.
	VisitorAuth         *VisitorAuth     `json:"visitorAuth,omitempty"`
	Comments            int              `json:"comments"`
	ChangeRequests      int              `json:"changeRequests"`
	ChangeRequestsOpen  int              `json:"changeRequestsOpen"`
	ChangeRequestsDraft int              `json:"changeRequestsDraft"`
	Permissions         SpacePermissions `json:"permissions"`
	// Affected is in the answer to a change of the default level that takes rights from members.
	Affected *Affected `json:"affected,omitempty"`
}

// VisitorAuth says who vouches for visitors: custom is the organization's own program.
type VisitorAuth struct {
	Backend string `json:"backend" enum:"custom"`
}

// SpaceURLs are a space's addresses.
type SpaceURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
	Icon     string `json:"icon,omitempty" format:"uri"`
	// Published is the address of a published site that shows the space.
	Published string `json:"published,omitempty" format:"uri"`
	// Public is the same address for those who need no account to read it.
	Public string `json:"public,omitempty" format:"uri"`
}

// SpacePermissions say what the caller may do with a space.
type SpacePermissions struct {
	View               bool `json:"view" doc:"Read it."`
	Access             bool `json:"access" doc:"The same as view."`
	Admin              bool `json:"admin" doc:"Delete and restore it, say what members may do in it, and take it to another organization; also for who made it and has the role create there."`
	Manage             bool `json:"manage" doc:"Rename, configure, lock, move, duplicate and translate it, and put it on sites."`
	ListPeople         bool `json:"listPeople" doc:"See who has access, and why."`
	ViewInviteLinks    bool `json:"viewInviteLinks" doc:"Share it: give people and teams a role, up to the caller's own, and make links."`
	Edit               bool `json:"edit" doc:"Write in change requests, and in the main content while editMode is live."`
	TriggerGitSync     bool `json:"triggerGitSync"`
	Comment            bool `json:"comment" doc:"Take part in discussions."`
	Merge              bool `json:"merge" doc:"Merge change requests, and bring earlier revisions back."`
	Review             bool `json:"review" doc:"Review change requests."`
	InstallIntegration bool `json:"installIntegration" doc:"Put integrations that the organization has installed on it."`
}

// wireSpaces turns spaces into their wire form, reading all heads and published addresses in one query each.
func (a *API) wireSpaces(ctx context.Context, spaces []space.Space) ([]Space, error) {
	ids := make([]string, len(spaces))
	for i, s := range spaces {
		ids[i] = s.ID
	}
	heads, err := a.Content.MovedHeads(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the heads: %w", err)
	}
	origins, err := a.Content.Origins(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown, err := a.Sites.ShownAt(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("find the sites of spaces: %w", err)
	}
	counts, err := a.Changes.Counts(ctx, ids)
	if err != nil {
		return nil, err
	}
	comments, err := a.Comments.OpenOnSpaces(ctx, ids)
	if err != nil {
		return nil, err
	}
	rules, err := a.Changes.SpaceRules(ctx, ids)
	if err != nil {
		return nil, err
	}
	wire := make([]Space, 0, len(spaces))
	for _, s := range spaces {
		one := a.wireSpace(s, heads[s.ID], shown[s.ID].Published)
		one.ChangeRequests, one.ChangeRequestsOpen, one.ChangeRequestsDraft = counts[s.ID].All, counts[s.ID].Open,
			counts[s.ID].Draft
		one.URLs.Public = shown[s.ID].Public
		if visibility := shown[s.ID].Visibility; visibility != "" {
			one.Visibility = string(visibility)
		}
		if shown[s.ID].VisitorAuth {
			one.VisitorAuth = &VisitorAuth{Backend: "custom"}
		}
		one.Comments = comments[s.ID]
		if origin, ok := origins[s.ID]; ok {
			one.GitSync = wireGitSync(origin)
		}
		if own, ok := rules[s.ID]; ok {
			one.MergeRules = wireRules(own)
		}
		wire = append(wire, one)
	}
	return wire, nil
}

// oneSpace is wireSpaces for one space.
func (a *API) oneSpace(ctx context.Context, s space.Space) (Space, error) {
	wire, err := a.wireSpaces(ctx, []space.Space{s})
	if err != nil {
		return Space{}, err
	}
	return wire[0], nil
}

func (a *API) wireSpace(s space.Space, head store.MovedHead, published string) Space {
	// Writing content does not touch the row of the space, which all writers would have to wait for.
	updated := s.UpdatedAt
	if head.At.After(updated) {
		updated = head.At
	}
	wire := Space{
		Object: "space", ID: s.ID, Title: s.Title, Emoji: s.Emoji, Visibility: string(s.Visibility),
		CreatedAt: timestamp(s.CreatedAt), UpdatedAt: timestamp(updated), EditMode: string(s.EditMode),
		MergeRules: MergeRules{Type: "inherit"}, Organization: s.Organization, Parent: s.Parent, Language: s.Language,
		Revision: head.Revision,
		URLs: SpaceURLs{
			Location: a.BaseURL + "/v1/spaces/" + s.ID, App: a.BaseURL + "/app/spaces/" + s.ID, Icon: s.Icon,
			Published: published,
		},
		DefaultLevel: LevelOrNull(s.DefaultLevel),
		Permissions:  SpacePermissions(s.Permissions),
	}
	if !s.DeletedAt.IsZero() {
		wire.DeletedAt = timestamp(s.DeletedAt)
	}
	return wire
}

// LevelOrNull is a role or inherit, or null for no access.
type LevelOrNull string

// MarshalJSON writes null for no access.
func (l LevelOrNull) MarshalJSON() ([]byte, error) { return wordOrNull(string(l)) }

// Schema lists the levels and null.
func (LevelOrNull) Schema(huma.Registry) *huma.Schema {
	return wordOrNullSchema(append([]any{"inherit"}, roles...)...)
}
