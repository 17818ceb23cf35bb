package contents

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// addHTML adds the body of a page as published sites show it to a visitor of whom nothing is known. Links lead into the
// app, and files to where they are downloaded.
func (h *Handlers) addHTML(ctx context.Context, view *store.View, e *entity.Entry, into *wire.Page) error {
	pages, err := page.Open(ctx, view)
	if err != nil {
		return err
	}
	reading := pages.Read(e, page.Reader{})
	resolver := &htmlResolver{ctx: ctx, handlers: h, view: view, page: e}
	options := reading.Options(render.Options{
		Resolver: resolver, Icon: h.Icon, NewTab: true, Keys: true, BlockProps: true,
	})
	document, err := reading.Document(ctx, options)
	if err != nil {
		return err
	}
	if err := writeHTML(ctx, into, document, options); err != nil {
		return err
	}
	return resolver.err
}

// addComputedHTML adds the body of a page that was made for a computed one. Nothing in it is stored, so it leads to
// nothing of the space by a place of its own.
func (h *Handlers) addComputedHTML(ctx context.Context, view *store.View, e *entity.Entry, into *wire.Page,
	document *doc.Document) error {
	resolver := &htmlResolver{ctx: ctx, handlers: h, view: view, page: e}
	options := render.Options{Resolver: resolver, Icon: h.Icon, NewTab: true, BlockProps: true}
	err := writeHTML(ctx, into, document, options)
	return cmp.Or(err, resolver.err)
}

func writeHTML(ctx context.Context, into *wire.Page, document *doc.Document, options render.Options) error {
	var out bytes.Buffer
	if err := render.HTML(ctx, &out, document, options); err != nil {
		return err
	}
	into.HTML = new(out.String())
	return nil
}

// htmlResolver says where the references of one page lead, for whoever reads it in the app.
type htmlResolver struct {
	ctx      context.Context // of the answer that is made; a resolver lives no longer
	handlers *Handlers
	view     *store.View
	page     *entity.Entry
	tree     *store.Tree // once it was needed
	places   *store.Places
	// err is why the space could not be read; what references name is then not known.
	err error
}

var broken = render.Target{Broken: true}

// Resolve implements render.Resolver.
func (r *htmlResolver) Resolve(ref doc.Ref) render.Target {
	if ref.Kind == doc.RefURL {
		return r.written(ref.URL)
	}
	space := id.Space(ref.Space)
	own := space == "" || space == r.view.Revision().Space
	switch ref.Kind {
	case doc.RefAnchor:
		if own && (ref.Page == "" || ref.Page == r.page.ID) {
			return render.Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor, Title: "#" + ref.Anchor}
		}
		return r.toPage(space, own, ref.Page, ref.Anchor)
	case doc.RefPage:
		return r.toPage(space, own, ref.Page, "")
	case doc.RefFile:
		if own {
			file, err := r.view.Entry(r.ctx, ref.File)
			if err == nil && file.Kind == entity.KindFile {
				return r.toFile(file)
			}
		}
	case doc.RefSpace:
		return render.Target{URL: r.appURL(space, ""), Kind: doc.RefSpace}
	case doc.RefTag:
		return render.Target{Title: ref.Tag, Kind: doc.RefTag}
	}
	return broken
}

// written resolves a destination as an author wrote it.
func (r *htmlResolver) written(destination string) render.Target {
	ref, place, fragment, ok := pagefile.ReadDestination(destination)
	switch {
	case !ok:
		return broken
	case ref.Kind == doc.RefURL:
		return render.Target{URL: ref.URL, Kind: doc.RefURL}
	case ref.Kind != "":
		return r.Resolve(ref)
	case place == "":
		return render.Target{URL: "#" + fragment, Kind: doc.RefAnchor, Title: "#" + fragment}
	}
	if !r.open() {
		return broken
	}
	node, file := r.places.Find(r.tree.ByID[r.page.ID], place)
	switch {
	case file != nil:
		return r.toFile(file)
	case node != nil:
		return r.toPage("", true, node.Entry.ID, fragment)
	}
	return broken
}

// open reads the tree of the space, for references that name places in it.
func (r *htmlResolver) open() bool {
	if r.places != nil || r.err != nil {
		return r.err == nil
	}
	tree, err := r.view.Pages(r.ctx)
	if err != nil {
		r.err = fmt.Errorf("read the pages: %w", err)
		return false
	}
	files, err := r.view.Files(r.ctx)
	if err != nil {
		r.err = fmt.Errorf("read the files: %w", err)
		return false
	}
	r.tree, r.places = tree, store.NewPlaces(tree, files)
	return true
}

// toPage is the target for a page. What one of another space is called is not said: the caller may not read that.
func (r *htmlResolver) toPage(space id.Space, own bool, pageID, anchor string) render.Target {
	target := render.Target{URL: r.appURL(space, pageID), Kind: doc.RefPage}
	if anchor != "" {
		target.URL, target.Kind = target.URL+"#"+url.PathEscape(anchor), doc.RefAnchor
	}
	if !own {
		return target
	}
	entry, err := wire.PageEntry(r.ctx, r.view, pageID)
	if err != nil || entry.Type != entity.PageDocument {
		return broken
	}
	target.Title, target.Description = cmp.Or(entry.LinkTitle, entry.Title), entry.Description
	target.Icon, target.Emoji = entry.Icon, cmp.Or(doc.EmojiCharacters(entry.Emoji), entry.Emoji)
	return target
}

func (r *htmlResolver) toFile(file *entity.Entry) render.Target {
	return render.Target{
		URL:   r.handlers.Wire.Downloads.URL(string(r.view.Revision().Space), file),
		Title: file.Name, Kind: doc.RefFile, Size: file.Size, MediaType: file.ContentType,
		Width: file.Width, Height: file.Height,
	}
}

// appURL is the address of a space, "" for that of the page, or of a page of it.
func (r *htmlResolver) appURL(space id.Space, pageID string) string {
	space = cmp.Or(space, r.view.Revision().Space)
	address := r.handlers.Wire.BaseURL + "/app/spaces/" + url.PathEscape(string(space))
	if pageID != "" {
		address += "/pages/" + url.PathEscape(pageID)
	}
	return address
}
