package searches

import (
	"context"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SearchPage is a page that was found, with its best sections.
type SearchPage struct {
	ID          string           `json:"id"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Path        string           `json:"path"`
	Score       float64          `json:"score" minimum:"0" doc:"How well it fits, compared with the other pages of the answer."`
	Rank        int              `json:"rank" minimum:"1" doc:"Its place among all that were found."`
	Lacks       bool             `json:"lacks" doc:"Whether it has not all of the words: such pages come closest, behind those that have all."`
	ResultType  string           `json:"resultType" enum:"page,section"`
	Sections    []SearchSection  `json:"sections"`
	Ancestors   []SearchAncestor `json:"ancestors" doc:"The pages above it, from the root of the tree."`
	URLs        wire.AppURLs     `json:"urls"`
}

// SearchAncestor is a page above one that was found.
type SearchAncestor struct {
	Title string `json:"title"`
}

// SearchSection is a section in which words were found.
type SearchSection struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Path is that of the page, with the section's anchor.
	Path string `json:"path"`
	// Body is an excerpt around the words.
	Body       string       `json:"body"`
	Score      float64      `json:"score" minimum:"0" doc:"That of its page."`
	ResultType string       `json:"resultType" enum:"page,section"`
	URLs       wire.AppURLs `json:"urls"`
}

// SearchSpace is a space with the pages found in it.
type SearchSpace struct {
	Type  string       `json:"type" enum:"space"`
	ID    id.Space     `json:"id"`
	Title string       `json:"title"`
	Score float64      `json:"score" minimum:"0" doc:"That of its best page."`
	Pages []SearchPage `json:"pages"`
}

type searchSpaceInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
	Query string   `query:"query" maxLength:"512" doc:"Words to find. The last one may be unfinished. When it is empty: the pages that are read most."`
}

// searchSpace finds pages of one space.
func (h *Handlers) searchSpace(ctx context.Context,
	in *searchSpaceInput) (*operation.Body[FoundPages], error) {
	if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	name := "search/" + string(in.Space) + "/" + in.Query
	result, notes, err := h.find(ctx, name, in.PageParams, search.Query{Spaces: []id.Space{in.Space}, Text: in.Query},
		anyPage)
	if err != nil {
		return nil, err
	}
	return &operation.Body[FoundPages]{Body: FoundPages{*wire.Listed(h.Lists, name, result, h.wireSearchPage), notes}},
		nil
}

type searchOrganizationInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
	Query        string          `query:"query" maxLength:"512" doc:"Words to find. The last one may be unfinished. When it is empty: the pages that are read most."`
}

// searchOrganization finds pages of all spaces that the caller may read. The pages of an answer are ranked over all
// spaces and grouped by space, the space of the best page first.
func (h *Handlers) searchOrganization(ctx context.Context,
	in *searchOrganizationInput) (*operation.Body[FoundSpaces], error) {
	spaces, err := h.Spaces.Readable(ctx, operation.Caller(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	titles := make(map[id.Space]string, len(spaces))
	ids := make([]id.Space, 0, len(spaces))
	for _, readable := range spaces {
		titles[readable.ID] = readable.Title
		ids = append(ids, readable.ID)
	}
	name := "search/" + string(in.Organization) + "/" + in.Query
	result, notes, err := h.find(ctx, name, in.PageParams, search.Query{Spaces: ids, Text: in.Query}, anyPage)
	if err != nil {
		return nil, err
	}
	return h.grouped(name, result, notes, titles), nil
}

// grouped is an answer with its pages grouped by space.
func (h *Handlers) grouped(name string, result paging.Page[found], notes SearchNotes,
	titles map[id.Space]string) *operation.Body[FoundSpaces] {
	groups := paging.WithItems(result, h.bySpace(result.Items, titles))
	listed := wire.Listed(h.Lists, name, groups, func(group *SearchSpace) SearchSpace { return *group })
	return &operation.Body[FoundSpaces]{Body: FoundSpaces{*listed, notes}}
}

// bySpace groups pages by their space, the space of the first page first.
func (h *Handlers) bySpace(pages []found, titles map[id.Space]string) []*SearchSpace {
	var groups []*SearchSpace
	bySpace := map[id.Space]*SearchSpace{}
	for _, page := range pages {
		group := bySpace[page.Space]
		if group == nil {
			group = &SearchSpace{Type: "space", ID: page.Space, Title: titles[page.Space], Score: page.Score}
			bySpace[page.Space] = group
			groups = append(groups, group)
		}
		group.Pages = append(group.Pages, h.wireSearchPage(page))
	}
	return groups
}

// find runs a query for one page of a ranked list, or shows what is read most of what may be shown when there is no
// word. Its cursor holds the number of pages before it: a ranking has no key that stays true while content changes.
func (h *Handlers) find(ctx context.Context, list string, params wire.PageParams, query search.Query,
	may shows) (pages paging.Page[found], notes SearchNotes, err error) {
	request, err := h.Lists.Request(list, params)
	if err != nil {
		return paging.Page[found]{}, SearchNotes{}, err
	}
	if wordless(query.Text) {
		pages, err = h.mostRead(ctx, query.Spaces, may)
		return pages, SearchNotes{Popular: true}, err
	}
	offset := 0
	if len(request.After) == 1 {
		if offset, err = strconv.Atoi(request.After[0]); err != nil || offset < 0 {
			return paging.Page[found]{}, SearchNotes{}, errs.Invalidf("query.page", "is not a cursor of this list")
		}
	}
	query.Limit, query.Offset = request.Size(), offset
	result, err := h.Search.Search(ctx, query)
	if err != nil {
		return paging.Page[found]{}, SearchNotes{}, err
	}
	pages.Count = result.Total
	for i, page := range result.Pages {
		pages.Items = append(pages.Items, found{PageHit: page, rank: offset + i + 1})
	}
	if seen := offset + request.Size(); seen < result.Total {
		pages.Next = []string{strconv.Itoa(seen)}
	}
	notes = SearchNotes{Closest: result.Closest, Suggestion: result.Suggestion, Incomplete: result.Incomplete}
	return pages, notes, nil
}

// found is a page that was found, and its place in the whole ranked list.
type found struct {
	search.PageHit
	rank int
}

func (h *Handlers) wireSearchPage(hit found) SearchPage {
	app := h.Wire.BaseURL + "/app/spaces/" + string(hit.Space) + "/pages/" + hit.ID
	page := SearchPage{
		ID: hit.ID, Title: hit.Title, Description: hit.Description, Path: hit.Path, Score: hit.Score, Rank: hit.rank,
		Lacks:      hit.Lacks,
		ResultType: "page",
		Sections:   make([]SearchSection, 0, len(hit.Sections)), Ancestors: make([]SearchAncestor, 0,
			len(hit.Ancestors)),
		URLs: wire.AppURLs{App: app},
	}
	for _, title := range hit.Ancestors {
		page.Ancestors = append(page.Ancestors, SearchAncestor{title})
	}
	for _, section := range hit.Sections {
		address := app
		if section.ID != "" {
			address += "#" + section.ID
		}
		page.Sections = append(page.Sections, SearchSection{
			ID: section.ID, Title: section.Title, Path: section.Path, Body: section.Body, Score: hit.Score,
			ResultType: "section", URLs: wire.AppURLs{App: address},
		})
	}
	return page
}
