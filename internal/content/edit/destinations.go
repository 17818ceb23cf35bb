package edit

import (
	"bytes"
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// RelativeLinks returns the body of a page with its stable references to pages and files of the space as the relative
// paths that an export has. A reference stays as it is when the path would not lead back to it from UpdateSpace: two
// files may have one path, and the page may have the very path among its destinations already. So a body that is sent
// back as it was read is the body that is stored.
func RelativeLinks(ctx context.Context, view *store.View, e *entity.Entry, body []byte) ([]byte, error) {
	w := newWork(nil, view, target{}, names{})
	from, err := w.folder(ctx, e)
	if err != nil {
		return nil, err
	}
	kept := destinationsIn(body)
	var failure error
	relative := links.Rewrite(body, func(use links.Use) (string, bool) {
		to, ok, err := w.relative(ctx, from, use.Destination)
		if err != nil {
			failure = err
		}
		return to, ok && !kept[to]
	})
	if failure != nil {
		return nil, failure
	}
	// The links are found without a full parse, so a place may be one before it is written and none behind.
	back, err := w.stableLinks(ctx, from, relative, kept)
	if err != nil || bytes.Equal(back, body) {
		return relative, err
	}
	return body, nil
}

// destinationsIn are the destinations of a body as they are written.
func destinationsIn(body []byte) map[string]bool {
	all := map[string]bool{}
	for _, use := range links.All(body) {
		all[use.Destination] = true
	}
	return all
}

// destinations are those of the present body of a page, none for a new one.
func (w *work) destinations(ctx context.Context, e *entity.Entry) (map[string]bool, error) {
	body, err := w.body(ctx, e)
	if err != nil {
		return nil, err
	}
	return destinationsIn(body), nil
}

// stableLinks puts the stable form in the place of destinations that have one. Those that the page has as they are
// stay: what somebody left as a path, because nothing was there at that time, changes only when they change it.
func (w *work) stableLinks(ctx context.Context, from folder, body []byte, kept map[string]bool) ([]byte, error) {
	var failure error
	linked := links.Rewrite(body, func(use links.Use) (string, bool) {
		if kept[use.Destination] && !w.names.names(use.Destination) {
			return "", false
		}
		find := w.stable
		if use.Kind == links.Include {
			find = w.stableInclude
		}
		destination, ok, err := find(ctx, from, use.Destination)
		if err != nil {
			failure = err
		}
		return destination, ok
	})
	return linked, failure
}

// relative returns the path from a page to what a stable destination names; false when there is none that leads back to
// it.
func (w *work) relative(ctx context.Context, from folder, destination string) (string, bool, error) {
	ref := doc.ParseDestination(destination)
	if ref.Space != "" && ref.Space != string(w.view.Revision().Space) {
		return "", false, nil
	}
	target := ref.Page
	if ref.Kind == doc.RefFile {
		target = ref.File
	}
	if target == "" {
		return "", false, nil
	}
	e, err := w.find(ctx, target)
	if err != nil || e == nil {
		return "", false, err
	}
	var to string
	switch {
	case e.Kind == entity.KindPage:
		if to, err = w.filePath(ctx, e); err != nil {
			return "", false, err
		}
	case e.Kind == entity.KindFile:
		to = pagefile.Of(e)
	default:
		return "", false, nil
	}
	written := pagefile.Link(from.file, to)
	if ref.Anchor != "" {
		written += "#" + ref.Anchor
	}
	back, ok, err := w.stable(ctx, from, written)
	return written, ok && back == destination, err
}

// folder is where relative links of a page start from: the folder of its file.
type folder struct {
	// file is the path of the page's file.
	file string
	// known is false for a page below one that the batch creates: such a page has no path yet.
	known bool
}

func (w *work) folder(ctx context.Context, e *entity.Entry) (folder, error) {
	if e.Kind == entity.KindReusable {
		return folder{file: pagefile.Of(e), known: true}, nil
	}
	stored, err := w.view.Entry(ctx, e.ID)
	if err == nil && stored.Kind == entity.KindPage {
		file, err := w.filePath(ctx, stored)
		return folder{file: file, known: true}, err
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return folder{}, err
	}
	if e.Parent == "" {
		return folder{file: pagefile.Path(e.Slug, false), known: true}, nil
	}
	above, err := w.view.Path(ctx, e.Parent)
	if errs.Is(err, errs.NotFound) {
		return folder{}, nil
	}
	return folder{file: pagefile.Path(above+"/"+e.Slug, false), known: err == nil}, err
}

// filePath returns where the API has the file of a page.
func (w *work) filePath(ctx context.Context, e *entity.Entry) (string, error) {
	address, err := w.view.Path(ctx, e.ID)
	if err != nil {
		return "", err
	}
	parent, err := w.view.HasChildren(ctx, e.ID)
	if err != nil {
		return "", err
	}
	return pagefile.Path(address, parent), nil
}

// stable returns the stable form of a destination: of a relative path to a page or file of the revision, and of one
// that names something by the caller's reference. It is false for everything else, which stays as it is written.
func (w *work) stable(ctx context.Context, from folder, destination string) (string, bool, error) {
	if strings.HasPrefix(destination, "/") {
		ref := w.names.reference(doc.ParseDestination(destination))
		return ref.Destination(), ref.Kind != doc.RefURL, nil
	}
	destination, anchor, _ := strings.Cut(destination, "#")
	file, ok := from.fileAt(destination)
	if !ok {
		return "", false, nil
	}
	ref, err := w.pageAt(ctx, file)
	if err == nil && ref == nil {
		ref, err = w.assetAt(ctx, file)
	}
	if err != nil || ref == nil {
		return "", false, err
	}
	if anchor != "" && ref.Kind == doc.RefPage {
		ref.Kind, ref.Anchor = doc.RefAnchor, anchor
	}
	return ref.Destination(), true, nil
}

// fileAt is the place in an export that a relative path from the folder leads to; false when it leads out, or is no
// path.
func (f folder) fileAt(written string) (string, bool) {
	if written == "" || !f.known || strings.Contains(written, ":") || strings.ContainsAny(written, "?\\") {
		return "", false
	}
	if decoded, err := url.PathUnescape(written); err == nil {
		written = decoded
	}
	file, inside := pagefile.Join(f.file, written)
	return file + strings.Repeat("/", len(written)-len(strings.TrimRight(written, "/"))), inside
}

// stableInclude is stable for what a page includes.
func (w *work) stableInclude(ctx context.Context, from folder, destination string) (string, bool, error) {
	if strings.HasPrefix(destination, "/") {
		return w.stable(ctx, from, destination)
	}
	place, ok := from.fileAt(destination)
	if !ok {
		return "", false, nil
	}
	if w.includes == nil {
		reusables, err := w.view.ReusableContents(ctx)
		if err != nil {
			return "", false, err
		}
		w.includes = make(map[string]string, len(reusables))
		for _, e := range reusables {
			if at := pagefile.Of(e); w.includes[at] == "" {
				w.includes[at] = e.ID
			}
		}
	}
	id, found := w.includes[place]
	for _, made := range w.order {
		// What the batch has made itself is in no revision yet.
		if e := w.entries[made]; !found && e != nil && e.Kind == entity.KindReusable && pagefile.Of(e) == place {
			id, found = made, true
		}
	}
	return doc.Ref{Kind: doc.RefReusableContent, ReusableContent: id}.Destination(), found, nil
}

// pageAt returns the page that an export puts at a path, nil when there is none.
func (w *work) pageAt(ctx context.Context, file string) (*doc.Ref, error) {
	address := pagefile.Address(file)
	if address == "" || address == "." {
		return nil, nil
	}
	found, err := w.view.ByPath(ctx, address)
	if errs.Is(err, errs.NotFound) || err == nil && found.Entry == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &doc.Ref{Kind: doc.RefPage, Page: found.Entry.ID}, nil
}

// assetAt returns the file that an export puts at a path, nil when there is none.
func (w *work) assetAt(ctx context.Context, file string) (*doc.Ref, error) {
	if w.assets == nil {
		files, err := w.view.Files(ctx)
		if err != nil {
			return nil, err
		}
		w.assets = make(map[string]string, len(files))
		for _, e := range files {
			place := pagefile.Of(e)
			if _, taken := w.assets[place]; !taken {
				w.assets[place] = e.ID
			}
		}
	}
	if id, ok := w.assets[file]; ok {
		return &doc.Ref{Kind: doc.RefFile, File: id}, nil
	}
	return nil, nil
}
