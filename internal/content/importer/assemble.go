package importer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// assembly turns a tree into the entries of one commit. What the space has already under the same path keeps its id.
type assembly struct {
	content *store.Service
	view    *store.View
	tree    *source.Tree
	tracker *tracker

	pages    map[*source.Page]*assembledPage
	ordered  []*assembledPage
	files    map[*source.File]*entity.Entry
	reusable map[*source.Reusable]*assembledContent
	puts     []store.Put
	report   source.Report
	reported map[source.Note]bool // broken links that the report has
	// anchors are those of pages that links have named lately, bodies what waits to be stored.
	anchors map[*assembledPage]map[string]string
	// descriptions are those of APIs that pages have shown lately.
	descriptions map[*source.File]description
	bodies       [][]byte
	waiting      int // bytes of bodies
	// mirror is nil when pages that the source does not have stay; deletes are those that go.
	mirror  *mirroring
	deletes []string
	// changes says what becomes of pages, pathsBefore where those were that are there.
	changes     source.Changes
	pathsBefore map[string]string
	steps       int
	done        int
}

// assembledPage is a page on its way into the space.
type assembledPage struct {
	source *source.Page
	entry  *entity.Entry
	before *entity.Entry // what is there already, nil for a new page
	body   source.Text
	// anchors says what links can name, as encodeAnchors writes it; empty until the body was read.
	anchors source.Text
	// operations are the blocks of the body with operations of APIs; empty until it was read.
	operations []operationUse
}

// stays reports whether a page is there below the same parent already.
func (p *assembledPage) stays() bool { return p.before != nil && p.before.Parent == p.entry.Parent }

// assembledContent is a reusable content on its way into the space.
type assembledContent struct {
	source *source.Reusable
	entry  *entity.Entry
	before *entity.Entry
}

func newAssembly(service *store.Service, view *store.View, tree *source.Tree, tracker *tracker) *assembly {
	return &assembly{
		content: service, view: view, tree: tree, tracker: tracker, report: tree.Report,
		pages: map[*source.Page]*assembledPage{}, files: map[*source.File]*entity.Entry{},
		reusable: map[*source.Reusable]*assembledContent{},
		reported: map[source.Note]bool{}, descriptions: map[*source.File]description{},
		anchors: map[*assembledPage]map[string]string{}, pathsBefore: map[string]string{},
	}
}

// assemble fills puts. It stores the bytes of files and the bodies, which nobody sees before the commit.
func (a *assembly) assemble(ctx context.Context, targetPage string) error {
	a.steps = a.tree.Count() + len(a.tree.Files) + len(a.tree.Reusables)
	if err := a.place(ctx, targetPage); err != nil {
		return err
	}
	if err := a.takeFiles(ctx); err != nil {
		return err
	}
	if err := a.placeReusables(ctx); err != nil {
		return err
	}
	if err := a.readBodies(ctx); err != nil {
		return err
	}
	if err := a.linkPages(ctx); err != nil {
		return err
	}
	if err := a.linkReusables(ctx); err != nil {
		return err
	}
	if err := a.storeBodies(ctx); err != nil {
		return err
	}
	if err := a.putVariables(ctx); err != nil {
		return err
	}
	return a.putRedirects(ctx, targetPage)
}

// step counts one page or file and ends when the import was cancelled.
func (a *assembly) step(ctx context.Context, message string) error {
	a.done++
	a.tracker.set(ctx, a.done, a.steps, message)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("assemble import: %w", context.Cause(ctx))
	}
	return nil
}

// put adds an entry to the commit unless it says what is there already. Its body is stored by its hash.
func (a *assembly) put(e, before *entity.Entry) {
	if before != nil && sameEntry(e, before) {
		return
	}
	a.puts = append(a.puts, store.Put{Entry: e})
}

// sameEntry reports whether two entries differ in their times only.
func sameEntry(e, before *entity.Entry) bool {
	same := *e
	same.CreatedAt, same.UpdatedAt = before.CreatedAt, before.UpdatedAt
	return entity.Equal(&same, before)
}

// release completes the report and lets go of everything that the commit does not need.
func (a *assembly) release() {
	a.report.Pages = len(a.ordered)
	a.report.Files = len(a.tree.Files)
	a.report.ReusableContents = len(a.tree.Reusables)
	a.report.Origin = a.noted()
	a.count()
	a.tree = &source.Tree{Origin: a.tree.Origin, Single: a.tree.Single}
	a.pages, a.ordered, a.files, a.reusable, a.reported, a.anchors, a.bodies = nil, nil, nil, nil, nil, nil, nil
	a.mirror, a.pathsBefore, a.descriptions = nil, nil, nil
}

