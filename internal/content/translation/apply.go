package translation

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// wanted is a translation that somebody gives for a text.
type wanted struct {
	// segment is the id, text has the placeholders of the source.
	segment, text string
	origin        segment.Origin
	// line is where it stands in a file; 0 when it is of none.
	line int
	// confirm says that the text fits the source as it is now, also when it is not new.
	confirm bool
	// unsure says that the translator does not vouch for it: it is not taken.
	unsure bool
}

// Problem is a translation that could not be taken.
type Problem struct {
	// Segment is the id of the text, Line the place in the file, 0 when there is none.
	Segment string
	Line    int
	Message string
}

// Report says what became of translations that were given.
type Report struct {
	// Applied were taken, Unchanged were there already.
	Applied, Unchanged int
	// Pages is how many pages have changed, Words how many words of the source the new translations stand for.
	Pages, Words int
	Problems     []Problem
	// ChangeRequest is where they went; "" when nothing has changed.
	ChangeRequest id.ChangeRequest
}

// applying puts translations into a variant.
type applying struct {
	snapshot *snapshot
	made     *proposal
	report   Report
	// touched are pages whose states have to be counted again.
	touched []string
}

// apply puts translations into the change request of a variant, in the name of the caller.
func (s *Service) apply(ctx context.Context, caller account.Caller, languageID id.Language, subject string,
	all []wanted) (Report, error) {
	byEntry := map[string][]wanted{}
	for _, w := range all {
		entryID, _, _ := strings.Cut(w.segment, ".")
		byEntry[entryID] = append(byEntry[entryID], w)
	}
	var report Report
	err := s.again(func() error {
		d, err := s.load(ctx, caller, languageID)
		if err != nil {
			return err
		}
		if _, err := s.access.RequireSpace(ctx, caller, d.language.Space, access.EditSpace); err != nil {
			return err
		}
		// Translations are about the source that the variant has followed; what has changed since is the next job's.
		d.source = d.before
		a := &applying{snapshot: d, made: &proposal{subject: subject, message: subject}}
		for _, entryID := range slices.Sorted(maps.Keys(byEntry)) {
			if err := s.applyTo(ctx, a, entryID, byEntry[entryID]); err != nil {
				return err
			}
		}
		if len(a.made.puts)+len(a.made.memory) > 0 {
			if err := s.commitProposal(ctx, d, a.made, d.before.Revision().ID); err != nil {
				return err
			}
			err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				if err := recount(ctx, q, languageID, a.touched); err != nil {
					return err
				}
				now, err := languageByID(ctx, q, languageID)
				if err != nil {
					return err
				}
				return s.askFor(ctx, q, now)
			})
			if err != nil {
				return err
			}
		}
		report = a.report
		if len(a.made.puts) > 0 {
			report.ChangeRequest = d.language.ChangeRequest
		}
		return nil
	})
	return report, err
}

func (a *applying) problem(w wanted, format string) {
	a.report.Problems = append(a.report.Problems, Problem{Segment: w.segment, Message: format, Line: w.line})
}

// applyTo puts the translations of one page into it.
func (s *Service) applyTo(ctx context.Context, a *applying, entryID string, all []wanted) error {
	source, err := entryOf(ctx, a.snapshot.before, entryID)
	if err != nil {
		return err
	}
	mine, err := entryOf(ctx, a.snapshot.target, entryID)
	if err != nil {
		return err
	}
	if !textual(source) || mine == nil {
		for _, w := range all {
			a.problem(w, "The page is not there any more.")
		}
		return nil
	}
	m, err := memoryOf(ctx, s.deps.DB.Read(), a.snapshot.language.ID, entryID)
	if err != nil {
		return err
	}
	page := &applyingPage{applying: a, memory: m, source: source, next: mine.Clone(), wanted: map[string]wanted{}}
	for _, w := range all {
		page.wanted[strings.TrimPrefix(w.segment, entryID+".")] = w
	}
	page.fields()
	put := store.Put{Entry: page.next}
	if put.Body, err = page.body(ctx, mine); err != nil {
		return err
	}
	for _, w := range page.wanted {
		a.problem(w, "There is no such text in the page; its source has changed since.")
	}
	if put.Body != nil {
		put.Entry.Body = hashBody(put.Body)
	}
	if put.Body != nil || !entity.Equal(page.next, mine) {
		a.made.puts = append(a.made.puts, put)
		a.report.Pages++
	}
	for _, added := range m.Added() {
		a.made.memory = append(a.made.memory, remembered{entryID, added})
	}
	if page.changed {
		a.touched = append(a.touched, entryID)
	}
	return nil
}

func entryOf(ctx context.Context, v *store.View, entryID string) (*entity.Entry, error) {
	e, err := v.Entry(ctx, entryID)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return e, err
}

// applyingPage is the work on one page.
type applyingPage struct {
	*applying
	memory       *segment.Memory
	source, next *entity.Entry
	wanted       map[string]wanted
	changed      bool
}

