package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content"
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

// BrokenAdded returns the links that a branch breaks: those that are broken at its head and were not, or were not there,
// in the newest revision of main that the branch contains. It counts links of pages that the branch did not touch, too,
// when it took away or moved what they lead to. It reads what differs between the two.
func (s *Service) BrokenAdded(ctx context.Context, organizationID, spaceID, branchID string) (Added, error) {
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
	return s.BrokenBetween(ctx, organizationID, before, after)
}

// BrokenBetween is BrokenAdded for any two revisions of a space.
func (s *Service) BrokenBetween(ctx context.Context, organizationID string, before, after *content.View) (Added, error) {
	// The older one first: the other is derived from it.
	from, err := s.index(ctx, before)
	if err != nil {
		return Added{}, err
	}
	to, err := s.index(ctx, after)
	if err != nil {
		return Added{}, err
	}
	now := s.judge(Scope{Organization: organizationID, View: after})
	links, err := s.newlyBroken(ctx, from, to, now)
	if err != nil {
		return Added{}, err
	}
	// Links that name their own space are not decided by the index, so those that broke do not differ in it.
	if to.counts.Elsewhere > 0 {
		then := s.judge(Scope{Organization: organizationID, View: before})
		own, err := s.brokenInside(ctx, from, to, then, now)
		if err != nil {
			return Added{}, err
		}
		links = append(links, own...)
	}
	slices.SortFunc(links, func(a, b Link) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), a.order-b.order, strings.Compare(a.name, b.name))
	})
	added := Added{Count: len(links), Links: links[:min(len(links), maxAdded)], BySource: map[string]int{}}
	for _, link := range links {
		added.BySource[link.Source]++
	}
	return added, nil
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
		if of == elsewhere && stored.Target.Space == now.scope.View.Revision().Space {
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
		if link.Target.Space != now.scope.View.Revision().Space {
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