// place gives every page its id, parent, slug and position.
func (a *assembly) place(ctx context.Context, targetPage string) error {
	existing, err := a.view.Pages(ctx)
	if err != nil {
		return err
	}
	there, depth := existing.Roots, 0
	if targetPage != "" {
		target, err := targetNode(existing, targetPage)
		if err != nil {
			return err
		}
		if a.tree.Single && target.Entry.Type == entity.PageDocument {
			if a.mirror != nil {
				return errAlone()
			}
			a.placeInto(target.Entry)
			return nil
		}
		there, depth = target.Children, 1
	}
	a.notePaths(there)
	if a.mirror == nil {
		return a.placeBelow(a.tree.Pages, targetPage, entriesOf(there), existing, depth)
	}
	if a.tree.Single || len(a.tree.Pages) == 0 {
		return errAlone()
	}
	if err := a.follow(ctx, there); err != nil {
		return err
	}
	if err := a.placeBelow(a.tree.Pages, targetPage, entriesOf(there), existing, depth); err != nil {
		return err
	}
	a.sweep(there)
	return nil
}

// placeInto makes a single document the body of a page, which keeps everything else.
func (a *assembly) placeInto(before *entity.Entry) {
	page, e := a.tree.Pages[0], *before
	e.Git = a.file(page.Place, page.OID)
	if page.Entry.Title != e.Title && page.Entry.Title != "" {
		a.report.NotUnderstood.Addf(page.Place, "the page keeps its title; that of the document, %q, was left out",
			truncate(page.Entry.Title, 200))
	}
	made := &assembledPage{source: page, entry: &e, before: before}
	a.pages[page] = made
	a.ordered = append(a.ordered, made)
}

func entriesOf(nodes []*store.TreeNode) []*entity.Entry {
	entries := make([]*entity.Entry, len(nodes))
	for i, node := range nodes {
		entries[i] = node.Entry
	}
	return entries
}

