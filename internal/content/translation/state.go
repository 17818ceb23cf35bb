package translation

import (
	"context"
	"slices"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// language returns a language of a translation for a caller who may do an action in its variant and read its source.
func (s *Service) language(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, action access.SpaceAction) (Translation, Language, error) {
	t, err := s.get(ctx, q, caller, organizationID, translationID)
	if err != nil {
		return Translation{}, Language{}, err
	}
	at := slices.IndexFunc(t.Languages, func(l Language) bool { return l.Code == code })
	if at < 0 {
		return Translation{}, Language{},
			errs.NotFoundf("The translation has no language %.20q. List its languages to see them.", code)
	}
	l := t.Languages[at]
	if _, err := access.RequireSpace(ctx, q, caller, l.Space, action); err != nil {
		return Translation{}, Language{}, err
	}
	if t.SourceSpace != "" {
		if _, err := access.RequireSpace(ctx, q, caller, t.SourceSpace, access.ViewSpace); err != nil {
			return Translation{}, Language{}, err
		}
	}
	return t, l, nil
}

// editable is language for a caller who wants to write in the variant.
func (s *Service) editable(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string) (Translation, Language, error) {
	return s.language(ctx, q, caller, organizationID, translationID, code, access.EditSpace)
}

// Language returns a language of a translation with its counts. It needs the right to read the variant and the source.
func (s *Service) Language(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string) (Language, error) {
	q := s.deps.DB.Read()
	_, l, err := s.language(ctx, q, caller, organizationID, translationID, code, access.ViewSpace)
	if err != nil {
		return Language{}, err
	}
	l.Counts, err = countsOf(ctx, q, l.ID)
	return l, err
}

// Languages returns those languages of a translation that the caller may read, with their counts.
func (s *Service) Languages(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation) ([]Language, error) {
	t, err := s.Get(ctx, caller, organizationID, translationID)
	if err != nil {
		return nil, err
	}
	found := []Language{}
	for _, l := range t.Languages {
		seen, err := s.Language(ctx, caller, organizationID, translationID, l.Code)
		if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, seen)
	}
	return found, nil
}

func checkState(state segment.State) error {
	if state == "" {
		return nil
	}
	return field.OneOf("state", state, segment.Translated, segment.Stale, segment.Missing)
}

// Pages returns a page of the pages of a language in the order of reading, those with a text in a state if one is
// given, with their number and the keys of the next page.
func (s *Service) Pages(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, state segment.State,
	page paging.Request) (pages paging.Page[Page], err error) {
	q := s.deps.DB.Read()
	_, l, err := s.language(ctx, q, caller, organizationID, translationID, code, access.ViewSpace)
	if err != nil {
		return paging.Page[Page]{}, err
	}
	if err := checkState(state); err != nil {
		return paging.Page[Page]{}, err
	}
	if pages.Items, pages.Count, err = listPages(ctx, q, l.ID, state, page); err != nil {
		return paging.Page[Page]{}, err
	}
	pages.Cut(page.Size(), func(p Page) []string {
		return []string{strconv.FormatInt(p.position, 10), p.Entry}
	})
	return pages, nil
}

// reading is the source and the variant at the place where the counts were made, for looking at single texts.
type reading struct {
	service        *Service
	language       Language
	source, target *store.View
}

func (s *Service) read(ctx context.Context, l Language) (*reading, error) {
	r := &reading{service: s, language: l}
	var err error
	if r.source, err = s.deps.Content.View(ctx, l.Source); err != nil {
		return nil, err
	}
	if l.Target == "" {
		r.target, err = s.deps.Content.Head(ctx, l.Space)
	} else {
		r.target, err = s.deps.Content.View(ctx, l.Target)
	}
	return r, err
}

// segments returns the texts of a page.
func (r *reading) segments(ctx context.Context, entryID string) ([]Segment, error) {
	source, err := r.source.Entry(ctx, entryID)
	if errs.Is(err, errs.NotFound) || err == nil && !textual(source) {
		return nil, errs.NotFoundf("There is no page or reusable content with the id %.80q in the source, or the "+
			"language has not followed it yet.", entryID)
	}
	if err != nil {
		return nil, err
	}
	target, err := r.target.Entry(ctx, entryID)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	m, err := memoryOf(ctx, r.service.deps.DB.Read(), r.language.ID, entryID)
	if err != nil {
		return nil, err
	}
	segments := fieldSegments(source, target, m)
	b, err := readBody(ctx, r.source, source)
	if err != nil || b == nil {
		return segments, err
	}
	there, err := readBody(ctx, r.target, target)
	if err != nil || there == nil {
		return segments, err
	}
	a, keys := b.Align(there, m), segment.Keys(b.Units)
	for i, unit := range b.Units {
		one := Segment{ID: entryID + "." + keys[i], Entry: entryID, Kind: unit.Kind, Source: unit.Content,
			State: a.State[i], Origin: a.Origin[i]}
		if j := a.Target[i]; j >= 0 {
			one.Target = segment.Express(unit.Content, there.All[j].Content)
		}
		segments = append(segments, one)
	}
	return segments, nil
}

