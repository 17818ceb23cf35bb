package edit

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/importer"
	"github.com/rectodocs/recto/internal/importer/frontmatter"
	"github.com/rectodocs/recto/internal/importer/links"
	"github.com/rectodocs/recto/internal/markdown"
)

// setBody sets the body of a page or reusable content, and the fields that its Markdown holds.
func (w *work) setBody(ctx context.Context, e *entity.Entry, change Change) error {
	var body []byte
	var err error
	switch {
	case change.Body.Markdown != nil && change.Body.Document != nil:
		return errs.Invalidf("document", "holds both Markdown and a document; send one of them")
	case change.Body.Markdown != nil:
		body, err = w.fromMarkdown(ctx, e, *change.Body.Markdown, change.Fields)
	default:
		body, err = w.fromDocument(ctx, e, change.Body.Document)
	}
	if err != nil {
		return err
	}
	if len(body) > content.MaxBodySize {
		return errs.New(errs.TooLarge, "document: the body has %d bytes as Markdown, at most %d are allowed; split the page", len(body), content.MaxBodySize)
	}
	if _, err := markdown.Parse(body); err != nil {
		return prefixed("document", err)
	}
	w.bodies[e.ID] = body
	return nil
}

// fromMarkdown reads the file of a page: it sets the fields that its front matter and first heading hold, as far as the
// change does not name them itself, and returns the rest with stable references.
func (w *work) fromMarkdown(ctx context.Context, e *entity.Entry, text string, fields Fields) ([]byte, error) {
	if len(text) > content.MaxBodySize+markdown.MaxFrontMatter {
		return nil, errs.New(errs.TooLarge, "document: the Markdown has %d bytes, at most %d are allowed; split the page", len(text), content.MaxBodySize)
	}
	page, err := markdown.ParsePage([]byte(text))
	if err != nil {
		return nil, prefixed("document.markdown", err)
	}
	from, err := w.folder(ctx, e)
	if err != nil {
		return nil, err
	}
	if err := w.setFrontMatter(ctx, e, page.FrontMatter, fields, from); err != nil {
		return nil, err
	}
	body := page.Body
	switch title, given := fields.Title.Get(); {
	case e.Kind == entity.KindReusable:
		// A reusable content is shown in the middle of pages: its title is in the front matter alone.
		if named := page.FrontMatter.Title; named != "" && !given {
			e.Title = named
		}
		if page.Title != "" {
			body = page.Untitled()
		}
	case page.Title == "":
	case !given && len([]rune(page.Title)) > entity.MaxTitleLength:
		return nil, errs.Invalidf("document.markdown", "its first heading is the title of the page, which has at most %d characters", entity.MaxTitleLength)
	case !given:
		e.Title = page.Title
	case strings.TrimSpace(title) != strings.TrimSpace(page.Title):
		// The change gives the page another title, so the heading belongs to the text.
		body = page.Untitled()
	}
	var failure error
	linked := links.Rewrite(body, func(use links.Use) (string, bool) {
		destination, ok, err := w.stable(ctx, from, use.Destination)
		if err != nil {
			failure = err
		}
		return destination, ok
	})
	// A body that is not nil replaces the one that is there, also when it is empty.
	return append([]byte{}, linked...), failure
}

// setFrontMatter sets the fields that front matter names and the change does not.
func (w *work) setFrontMatter(ctx context.Context, e *entity.Entry, f markdown.FrontMatter, fields Fields, from folder) error {
	read := &entity.Entry{Kind: e.Kind, Type: e.Type}
	found := frontmatter.Read(f, read)
	if len(found.Problems) > 0 {
		return errs.Invalidf("document.markdown", "its front matter cannot be used: %s", found.Problems[0])
	}
	for _, text := range []struct {
		given        bool
		value, field *string
	}{
		{fields.LinkTitle.IsSet(), &read.LinkTitle, &e.LinkTitle}, {fields.Emoji.IsSet(), &read.Emoji, &e.Emoji},
		{fields.Icon.IsSet(), &read.Icon, &e.Icon}, {fields.Description.IsSet(), &read.Description, &e.Description},
		{fields.Condition.IsSet(), &read.Condition, &e.Condition},
	} {
		if !text.given && *text.value != "" {
			*text.field = *text.value
		}
	}
	for _, flag := range []struct {
		given        bool
		value, field *bool
	}{
		{fields.Hidden.IsSet(), &read.Hidden, &e.Hidden}, {fields.NoIndex.IsSet(), &read.NoIndex, &e.NoIndex},
		{fields.NoRobotsIndex.IsSet(), &read.NoRobotsIndex, &e.NoRobotsIndex},
	} {
		if !flag.given && *flag.value {
			*flag.field = true
		}
	}
	if len(read.Variables) > 0 && !fields.Variables.IsSet() {
		e.Variables = read.Variables
	}
	if len(read.Tags) > 0 && !fields.Tags.IsSet() {
		e.Tags = read.Tags
	}
	if len(read.Extra) > 0 {
		e.Extra = read.Extra
	}
	if read.Layout != nil && !fields.Layout.IsSet() {
		e.Layout = read.Layout
	}
	if found.Cover == "" || fields.Cover.IsSet() {
		return nil
	}
	cover := *read.Cover
	var err error
	if cover.Ref, err = w.image(ctx, from, found.Cover); err != nil {
		return err
	}
	if found.CoverDark != "" {
		if cover.RefDark, err = w.image(ctx, from, found.CoverDark); err != nil {
			return err
		}
	}
	return prefixed("document.markdown", w.setCover(ctx, e, cover))
}