// placeBelow places siblings below a parent that has children already.
func (a *assembly) placeBelow(pages []*source.Page, parent string, there []*entity.Entry, existing *store.Tree,
	depth int) error {
	if depth > store.MaxDepth {
		return errs.New(errs.Invalid, "%s is more than %d levels deep", pages[0].Place, store.MaxDepth)
	}
	bySlug := make(map[string]*entity.Entry, len(there))
	for _, e := range there {
		bySlug[e.Slug] = e
	}
	slugs := siblingSlugs(pages)
	placed := make([]*assembledPage, len(pages))
	for i, page := range pages {
		e := &page.Entry
		e.Kind, e.Parent, e.Slug, e.Git = entity.KindPage, parent, slugs[i], a.file(page.Place, page.OID)
		made := &assembledPage{source: page, entry: e, before: a.taking(page, bySlug[e.Slug])}
		if made.before != nil {
			e.ID = made.before.ID
		} else {
			e.ID = id.New("page")
		}
		fit(e)
		a.pages[page] = made
		placed[i] = made
	}
	setPositions(placed, there)
	for i, page := range pages {
		a.ordered = append(a.ordered, placed[i])
		if len(page.Children) == 0 {
			continue
		}
		var below []*entity.Entry
		if node := existing.ByID[placed[i].entry.ID]; node != nil {
			below = entriesOf(node.Children)
		}
		if err := a.placeBelow(page.Children, placed[i].entry.ID, below, existing, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// siblingSlugs returns a slug for each of some siblings. Those that the source gives come first, then documents and
// groups, so that a link with the title of a page does not take its path.
func siblingSlugs(pages []*source.Page) []string {
	slugs := make([]string, len(pages))
	taken := map[string]bool{}
	rank := func(page *source.Page) int {
		switch {
		case page.Entry.Slug != "":
			return 0
		case page.Entry.Type == entity.PageLink:
			return 3
		case page.Entry.Type == entity.PageComputed:
			return 2
		}
		return 1
	}
	for wanted := range 4 {
		for i, page := range pages {
			if rank(page) != wanted {
				continue
			}
			slug := page.Entry.Slug
			if !entity.ValidSlug(slug) || taken[slug] {
				if slug == "" {
					slug = page.Entry.Title
				}
				slug = entity.UniqueSlug(slug, func(s string) bool { return taken[s] })
			}
			slugs[i], taken[slug] = slug, true
		}
	}
	return slugs
}

// setPositions gives siblings positions in the order of the source. Pages that are there keep theirs when they stand
// in that order; new pages come between them, or at the end.
func setPositions(placed []*assembledPage, there []*entity.Entry) {
	last := ""
	for _, e := range there {
		last = max(last, e.Position)
	}
	ordered := true
	previous := ""
	for _, page := range placed {
		if page.stays() {
			ordered = ordered && page.before.Position > previous
			previous = page.before.Position
		}
	}
	if !ordered {
		for i, position := range entity.Spread(last, "", len(placed)) {
			placed[i].entry.Position = position
		}
		return
	}
	for start := 0; start < len(placed); {
		if placed[start].stays() {
			placed[start].entry.Position = placed[start].before.Position
			start++
			continue
		}
		end := start
		for end < len(placed) && !placed[end].stays() {
			end++
		}
		// Pages before the first that is there go right before it, all others behind the one before them.
		low, high := last, ""
		if start > 0 {
			low = placed[start-1].entry.Position
			high = nextPosition(there, low)
		} else if end < len(placed) {
			high = placed[end].before.Position
			low = previousPosition(there, high)
		}
		for i, position := range entity.Spread(low, high, end-start) {
			placed[start+i].entry.Position = position
		}
		start = end
	}
}

// nextPosition returns the lowest position above one, "" when there is none.
func nextPosition(there []*entity.Entry, position string) string {
	next := ""
	for _, e := range there {
		if e.Position > position && (next == "" || e.Position < next) {
			next = e.Position
		}
	}
	return next
}

// previousPosition returns the highest position below one, "" when there is none.
func previousPosition(there []*entity.Entry, position string) string {
	previous := ""
	for _, e := range there {
		if e.Position < position && e.Position > previous {
			previous = e.Position
		}
	}
	return previous
}

// fit cuts fields to the lengths that an entry may have.
func fit(e *entity.Entry) {
	e.Title = oneLine(e.Title, entity.MaxTitleLength)
	e.LinkTitle = oneLine(e.LinkTitle, entity.MaxLinkTitleLength)
	e.Description = cut(strings.ToValidUTF8(e.Description, "\uFFFD"), entity.MaxDescriptionLength)
}

func oneLine(text string, limit int) string {
	return cut(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "), limit)
}

// cut shortens a text to a number of characters, with an ellipsis for what is gone.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}

// placeReusables gives reusable contents their ids.
func (a *assembly) placeReusables(ctx context.Context) error {
	there, err := a.view.ReusableContents(ctx)
	if err != nil {
		return err
	}
	byName := map[string]*entity.Entry{}
	for _, e := range there {
		byName[pagefile.IncludeName(e)] = e
	}
	for _, reusable := range a.tree.Reusables {
		e := reusable.Entry
		e.Kind, e.Git = entity.KindReusable, a.file(reusable.Place, reusable.OID)
		made := &assembledContent{source: reusable, entry: &e, before: byName[pagefile.IncludeName(&e)]}
		e.ID = id.New("content")
		if made.before != nil {
			e.ID = made.before.ID
		}
		fit(&e)
		a.reusable[reusable] = made
	}
	return nil
}

func (a *assembly) putVariables(ctx context.Context) error {
	if len(a.tree.Variables) == 0 {
		return nil
	}
	there, err := a.view.Variables(ctx)
	if err != nil {
		return err
	}
	e := &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables, Variables: maps.Clone(a.tree.Variables)}
	var before *entity.Entry
	if there != nil {
		before = &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables, Variables: there}
		for name, value := range there {
			if _, known := e.Variables[name]; !known {
				e.Variables[name] = value
			}
		}
	}
	a.put(e, before)
	return nil
}

func (a *assembly) putRedirects(ctx context.Context, targetPage string) error {
	there, err := a.view.Redirects(ctx)
	if err != nil {
		return err
	}
	byID := map[string]*entity.Entry{}
	for _, e := range there {
		byID[e.ID] = e
	}
	seen := map[string]bool{}
	for _, redirect := range a.tree.Redirects {
		from := strings.Trim(redirect.From, "/")
		redirectID := entity.RedirectID("", from)
		if from == "" || seen[redirectID] {
			continue
		}
		seen[redirectID] = true
		target := a.target(redirect.Base, redirect.Destination, redirect.Place, 0)
		if target == nil {
			continue
		}
		a.report.Redirects++
		e := &entity.Entry{ID: redirectID, Kind: entity.KindRedirect, Path: from, Target: target}
		a.put(e, byID[redirectID])
	}
	return a.putAddresses(ctx, targetPage, byID, seen)
}

// target returns the reference that a destination stands for outside a body; nil when it is broken.
func (a *assembly) target(base, destination, place string, line int) *doc.Ref {
	if destination == "" {
		return nil
	}
	at := placeOf(place, line)
	resolution := a.tree.Resolve(base, destination)
	switch resolution.Kind {
	case source.ToPage:
		target := &doc.Ref{Kind: doc.RefPage, Page: a.pages[resolution.Page].entry.ID}
		if anchor := a.anchor(resolution, destination, at); anchor != "" {
			target.Kind, target.Anchor = doc.RefAnchor, anchor
		}
		return target
	case source.ToFile:
		if file := a.files[resolution.File]; file != nil {
			return &doc.Ref{Kind: doc.RefFile, File: file.ID}
		}
	case source.ToReusable:
		return &doc.Ref{Kind: doc.RefReusableContent, ReusableContent: a.reusable[resolution.Reusable].
			entry.ID}
	case source.Broken:
		a.broken(source.Note{Place: at, Target: destination, Message: resolution.Reason})
	}
	if resolution.URL != "" {
		destination = resolution.URL
	}
	ref := doc.ParseDestination(destination)
	return &ref
}

// orderedFiles returns the files of the tree in a fixed order.
func (a *assembly) orderedFiles() []*source.File {
	files := slices.Clone(a.tree.Files)
	slices.SortStableFunc(files, func(x, y *source.File) int {
		return strings.Compare(x.Path+"\x00"+x.Name, y.Path+"\x00"+y.Name)
	})
	return files
}
