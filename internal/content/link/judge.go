package link

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// judge decides links to what lies outside the revision, each target once.
type judge struct {
	service *Service
	scope   Scope
	known   map[doc.Ref]string // reason, "" for what is there
	views   map[id.Space]*store.View
	// failing are the external addresses that do not answer, with the reasons; nil until it is asked for.
	failing map[string]string
	making  map[id.Revision]*made // by revision
}

func (s *Service) judge(scope Scope) *judge {
	return &judge{service: s, scope: scope, known: map[doc.Ref]string{}, views: map[id.Space]*store.View{},
		making: map[id.Revision]*made{}}
}

// decide returns a link with its status; those that the index has decided as they are.
func (j *judge) decide(ctx context.Context, link Link) (Link, error) {
	if link.class == broken {
		return j.decideMade(ctx, link)
	}
	if link.class == outside {
		failing, err := j.failures(ctx)
		if err != nil || len(failing) == 0 {
			return link, err
		}
		if reason := failing[externalURL(link.Target.URL)]; reason != "" {
			link.Status, link.Reason = Broken, reason
		}
		return link, nil
	}
	if link.class != elsewhere {
		return link, nil
	}
	reason, known := j.known[link.Target]
	if !known {
		var err error
		if reason, err = j.reason(ctx, link.Target); err != nil {
			return Link{}, err
		}
		j.known[link.Target] = reason
	}
	if reason != "" {
		link.Status, link.Reason = Broken, reason
	}
	return link, nil
}

// failures are the external addresses of the space that do not answer.
func (j *judge) failures(ctx context.Context) (map[string]string, error) {
	if j.failing == nil {
		failing, err := j.service.failing(ctx, j.scope.View.Revision().Space)
		if err != nil {
			return nil, err
		}
		j.failing = map[string]string{}
		if len(failing) > 0 {
			j.failing = failing
		}
	}
	return j.failing, nil
}

// reason says why a reference leads nowhere, "" when it leads somewhere.
func (j *judge) reason(ctx context.Context, ref doc.Ref) (string, error) {
	if ref.Space == "" {
		there, err := j.exists(ctx, ref)
		if err != nil || there {
			return "", err
		}
		return NoOther, nil
	}
	view, err := j.view(ctx, id.Space(ref.Space))
	if err != nil {
		return "", err
	}
	if view == nil {
		return NoSpace, nil
	}
	local := ref
	local.Space = ""
	if local.Kind == doc.RefSpace || local.Kind == doc.RefAnchor && local.Page == "" {
		return "", nil
	}
	// What it looks at need not be noted: this is asked again each time.
	r := resolver{service: j.service, view: view, claims: j.claims(view), looked: map[string]struct{}{}}
	found, err := r.reference(ctx, &entity.Entry{Kind: entity.KindReusable}, local)
	if err != nil || found.reason != NoPage {
		return found.reason, err
	}
	m, err := j.made(ctx, view)
	if err != nil {
		return "", err
	}
	if page := m.page(local.Page); page != nil {
		return page.reason(ctx, local.Anchor)
	}
	return NoPage, nil
}

// claims reads claims from the index of another space.
func (j *judge) claims(view *store.View) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, claim string) ([]string, error) {
		found, err := j.service.index(ctx, view)
		if err != nil {
			return nil, err
		}
		var ids []string
		for item, err := range j.service.group(ctx, found.root, claimed, claim) {
			if err != nil {
				return nil, err
			}
			ids = append(ids, item.Key)
		}
		return ids, nil
	}
}

// view returns the revision that a reference to a space means: the one asked about for its own space, else what is live
// there; nil when the organization has no such space.
func (j *judge) view(ctx context.Context, spaceID id.Space) (*store.View, error) {
	if spaceID == j.scope.View.Revision().Space {
		return j.scope.View, nil
	}
	if view, known := j.views[spaceID]; known {
		return view, nil
	}
	there, err := j.exists(ctx, doc.Ref{Kind: doc.RefSpace, Space: string(spaceID)})
	if err != nil {
		return nil, err
	}
	var view *store.View
	if there {
		view, err = j.service.deps.Content.Head(ctx, spaceID)
		if errs.Is(err, errs.NotFound) {
			view, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	j.views[spaceID] = view
	return view, nil
}

func (j *judge) exists(ctx context.Context, ref doc.Ref) (bool, error) {
	return j.service.hooks.Get().Exists(ctx, j.scope.Organization, ref)
}