// take decides about one translation: what becomes of a text whose present target and state are given.
func (p *applyingPage) take(w wanted, source segment.Content, target string, state segment.State,
	origin segment.Origin) bool {
	switch {
	case w.origin == segment.Machine && state == segment.Translated && origin != segment.Machine:
		p.report.Unchanged++ // a person was faster
		return false
	case w.text == target && (!w.confirm || state == segment.Translated && origin != segment.Machine):
		p.report.Unchanged++
		return false
	case w.unsure:
		p.problem(w, "The translation is marked fuzzy; take the mark away for it to be taken.")
		return false
	}
	if err := source.Check(w.text); err != nil {
		p.problem(w, "The translation cannot be used: "+err.Error()+".")
		return false
	}
	if !source.Translated(w.text).Speaks() {
		p.problem(w, "The translation has no words.")
		return false
	}
	p.changed = true
	p.report.Applied++
	p.report.Words += source.Words()
	return true
}

func (p *applyingPage) fields() {
	for _, f := range fieldsOf(p.source) {
		w, ok := p.wanted[f.kind]
		if !ok || *f.get(p.source) == "" {
			continue
		}
		delete(p.wanted, f.kind)
		source, target := segment.Plain(*f.get(p.source)), segment.Plain(*f.get(p.next))
		state, origin := p.memory.State(source, target)
		if !p.take(w, source, target.Text, state, origin) {
			continue
		}
		// White space around a title means nothing and is not kept.
		text := strings.Join(strings.Fields(segment.Content{Text: w.text}.PlainText()), " ")
		*f.get(p.next) = text
		p.memory.Add(source.Hash(), source, segment.Shown)
		p.memory.Add(source.Hash(), segment.Plain(text), w.origin)
	}
}

// body returns the new body; nil when it stays.
func (p *applyingPage) body(ctx context.Context, mine *entity.Entry) ([]byte, error) {
	source, err := readBody(ctx, p.snapshot.before, p.source)
	if err != nil || source == nil {
		return nil, err
	}
	target, err := readBody(ctx, p.snapshot.target, mine)
	if err != nil || target == nil {
		return nil, err
	}
	// What a person has just written in the variant counts as theirs before anything else is put there.
	a := source.Absorb(target, p.memory, nil)
	contents, origins := map[int]segment.Content{}, map[int]segment.Origin{}
	for i, key := range segment.Keys(source.Units) {
		w, ok := p.wanted[key]
		if !ok {
			continue
		}
		delete(p.wanted, key)
		unit, present := source.Units[i], ""
		if j := a.Target[i]; j >= 0 {
			present = segment.Express(unit.Content, target.All[j].Content)
		}
		if a.Target[i] < 0 {
			p.problem(w, "The variant has no block for this text; somebody has taken it out.")
			continue
		}
		if p.take(w, unit.Content, present, a.State[i], a.Origin[i]) {
			origins[i] = w.origin
			if w.text == present {
				contents[i] = target.All[a.Target[i]].Content
			} else {
				contents[i] = unit.Translated(w.text)
			}
		}
	}
	text, _ := segment.Translate(source, target, a, contents)
	after, err := segment.ReadBody(text)
	if err != nil {
		return nil, errs.New(errs.Invalid, "With its translations the page %q becomes too large.", p.source.Title)
	}
	p.settle(source, after, a, origins)
	if hashBody(text) == mine.Body || len(text) == 0 {
		return nil, nil
	}
	return text, nil
}

// settle notes what the new texts are, as they read back.
func (p *applyingPage) settle(source, after *segment.Body, a segment.Alignment, origins map[int]segment.Origin) {
	for i, origin := range origins {
		if j := a.Target[i]; j < len(after.All) {
			p.memory.Add(source.Units[i].Hash(), after.All[j].Content, origin)
		}
	}
}

// Translate puts a text into a variant, or confirms the one that is there. It needs the role edit in the variant. What
// cannot be used is an errs.Invalid.
func (s *Service) Translate(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code, segmentID, text string) (Segment, Report, error) {
	_, l, err := s.editable(ctx, s.deps.DB.Read(), caller, organizationID, translationID, code)
	if err != nil {
		return Segment{}, Report{}, err
	}
	entryID, _, _ := strings.Cut(segmentID, ".")
	r, err := s.read(ctx, l)
	if err != nil {
		return Segment{}, Report{}, err
	}
	if _, err := r.one(ctx, entryID, segmentID); err != nil {
		return Segment{}, Report{}, err
	}
	report, err := s.apply(ctx, caller, l.ID, "Translate",
		[]wanted{{segment: segmentID, text: text, origin: segment.Human, confirm: true}})
	if err == nil && len(report.Problems) > 0 {
		err = errs.Invalidf("target", "%s", report.Problems[0].Message)
	}
	if err != nil {
		return Segment{}, Report{}, err
	}
	if l, err = languageByID(ctx, s.deps.DB.Read(), l.ID); err != nil {
		return Segment{}, Report{}, err
	}
	if r, err = s.read(ctx, l); err != nil {
		return Segment{}, Report{}, err
	}
	after, err := r.one(ctx, entryID, segmentID)
	return after, report, err
}

// one returns a segment of a page.
func (r *reading) one(ctx context.Context, entryID, segmentID string) (Segment, error) {
	segments, err := r.segments(ctx, entryID)
	if err != nil {
		return Segment{}, err
	}
	at := slices.IndexFunc(segments, func(g Segment) bool { return g.ID == segmentID })
	if at < 0 {
		return Segment{}, errs.NotFoundf(
			"There is no segment %.80q; its source may have changed. List the segments of the page.", segmentID)
	}
	return segments[at], nil
}
