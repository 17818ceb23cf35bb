package frontmatter

import (
	"bytes"
	"maps"
	"net/url"
	"path"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// Keep keeps how front matter was spelled, where writing the fields of its entry would spell them otherwise: another
// order, wrapping or quoting, comments, keys that say nothing.
func Keep(f treefile.FrontMatter, e *entity.Entry) {
	source := f.Source()
	if len(source) == 0 || len(source) > treefile.MaxFrontMatter {
		return
	}
	plain := Write(e)
	plain.LinkTitle = "" // the table of contents has it
	if e.Kind == entity.KindReusable {
		plain.Title = e.Title
	}
	plain.Cover = f.Cover // its image is not known yet
	if slug, taken := f.Extra["slug"]; taken && e.Slug != "" && slug == e.Slug {
		// The page has it now; an export says it again where the file's name does not.
		plain.Extra = maps.Clone(plain.Extra)
		if plain.Extra == nil {
			plain.Extra = map[string]any{}
		}
		plain.Extra["slug"] = slug
	}
	if bytes.Equal(source, plain.Written()) {
		return
	}
	kept := *e
	if kept.FrontMatter = string(source); fits(kept) {
		e.FrontMatter = kept.FrontMatter
	}
}

// fits reports whether an entry, with its kept front matter, is not too large to be stored.
func fits(e entity.Entry) bool {
	_, err := entity.Encode(&e)
	return err == nil
}

// WriteKept returns the front matter of an entry for a file, spelled as the file that it was imported from where it
// says the same. wanted is what a file without a past has, with the cover as the file has it. What the file must say of
// the slug is in wanted.Extra.
func WriteKept(e *entity.Entry, file string, wanted treefile.FrontMatter) treefile.FrontMatter {
	if e.FrontMatter == "" {
		return wanted
	}
	kept, err := treefile.ParseFrontMatter([]byte(e.FrontMatter))
	if err != nil {
		return wanted
	}
	was := &entity.Entry{Kind: e.Kind, Type: e.Type, Title: e.Title}
	fields := Read(kept, was)
	read := *was
	if e.Kind == entity.KindPage {
		OtherTitles(was, fields.Title)
		TakeSlug(was)
	}
	differs := func(name string) bool {
		field, _ := entity.FieldNamed(name)
		return !field.Equal(was, e)
	}
	for _, flag := range entity.PageFlags() {
		if differs(flag.Name) {
			*flag.At(&kept.Flags) = *flag.At(&wanted.Flags)
		}
	}
	for name, set := range map[string]func(){
		"emoji":       func() { kept.Emoji = wanted.Emoji },
		"icon":        func() { kept.Icon = wanted.Icon },
		"description": func() { kept.Description = wanted.Description },
		"condition":   func() { kept.Condition = wanted.Condition },
		"layout":      func() { kept.Layout = wanted.Layout },
		"tags":        func() { kept.Tags = wanted.Tags },
		"variables":   func() { kept.Variables = wanted.Variables },
	} {
		if differs(name) {
			set()
		}
	}
	if e.Kind == entity.KindPage && !sameCover(kept.Cover, wanted.Cover, file) {
		kept.Cover = wanted.Cover
	}
	kept.Extra = extra(kept, &read, was, e, wanted)
	titles(&kept, was, e)
	return kept
}

// extra returns the keys that the dialect does not know: as they were, but for those whose values have changed.
func extra(kept treefile.FrontMatter, read, was, e *entity.Entry, wanted treefile.FrontMatter) map[string]any {
	values := maps.Clone(kept.Extra)
	if values == nil {
		values = map[string]any{}
	}
	for key, value := range was.Extra {
		if !entity.EqualValues(value, e.Extra[key]) {
			delete(values, key)
		}
	}
	for key, value := range e.Extra {
		if before, there := was.Extra[key]; !there || !entity.EqualValues(value, before) {
			values[key] = value
		}
	}
	// The file's name says the slug, or this key does.
	slug, needed := wanted.Extra["slug"]
	switch {
	case needed:
		values["slug"] = slug
	case was.Slug != "" && was.Slug != e.Slug && read.Extra["slug"] != nil:
		values["slug"] = e.Slug
	}
	return values
}

// titles brings the keys with which other tools name a page to what the page is called now. The heading and the table
// of contents say it, too, and keys that are older would win over them at an import.
func titles(kept *treefile.FrontMatter, was, e *entity.Entry) {
	if e.Kind == entity.KindReusable {
		kept.Title = e.Title
		return
	}
	if was.LinkTitle == e.LinkTitle {
		return
	}
	if kept.LinkTitle != "" {
		kept.LinkTitle = e.LinkTitle
	}
	if kept.Title != "" {
		kept.Title = e.Title
	}
	delete(kept.Extra, "sidebar_label")
}

// sameCover reports whether two covers of a file are one, however their images are written.
func sameCover(one, other *treefile.PageCover, file string) bool {
	if one == nil || other == nil {
		return (one == nil || one.Ref == "") && other == nil
	}
	return samePlace(one.Ref, other.Ref, file) && samePlace(one.RefDark, other.RefDark, file) &&
		one.YPos == other.YPos && one.Height == other.Height
}

func samePlace(one, other, file string) bool {
	if one == other {
		return true
	}
	place := func(destination string) string {
		if decoded, err := url.PathUnescape(destination); err == nil {
			destination = decoded
		}
		return path.Join(path.Dir(file), destination)
	}
	return one != "" && other != "" && place(one) == place(other)
}

// TakeSlug takes the slug that front matter gives a page whose file name cannot have it.
func TakeSlug(e *entity.Entry) {
	slug, ok := e.Extra["slug"].(string)
	if !ok || !entity.ValidSlug(slug) {
		return
	}
	e.Slug = slug
	if delete(e.Extra, "slug"); len(e.Extra) == 0 {
		e.Extra = nil
	}
}

// OtherTitles takes the titles that other tools keep in front matter: title is that of the page, or its name in the
// navigation when the page has a heading of its own.
func OtherTitles(e *entity.Entry, title string) {
	label, _ := e.Extra["sidebar_label"].(string)
	if e.Title == "" {
		e.Title = title
	} else if label == "" {
		label = title
	}
	if label != "" && label != e.Title && e.LinkTitle == "" {
		e.LinkTitle = label
	}
	if delete(e.Extra, "sidebar_label"); len(e.Extra) == 0 {
		e.Extra = nil
	}
}
