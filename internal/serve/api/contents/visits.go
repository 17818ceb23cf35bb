package contents

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/treefile"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// This file answers reads with the token of a visit. It shows a revision as the site shows it: the live one alone,
// without the pages whose conditions do not hold for the visitor, with bodies evaluated for them, with the files that
// these show, and without what only authors know: conditions, variables, owners, Git and the names of reusable
// contents.
// Parameters that would show more change nothing.

// visited is a revision of a space for a visitor.
type visited struct {
	h      *Handlers
	visit  *audience.Visit
	space  site.ServedSpace
	view   *store.View
	tree   *store.Tree
	pages  *page.Revision
	reader page.Reader
	// roots are the pages that the visitor gets, and byID and byPath all of them.
	roots        []*wire.Page
	byID, byPath map[string]*wire.Page
	// made are the pages that computed pages stand for, once they are asked for.
	made *spec.Expansion
}

// expansion is made, worked out once.
func (v *visited) expansion(ctx context.Context) (*spec.Expansion, error) {
	var err error
	if v.made == nil {
		v.made, err = v.h.ComputedPages.Expand(ctx, v.view)
	}
	return v.made, err
}

// visitRead answers from the live revision of a space on the site. variant names what the answer depends on besides.
func (h *Handlers) visitRead(ctx context.Context, params RevisionParams, revision id.Revision, variant string,
	build func(context.Context, *visited) (any, error)) (*operation.Encoded, error) {
	visit := operation.Visit(ctx)
	space, ok := visit.Space(params.Space)
	if !ok || space.Head == "" || revision != "" && revision != space.Head {
		return nil, errs.NotFoundf("The site shows no such revision of the space.")
	}
	params.Computed, params.Metadata = true, false
	return h.encode(ctx, space.Head, params, "visit/"+visit.Audience+"/"+variant,
		func(ctx context.Context, view *store.View) (any, error) {
			v, err := h.visited(ctx, visit, space, view, params)
			if err != nil {
				return nil, err
			}
			return build(ctx, v)
		})
}

func (h *Handlers) visited(ctx context.Context, visit *audience.Visit, space site.ServedSpace, view *store.View,
	params RevisionParams) (*visited, error) {
	v := &visited{h: h, visit: visit, space: space, view: view, byID: map[string]*wire.Page{},
		byPath: map[string]*wire.Page{}}
	var err error
	if v.tree, err = view.Pages(ctx); err != nil {
		return nil, err
	}
	if v.pages, err = page.Open(ctx, view); err != nil {
		return nil, err
	}
	v.reader = page.Reader{Visitor: page.Visitor(visit.Claims),
		Space: func(ctx context.Context, other id.Space) (*page.Revision, error) {
			shown, ok := visit.Space(other)
			if !ok || shown.Head == "" {
				return nil, nil
			}
			elsewhere, err := h.Content.View(ctx, shown.Head)
			if err != nil {
				return nil, err
			}
			return page.Open(ctx, elsewhere)
		}}
	if v.roots, err = h.withComputed(ctx, view, params, v.shown(ctx, v.tree.Roots)); err != nil {
		return nil, err
	}
	v.index(v.roots)
	return v, nil
}

// shown are the pages among some that the visitor gets.
func (v *visited) shown(ctx context.Context, nodes []*store.TreeNode) []*wire.Page {
	pages := []*wire.Page{}
	for _, node := range nodes {
		if !v.pages.Holds(ctx, node.Entry, v.reader.Visitor) {
			continue
		}
		one := v.h.Wire.Page(v.space.Space, node.Entry, node.Path)
		if node.Entry.Type == entity.PageDocument || node.Entry.Type == entity.PageGroup {
			one.Pages = v.shown(ctx, node.Children)
		}
		pages = append(pages, one)
	}
	return pages
}

// index takes what only authors know off pages, and makes them be found.
func (v *visited) index(pages []*wire.Page) {
	for _, one := range pages {
		one.Variables, one.Condition, one.Owner, one.Git = nil, "", "", nil
		v.byID[one.ID] = one
		if one.Type != string(entity.PageLink) {
			v.byPath[one.Path] = one
		}
		v.index(one.Pages)
	}
}

// document is the body of a page as the visitor gets it; nil for a page without one.
func (v *visited) document(ctx context.Context, pageID string) (*doc.Document, error) {
	if _, ok := v.byID[pageID]; !ok {
		return nil, errs.NotFoundf("The site shows no page %q in this space.", pageID)
	}
	node := v.tree.ByID[pageID]
	if node == nil || spec.IsComputed(node.Entry) { // one that is made
		made, err := v.expansion(ctx)
		if err != nil {
			return nil, err
		}
		computed, ok := made.Pages[pageID]
		if !ok || made.Tree.ByID[pageID].Entry.Type != entity.PageDocument {
			return nil, nil
		}
		document := computed.Document.Clone()
		doc.Finish(document)
		return document, nil
	}
	if node.Entry.Type != entity.PageDocument {
		return nil, nil
	}
	reading := v.pages.Read(node.Entry, v.reader)
	document, err := reading.Document(ctx, reading.Options(render.Options{}))
	if err != nil {
		return nil, err
	}
	document.ReadDestinations()
	return document, nil
}

