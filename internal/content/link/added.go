package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
)

// Added is what a change breaks.
type Added struct {
	// Count is the number of links that are broken after the change and were not before.
	Count int
	// Links are the first of them, ordered by source and place; at most 1,000.
	Links []Link
	// BySource counts all of them by their sources.
	BySource map[string]int
}

// maxAdded is how many links Added lists.
const maxAdded = 1000

// Page returns a page of Links, in their order.
func (a Added) Page(page paging.Request) (links []Link, next []string, err error) {
	links = a.Links
	if len(page.After) > 0 {
		if len(page.After) != 3 {
			return nil, nil, foreignCursor()
		}
		order, err := strconv.Atoi(page.After[1])
		if err != nil {
			return nil, nil, foreignCursor()
		}
		after := Link{Source: page.After[0], order: order, name: page.After[2]}
		at, found := slices.BinarySearchFunc(links, after, bySource)
		if found {
			at++
		}
		links = links[at:]
	}
	links, next = paging.Cut(links, page.Size(), func(l Link) []string {
		return []string{l.Source, strconv.Itoa(l.order), l.name}
	})
	return links, next, nil
}

// bySource is the order of Added.
func bySource(a, b Link) int {
	return cmp.Or(strings.Compare(a.Source, b.Source), a.order-b.order, strings.Compare(a.name, b.name))
}

// BrokenAdded returns the links that a branch breaks: those that are broken at its head and were not, or were not
// there, in the newest revision of main that the branch contains. It counts links of pages that the branch did not
// touch, too, when it took away or moved what they lead to, also links that main has got since. It reads what differs
// between the revisions. It may be asked inside a transaction, as a merge rule does, and reads what is committed then;
// Prepare both heads before, so that the transaction does not wait for their indexes.
func (s *Service) BrokenAdded(ctx context.Context, organizationID id.Organization, spaceID id.Space,
	branchID id.Branch) (Added, error) {
	branch, err := s.deps.Content.Branch(ctx, spaceID, branchID)
	if err != nil {
		return Added{}, err
	}
	before, err := s.deps.Content.View(ctx, branch.Base)
	if err != nil {
		return Added{}, err
	}
	after, err := s.deps.Content.View(ctx, branch.Head)
	if err != nil {
		return Added{}, err
	}
	added, err := s.brokenBetween(ctx, organizationID, before, after)
	if err != nil {
		return Added{}, err
	}
	main, err := s.deps.Content.Head(ctx, spaceID)
	if err != nil {
		return Added{}, err
	}
	if root := main.Revision().Root; root != before.Revision().Root && root != after.Revision().Root {
		since, err := s.brokenOnMain(ctx, before, after, main)
		if err != nil {
			return Added{}, err
		}
		added = append(added, since...)
	}
	return collected(added), nil
}

// collected sorts and counts links.
func collected(links []Link) Added {
	slices.SortFunc(links, bySource)
	added := Added{Count: len(links), Links: links[:min(len(links), maxAdded)], BySource: map[string]int{}}
	for _, link := range links {
		added.BySource[link.Source]++
	}
	return added
}

func (s *Service) brokenBetween(ctx context.Context, organizationID id.Organization, before,
	after *store.View) ([]Link, error) {
	// The older one first: the other is derived from it.
	from, err := s.index(ctx, before)
	if err != nil {
		return nil, err
	}
	to, err := s.index(ctx, after)
	if err != nil {
		return nil, err
	}
	now := s.judge(Scope{Organization: organizationID, View: after})
	links, err := s.newlyBroken(ctx, from, to, now)
	if err != nil {
		return nil, err
	}
	then := s.judge(Scope{Organization: organizationID, View: before})
	made, err := s.madeBroken(ctx, from, to, then, now)
	if err != nil {
		return nil, err
	}
	links = append(links, made...)
	// Links that name their own space are not decided by the index, so those that broke do not differ in it.
	if to.counts.Elsewhere > 0 {
		own, err := s.brokenInside(ctx, from, to, then, now)
		if err != nil {
			return nil, err
		}
		links = append(links, own...)
	}
	return links, nil
}

// brokenOnMain returns the links that main has got since the branch was last up to date, and that look at something
// which the branch has changed so that they lead nowhere.
func (s *Service) brokenOnMain(ctx context.Context, base, branch, main *store.View) ([]Link, error) {
	current, err := s.index(ctx, main)
	if err != nil {
		return nil, err
	}
	known, err := s.index(ctx, branch)
	if err != nil {
		return nil, err
	}
	t := newTouched(s, base, branch, current.counts.Written > 0)
	for change, err := range base.Diff(ctx, branch) {
		if err != nil {
			return nil, err
		}
		if err := t.entry(ctx, change); err != nil {
			return nil, err
		}
	}
	if err := t.finish(ctx); err != nil {
		return nil, err
	}
	links, err := s.madeBrokenOnMain(ctx, base, branch, current, known)
	if err != nil {
		return nil, err
	}
	seen := map[dependent]bool{}
	for what := range t.what {
		dependents, err := s.dependents(ctx, current.root, shortHash(what))
		if err != nil {
			return nil, err
		}
		for _, each := range dependents {
			if seen[each] || each.class != inside {
				continue
			}
			seen[each] = true
			link, breaks, err := s.breaksOn(ctx, each, current, known, branch, main)
			if err != nil {
				return nil, err
			}
			if breaks {
				links = append(links, link)
			}
		}
	}
	return links, nil
}