// fieldSegments are the texts of a page beside its body.
func fieldSegments(source, target *entity.Entry, m *segment.Memory) []Segment {
	var segments []Segment
	for _, f := range fieldsOf(source) {
		unit := segment.Plain(*f.get(source))
		if !unit.Speaks() {
			continue
		}
		one := Segment{ID: source.ID + "." + f.kind, Entry: source.ID, Kind: f.kind, Source: unit,
			State: segment.Missing}
		if target != nil && *f.get(target) != "" {
			there := segment.Plain(*f.get(target))
			one.Target = there.Text
			one.State, one.Origin = m.State(unit, there)
		}
		segments = append(segments, one)
	}
	return segments
}

// SegmentFilter narrows a list of segments.
type SegmentFilter struct {
	State segment.State
	// Entry is the id of one page.
	Entry string
}

// Segments returns a page of the texts of a language in the order of reading, with the keys of the next page. count is
// that of the texts under the filter.
func (s *Service) Segments(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, filter SegmentFilter,
	page paging.Request) (segments paging.Page[Segment], err error) {
	q := s.deps.DB.Read()
	_, l, err := s.language(ctx, q, caller, organizationID, translationID, code, access.ViewSpace)
	if err != nil {
		return paging.Page[Segment]{}, err
	}
	if err := checkState(filter.State); err != nil {
		return paging.Page[Segment]{}, err
	}
	r, err := s.read(ctx, l)
	if err != nil {
		return paging.Page[Segment]{}, err
	}
	if filter.Entry != "" {
		return r.ofPage(ctx, filter, page)
	}
	count, err := countSegments(ctx, q, l.ID, filter.State)
	if err != nil {
		return paging.Page[Segment]{}, err
	}
	return r.fromPages(ctx, filter.State, count, page)
}

func (r *reading) ofPage(ctx context.Context, filter SegmentFilter,
	page paging.Request) (segments paging.Page[Segment], err error) {
	all, err := r.segments(ctx, filter.Entry)
	if err != nil {
		return paging.Page[Segment]{}, err
	}
	all = inState(all, filter.State)
	from := after(all, page)
	segments.Items, segments.Count = all[from:min(len(all), from+page.Size()+1)], len(all)
	segments.Cut(page.Size(), func(g Segment) []string { return []string{"0", g.Entry, g.ID} })
	return segments, nil
}

// fromPages reads page after page until there are enough segments. Keys are position and id of the page and the
// segment.
func (r *reading) fromPages(ctx context.Context, state segment.State, count int,
	page paging.Request) (segments paging.Page[Segment], err error) {
	segments.Count = count
	request := paging.Request{Limit: paging.MaxLimit}
	position, entry, last := int64(-1), "", ""
	if len(page.After) == 3 {
		if position, _, err = placeOf(page); err != nil {
			return paging.Page[Segment]{}, err
		}
		entry, last = page.After[1], page.After[2]
		request.After = []string{strconv.FormatInt(position-1, 10), "\U0010FFFF"}
	}
	for {
		pages, _, err := listPages(ctx, r.service.deps.DB.Read(), r.language.ID, state, request)
		if err != nil {
			return paging.Page[Segment]{}, err
		}
		pages, more := paging.Cut(pages, request.Size(), func(p Page) []string {
			return []string{strconv.FormatInt(p.position, 10), p.Entry}
		})
		for _, p := range pages {
			found, err := r.segments(ctx, p.Entry)
			if errs.Is(err, errs.NotFound) {
				continue // the page went meanwhile
			}
			if err != nil {
				return paging.Page[Segment]{}, err
			}
			if found = inState(found, state); p.Entry == entry {
				found = found[after(found, paging.Request{After: []string{"", "", last}}):]
			}
			for _, one := range found {
				if len(segments.Items) == page.Size() {
					end := segments.Items[len(segments.Items)-1]
					segments.Next = []string{strconv.FormatInt(position, 10), end.Entry, end.ID}
					return segments, nil
				}
				segments.Items = append(segments.Items, one)
				position = p.position
			}
		}
		if more == nil {
			return segments, nil
		}
		request.After = more
	}
}

// after returns the index behind the segment that a page begins after.
func after(segments []Segment, page paging.Request) int {
	if len(page.After) < 3 {
		return 0
	}
	return slices.IndexFunc(segments, func(g Segment) bool { return g.ID == page.After[2] }) + 1
}

func inState(segments []Segment, state segment.State) []Segment {
	if state == "" {
		return segments
	}
	return slices.DeleteFunc(segments, func(g Segment) bool { return g.State != state })
}
