package edit

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// untitled is the title of a page that is inserted without one.
const untitled = "Untitled"

// apply carries out a change and says what it did. replacement is what was taken in for UpdateFile.
func (w *work) apply(ctx context.Context, number int, change Change, replacement *entity.Entry) (Outcome, error) {
	var id string
	var err error
	switch change.Operation {
	case InsertPage:
		id, err = w.insert(ctx, w.names.made[number], change)
	case UpdatePage:
		id, err = w.update(ctx, change)
	case DeletePage:
		page, err := w.page(ctx, "page", change.Page)
		if err != nil {
			return Outcome{}, err
		}
		deleted, err := w.remove(ctx, page.ID)
		return Outcome{ID: page.ID, Deleted: deleted}, err
	case RevertPage:
		id, err = w.revert(ctx, change)
	case UpdateFile:
		id, err = w.updateFile(ctx, change, replacement)
	case InsertReusable:
		id, err = w.insertReusable(ctx, w.names.made[number], change)
	case UpdateReusable:
		id, err = w.updateReusable(ctx, change)
	case DeleteFile:
		return w.removeOther(ctx, fileNoun, change.File)
	case DeleteReusable:
		return w.removeOther(ctx, reusableNoun, change.Reusable)
	case RevertFile:
		id, err = w.revertOther(ctx, fileNoun, change.File, change.Revision)
	case RevertReusable:
		id, err = w.revertOther(ctx, reusableNoun, change.Reusable, change.Revision)
	case UpdateVariables:
		id, err = entity.VariablesID, w.updateVariables(ctx, change.Variables)
	case InsertRedirect:
		id, err = w.insertRedirect(ctx, change)
	case DeleteRedirect:
		id, err = w.deleteRedirect(ctx, change.Redirect)
	default:
		err = errs.Invalidf("operation",
			"%.40q is not known; the operations are listed in the description of this request",
			string(change.Operation))
	}
	return Outcome{ID: id}, err
}

func (w *work) insert(ctx context.Context, id string, change Change) (string, error) {
	e := &entity.Entry{ID: id, Kind: entity.KindPage, Type: change.Type}
	if e.Type == "" {
		e.Type = entity.PageDocument
	}
	if !slices.Contains([]entity.PageType{entity.PageDocument, entity.PageGroup, entity.PageLink, entity.PageComputed},
		e.Type) {
		return "", errs.Invalidf("type", "%.40q cannot be inserted; use document, group, link or computed",
			string(e.Type))
	}
	if err := w.move(ctx, e, change.Into); err != nil {
		return "", err
	}
	if err := w.place(ctx, e, change.At); err != nil {
		return "", err
	}
	return id, w.fill(ctx, e, change)
}

func (w *work) update(ctx context.Context, change Change) (string, error) {
	e, err := w.page(ctx, "page", change.Page)
	if err != nil {
		return "", err
	}
	parent := e.Parent
	if err := w.move(ctx, e, change.Into); err != nil {
		return "", err
	}
	if change.At != nil || e.Parent != parent {
		if err := w.place(ctx, e, change.At); err != nil {
			return "", err
		}
	}
	return e.ID, w.fill(ctx, e, change)
}

// move puts a page below the one that into names.
func (w *work) move(ctx context.Context, e *entity.Entry, into optional.Value[string]) error {
	if !into.IsSet() {
		return nil
	}
	e.Parent = ""
	reference, ok := into.Get()
	if !ok {
		return nil
	}
	parent, err := w.page(ctx, "into", reference)
	if err != nil {
		return err
	}
	if parent.Type != entity.PageDocument && parent.Type != entity.PageGroup {
		return errs.Invalidf("into", "a page of type %s has no pages below it", parent.Type)
	}
	if e.Type == entity.PageGroup {
		return errs.Invalidf("into", "a group stands at the root, not below another page")
	}
	below, err := w.isBelow(ctx, parent.ID, e.ID)
	if err != nil {
		return err
	}
	if below {
		return errs.Invalidf("into", "a page cannot go below itself")
	}
	e.Parent = parent.ID
	return nil
}

// fill sets what a change says about a page and keeps the page.
func (w *work) fill(ctx context.Context, e *entity.Entry, change Change) error {
	if err := w.setFields(ctx, e, change.Fields); err != nil {
		return err
	}
	if change.Body != (Body{}) {
		if e.Type != entity.PageDocument {
			return errs.Invalidf("document", "a page of type %s has no body", e.Type)
		}
		if err := w.setBody(ctx, e, change); err != nil {
			return err
		}
	}
	// Pages made for a computed page without a title stand in its place.
	if e.Title == "" && e.Type != entity.PageComputed {
		e.Title = untitled
	}
	// A slug that is sent empty is made of the title anew.
	if slug, ok := change.Fields.Slug.Get(); change.Operation == UpdatePage && change.Fields.Slug.IsSet() &&
		(!ok || slug == "") {
		if err := w.makeSlug(ctx, e); err != nil {
			return err
		}
	}
	if err := e.Validate(); err != nil {
		return err
	}
	w.set(e)
	return nil
}

