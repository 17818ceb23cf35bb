package scope

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Load reads and parses the body of a page and resolves what depends on the audience.
func (s *Scope) Load(ctx context.Context, node *store.TreeNode, options render.Options) (*doc.Document, error) {
	if computed, ok := s.Edition.Computed[node.Entry.ID]; ok {
		return render.Evaluate(ctx, computed.Document.Clone(), options)
	}
	body, err := s.Edition.View.Body(ctx, node.Entry)
	if err != nil {
		return nil, err
	}
	parsed, err := markdown.Parse(body)
	if refusal, ok := errors.AsType[*errs.Error](err); ok && (refusal.Kind == errs.Invalid ||
		refusal.Kind == errs.TooLarge) {
		if bytes.Contains(body, []byte("{%")) {
			return &doc.Document{}, nil // it may hold conditions that cannot be read either
		}
		// A page that cannot be read as Markdown still shows what it holds.
		return &doc.Document{Nodes: []*doc.Node{doc.NewCode(&doc.CodeData{}, strings.Split(string(body), "\n")...)}},
			nil
	}
	if err != nil {
		return nil, err
	}
	return render.Evaluate(ctx, parsed, options)
}

// Options are how the documents of a page are rendered.
func (s *Scope) Options(ctx context.Context, node *store.TreeNode) render.Options {
	r := s.Resolver(node)
	r.Ctx = ctx
	return render.Options{
		Resolver:  r,
		Context:   s.Edition.Variables(s.Visitor, node.Entry),
		Used:      s.used(node.Entry),
		Discreet:  true,
		Reusable:  s.reusable(node),
		OpenAPI:   s.openAPI(r),
		Icon:      s.Services.Themes.Icons.SVG,
		SearchURL: s.SearchPath() + "?q=",
		NewTab:    s.Customization().ExternalLinks.Target == "blank",
		Labels:    s.Theme().Words.Content,
	}
}

// reusable loads the reusable contents that a page includes, by id or by where their file is.
func (s *Scope) reusable(node *store.TreeNode) func(context.Context, doc.Ref) (*doc.Document, error) {
	r := s.Resolver(node)
	return func(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
		if stable := doc.ParseDestination(ref.URL); ref.Kind == doc.RefURL && stable.Kind == doc.RefReusableContent {
			ref = stable
		}
		from, ok := r.Of(ref.Space)
		if !ok {
			return nil, nil
		}
		var entry *entity.Entry
		if ref.Kind == doc.RefReusableContent {
			found, err := from.Edition.View.Entry(ctx, ref.ReusableContent)
			if err != nil && !errs.Is(err, errs.NotFound) {
				return nil, err
			}
			entry = found
		} else {
			entry = from.Edition.Sources().Reusable(node, ref.URL)
		}
		if entry == nil || entry.Kind != entity.KindReusable {
			return nil, nil
		}
		body, err := from.Edition.View.Body(ctx, entry)
		if err != nil {
			return nil, err
		}
		parsed, err := markdown.Parse(body)
		if errs.Is(err, errs.Invalid) || errs.Is(err, errs.TooLarge) {
			return nil, nil
		}
		return parsed, err
	}
}

// openAPI describes the API blocks of a page: from the specifications of the site's organization, from files of the
// space, and from addresses.
func (s *Scope) openAPI(r *Resolver) spec.Blocks {
	if s.Services.Specs == nil {
		return nil
	}
	return s.Services.Specs.Describe(s.Served.Site.Organization, func(_ context.Context, ref doc.Ref) (string, error) {
		file := r.file(ref)
		if file == nil {
			return "", nil
		}
		return file.Blob, nil
	})
}