// breaksOn resolves a link of main among the content of a branch, unless the branch has that link itself.
func (s *Service) breaksOn(ctx context.Context, d dependent, current, known *index,
	branch, main *store.View) (Link, bool, error) {
	for _, of := range linkClasses {
		_, there, err := s.trie().Get(ctx, known.root, key(of, d.source, d.name))
		if err != nil || there {
			return Link{}, false, err
		}
	}
	stored, err := s.get(ctx, current.root, d)
	if err != nil {
		return Link{}, false, err
	}
	source, err := main.Entry(ctx, d.source)
	if err != nil {
		return Link{}, false, err
	}
	claims := (&judge{service: s}).claims(branch)
	r := resolver{service: s, view: branch, claims: claims, looked: map[string]struct{}{}}
	found, err := r.resolve(ctx, source, *stored.reference())
	if errs.Is(err, errs.NotFound) {
		// A path from a page that the branch does not have: where that page will be is for the merge to say.
		return Link{}, false, nil
	}
	if err != nil || found.class != broken {
		return Link{}, false, err
	}
	stored.class, stored.Target, stored.Reason = found.class, found.target, found.reason
	return stored.link(d.source, d.name), true, nil
}

// newlyBroken returns the links that are broken in one index and not, or not at all, in an earlier one.
func (s *Service) newlyBroken(ctx context.Context, from, to *index, now *judge) ([]Link, error) {
	var links []Link
	for change, err := range s.trie().Diff(ctx, from.root, to.root) {
		if err != nil {
			return nil, fmt.Errorf("compare links: %w", err)
		}
		of, source, name, ok := splitKey(change.Key)
		if !ok || change.Before != nil || change.After == nil || of != broken && of != elsewhere && of != outside {
			continue
		}
		stored, err := decodeStored(of, change.After)
		if err != nil {
			return nil, err
		}
		if of == elsewhere && stored.Target.Space == string(now.scope.View.Revision().Space) {
			continue
		}
		link, err := now.decide(ctx, stored.link(source, name))
		if err != nil {
			return nil, err
		}
		if link.Status == Broken {
			links = append(links, link)
		}
	}
	return links, nil
}

// brokenInside is newlyBroken for the links that name their own space.
func (s *Service) brokenInside(ctx context.Context, from, to *index, then, now *judge) ([]Link, error) {
	var links []Link
	for link, err := range s.walk(ctx, to.root, elsewhere, nil) {
		if err != nil {
			return nil, err
		}
		if link.Target.Space != string(now.scope.View.Revision().Space) {
			continue
		}
		after, err := now.decide(ctx, link)
		if err != nil {
			return nil, err
		}
		if after.Status != Broken {
			continue
		}
		_, known, err := s.trie().Get(ctx, from.root, key(elsewhere, link.Source, link.name))
		if err != nil {
			return nil, fmt.Errorf("compare links: %w", err)
		}
		before, err := then.decide(ctx, link)
		if err != nil {
			return nil, err
		}
		if !known || before.Status != Broken {
			links = append(links, after)
		}
	}
	return links, nil
}

// madeBroken returns the links that led to pages that were made, and lead nowhere now, and those of such pages that
// broke. Neither differ in the index.
func (s *Service) madeBroken(ctx context.Context, from, to *index, then, now *judge) ([]Link, error) {
	before, err := then.made(ctx, then.scope.View)
	if err != nil || before == nil {
		return nil, err
	}
	var links []Link
	for link, err := range s.walk(ctx, to.root, broken, nil) {
		if err != nil {
			return nil, err
		}
		value, known, err := s.trie().Get(ctx, from.root, key(broken, link.Source, link.name))
		if err != nil {
			return nil, fmt.Errorf("compare links: %w", err)
		}
		if !known {
			continue
		}
		stored, err := decodeStored(broken, value)
		if err != nil {
			return nil, err
		}
		was, err := then.decide(ctx, stored.link(link.Source, link.name))
		if err != nil {
			return nil, err
		}
		is, err := now.decide(ctx, link)
		if err != nil {
			return nil, err
		}
		if was.Status != Broken && is.Status == Broken {
			links = append(links, is)
		}
	}
	was, err := then.allMadeLinks(ctx)
	if err != nil {
		return nil, err
	}
	led := map[dependent]bool{}
	for _, link := range was {
		led[dependent{source: link.Source, name: link.name}] = link.Status != Broken
	}
	is, err := now.allMadeLinks(ctx)
	if err != nil {
		return nil, err
	}
	for _, link := range is {
		if link.Status == Broken && led[dependent{source: link.Source, name: link.name}] {
			links = append(links, link)
		}
	}
	return links, nil
}

// madeBrokenOnMain returns the links that main has got since a branch was last up to date, and that lead to made pages
// that the branch takes away.
func (s *Service) madeBrokenOnMain(ctx context.Context, base, branch *store.View,
	current, known *index) ([]Link, error) {
	before, err := s.madeOf(ctx, base)
	if err != nil || before == nil {
		return nil, err
	}
	after, err := s.madeOf(ctx, branch)
	if err != nil {
		return nil, err
	}
	var links []Link
	for _, id := range before.ordered {
		if after.page(id) != nil {
			continue
		}
		dependents, err := s.dependents(ctx, current.root, shortHash(lookedEntity(id)))
		if err != nil {
			return nil, err
		}
		for _, each := range dependents {
			_, there, err := s.trie().Get(ctx, known.root, key(broken, each.source, each.name))
			if err != nil {
				return nil, err
			}
			if there || each.class != broken {
				continue
			}
			stored, err := s.get(ctx, current.root, each)
			if err != nil {
				return nil, err
			}
			links = append(links, stored.link(each.source, each.name))
		}
	}
	return links, nil
}
