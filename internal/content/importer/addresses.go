package importer

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// putAddresses leads the addresses that pages had on the site of their source to where they are now. What a page has
// first, its source's tool gave it: it counts before what other pages have as their second. A redirect that is there
// already stays, unless it leads to a page that is gone. Below another page of the space, such addresses mean nothing.
func (a *assembly) putAddresses(ctx context.Context, targetPage string, there map[string]*entity.Entry,
	seen map[string]bool) error {
	if targetPage != "" {
		return nil
	}
	paths := a.paths()
	living := make(map[string]bool, len(paths))
	for _, at := range paths {
		living[at] = true
	}
	most := 0
	for _, page := range a.ordered {
		most = max(most, len(page.source.Addresses))
	}
	for rank := range most {
		for _, page := range a.ordered {
			if rank >= len(page.source.Addresses) {
				continue
			}
			from := page.source.Addresses[rank]
			redirectID := entity.RedirectID("", from)
			if from == "" || living[from] || seen[redirectID] || finds(from, paths[page]) {
				continue
			}
			seen[redirectID] = true
			e := &entity.Entry{ID: redirectID, Kind: entity.KindRedirect, Path: from,
				Target: &doc.Ref{Kind: doc.RefPage, Page: page.entry.ID}}
			if e.Validate() != nil {
				continue // too long, or with characters that no path has
			}
			before := there[redirectID]
			if kept, err := a.leadsElsewhere(ctx, before, page.entry.ID); err != nil {
				return err
			} else if kept {
				continue
			}
			a.report.Redirects++
			a.put(e, before)
		}
	}
	return nil
}

// leadsElsewhere reports whether a redirect that is there leads to something else that is there, too.
func (a *assembly) leadsElsewhere(ctx context.Context, before *entity.Entry, page string) (bool, error) {
	if before == nil || before.Target == nil || before.Target.Page == page {
		return false, nil
	}
	if before.Target.Page == "" {
		return true, nil
	}
	pages, err := a.view.Pages(ctx)
	if err != nil {
		return false, err
	}
	return pages.ByID[before.Target.Page] != nil, nil
}

// finds reports whether a site finds a page at a path by another one without a redirect: see package pub.
func finds(asked, path string) bool {
	return strings.ToLower(asked) == path || strings.TrimSuffix(asked, ".html") == path ||
		strings.TrimSuffix(asked, "/index.html") == path
}

// paths returns the paths of the pages that are imported.
func (a *assembly) paths() map[*assembledPage]string {
	byID := make(map[string]*assembledPage, len(a.ordered))
	for _, page := range a.ordered {
		byID[page.entry.ID] = page
	}
	paths := make(map[*assembledPage]string, len(a.ordered))
	for _, page := range a.ordered { // parents come before their children
		at := page.entry.Slug
		if parent := byID[page.entry.Parent]; parent != nil {
			at = paths[parent] + "/" + at
		}
		paths[page] = at
	}
	return paths
}
