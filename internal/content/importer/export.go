package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/folder"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// Export writes a revision as a tree of Markdown files: a file for every document at its path, SUMMARY.md,
// .gitbook.yaml, and under .gitbook the files, reusable contents and variables. It returns the number of files written.
//
// What the form has no place for is left out: the fields of groups, links and computed pages besides their titles. A
// link to something that is not there is written as "/broken/…".
func (s *Service) Export(ctx context.Context, view *store.View, sink Sink) (int, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return 0, err
	}
	e := &export{view: view, content: s.deps.Content, sink: sink, tree: tree, paths: pagefile.NewAllocator(),
		includes: map[string]string{}, assets: map[string]string{}}
	if err := e.allocate(ctx); err != nil {
		return 0, err
	}
	for _, write := range []func(context.Context) error{e.writePages, e.writeSummary, e.writeConfig, e.writeIncludes,
		e.writeVariables, e.writeFiles} {
		if err := write(ctx); err != nil {
			return e.written, err
		}
	}
	return e.written, nil
}

// export writes one revision.
type export struct {
	view    *store.View
	content *store.Service
	sink    Sink
	tree    *store.Tree
	// paths hands out paths; pages are those of the pages by id.
	paths *pagefile.Allocator
	pages map[string]pagefile.Allocated
	// includes and assets are the paths of reusable contents and files by id.
	includes, assets map[string]string
	written          int
}

// allocate decides where everything goes.
func (e *export) allocate(ctx context.Context) error {
	e.pages = pagefile.Pages(e.paths, e.tree.Roots,
		func(node *store.TreeNode) (*entity.Entry, []*store.TreeNode) { return node.Entry, node.Children })
	reusables, err := e.view.ReusableContents(ctx)
	if err != nil {
		return err
	}
	for _, reusable := range reusables {
		name := pagefile.SafeName(pagefile.IncludeName(reusable))
		e.includes[reusable.ID] = e.paths.File(pagefile.IncludeFolder + name + ".md")
	}
	files, err := e.view.Files(ctx)
	if err != nil {
		return err
	}
	used, err := e.usedFiles(ctx)
	if err != nil {
		return err
	}
	// Files with a place of their own come first: the others can go anywhere.
	for _, own := range []bool{true, false} {
		for _, file := range files {
			if e.keepsPlace(file, used) != own {
				continue
			}
			wanted := pagefile.AssetFolder + pagefile.SafeName(file.Name)
			if own {
				wanted = file.Path
			}
			e.assets[file.ID] = e.paths.File(wanted)
		}
	}
	return nil
}

// keepsPlace reports whether a file goes where it came from. One that an import would not take from there, because
// nothing names it, goes with the others.
func (e *export) keepsPlace(file *entity.Entry, used map[string]bool) bool {
	if file.Path == "" || !pagefile.SafePath(file.Path) {
		return false
	}
	return used[file.ID] || strings.HasPrefix(file.Path, ".gitbook/") || folder.IsImage(file.Path)
}

// usedFiles returns the ids of the files that a page or reusable content names.
func (e *export) usedFiles(ctx context.Context) (map[string]bool, error) {
	used := map[string]bool{}
	note := func(destination string) {
		if ref := doc.ParseDestination(destination); ref.Kind == doc.RefFile {
			used[ref.File] = true
		}
	}
	reusables, err := e.view.ReusableContents(ctx)
	if err != nil {
		return nil, err
	}
	entries := slices.Clone(reusables)
	for _, node := range e.tree.Ordered {
		entries = append(entries, node.Entry)
	}
	for _, entry := range entries {
		body, err := e.view.Body(ctx, entry)
		if err != nil {
			return nil, err
		}
		for _, use := range links.All(body) {
			note(use.Destination)
		}
		if entry.Target != nil {
			note(entry.Target.Destination())
		}
		if entry.Cover != nil && entry.Cover.Ref != nil {
			note(entry.Cover.Ref.Destination())
		}
	}
	return used, nil
}

// write writes one file.
func (e *export) write(ctx context.Context, name string, body io.Reader) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("export: %w", context.Cause(ctx))
	}
	file, err := e.sink.Create(name)
	if err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	_, err = io.Copy(file, body)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	e.written++
	return nil
}

