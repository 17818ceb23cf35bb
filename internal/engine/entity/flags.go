package entity

import "cmp"

// Flags are the switches of a page, each off unless the page says otherwise. A new one is a field here and a row of the
// table below; front matter, merging, exports and the answers of the API walk the table. What sets it through the API,
// and what it does, are the only other places that know it.
type Flags struct {
	Hidden        bool `json:"hidden,omitempty"`
	NoIndex       bool `json:"noIndex,omitempty"`
	NoRobotsIndex bool `json:"noRobotsIndex,omitempty"`
}

// Flag is a row of the table of flags. Its name is that of the field in an entry's JSON, in front matter and in the
// API.
type Flag struct {
	Name string
	// At returns where the flag is.
	At func(*Flags) *bool
}

var pageFlags = []Flag{
	{"hidden", func(f *Flags) *bool { return &f.Hidden }},
	{"noIndex", func(f *Flags) *bool { return &f.NoIndex }},
	{"noRobotsIndex", func(f *Flags) *bool { return &f.NoRobotsIndex }},
}

// PageFlags returns the table of flags in the order of the encoding. It is not to be changed.
func PageFlags() []Flag { return pageFlags }

// Named returns where the flag of a name is, nil when there is none.
func (f *Flags) Named(name string) *bool {
	for _, flag := range pageFlags {
		if flag.Name == name {
			return flag.At(f)
		}
	}
	return nil
}

// Unfound reports whether searches of sites leave the page out.
func (f Flags) Unfound() bool { return f.Hidden || f.NoIndex }

// Or returns the flags that are on in one or the other.
func (f Flags) Or(other Flags) Flags {
	for _, flag := range pageFlags {
		*flag.At(&f) = *flag.At(&f) || *flag.At(&other)
	}
	return f
}

// Layout is what a page shows around its body. Width and the cover's words are "" for the default. A part is shown
// unless it is off, a cover when the page has one. A new part is a field here and a row of the table below.
type Layout struct {
	Width           string `json:"width,omitempty"`     // default, wide
	CoverSize       string `json:"coverSize,omitempty"` // hero, full, background
	CoverMask       string `json:"coverMask,omitempty"` // none, radial
	Cover           *bool  `json:"cover,omitempty"`
	Title           *bool  `json:"title,omitempty"`
	Description     *bool  `json:"description,omitempty"`
	TableOfContents *bool  `json:"tableOfContents,omitempty"`
	Outline         *bool  `json:"outline,omitempty"`
	Pagination      *bool  `json:"pagination,omitempty"`
	Metadata        *bool  `json:"metadata,omitempty"`
	Tags            *bool  `json:"tags,omitempty"`
	Actions         *bool  `json:"actions,omitempty"`
	Anchors         *bool  `json:"anchors,omitempty"`
}

// LayoutPart is a row of the table of what a layout shows or hides. Its name is that of the member in the JSON of a
// layout, in front matter and in the API.
type LayoutPart struct {
	Name string
	// At returns where the switch is. A nil switch is the default.
	At func(*Layout) **bool
}

// coverPart is the one part whose default depends on the page.
const coverPart = "cover"

var layoutParts = []LayoutPart{
	{coverPart, func(l *Layout) **bool { return &l.Cover }},
	{"title", func(l *Layout) **bool { return &l.Title }},
	{"description", func(l *Layout) **bool { return &l.Description }},
	{"tableOfContents", func(l *Layout) **bool { return &l.TableOfContents }},
	{"outline", func(l *Layout) **bool { return &l.Outline }},
	{"pagination", func(l *Layout) **bool { return &l.Pagination }},
	{"metadata", func(l *Layout) **bool { return &l.Metadata }},
	{"tags", func(l *Layout) **bool { return &l.Tags }},
	{"actions", func(l *Layout) **bool { return &l.Actions }},
	{"anchors", func(l *Layout) **bool { return &l.Anchors }},
}

// LayoutParts returns the table of parts in the order of the encoding. It is not to be changed.
func LayoutParts() []LayoutPart { return layoutParts }

// Complete returns a layout with the defaults in the place of what it does not say. l may be nil.
func (l *Layout) Complete(hasCover bool) Layout {
	var full Layout
	if l != nil {
		full = *l
	}
	full.Width, full.CoverSize, full.CoverMask = cmp.Or(full.Width, "default"), cmp.Or(full.CoverSize, "hero"),
		cmp.Or(full.CoverMask, "none")
	for _, part := range layoutParts {
		if at := part.At(&full); *at == nil {
			*at = new(part.Name != coverPart || hasCover)
		}
	}
	return full
}

// Merge returns the layout of a page with what another says in place of its own. What the page has already, if only by
// default, stays unsaid. It returns nil when nothing is said, and l may be nil.
func (l *Layout) Merge(given Layout, hasCover bool) *Layout {
	present := l.Complete(hasCover)
	var merged Layout
	if l != nil {
		merged = *l
	}
	for _, word := range []struct {
		given, present string
		field          *string
	}{
		{given.Width, present.Width, &merged.Width}, {given.CoverSize, present.CoverSize, &merged.CoverSize},
		{given.CoverMask, present.CoverMask, &merged.CoverMask},
	} {
		if word.given != "" && word.given != word.present {
			*word.field = word.given
		}
	}
	for _, part := range layoutParts {
		if wanted := *part.At(&given); wanted != nil && *wanted != **part.At(&present) {
			*part.At(&merged) = wanted
		}
	}
	if l == nil && merged == (Layout{}) {
		return nil
	}
	return &merged
}
