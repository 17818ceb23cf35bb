package searches

import (
	"context"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SiteSearchScope says which spaces of a site are searched.
type SiteSearchScope struct {
	Mode               string         `json:"mode" enum:"default,specific,all"`
	CurrentSiteSpace   id.SiteSpace   `json:"currentSiteSpace,omitempty" doc:"With default: a space that is searched in any case, and whose language the others should have."`
	IncludedSiteSpaces []id.SiteSpace `json:"includedSiteSpaces,omitempty" doc:"With default: further spaces."`
	RestrictTo         string         `json:"restrictTo,omitempty" enum:"currentSiteSpace,otherSiteSpaces" doc:"With default: only the current space, or only the others."`
	SiteSpaceIDs       []id.SiteSpace `json:"siteSpaceIds,omitempty" doc:"With specific: the spaces."`
}

type searchSiteInput struct {
	wire.SiteParams
	wire.PageParams
	Body struct {
		Query        string           `json:"query" maxLength:"512" doc:"Words to find. The last one may be unfinished. When it is empty: the pages that are read most."`
		Scope        *SiteSearchScope `json:"scope,omitempty"`
		Mode         string           `json:"mode,omitempty" enum:"specific,current,all" deprecated:"true"`
		SiteSpaceIDs []id.SiteSpace   `json:"siteSpaceIds,omitempty"`
		SiteSpaceID  id.SiteSpace     `json:"siteSpaceId,omitempty"`
	}
}

// scope is the scope in today's form.
func (in *searchSiteInput) scope() (SiteSearchScope, error) {
	b := in.Body
	switch {
	case b.Scope != nil:
		if b.Scope.Mode == "specific" && len(b.Scope.SiteSpaceIDs) == 0 {
			return SiteSearchScope{}, errs.Invalidf("body.scope.siteSpaceIds", "is needed with the mode specific")
		}
		if b.Scope.RestrictTo != "" && b.Scope.CurrentSiteSpace == "" {
			return SiteSearchScope{}, errs.Invalidf("body.scope.currentSiteSpace", "is needed with restrictTo")
		}
		return *b.Scope, nil
	case b.Mode == "current" && b.SiteSpaceID != "":
		return SiteSearchScope{Mode: "default", CurrentSiteSpace: b.SiteSpaceID}, nil
	case b.Mode == "all":
		return SiteSearchScope{Mode: "all"}, nil
	case len(b.SiteSpaceIDs) > 0:
		return SiteSearchScope{Mode: "specific", SiteSpaceIDs: b.SiteSpaceIDs}, nil
	}
	return SiteSearchScope{}, errs.Invalidf("body.scope", "is needed; its mode is default, specific or all")
}

// searchSite finds pages of the spaces of a site that the caller may read, grouped by space.
func (h *Handlers) searchSite(ctx context.Context,
	in *searchSiteInput) (*operation.Body[FoundSpaces], error) {
	scope, err := in.scope()
	if err != nil {
		return nil, err
	}
	if !field.Storable(in.Body.Query) {
		return nil, errs.Invalidf("query", "must be text in UTF-8 without NUL")
	}
	all, err := h.Sites.ListSpaces(ctx, operation.Caller(ctx), in.Organization, in.Site, optional.Value[bool]{},
		paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	chosen, err := scope.choose(all.Items)
	if err != nil {
		return nil, err
	}
	titles, ids := map[id.Space]string{}, []id.Space{}
	for _, siteSpace := range chosen {
		if _, known := titles[siteSpace.Space.ID]; !known {
			ids = append(ids, siteSpace.Space.ID)
		}
		titles[siteSpace.Space.ID] = siteSpace.Title
	}
	name := strings.Join(append([]string{"site-search", string(in.Site), in.Body.Query}, id.Texts(ids)...), "\x00")
	look, err := h.Sites.Customization(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	result, notes, err := h.find(ctx, name, in.PageParams, search.Query{Spaces: ids, Text: in.Body.Query,
		Synonyms: look.Synonyms}, anyPage)
	if err != nil {
		return nil, err
	}
	return h.grouped(name, result, notes, titles), nil
}

// choose returns the spaces of a site that the scope means.
func (s SiteSearchScope) choose(all []site.SiteSpace) ([]site.SiteSpace, error) {
	byID := func(id id.SiteSpace) (site.SiteSpace, error) {
		i := slices.IndexFunc(all, func(each site.SiteSpace) bool { return each.ID == id })
		if i < 0 {
			return site.SiteSpace{},
				errs.Invalidf("body.scope", "names the siteSpaceId %.40q, which is no space of this site", id)
		}
		return all[i], nil
	}
	if s.Mode == "all" {
		return all, nil
	}
	if s.Mode == "specific" {
		var chosen []site.SiteSpace
		for _, id := range s.SiteSpaceIDs {
			one, err := byID(id)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, one)
		}
		return chosen, nil
	}
	var chosen []site.SiteSpace
	language, section, current := "", id.Section(""), id.SiteSpace("")
	if s.CurrentSiteSpace != "" {
		one, err := byID(s.CurrentSiteSpace)
		if err != nil {
			return nil, err
		}
		language, section, current = one.Space.Language, one.Section, one.ID
		if s.RestrictTo != "otherSiteSpaces" {
			chosen = append(chosen, one)
		}
		if s.RestrictTo == "currentSiteSpace" {
			return chosen, nil
		}
	}
	for _, id := range s.IncludedSiteSpaces {
		one, err := byID(id)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, one)
	}
	// Of every other section: the variant in the language of the current one, or else the default one.
	best := map[id.Section]site.SiteSpace{}
	for _, each := range all {
		if current != "" && each.Section == section {
			continue
		}
		before, known := best[each.Section]
		sameLanguage := language != "" && each.Space.Language == language
		if !known || sameLanguage && before.Space.Language != language || each.Default &&
			(language == "" || before.Space.Language != language) {
			best[each.Section] = each
		}
	}
	for _, each := range all {
		if best[each.Section].ID == each.ID {
			chosen = append(chosen, each)
		}
	}
	return chosen, nil
}