func (e *export) writePages(ctx context.Context) error {
	for _, node := range e.tree.Ordered {
		place, ok := e.pages[node.Entry.ID]
		if !ok || node.Entry.Type != entity.PageDocument {
			continue
		}
		body, err := e.view.Body(ctx, node.Entry)
		if err != nil {
			return err
		}
		front := frontmatter.Write(node.Entry)
		front.LinkTitle = "" // the table of contents has it
		if front.Cover != nil {
			front.Cover.Ref = e.relative(place.File, front.Cover.Ref)
			front.Cover.RefDark = e.relative(place.File, front.Cover.RefDark)
		}
		if place.SlugLost {
			front.Extra = maps.Clone(front.Extra)
			if front.Extra == nil {
				front.Extra = map[string]any{}
			}
			front.Extra["slug"] = node.Entry.Slug
		}
		front = frontmatter.WriteKept(node.Entry, place.File, front)
		page := treefile.Page{FrontMatter: front, Title: node.Entry.Title, Body: e.links(place.File, body)}
		if err := e.write(ctx, place.File, bytes.NewReader(treefile.WritePage(page))); err != nil {
			return err
		}
	}
	return nil
}

// links writes the links of a body relative to a file.
func (e *export) links(from string, body []byte) []byte {
	return links.Rewrite(body, func(use links.Use) (string, bool) {
		written := e.relative(from, use.Destination)
		return written, written != use.Destination
	})
}

// relative returns a destination in its stable form as a path relative to a file; others stay as they are.
func (e *export) relative(from, destination string) string {
	ref := doc.ParseDestination(destination)
	if ref.Space != "" && ref.Space != string(e.view.Revision().Space) {
		return destination
	}
	switch ref.Kind {
	case doc.RefPage, doc.RefAnchor:
		if ref.Page == "" {
			return destination
		}
		anchor := ""
		if ref.Anchor != "" {
			anchor = "#" + ref.Anchor
		}
		place, ok := e.pages[ref.Page]
		switch {
		case !ok && !id.Valid("page", ref.Page):
			return destination
		case !ok:
			return e.linkTarget(from, ref) + anchor
		case place.File == "":
			return pagefile.LinkFolder(from, place.Folder) + anchor
		case path.Base(place.File) == pagefile.Readme:
			return pagefile.LinkFolder(from, path.Dir(place.File)) + anchor
		}
		return pagefile.Link(from, place.File) + anchor
	case doc.RefFile:
		if file, ok := e.assets[ref.File]; ok {
			return pagefile.Link(from, file)
		}
		if id.Valid("file", ref.File) {
			return "/broken/files/" + ref.File
		}
	case doc.RefReusableContent:
		if include, ok := e.includes[ref.ReusableContent]; ok {
			return pagefile.Link(from, include)
		}
	}
	return destination
}

// linkTarget returns what a link to a page without a file is written as: where that page leads, if it is a link.
func (e *export) linkTarget(from string, ref doc.Ref) string {
	if node := e.tree.ByID[ref.Page]; node != nil && node.Entry.Target != nil &&
		node.Entry.Target.Kind == doc.RefURL {
		return node.Entry.Target.URL
	}
	return "/broken/pages/" + ref.Page
}

func (e *export) writeSummary(ctx context.Context) error {
	summary := &treefile.Summary{}
	for _, node := range e.tree.Roots {
		if item := e.summaryItem(node); item != nil {
			summary.Items = append(summary.Items, item)
		}
	}
	return e.write(ctx, "SUMMARY.md", bytes.NewReader(treefile.WriteSummary(summary)))
}

func (e *export) summaryItem(node *store.TreeNode) *treefile.SummaryItem {
	entry := node.Entry
	item := &treefile.SummaryItem{Title: entry.Title, LinkTitle: entry.LinkTitle}
	switch {
	case entry.Type == entity.PageGroup && node.Parent == nil:
		item.Kind = treefile.SummaryGroup
		if entity.Slugify(entry.Title) != entry.Slug {
			item.Slug = entry.Slug
		}
	case entry.Type == entity.PageComputed:
		item.Kind = treefile.SummaryComputed
		item.Computed = computedValue(entry.Computed)
	case entry.Type == entity.PageLink:
		item.Target = e.linkDestination(entry.Target)
	default:
		item.Target = pagefile.Escape(e.pages[entry.ID].File)
	}
	for _, child := range node.Children {
		if below := e.summaryItem(child); below != nil {
			item.Items = append(item.Items, below)
		}
	}
	return item
}

