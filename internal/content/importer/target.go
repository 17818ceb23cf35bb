package importer

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// target is where the content of an import goes.
type target struct {
	organization id.Organization
	space        id.Space
	// changeRequest is the id of a change request, "" for the main content; branch is its branch, "" for main.
	changeRequest id.ChangeRequest
	branch        id.Branch
	// readsSpecs says that the caller may read the organization's API specifications, which guests may not.
	readsSpecs bool
}

// target finds out where an import goes and whether the caller may write there: main, which a locked space refuses, or
// a change request that is still open.
func (s *Service) target(ctx context.Context, caller account.Caller, spaceID id.Space,
	changeRequest id.ChangeRequest) (target, error) {
	if changeRequest == "" {
		space, err := s.access.RequireDirectWrite(ctx, caller, spaceID)
		if err != nil {
			return target{}, err
		}
		readsSpecs, err := s.access.ReadsSpecs(ctx, caller, space.Organization)
		return target{organization: space.Organization, space: space.ID, readsSpecs: readsSpecs}, err
	}
	request, err := s.deps.Changes.Require(ctx, s.deps.DB.Read(), caller, spaceID, changeRequest, access.EditSpace)
	if err != nil {
		return target{}, err
	}
	switch request.Status {
	case change.Merged:
		return target{}, errs.Conflictf("The change request is merged; make a new one for further changes.")
	case change.Archived:
		return target{}, errs.Conflictf("The change request is archived; set its status to open to go on with it.")
	}
	readsSpecs, err := s.access.ReadsSpecs(ctx, caller, request.Organization)
	return target{
		organization: request.Organization, space: request.Space, changeRequest: request.ID,
		branch: request.Branch, readsSpecs: readsSpecs,
	}, err
}

// checkPage refuses a page that cannot take the content, before the source is read.
func (s *Service) checkPage(ctx context.Context, t target, pageID string) error {
	if pageID == "" {
		return nil
	}
	view, err := s.deps.Content.BranchHead(ctx, t.space, t.branch)
	if err != nil {
		return err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return err
	}
	_, err = targetNode(tree, pageID)
	return err
}

// targetNode returns the page that content goes below.
func targetNode(tree *store.Tree, pageID string) (*store.TreeNode, error) {
	node := tree.ByID[pageID]
	if node == nil {
		return nil, errs.NotFoundf("There is no page %q in the space.", pageID)
	}
	if kind := node.Entry.Type; kind != entity.PageDocument && kind != entity.PageGroup {
		return nil, errs.Invalidf("targetPage", "a page of type %s has no pages below it", kind)
	}
	return node, nil
}
