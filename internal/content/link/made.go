package link

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// made is what links need of the pages that the computed pages of a revision stand for. Nil is nothing.
type made struct {
	byID map[string]*madePage
	// byName is the same by the names in the Markdown tree.
	byName map[string]*madePage
	// ordered are the ids of all, sorted.
	ordered []string
}

// madePage is one of them.
type madePage struct {
	page *store.MadePage
	// source is the page as the source of links: its file is where an export would put it.
	source  *entity.Entry
	reading *reading

	// shown are the anchors of the page as readers see it, nil before somebody asks for one that its document does not
	// have.
	mutex sync.Mutex
	shown map[string]struct{}
}

// madeOf returns what is made of a revision's computed pages, nil when nothing is.
func (s *Service) madeOf(ctx context.Context, view *store.View) (*made, error) {
	found, err := s.hooks.Get().Made(ctx, view)
	if err != nil || found == nil || len(found.Pages) == 0 {
		return nil, err
	}
	return s.made.Load(ctx, found.Key, func(context.Context) (*made, error) { return newMade(found), nil })
}

func newMade(found *store.Made) *made {
	m := &made{byID: make(map[string]*madePage, len(found.Pages)), byName: make(map[string]*madePage,
		3*len(found.Pages))}
	m.ordered = slices.Sorted(maps.Keys(found.Pages))
	for _, id := range m.ordered {
		page := found.Pages[id]
		each := &madePage{
			// A page without a body has any anchor, so that a fragment alone is not looked for in a body that no
			// revision has.
			page: page, source: &entity.Entry{ID: id, Kind: entity.KindPage, Type: entity.PageComputed,
				Path: page.Place}, reading: readDocument(page.Document),
		}
		m.byID[id] = each
		for _, name := range append(pagefile.Paths(page.Path), page.Place) {
			if m.byName[name] == nil {
				m.byName[name] = each
			}
		}
	}
	return m
}

// page returns the made page with an id, nil when there is none; of nil, too.
func (m *made) page(id string) *madePage {
	if m == nil {
		return nil
	}
	return m.byID[id]
}