// linkDestination returns what a link page leads to. A page as a target has a "#" behind it: the table of contents
// would list the page itself otherwise.
func (e *export) linkDestination(target *doc.Ref) string {
	if target == nil {
		return "#"
	}
	destination := e.relative("SUMMARY.md", target.Destination())
	if target.Kind == doc.RefPage && !strings.HasPrefix(destination, "/broken/") &&
		!strings.Contains(destination, "#") {
		destination += "#"
	}
	return destination
}

func computedValue(computed *entity.Computed) map[string]any {
	value := map[string]any{"type": computed.Type}
	if computed.Props != nil {
		value["props"] = computed.Props
	}
	if computed.Dependencies != nil {
		value["dependencies"] = computed.Dependencies
	}
	return value
}

// writeConfig writes .gitbook.yaml, also when it is empty: it says that the tree is one of the dialect.
func (e *export) writeConfig(ctx context.Context) error {
	config := treefile.DefaultConfig()
	if e.tree.Landing != nil {
		config.Readme = e.pages[e.tree.Landing.Entry.ID].File
	}
	redirects, err := e.view.Redirects(ctx)
	if err != nil {
		return err
	}
	for _, redirect := range redirects {
		e.addRedirect(config.Redirects, redirect)
	}
	return e.write(ctx, ".gitbook.yaml", bytes.NewReader(treefile.WriteConfig(config)))
}

// addRedirect adds a redirect. One that a move has left behind leads everything below the page, too; the form has no
// word for that, so each page below gets its own.
func (e *export) addRedirect(redirects map[string]string, redirect *entity.Entry) {
	from := redirect.Path
	if redirect.Parent != "" {
		parent := e.tree.ByID[redirect.Parent]
		if parent == nil {
			return
		}
		from = parent.Path + "/" + from
	}
	if redirect.Target == nil {
		return
	}
	to := e.relative(".gitbook.yaml", redirect.Target.Destination())
	if strings.HasPrefix(to, "/broken/") {
		return
	}
	if place, ok := e.pages[redirect.Target.Page]; ok && place.File != "" && redirect.Target.Anchor == "" {
		to = pagefile.Escape(place.File)
	}
	redirects[from] = to
	target := e.tree.ByID[redirect.Target.Page]
	if target == nil || redirect.Parent == "" {
		return
	}
	var below func(node *store.TreeNode)
	below = func(node *store.TreeNode) {
		for _, child := range node.Children {
			if place, ok := e.pages[child.Entry.ID]; ok && place.File != "" {
				redirects[from+strings.TrimPrefix(child.Path, target.Path)] = pagefile.Escape(place.File)
			}
			below(child)
		}
	}
	below(target)
}

func (e *export) writeIncludes(ctx context.Context) error {
	reusables, err := e.view.ReusableContents(ctx)
	if err != nil {
		return err
	}
	for _, reusable := range reusables {
		body, err := e.view.Body(ctx, reusable)
		if err != nil {
			return err
		}
		name := e.includes[reusable.ID]
		front := frontmatter.WriteKept(reusable, name, frontmatter.Write(reusable))
		page := treefile.Page{FrontMatter: front, Body: e.links(name, body)}
		if err := e.write(ctx, name, bytes.NewReader(treefile.WritePage(page))); err != nil {
			return err
		}
	}
	return nil
}

func (e *export) writeVariables(ctx context.Context) error {
	variables, err := e.view.Variables(ctx)
	if err != nil || len(variables) == 0 {
		return err
	}
	return e.write(ctx, ".gitbook/vars.yaml", bytes.NewReader(treefile.WriteVariables(variables)))
}

func (e *export) writeFiles(ctx context.Context) error {
	files, err := e.view.Files(ctx)
	if err != nil {
		return err
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b *entity.Entry) int { return strings.Compare(e.assets[a.ID], e.assets[b.ID]) })
	for _, file := range files {
		if err := e.writeFile(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

func (e *export) writeFile(ctx context.Context, file *entity.Entry) error {
	content, _, err := e.content.OpenFile(ctx, file.Blob)
	if err != nil {
		return err
	}
	defer content.Close()
	return e.write(ctx, e.assets[file.ID], content)
}