// files are those that pages of the visitor show, by their ids.
func (v *visited) files(ctx context.Context) (map[string]bool, error) {
	used := map[string]bool{}
	use := func(ref *wire.Reference) {
		if ref != nil && ref.File != "" {
			used[ref.File] = true
		}
	}
	for pageID, one := range v.byID {
		if one.Cover != nil {
			use(one.Cover.Ref)
			use(one.Cover.RefDark)
		}
		use(one.Target)
		document, err := v.document(ctx, pageID)
		if err != nil {
			return nil, err
		}
		if document == nil {
			continue
		}
		document.MapRefs(func(ref doc.Ref) doc.Ref {
			if ref.Kind == doc.RefFile && (ref.Space == "" || id.Space(ref.Space) == v.space.Space) {
				used[ref.File] = true
			}
			return ref
		})
	}
	return used, nil
}

// visitRevision answers the live revision as the site shows it.
func (h *Handlers) visitRevision(ctx context.Context, in *getRevisionInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "revision",
		func(ctx context.Context, v *visited) (any, error) {
			revision := v.view.Revision()
			answer := &wire.Revision{Object: "revision", ID: revision.ID, Type: string(revision.Type),
				Parents: []id.Revision{}, Pages: v.roots, Files: []wire.File{},
				ReusableContents: []wire.ReusableContent{}, CreatedAt: wire.Timestamp(revision.CreatedAt),
				URLs: h.Wire.RevisionAlone(v.view).URLs}
			answer.URLs.Published = v.visit.Address(v.space.URL)
			used, err := v.files(ctx)
			if err != nil {
				return nil, err
			}
			files, err := v.view.Files(ctx)
			if err != nil {
				return nil, err
			}
			for _, each := range files {
				if used[each.ID] {
					file := h.Wire.File(v.space.Space, each)
					file.DownloadURL, file.Git = h.Wire.Downloads.LastingURL(string(v.space.Space), each), nil
					answer.Files = append(answer.Files, file)
				}
			}
			return answer, nil
		})
}

// visitPages answers the tree of pages as the site shows it.
func (h *Handlers) visitPages(ctx context.Context, in *getRevisionInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "pages",
		func(_ context.Context, v *visited) (any, error) { return PageTree{Pages: v.roots}, nil })
}

// visitFile answers a file that a page of the visitor shows.
func (h *Handlers) visitFile(ctx context.Context, in *getFileInRevisionInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "file/"+in.File,
		func(ctx context.Context, v *visited) (any, error) {
			used, err := v.files(ctx)
			if err != nil {
				return nil, err
			}
			entry, err := v.view.Entry(ctx, in.File)
			if errs.Is(err, errs.NotFound) || err == nil && (entry.Kind != entity.KindFile || !used[in.File]) {
				return nil, errs.NotFoundf("The site shows no file %q of this space.", in.File)
			}
			if err != nil {
				return nil, err
			}
			file := h.Wire.File(v.space.Space, entry)
			file.DownloadURL = h.Wire.Downloads.LastingURL(string(v.space.Space), entry)
			return file, nil
		})
}

// visitPage answers a page as the site shows it.
func (h *Handlers) visitPage(ctx context.Context, in *getPageInRevisionInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "page/"+in.Page+"/"+in.Format,
		func(ctx context.Context, v *visited) (any, error) { return v.page(ctx, v.byID[in.Page], in.Format) })
}

// visitPath answers the page at a path as the site shows it. Old paths lead to pages that the visitor gets.
func (h *Handlers) visitPath(ctx context.Context, in *getPageInRevisionByPathInput) (*operation.Encoded, error) {
	path := strings.Trim(in.Path, "/")
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "path/"+path+"/"+in.Format,
		func(ctx context.Context, v *visited) (any, error) {
			found := v.byPath[path]
			if found == nil {
				resolved, err := v.view.ByPath(ctx, path)
				if err != nil && !errs.Is(err, errs.NotFound) {
					return nil, err
				}
				if err == nil && resolved.Entry != nil {
					found = v.byID[resolved.Entry.ID]
				}
			}
			return v.page(ctx, found, in.Format)
		})
}

// page adds the body to a page; nil is none that the visitor gets.
func (v *visited) page(ctx context.Context, found *wire.Page, format string) (*wire.Page, error) {
	if found == nil {
		return nil, errs.NotFoundf("The site shows no such page in this space.")
	}
	if format == "html" {
		return nil, errs.Invalidf("query.format", "is document or markdown for tokens of visits")
	}
	document, err := v.document(ctx, found.ID)
	if err != nil || document == nil {
		return found, err
	}
	answer := *found
	if format == "document" {
		document.Complete()
		answer.Document, err = json.Marshal(document)
		return &answer, err
	}
	body := v.absolute(ctx, string(markdown.Write(document)))
	answer.Markdown = new(string(treefile.WritePage(treefile.Page{Title: found.Title, Body: []byte(body)})))
	return &answer, nil
}