// image returns the reference of a cover that is written as a destination.
func (w *work) image(ctx context.Context, from folder, destination string) (*entity.Target, error) {
	stable, ok, err := w.stable(ctx, from, destination)
	if err != nil {
		return nil, err
	}
	if !ok {
		stable = destination
	}
	ref := doc.ParseDestination(stable)
	return &entity.Target{Kind: string(ref.Kind), URL: ref.URL, File: ref.File, Space: ref.Space, Page: ref.Page, Anchor: ref.Anchor}, nil
}

// fromDocument writes a document as Markdown. Blocks that the present body has keep their bytes.
func (w *work) fromDocument(ctx context.Context, e *entity.Entry, document *doc.Document) ([]byte, error) {
	original, err := w.body(ctx, e)
	if err != nil {
		return nil, err
	}
	named := document.Clone()
	named.MapRefs(func(ref doc.Ref) doc.Ref {
		if ref.Kind == doc.RefURL {
			ref = doc.ParseDestination(ref.URL)
		}
		return w.names.reference(ref)
	})
	return append([]byte{}, markdown.Rewrite(original, named)...), nil
}

// body returns the body of a page as it is now.
func (w *work) body(ctx context.Context, e *entity.Entry) ([]byte, error) {
	if body, changed := w.bodies[e.ID]; changed {
		return body, nil
	}
	return w.view.Body(ctx, e)
}

// folder is where relative links of a page start from, in the tree of files that an export makes.
type folder struct {
	path string
	// known is false for a page below one that the batch creates: such a page is in no export.
	known bool
}

func (w *work) folder(ctx context.Context, e *entity.Entry) (folder, error) {
	if e.Kind == entity.KindReusable {
		return folder{path: path.Dir(content.PlaceOf(e)), known: true}, nil
	}
	stored, err := w.view.Entry(ctx, e.ID)
	if err == nil && stored.Kind == entity.KindPage {
		file, err := FilePath(ctx, w.view, stored)
		return folder{path: path.Dir(file), known: true}, err
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return folder{}, err
	}
	if e.Parent == "" {
		return folder{path: ".", known: true}, nil
	}
	above, err := w.view.Path(ctx, e.Parent)
	if errs.Is(err, errs.NotFound) {
		return folder{}, nil
	}
	return folder{path: above, known: err == nil}, err
}

// FilePath returns where an export of a revision puts a page: "guides/install.md", and "guides/README.md" for one with
// pages below it.
func FilePath(ctx context.Context, view *content.View, e *entity.Entry) (string, error) {
	address, err := view.Path(ctx, e.ID)
	if err != nil {
		return "", err
	}
	below, err := view.Children(ctx, e.ID)
	if err != nil {
		return "", err
	}
	if len(below) > 0 {
		return address + "/README.md", nil
	}
	return address + ".md", nil
}

// stable returns the stable form of a destination: of a relative path to a page or file of the revision, and of one that
// names something by the caller's reference. It is false for everything else, which stays as it is written.
func (w *work) stable(ctx context.Context, from folder, destination string) (string, bool, error) {
	if strings.HasPrefix(destination, "/") {
		ref := w.names.reference(doc.ParseDestination(destination))
		return ref.Destination(), ref.Kind != doc.RefURL, nil
	}
	file, anchor, _ := strings.Cut(destination, "#")
	if file == "" || !from.known || strings.Contains(file, ":") || strings.ContainsAny(file, "?\\") {
		return "", false, nil
	}
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded
	}
	file = path.Join(from.path, file) + strings.Repeat("/", len(file)-len(strings.TrimRight(file, "/")))
	if strings.HasPrefix(file, "../") || file == ".." {
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

// pageAt returns the page that an export puts at a path, nil when there is none.
func (w *work) pageAt(ctx context.Context, file string) (*doc.Ref, error) {
	var address string
	switch {
	case strings.HasSuffix(file, "/"):
		address = strings.TrimRight(file, "/")
	case path.Base(file) == "README.md" && path.Dir(file) != ".":
		address = path.Dir(file)
	case strings.HasSuffix(file, ".md"):
		address = strings.TrimSuffix(file, ".md")
	}
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
			place := e.Path
			if place == "" {
				place = importer.AssetFolder + "/" + e.Name
			}
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
