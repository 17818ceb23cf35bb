package wire

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
)

// Space is a tree of pages with a history.
type Space struct {
	Object string   `json:"object" enum:"space"`
	ID     id.Space `json:"id"`
	Title  string   `json:"title"`
	// Emoji is "" for none.
	Emoji string `json:"emoji"`
	// Visibility is that of the most open of the published sites that show the space; without one it is in-collection
	// for a space in a collection, and else private.
	Visibility string `json:"visibility" enum:"public,unlisted,share-link,visitor-auth,in-collection,private"`
	CreatedAt  string `json:"createdAt" format:"date-time"`
	UpdatedAt  string `json:"updatedAt" format:"date-time" doc:"When the space or its main content was last changed."`
	// DeletedAt is there while the space is in the trash.
	DeletedAt string `json:"deletedAt,omitempty" format:"date-time"`
	// DeletedBy is in the list of the trash, while they have an account.
	DeletedBy    *User           `json:"deletedBy,omitempty" doc:"Who deleted it; in the list of deleted spaces."`
	EditMode     string          `json:"editMode" enum:"live,locked"`
	MergeRules   MergeRules      `json:"mergeRules"`
	URLs         SpaceURLs       `json:"urls"`
	Organization id.Organization `json:"organization"`
	// Parent is the id of the collection that the space is in.
	Parent   id.Collection `json:"parent,omitempty"`
	Language string        `json:"language,omitempty"`
	// Revision is the id of the current revision.
	Revision id.Revision `json:"revision"`
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

// Write turns spaces into their wire form, reading all heads and published addresses in one query each.
func (w SpaceWriter) Write(ctx context.Context, spaces []space.Space) ([]Space, error) {
	ids := make([]id.Space, len(spaces))
	for i, s := range spaces {
		ids[i] = s.ID
	}
	heads, err := w.Content.MovedHeads(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the heads: %w", err)
	}
	origins, err := w.Content.Origins(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown, err := w.Sites.ShownAt(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("find the sites of spaces: %w", err)
	}
	counts, err := w.Changes.Counts(ctx, ids)
	if err != nil {
		return nil, err
	}
	comments, err := w.Comments.OpenOnSpaces(ctx, ids)
	if err != nil {
		return nil, err
	}
	rules, err := w.Changes.SpaceRules(ctx, ids)
	if err != nil {
		return nil, err
	}
	wire := make([]Space, 0, len(spaces))
	for _, s := range spaces {
		one := w.Wire.space(s, heads[s.ID], shown[s.ID].Published)
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
			one.GitSync = gitSyncOf(s.ID, origin)
		}
		if own, ok := rules[s.ID]; ok {
			one.MergeRules = MergeRulesOf(own)
		}
		wire = append(wire, one)
	}
	return wire, nil
}

// WriteOne is SpaceWriter.Write for one space.
func (w SpaceWriter) WriteOne(ctx context.Context, s space.Space) (Space, error) {
	wire, err := w.Write(ctx, []space.Space{s})
	if err != nil {
		return Space{}, err
	}
	return wire[0], nil
}

func (w Writer) space(s space.Space, head store.MovedHead, published string) Space {
	// Writing content does not touch the row of the space, which all writers would have to wait for.
	updated := s.UpdatedAt
	if head.At.After(updated) {
		updated = head.At
	}
	wire := Space{
		Object: "space", ID: s.ID, Title: s.Title, Emoji: s.Emoji, Visibility: string(s.Visibility),
		CreatedAt: Timestamp(s.CreatedAt), UpdatedAt: Timestamp(updated), EditMode: string(s.EditMode),
		MergeRules: MergeRules{Type: "inherit"}, Organization: s.Organization, Parent: s.Parent, Language: s.Language,
		Revision: head.Revision,
		URLs: SpaceURLs{
			// Programs put the path of a page behind the address in the app.
			Location: w.BaseURL + "/v1/spaces/" + string(s.ID), App: w.BaseURL + "/app/spaces/" + string(s.ID) + "/",
			Icon:      s.Icon,
			Published: published,
		},
		DefaultLevel: LevelOrNull(s.DefaultLevel),
		Permissions:  SpacePermissions(s.Permissions),
	}
	if !s.DeletedAt.IsZero() {
		wire.DeletedAt = Timestamp(s.DeletedAt)
	}
	return wire
}
