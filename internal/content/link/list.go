package link

import (
	"context"
	"slices"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// List is a page of links.
type List struct {
	Items []Link
	// Count is the number of links under the filter.
	Count int
	// Next holds the keys of the page after this one, nil on the last page.
	Next []string
	// Stats count all links, whatever the filter.
	Stats Stats
}

// Space lists the links of a revision that have a status, all when it is "": those that are broken and those to other
// things first. A page costs the links on it; with links to other spaces, people, collections or specifications, those
// are all decided for the numbers.
func (s *Service) Space(ctx context.Context, scope Scope, status Status, page paging.Request) (List, error) {
	found, err := s.index(ctx, scope.View)
	if err != nil {
		return List{}, err
	}
	after, err := parsePosition(page.After)
	if err != nil {
		return List{}, err
	}
	j := s.judge(scope)
	stats, err := s.stats(ctx, j, found)
	if err != nil {
		return List{}, err
	}
	failing, err := j.failures(ctx)
	if err != nil {
		return List{}, err
	}
	made, err := j.made(ctx, scope.View)
	if err != nil {
		return List{}, err
	}
	list := List{Stats: stats, Count: stats.count(status)}
	for _, of := range linkClasses {
		if after != nil && (after.class == fromMade || slices.Index(linkClasses, of) < slices.Index(linkClasses,
			after.class)) {
			continue
		}
		start := after
		if start != nil && start.class != of {
			start = nil
		}
		if !of.mayBe(status, failing, made) {
			continue
		}
		for link, err := range s.walk(ctx, found.root, of, start) {
			if err != nil {
				return List{}, err
			}
			if link, err = j.decide(ctx, link); err != nil {
				return List{}, err
			}
			if status != "" && link.Status != status {
				continue
			}
			list.Items = append(list.Items, link)
			if len(list.Items) > page.Size() {
				break
			}
		}
		if len(list.Items) > page.Size() {
			break
		}
	}
	ofMade, err := j.allMadeLinks(ctx)
	if err != nil {
		return List{}, err
	}
	for _, link := range ofMade {
		late := after == nil || after.class != fromMade || link.before(after.link()) > 0
		if late && (status == "" || link.Status == status) {
			list.Items = append(list.Items, link)
		}
	}
	list.Items, list.Next = paging.Cut(list.Items, page.Size(), Link.keys)
	return list, nil
}

// mayBe reports whether links of a class can have a status, with the external addresses that fail and the pages that
// are made.
func (c class) mayBe(status Status, failing map[string]string, made *made) bool {
	switch {
	case c == broken && made != nil:
		return status != InApp
	case status == "" || c == elsewhere || c == outside && status == Broken && len(failing) > 0:
		return true
	case c == broken:
		return status == Broken
	case c == inApp:
		return status == InApp
	}
	return status == OK
}

func (s Stats) count(status Status) int {
	switch status {
	case Broken:
		return s.Broken
	case InApp:
		return s.InApp
	case OK:
		return s.Total - s.Broken - s.InApp
	}
	return s.Total
}

func (s *Service) stats(ctx context.Context, j *judge, found *index) (Stats, error) {
	stats := Stats{Total: found.counts.total(), Broken: found.counts.Broken, InApp: found.counts.InApp}
	failing, err := j.failures(ctx)
	if err != nil {
		return Stats{}, err
	}
	made, err := j.made(ctx, j.scope.View)
	if err != nil {
		return Stats{}, err
	}
	if made != nil {
		stats.Broken = 0 // those of the class broken are counted below
	}
	for _, of := range []class{elsewhere, outside, broken} {
		if of == elsewhere && found.counts.Elsewhere == 0 || of == outside && len(failing) == 0 || of == broken &&
			(made == nil || found.counts.Broken == 0) {
			continue
		}
		for link, err := range s.walk(ctx, found.root, of, nil) {
			if err != nil {
				return Stats{}, err
			}
			if link, err = j.decide(ctx, link); err != nil {
				return Stats{}, err
			}
			if link.Status == Broken {
				stats.Broken++
			}
		}
	}
	ofMade, err := j.allMadeLinks(ctx)
	if err != nil {
		return Stats{}, err
	}
	for _, link := range ofMade {
		stats.add(link.Status)
	}
	return stats, nil
}

func (s *Stats) add(status Status) {
	s.Total++
	switch status {
	case Broken:
		s.Broken++
	case InApp:
		s.InApp++
	}
}

func (l Link) keys() []string {
	return []string{string(rune(l.class)), l.Source, strconv.Itoa(l.order), l.name}
}

func parsePosition(keys []string) (*position, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if len(keys) != 4 || len(keys[0]) != 1 || class(keys[0][0]) != fromMade && !slices.Contains(linkClasses,
		class(keys[0][0])) {
		return nil, foreignCursor()
	}
	order, err := strconv.Atoi(keys[2])
	if err != nil {
		return nil, foreignCursor()
	}
	return &position{class: class(keys[0][0]), source: keys[1], order: order, name: keys[3]}, nil
}

func foreignCursor() error {
	return errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

// Page lists the links of a page, or of a reusable content, in the order in which they stand. It is an errs.NotFound
// error when the revision has no such page, and no computed page stands for one.
func (s *Service) Page(ctx context.Context, scope Scope, id string, status Status, page paging.Request) (List, error) {
	j := s.judge(scope)
	made, err := j.made(ctx, scope.View)
	if err != nil {
		return List{}, err
	}
	e, err := scope.View.Entry(ctx, id)
	missing := errs.Is(err, errs.NotFound) || err == nil && e.Kind != entity.KindPage && e.Kind != entity.KindReusable
	switch {
	case missing && made.page(id) == nil:
		return List{}, errs.NotFoundf("There is no page %q in this revision. List its pages to see their ids.", id)
	case err != nil && !missing:
		return List{}, err
	}
	found, err := s.index(ctx, scope.View)
	if err != nil {
		return List{}, err
	}
	all, err := s.linksOf(ctx, found.root, id)
	if err != nil {
		return List{}, err
	}
	var list List
	add := func(link Link) {
		list.Stats.add(link.Status)
		if status == "" || link.Status == status {
			list.Items = append(list.Items, link)
		}
	}
	for name, stored := range all {
		link, err := j.decide(ctx, stored.link(id, name))
		if err != nil {
			return List{}, err
		}
		add(link)
	}
	if page := made.page(id); page != nil {
		links, err := j.madeLinks(ctx, page)
		if err != nil {
			return List{}, err
		}
		for _, link := range links {
			link.order += len(all) // what is stored of a computed page stands above what is made of it
			add(link)
		}
	}
	slices.SortFunc(list.Items, Link.before)
	list.Count = len(list.Items)
	if len(page.After) > 0 {
		if len(page.After) != 2 {
			return List{}, foreignCursor()
		}
		order, err := strconv.Atoi(page.After[0])
		if err != nil {
			return List{}, foreignCursor()
		}
		after := Link{Source: id, order: order, name: page.After[1]}
		list.Items = slices.DeleteFunc(list.Items, func(l Link) bool { return l.before(after) <= 0 })
	}
	list.Items, list.Next = paging.Cut(list.Items, page.Size(), func(l Link) []string {
		return []string{strconv.Itoa(l.order), l.name}
	})
	return list, nil
}

// Users returns the ids of the pages and reusable contents of a revision that lead to an entity of a space, in their
// order.
func (s *Service) Users(ctx context.Context, view *store.View, space id.Space, target string) ([]string, error) {
	return s.UsersOfAny(ctx, view, space, []string{target})
}

// UsersOfAny is Users for several entities, which need not be there: the ids of what leads to at least one of them.
func (s *Service) UsersOfAny(ctx context.Context, view *store.View, space id.Space,
	targets []string) ([]string, error) {
	found, err := s.index(ctx, view)
	if err != nil {
		return nil, err
	}
	users := []string{}
	for _, target := range targets {
		looked := []string{lookedOther(space, target)}
		if space == view.Revision().Space {
			looked = append(looked, lookedEntity(target))
		}
		for _, each := range looked {
			dependents, err := s.dependents(ctx, found.root, shortHash(each))
			if err != nil {
				return nil, err
			}
			for _, dependent := range dependents {
				users = append(users, dependent.source)
			}
		}
	}
	slices.Sort(users)
	return slices.Compact(users), nil
}

// LinkedSpaces returns the ids of the other spaces that links of a revision name, sorted.
func (s *Service) LinkedSpaces(ctx context.Context, view *store.View) ([]id.Space, error) {
	found, err := s.index(ctx, view)
	if err != nil || found.counts.Elsewhere == 0 {
		return nil, err
	}
	var spaces []id.Space
	for link, err := range s.walk(ctx, found.root, elsewhere, nil) {
		if err != nil {
			return nil, err
		}
		if space := link.Target.Space; space != "" && space != string(view.Revision().Space) {
			spaces = append(spaces, id.Space(space))
		}
	}
	slices.Sort(spaces)
	return slices.Compact(spaces), nil
}
