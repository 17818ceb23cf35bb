package scope

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// Query is a search of the site as the visitor sees it: without pages that are not there for them, and with the texts
// that depend on them as they are for them. So the numbers and excerpts tell nothing of anything else.
func (r *Resolver) Query(text string, limit int) search.Query {
	q := search.Query{Text: text, Limit: limit, Published: true, Without: map[id.Space][]string{},
		Synonyms: r.scope.Served.Customization.Synonyms}
	scopes := map[id.Space]*Scope{}
	for _, space := range r.scope.Served.Spaces {
		in, ok := r.Of(space.Space)
		if !ok || in.Space.Head == "" || scopes[space.Space] != nil {
			continue
		}
		if in.Preview != nil && in.Space.Space == r.scope.Space.Space {
			q.Preview = &search.Preview{Space: space.Space, Revision: in.Space.Head}
		}
		scopes[space.Space] = in
		q.Spaces = append(q.Spaces, space.Space)
		if absent := in.Edition.AbsentPages(); len(absent) > 0 {
			q.Without[space.Space] = absent
		}
	}
	q.Own = func(ctx context.Context, space id.Space, pages []string) (*search.Own, error) {
		return scopes[space].own(ctx, pages)
	}
	return q
}

// own returns an index of pages whose text depends on the visitor. Visitors for whom all conditions in them come out
// alike share one.
func (s *Scope) own(ctx context.Context, pages []string) (*search.Own, error) {
	nodes := make([]*store.TreeNode, 0, len(pages))
	for _, page := range pages {
		if node := s.Edition.Tree.ByID[page]; s.Edition.Searchable(node) {
			nodes = append(nodes, node)
		}
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	if key, ok := s.ownKey(ctx, nodes); ok {
		if kept, ok := s.Services.own.Get(key); ok {
			return kept, nil
		}
	}
	made, err, _ := s.Services.preparing.Do("own\x00"+s.dependsOn(nil)+"\x00"+s.Visitor.Key(), func() (any, error) {
		made, key, err := s.makeOwn(context.WithoutCancel(ctx), nodes)
		if err == nil {
			s.Services.own.Set(key, made)
		}
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*search.Own), nil
}

// dependsOn is where the variance of the searched text of a page is kept.
func (s *Scope) dependsOn(node *store.TreeNode) string {
	page := ""
	if node != nil {
		page = node.Entry.ID
	}
	return "own\x00" + s.State + "\x00" + string(s.Space.ID) + "\x00" +
		edition.ShortKey(s.Edition.Outcomes) + "\x00" + page
}

// ownKey tells visitors apart as far as the searched texts of the pages do; ok is false when that is not known.
func (s *Scope) ownKey(ctx context.Context, nodes []*store.TreeNode) (key string, ok bool) {
	var b strings.Builder
	for _, node := range nodes {
		known, ok := s.Services.variances.Get(s.dependsOn(node))
		if !ok {
			return "", false
		}
		b.WriteString(node.Entry.ID + known.key(ctx, s, nil))
	}
	return s.dependsOn(nil) + edition.ShortKey(b.String()), true
}

// makeOwn reads the pages as the visitor sees them, and returns their index with its key.
func (s *Scope) makeOwn(ctx context.Context, nodes []*store.TreeNode) (*search.Own, string, error) {
	pages := make([]search.OwnPage, 0, len(nodes))
	var key strings.Builder
	for _, node := range nodes {
		in := *s
		in.uses = &uses{outcomes: map[string]string{}}
		document, err := in.searchedText(ctx, node)
		if err != nil {
			return nil, "", err
		}
		pages = append(pages, search.OwnPage{Entry: node.Entry, Document: document})
		known, _ := s.Services.variances.Get(s.dependsOn(node))
		grown := known.with(in.uses.met)
		if grown != known {
			s.Services.variances.Set(s.dependsOn(node), grown)
		}
		key.WriteString(node.Entry.ID + grown.key(ctx, s, in.uses.outcomes))
	}
	made, err := search.NewOwn(s.Space.Space, pages)
	return made, s.dependsOn(nil) + edition.ShortKey(key.String()), err
}

// searchedText is the document of a page without what expressions say of the visitor: Nobody searches for their own
// name.
func (s *Scope) searchedText(ctx context.Context, node *store.TreeNode) (*doc.Document, error) {
	options := s.Options(ctx, node)
	options.BlankVisitor = true
	return s.Load(ctx, node, options)
}
