package audience

import (
	"context"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// chosen returns the integration that a change chooses, the zero Backend for the organization's own program.
func (s *Service) chosen(ctx context.Context, siteID id.Site, change AuthChange) (Backend, error) {
	switch change.Backend {
	case "custom":
		if change.Integration != "" {
			return Backend{}, errs.Invalidf("integration", "is for the backend integration")
		}
		return Backend{}, nil
	case "integration":
	default:
		return Backend{}, errs.Invalidf("backend", "has to be custom or integration")
	}
	list, err := s.hooks.Get().Backends(ctx, siteID)
	if err != nil {
		return Backend{}, err
	}
	if change.Integration != "" {
		list = slices.DeleteFunc(list, func(b Backend) bool { return !strings.EqualFold(b.Name, change.Integration) })
	}
	switch {
	case len(list) == 0:
		return Backend{}, errs.Invalidf("backend",
			"no such integration that lets visitors in works on this site; install one, or send custom")
	case len(list) > 1:
		names := make([]string, len(list))
		for i, each := range list {
			names[i] = each.Name
		}
		return Backend{}, errs.Invalidf("integration", "has to say which one of %s", strings.Join(names, ", "))
	}
	return list[0], nil
}

// backed returns the rules of a site to which an integration lets visitors in. While it does not work on the site,
// nobody is let in by it, and no token of before counts. key names the rules without it.
func (s *Service) backed(ctx context.Context, key string, siteID id.Site, kept *Rules) (*Rules, error) {
	list, err := s.hooks.Get().Backends(ctx, siteID)
	if err != nil {
		return nil, err
	}
	var backend Backend
	if i := slices.IndexFunc(list, func(b Backend) bool { return b.Integration == kept.integration }); i >= 0 {
		backend = list[i]
	}
	return s.rules.Load(ctx, key+" "+backend.Installation, func(context.Context) (*Rules, error) {
		rules := *kept
		rules.keys, rules.FallbackURL, rules.LogoutURL = nil, backend.SignIn, backend.SignOut
		if backend.Key != "" {
			rules.keys = []signingKey{{key: []byte(backend.Key)}}
		}
		if rules.Schema != nil {
			rules.nobody = newProfile(&rules, Token{})
		}
		return &rules, nil
	})
}