// attribute is a reference in its stable form that is the value of an attribute of HTML.
var attribute = regexp.MustCompile(`(\s[a-z-]+=")(/(?:spaces/[A-Za-z0-9_]+/)?(?:pages|files)/[^"]*)"`)

// absolute writes references in attributes of HTML as addresses, outside of code.
func (v *visited) absolute(ctx context.Context, text string) string {
	lines, fence := strings.Split(text, "\n"), ""
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " >")
		switch {
		case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			fence = trimmed[:3]
			continue
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		lines[i] = attribute.ReplaceAllStringFunc(line, func(match string) string {
			parts := attribute.FindStringSubmatch(match)
			if address := v.address(ctx, doc.ParseDestination(parts[2])); address != "" {
				return parts[1] + address + `"`
			}
			return match
		})
	}
	return strings.Join(lines, "\n")
}

// address is where a reference leads on the site, "" for what the visitor does not get.
func (v *visited) address(ctx context.Context, ref doc.Ref) string {
	if ref.Space != "" && id.Space(ref.Space) != v.space.Space {
		return ""
	}
	switch ref.Kind {
	case doc.RefFile:
		if file, err := v.view.Entry(ctx, ref.File); err == nil && file.Kind == entity.KindFile {
			return strings.ReplaceAll(v.h.Wire.Downloads.LastingURL(string(v.space.Space), file), "&", "&amp;")
		}
	case doc.RefPage, doc.RefAnchor:
		found := v.byID[ref.Page]
		if found == nil {
			return ""
		}
		address := v.visit.Address(v.space.URL + found.Path)
		if ref.Anchor != "" {
			address += "#" + ref.Anchor
		}
		return address
	}
	return ""
}

// visitDocument answers the body of a page as the site shows it.
func (h *Handlers) visitDocument(ctx context.Context, in *getPageDocumentInRevisionInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "document/"+in.Page,
		func(ctx context.Context, v *visited) (any, error) {
			document, err := v.document(ctx, in.Page)
			if err == nil && document == nil {
				err = errs.NotFoundf("The page %q has no document.", in.Page)
			}
			if err != nil {
				return nil, err
			}
			document.Complete()
			return document, nil
		})
}

// visitMetaLinks answers where else a page that the visitor gets is.
func (h *Handlers) visitMetaLinks(ctx context.Context, in *revisionMetaLinksInput) (*operation.Encoded, error) {
	return h.visitRead(ctx, in.RevisionParams, in.Revision, "meta-links/"+in.Page,
		func(_ context.Context, v *visited) (any, error) {
			if v.byID[in.Page] == nil {
				return nil, errs.NotFoundf("The site shows no page %q in this space.", in.Page)
			}
			return PageMetaLinks{Alternates: []PageMetaLink{}}, nil
		})
}

// SpecsShown returns what the pages that a visitor gets show of the organization's specifications, by the names that
// the pages give them: slugs or ids. It is shared and must not be changed.
func (h *Handlers) SpecsShown(ctx context.Context, visit *audience.Visit) (map[string]*oas.Shown, error) {
	if len(visit.Served.Spaces) == 0 {
		return nil, nil
	}
	state, err := h.ComputedPages.State(ctx, visit.Served.Spaces[0].Space)
	if err != nil || state == "" {
		return nil, err // no specification
	}
	return h.specsShown.Load(ctx, visit.Audience+"/"+state, func(ctx context.Context) (map[string]*oas.Shown, error) {
		shown := map[string]*oas.Shown{}
		for _, space := range visit.Served.Spaces {
			if space.Head == "" {
				continue
			}
			if err := h.specsShownIn(ctx, visit, space, shown); err != nil {
				return nil, err
			}
		}
		return shown, nil
	})
}

// specsShownIn adds what the pages of one space show.
func (h *Handlers) specsShownIn(ctx context.Context, visit *audience.Visit, space site.ServedSpace,
	shown map[string]*oas.Shown) error {
	view, err := h.Content.View(ctx, space.Head)
	if err != nil {
		return err
	}
	v, err := h.visited(ctx, visit, space, view, RevisionParams{Space: space.Space, Computed: true})
	if err != nil {
		return err
	}
	of := func(name string) *oas.Shown {
		if shown[name] == nil {
			shown[name] = &oas.Shown{}
		}
		return shown[name]
	}
	for pageID := range v.byID {
		document, err := v.document(ctx, pageID)
		if err != nil {
			return err
		}
		if document == nil {
			continue
		}
		document.Walk(func(n *doc.Node) bool {
			if data, ok := n.Data.(*doc.OpenAPIData); ok && data.Ref.Kind == doc.RefOpenAPI {
				of(data.Ref.Spec).Add(n.Type, data)
			}
			return true
		})
		if v.made == nil {
			continue
		}
		if computed, ok := v.made.Pages[pageID]; ok && computed.Source.Props["doc"] == "info" {
			of(computed.Source.Spec()).About = true
		}
	}
	return nil
}
