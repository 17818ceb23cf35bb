package translation

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/exchange/gettext"
	"github.com/rectodocs/recto/internal/engine/exchange/xliff"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/account"
)

// Format is a format of files for translators.
type Format string

// Formats.
const (
	XLIFF   Format = "xliff"
	Gettext Format = "po"
)

// File is an export.
type File struct {
	Name, ContentType string
	Bytes             []byte
}

// pageTexts are the texts of one page in an export.
type pageTexts struct {
	entry, path, title string
	segments           []Segment
}

// Export writes the texts of a language for translators. It needs the right to read the variant and the source.
func (s *Service) Export(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, format Format, filter SegmentFilter) (File, error) {
	if err := field.OneOf("format", format, XLIFF, Gettext); err != nil {
		return File{}, err
	}
	if err := checkState(filter.State); err != nil {
		return File{}, err
	}
	t, err := s.Get(ctx, caller, organizationID, translationID)
	if err != nil {
		return File{}, err
	}
	l, err := s.Language(ctx, caller, organizationID, translationID, code)
	if err != nil {
		return File{}, err
	}
	pages, err := s.collect(ctx, l, filter)
	if err != nil {
		return File{}, err
	}
	var b bytes.Buffer
	name := fmt.Sprintf("%s-%s", slug(t.Title), l.Code)
	if format == Gettext {
		err = gettext.Write(&b, toCatalog(t, l, pages))
		return File{Name: name + ".po", ContentType: "text/x-gettext-translation; charset=utf-8", Bytes: b.Bytes()}, err
	}
	err = xliff.Write(&b, toXLIFF(t, l, pages))
	return File{Name: name + ".xlf", ContentType: "application/xliff+xml", Bytes: b.Bytes()}, err
}

// slug is a title as part of a file's name.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return cmp.Or(strings.Join(words, "-"), "translation")
}

// collect reads the texts of all pages.
func (s *Service) collect(ctx context.Context, l Language, filter SegmentFilter) ([]pageTexts, error) {
	r, err := s.read(ctx, l)
	if err != nil {
		return nil, err
	}
	rows, err := allPages(ctx, s.deps.DB.Read(), l.ID)
	if err != nil {
		return nil, err
	}
	order := slices.SortedFunc(maps.Values(rows), func(a, b Page) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.Entry, b.Entry))
	})
	if filter.Entry != "" {
		if _, err := r.segments(ctx, filter.Entry); err != nil {
			return nil, err
		}
	}
	var pages []pageTexts
	for _, row := range order {
		if filter.Entry != "" && row.Entry != filter.Entry {
			continue
		}
		segments, err := r.segments(ctx, row.Entry)
		if errs.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if segments = inState(segments, filter.State); len(segments) == 0 {
			continue
		}
		pages = append(pages, pageTexts{entry: row.Entry, title: row.Title, path: pathOf(ctx, r.source, row),
			segments: segments})
	}
	return pages, nil
}

// pathOf is where a page is, for people.
func pathOf(ctx context.Context, source *store.View, row Page) string {
	path, err := source.Path(ctx, row.Entry)
	if err != nil {
		return cmp.Or(row.Title, row.Entry)
	}
	return path
}

// SubStates of our own in XLIFF.
const (
	subStale   = "stale"
	subMachine = "machine"
)

func toXLIFF(t Translation, l Language, pages []pageTexts) xliff.Document {
	d := xliff.Document{Source: wireLanguage(t.SourceLanguage), Target: wireLanguage(l.Code)}
	for _, page := range pages {
		f := xliff.File{ID: page.entry, Original: page.path}
		for _, one := range page.segments {
			u := xliff.Unit{
				ID: strings.TrimPrefix(one.ID, page.entry+"."), Name: one.Kind, State: xliff.Initial,
				Source: one.Source.Text, Codes: codesOf(one.Source),
			}
			if one.State != segment.Missing {
				u.State, u.Target, u.HasTarget = xliff.Translated, one.Target, true
			}
			switch {
			case one.State == segment.Stale:
				u.State, u.SubState = xliff.Initial, subStale
				u.Notes = append(u.Notes, "The source has changed since this translation was made.")
			case one.Origin == segment.Machine:
				u.SubState = subMachine
			}
			f.Units = append(f.Units, u)
		}
		d.Files = append(d.Files, f)
	}
	return d
}

// wireLanguage is a code as BCP 47 writes it.
func wireLanguage(code string) string {
	language, region, found := strings.Cut(code, "-")
	if !found {
		return code
	}
	return language + "-" + strings.ToUpper(region)
}

func codesOf(c segment.Content) []xliff.Code {
	codes := make([]xliff.Code, len(c.Codes))
	for i, code := range c.Codes {
		before, after := c.Markdown(i + 1)
		codes[i] = xliff.Code{Pair: code.Pair, Before: before, After: after}
	}
	return codes
}