// hasAnchor reports whether readers of a made page find an anchor.
func (p *madePage) hasAnchor(ctx context.Context, anchor string) (bool, error) {
	if decoded, err := url.PathUnescape(anchor); err == nil {
		anchor = decoded
	}
	if _, there := p.reading.anchors[anchor]; there || generated(anchor) {
		return true, nil
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown == nil {
		shown, err := p.page.Shown(ctx)
		if err != nil {
			return false, err
		}
		p.shown = readDocument(shown).anchors
	}
	_, there := p.shown[anchor]
	return there, nil
}

// reason says why a reference to a made page leads nowhere, "" when it leads somewhere.
func (p *madePage) reason(ctx context.Context, anchor string) (string, error) {
	if anchor == "" {
		return "", nil
	}
	there, err := p.hasAnchor(ctx, anchor)
	if err != nil || there {
		return "", err
	}
	return NoAnchor, nil
}

// decideMade decides a link that leads nowhere in the revision: it may lead to a page that is made.
func (j *judge) decideMade(ctx context.Context, link Link) (Link, error) {
	if link.Reason != NoPage && link.Reason != NoPath {
		return link, nil
	}
	m, err := j.made(ctx, j.scope.View)
	if err != nil || m == nil {
		return link, err
	}
	page, anchor := m.page(link.Target.Page), link.Target.Anchor
	if link.Reason == NoPath {
		if page, anchor, err = j.writtenMade(ctx, m, link); err != nil {
			return Link{}, err
		}
	}
	if page == nil {
		return link, nil
	}
	link.Target = doc.Ref{Kind: doc.RefPage, Page: page.source.ID}
	if anchor != "" {
		link.Target.Kind, link.Target.Anchor = doc.RefAnchor, anchor
	}
	link.Status = OK
	if link.Reason, err = page.reason(ctx, anchor); link.Reason != "" {
		link.Status = Broken
	}
	return link, err
}

// writtenMade finds the made page at a place in the Markdown tree, as a source has written it; nil when none is there.
func (j *judge) writtenMade(ctx context.Context, m *made, link Link) (at *madePage, fragment string, err error) {
	named, place, fragment, ok := pagefile.ReadDestination(link.Written)
	if !ok || named.Kind != "" || place == "" {
		return nil, "", nil
	}
	from := ""
	if !strings.HasPrefix(place, "/") {
		if source := m.page(link.Source); source != nil {
			from = source.source.Path
		} else {
			e, err := j.scope.View.Entry(ctx, link.Source)
			if err != nil {
				return nil, "", err
			}
			if from, err = page.File(ctx, j.scope.View, e); err != nil {
				return nil, "", err
			}
		}
	}
	for _, meaning := range pagefile.Meanings(from, place) {
		if found := m.byName[meaning.Path]; meaning.Kind == entity.KindPage && found != nil {
			return found, fragment, nil
		}
	}
	return nil, "", nil
}

// made is madeOf, each revision once.
func (j *judge) made(ctx context.Context, view *store.View) (*made, error) {
	id := view.Revision().ID
	if known, ok := j.making[id]; ok {
		return known, nil
	}
	found, err := j.service.madeOf(ctx, view)
	if err != nil {
		return nil, err
	}
	j.making[id] = found
	return found, nil
}

// madeLinks returns the links of one made page in their order, with their status.
func (j *judge) madeLinks(ctx context.Context, page *madePage) ([]Link, error) {
	links := make([]Link, 0, len(page.reading.references))
	for _, each := range page.reading.references {
		r := resolver{service: j.service, view: j.scope.View, claims: j.claims(j.scope.View),
			looked: map[string]struct{}{}}
		found, err := r.resolve(ctx, page.source, each)
		if err != nil {
			return nil, err
		}
		stored := stored{
			Role: each.role, Relation: each.relation, Written: shorten(each.written), Target: found.target,
			Reason: found.reason,
			Order:  each.order, Places: each.places, Keys: each.keys, class: found.class,
		}
		link, err := j.decide(ctx, stored.link(page.source.ID, each.name()))
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return links, nil
}

// allMadeLinks returns the links of all made pages of the revision in the order of lists.
func (j *judge) allMadeLinks(ctx context.Context) ([]Link, error) {
	m, err := j.made(ctx, j.scope.View)
	if err != nil || m == nil {
		return nil, err
	}
	var links []Link
	for _, id := range m.ordered {
		of, err := j.madeLinks(ctx, m.byID[id])
		if err != nil {
			return nil, err
		}
		for i := range of {
			of[i].class = fromMade
		}
		links = append(links, of...)
	}
	slices.SortFunc(links, Link.before)
	return links, nil
}

// leadsTo reports whether a link that has been decided leads to an entity of a space; own is the space of its source.
func (l Link) leadsTo(own, space id.Space, entryID string) bool {
	if in := cmp.Or(id.Space(l.Target.Space), own); in != space {
		return false
	}
	return l.Target.Page == entryID || l.Target.File == entryID || l.Target.ReusableContent == entryID
}

// madeDependents returns the links of stored sources that lead to a made page by its place in the Markdown tree. Those
// that name its id have looked at that.
func (j *judge) madeDependents(ctx context.Context, found *index, page *madePage) ([]dependent, error) {
	var all []dependent
	seen := map[dependent]bool{}
	for _, name := range append(pagefile.Paths(page.page.Path), page.page.Place) {
		dependents, err := j.service.dependents(ctx, found.root, shortHash(lookedName(name)))
		if err != nil {
			return nil, err
		}
		for _, each := range dependents {
			if each.class != broken || seen[each] {
				continue
			}
			seen[each] = true
			stored, err := j.service.get(ctx, found.root, each)
			if err != nil {
				return nil, err
			}
			link, err := j.decide(ctx, stored.link(each.source, each.name))
			if err != nil {
				return nil, err
			}
			if link.Status == OK && link.leadsTo("", "", page.source.ID) {
				all = append(all, each)
			}
		}
	}
	return all, nil
}
