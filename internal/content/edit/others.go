package edit

import (
	"context"
	"maps"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// noun is a kind of entry that is no page, as changes and messages name it.
type noun struct {
	kind entity.Kind
	// field is the member of a change that names one; word is what a message calls it.
	field, word string
}

var (
	fileNoun     = noun{entity.KindFile, "file", "file"}
	reusableNoun = noun{entity.KindReusable, "reusableContent", "reusable content"}
)

// other returns the file or reusable content with an id or reference, to be changed.
func (w *work) other(ctx context.Context, of noun, reference string) (*entity.Entry, error) {
	if reference == "" {
		return nil, errs.Invalidf(of.field, "is missing: name a %s", of.word)
	}
	e, err := w.find(ctx, w.names.resolve(reference))
	if err != nil {
		return nil, err
	}
	if e == nil || e.Kind != of.kind {
		refusal := errs.NotFoundf("%s: there is no %s %.80q here. The revision lists what there is, with the ids.",
			of.field, of.word, reference)
		refusal.Details = []errs.Detail{{Path: of.field, Message: "there is no such " + of.word}}
		return nil, refusal
	}
	return e.Clone(), nil
}

// removeOther deletes a file or reusable content.
func (w *work) removeOther(ctx context.Context, of noun, reference string) (Outcome, error) {
	e, err := w.other(ctx, of, reference)
	if err != nil {
		return Outcome{}, err
	}
	w.drop(e.ID)
	return Outcome{ID: e.ID, Deleted: []string{e.ID}}, nil
}

// revertOther sets a file or reusable content back to what an earlier revision has, also one that has been deleted
// since.
func (w *work) revertOther(ctx context.Context, of noun, reference string, revisionID id.Revision) (string, error) {
	if reference == "" {
		return "", errs.Invalidf(of.field, "is missing: name a %s", of.word)
	}
	view, err := w.earlier(ctx, revisionID)
	if err != nil {
		return "", err
	}
	id := w.names.resolve(reference)
	earlier, err := view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) || err == nil && earlier.Kind != of.kind {
		if _, err := w.other(ctx, of, reference); err != nil {
			return "", err
		}
		return "", errs.NotFoundf("%s: revision %s has no %s %s; delete it to go back to that.", of.field,
			view.Revision().ID, of.word, id)
	}
	if err != nil {
		return "", err
	}
	delete(w.bodies, id) // the entry names its body, which the store has
	w.set(earlier.Clone())
	return id, nil
}

// updateFile gives a file another name or other bytes. Links name its id, so they go on leading to it.
func (w *work) updateFile(ctx context.Context, change Change, replacement *entity.Entry) (string, error) {
	e, err := w.other(ctx, fileNoun, change.File)
	if err != nil {
		return "", err
	}
	if replacement != nil {
		e.Blob, e.Size, e.ContentType = replacement.Blob, replacement.Size, replacement.ContentType
		e.Width, e.Height = replacement.Width, replacement.Height
	}
	if change.Name.IsSet() {
		name := change.Name.Or("")
		if length := utf8.RuneCountInString(name); length == 0 || length > entity.MaxNameLength {
			return "", errs.Invalidf("name", "has %d characters; 1 to %d are accepted", length, entity.MaxNameLength)
		}
		if e.Path != "" {
			e.Path = path.Join(path.Dir(e.Path), name)
		}
		e.Name = name
		if known := importer.TypeByName(name); known != "" {
			e.ContentType = known
		}
	}
	if err := e.Validate(); err != nil {
		return "", err
	}
	w.set(e)
	return e.ID, nil
}

func (w *work) insertReusable(ctx context.Context, id string, change Change) (string, error) {
	return id, w.fillReusable(ctx, &entity.Entry{ID: id, Kind: entity.KindReusable}, change)
}

func (w *work) updateReusable(ctx context.Context, change Change) (string, error) {
	e, err := w.other(ctx, reusableNoun, change.Reusable)
	if err != nil {
		return "", err
	}
	return e.ID, w.fillReusable(ctx, e, change)
}

// fillReusable sets what a change says about a reusable content and keeps it.
func (w *work) fillReusable(ctx context.Context, e *entity.Entry, change Change) error {
	if err := onlyReusableFields(change); err != nil {
		return err
	}
	before := *e
	if err := w.setFields(ctx, e, change.Fields); err != nil {
		return err
	}
	if change.Body != (Body{}) {
		if err := w.setBody(ctx, e, change); err != nil {
			return err
		}
	}
	if e.Title == "" {
		e.Title = untitled
	}
	keepPlace(&before, e)
	if err := e.Validate(); err != nil {
		return err
	}
	w.set(e)
	return nil
}

// keepPlace leaves the file of a reusable content where it is when its title changes: pages may include it by its path.
func keepPlace(before, e *entity.Entry) {
	if before.Title == "" || before.Title == e.Title || e.Path != "" {
		return
	}
	e.Path = pagefile.Of(before)
	if e.Name == "" {
		e.Name = strings.TrimSuffix(path.Base(e.Path), ".md")
	}
}

// onlyReusableFields refuses the fields of pages that a reusable content does not have.
func onlyReusableFields(change Change) error {
	f := change.Fields
	type field struct {
		name string
		set  bool
	}
	named := []field{
		{"slug", f.Slug.IsSet()}, {"linkTitle", f.LinkTitle.IsSet()}, {"condition", f.Condition.IsSet()},
		{"layout", f.Layout.IsSet()}, {"cover", f.Cover.IsSet()}, {"variables", f.Variables.IsSet()},
		{"owner", f.Owner.IsSet()},
		{"target", f.Target.IsSet()}, {"computed", f.Computed.IsSet()}, {"into", change.Into.IsSet()},
		{"at", change.At != nil},
	}
	for _, flag := range entity.PageFlags() {
		_, set := f.Flags[flag.Name]
		named = append(named, field{flag.Name, set})
	}
	for _, field := range named {
		if field.set {
			return errs.Invalidf(field.name, "a reusable content has no such field; it has a title, an emoji, an "+
				"icon, a description, tags and a document")
		}
	}
	return nil
}

// updateVariables sets variables of the space. An entry without variables is none.
func (w *work) updateVariables(ctx context.Context, change optional.Value[map[string]any]) error {
	if !change.IsSet() {
		return errs.Invalidf("variables",
			"is missing: send the variables to set by name, and null for those to take away")
	}
	stored, err := w.find(ctx, entity.VariablesID)
	if err != nil {
		return err
	}
	e := &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables}
	set, ok := change.Get()
	if stored != nil && ok {
		e.Variables = maps.Clone(stored.Variables)
	}
	for name, value := range set {
		if value == nil {
			delete(e.Variables, name)
			continue
		}
		if e.Variables == nil {
			e.Variables = map[string]any{}
		}
		e.Variables[name] = value
	}
	if len(e.Variables) == 0 {
		if stored != nil {
			w.drop(e.ID)
		}
		return nil
	}
	if err := e.Validate(); err != nil {
		return err
	}
	w.set(e)
	return nil
}