func toCatalog(t Translation, l Language, pages []pageTexts) gettext.Catalog {
	c := gettext.Catalog{Header: []string{
		"Project-Id-Version: " + string(t.ID), "Language: " + strings.ReplaceAll(wireLanguage(l.Code), "-", "_"),
		"MIME-Version: 1.0",
		"Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: 8bit",
	}}
	for _, page := range pages {
		for _, one := range page.segments {
			m := gettext.Message{Context: one.ID, ID: one.Source.Text, References: []string{page.path},
				Comments: []string{page.title + ": " + one.Kind}}
			for i, code := range codesOf(one.Source) {
				stands := fmt.Sprintf("<%d/> stands for %s", i+1, code.Before)
				if code.Pair {
					stands = fmt.Sprintf("<%d>…</%d> stands for %s…%s", i+1, i+1, code.Before, code.After)
				}
				m.Comments = append(m.Comments, stands)
			}
			if one.State != segment.Missing {
				m.Text = one.Target
			}
			switch {
			case one.State == segment.Stale:
				m.Fuzzy = true
				m.Comments = append(m.Comments, "The source has changed since this translation was made.")
			case one.State == segment.Translated && one.Origin == segment.Machine:
				m.Fuzzy = true
				m.Comments = append(m.Comments, "A machine has made this translation.")
			}
			c.Messages = append(c.Messages, m)
		}
	}
	return c
}

// Import brings the translations of a file into the change request of a variant, in the caller's name. It needs the
// role edit there. What a translator left as it was is left as it is; what cannot be used is in the report with its
// line.
func (s *Service) Import(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, format Format, data []byte) (Report, error) {
	if format == "" {
		if format = Gettext; looksLikeXML(data) {
			format = XLIFF
		}
	}
	if err := field.OneOf("format", format, XLIFF, Gettext); err != nil {
		return Report{}, err
	}
	_, l, err := s.editable(ctx, s.deps.DB.Read(), caller, organizationID, translationID, code)
	if err != nil {
		return Report{}, err
	}
	read := fromCatalog
	if format == XLIFF {
		read = fromXLIFF
	}
	all, problems, err := read(l, data)
	if err != nil {
		return Report{}, err
	}
	report, err := s.apply(ctx, caller, l.ID, "Import translations", all)
	report.Problems = append(problems, report.Problems...)
	slices.SortStableFunc(report.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return report, err
}

// looksLikeXML reports whether the first character of a file is the one that XML begins with, in UTF-8 or in UTF-16, of
// which the reader of XLIFF says that it is refused.
func looksLikeXML(data []byte) bool {
	at := slices.IndexFunc(data, func(b byte) bool {
		return !bytes.Contains([]byte("\xEF\xBB\xBF\xFE\xFF\x00 \t\r\n"), []byte{b})
	})
	return at >= 0 && data[at] == '<'
}

func fromXLIFF(l Language, data []byte) ([]wanted, []Problem, error) {
	d, err := xliff.Read(data)
	if err != nil {
		return nil, nil, err
	}
	if d.Target != "" && !strings.EqualFold(d.Target, wireLanguage(l.Code)) {
		return nil, nil, errs.New(errs.Invalid, "The file is a translation to %.40q (trgLang), not to %s.", d.Target,
			l.Code)
	}
	var all []wanted
	for _, f := range d.Files {
		for _, u := range f.Units {
			if !u.HasTarget || u.Target == "" || u.SubState == subStale && u.State == xliff.Initial &&
				u.Target == u.Source {
				continue
			}
			all = append(all, wanted{
				segment: f.ID + "." + u.ID, text: u.Target, origin: segment.Import, line: u.Line,
				confirm: u.State != xliff.Initial && u.SubState != subStale &&
					(u.SubState != subMachine || u.State != xliff.Translated),
			})
		}
	}
	return all, nil, nil
}

func fromCatalog(l Language, data []byte) ([]wanted, []Problem, error) {
	c, err := gettext.Read(data)
	if err != nil {
		return nil, nil, err
	}
	// The texts of all languages have the same names, so the file of another one would go through without a word.
	if named := c.Language(); named != "" && !strings.EqualFold(strings.ReplaceAll(named, "_", "-"),
		wireLanguage(l.Code)) {
		return nil, nil, errs.New(errs.Invalid,
			"The file is a translation to %.40q (Language in its header), not to %s.", named, l.Code)
	}
	var all []wanted
	var problems []Problem
	for _, m := range c.Messages {
		switch {
		case m.Text == "":
		case m.Context == "":
			problems = append(problems,
				Problem{Line: m.Line, Message: "The message has no msgctxt, so nobody knows which text it is of."})
		default:
			all = append(all, wanted{
				segment: m.Context, text: segment.Join(segment.Split(m.Text)), origin: segment.Import, line: m.Line,
				confirm: !m.Fuzzy, unsure: m.Fuzzy,
			})
		}
	}
	return all, problems, nil
}