// makeSlug makes the slug of a page of its title.
func (w *work) makeSlug(ctx context.Context, e *entity.Entry) error {
	below, err := w.children(ctx, e.Parent)
	if err != nil {
		return err
	}
	e.Slug = entity.UniqueSlug(e.Title, func(slug string) bool {
		return slices.ContainsFunc(below, func(sibling store.Place) bool {
			return sibling.ID != e.ID && sibling.Slug == slug
		})
	})
	return nil
}

// setFields sets the fields of a page that a change names.
func (w *work) setFields(ctx context.Context, e *entity.Entry, fields Fields) error {
	if fields.Title.IsSet() && strings.TrimSpace(fields.Title.Or("")) == "" && e.Type != entity.PageComputed {
		return errs.Invalidf("title", "is empty; a page has a title")
	}
	for _, text := range []struct {
		value optional.Value[string]
		field *string
	}{
		{fields.Title, &e.Title}, {fields.Slug, &e.Slug}, {fields.LinkTitle, &e.LinkTitle}, {fields.Icon, &e.Icon},
		{fields.Description, &e.Description}, {fields.Condition, &e.Condition},
	} {
		if text.value.IsSet() {
			*text.field = text.value.Or("")
		}
	}
	e.Title = strings.TrimSpace(e.Title)
	for name, on := range fields.Flags {
		flag := e.Flags.Named(name)
		if flag == nil {
			return errs.Invalidf(name, "a page has no such switch")
		}
		*flag = on
	}
	if err := w.setOwner(ctx, e, fields.Owner); err != nil {
		return err
	}
	if err := setEmoji(e, fields.Emoji); err != nil {
		return err
	}
	if fields.Tags.IsSet() {
		e.Tags = slices.Clone(fields.Tags.Or(nil))
	}
	if fields.Variables.IsSet() {
		e.Variables = maps.Clone(fields.Variables.Or(nil))
	}
	if target, ok := fields.Target.Get(); ok {
		e.Target = w.names.target(&target)
	} else if fields.Target.IsNull() {
		e.Target = nil
	}
	if err := setComputed(e, fields.Computed); err != nil {
		return err
	}
	if cover, ok := fields.Cover.Get(); ok {
		if err := w.setCover(ctx, e, cover); err != nil {
			return err
		}
	} else if fields.Cover.IsNull() {
		e.Cover = nil
	}
	setLayout(e, fields.Layout) // behind the cover, which its default depends on
	return nil
}

// setEmoji stores an emoji by its code points, however it was sent.
func setEmoji(e *entity.Entry, emoji optional.Value[string]) error {
	if !emoji.IsSet() {
		return nil
	}
	text := emoji.Or("")
	if text == "" {
		e.Emoji = ""
		return nil
	}
	characters, err := space.ParseEmoji("emoji", text)
	if err != nil {
		return err
	}
	e.Emoji = doc.EmojiCode(characters)
	return nil
}

// setLayout sets the members of a page's layout that are given.
func setLayout(e *entity.Entry, layout optional.Value[entity.Layout]) {
	if given, ok := layout.Get(); ok {
		e.Layout = e.Layout.Merge(given, e.Cover != nil)
	} else if layout.IsNull() {
		e.Layout = nil
	}
}

// setCover sets a page's cover, whose files have to be there.
func (w *work) setCover(ctx context.Context, e *entity.Entry, cover entity.Cover) error {
	cover.Ref, cover.RefDark = w.names.target(cover.Ref), w.names.target(cover.RefDark)
	// What the page has stays, also where it would not be accepted today: imports take more.
	if reflect.DeepEqual(e.Cover, &cover) {
		return nil
	}
	for _, image := range []struct {
		path  string
		named *doc.Ref
	}{{"cover.ref", cover.Ref}, {"cover.refDark", cover.RefDark}} {
		named := image.named
		if named == nil {
			continue
		}
		if named.Kind != doc.RefFile && named.Kind != doc.RefURL {
			return errs.Invalidf(image.path+".kind", "%.40q cannot be a cover; use file or url", named.Kind)
		}
		if named.Kind != doc.RefFile || named.Space != "" {
			continue
		}
		file, err := w.hasFile(ctx, named.File)
		if err != nil {
			return err
		}
		if !file {
			return errs.Invalidf(image.path+".file", "there is no file %.80q here; list the files to see their ids",
				named.File)
		}
	}
	if cover.Height != 0 && (cover.Height < minCoverHeight || cover.Height > maxCoverHeight) {
		return errs.Invalidf("cover.height", "is %v pixels; %d to %d are accepted", cover.Height, minCoverHeight,
			maxCoverHeight)
	}
	e.Cover = &cover
	return nil
}

// Limits of a cover's height in pixels.
const (
	minCoverHeight = 10
	maxCoverHeight = 700
)

// hasFile reports whether there is a file with an id, or will be.
func (w *work) hasFile(ctx context.Context, id string) (bool, error) {
	for _, created := range w.names.known {
		if created == id {
			return strings.HasPrefix(id, "file_"), nil
		}
	}
	e, err := w.find(ctx, id)
	return e != nil && e.Kind == entity.KindFile, err
}
