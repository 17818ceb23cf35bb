package translation

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
)

// Bounds of machine translation: what is sent at once, and what one run may cost.
const (
	batchSegments   = 20
	batchCharacters = 6000
	// maxRunWords is how many words one run may send; a caller may set less.
	maxRunWords = 1_000_000
	// maxTries is how often a batch is sent that the provider has no answer for.
	maxTries = 4
	// savedSegments is how many translations are brought in at once.
	savedSegments = 200
)

// MachineRequest says what a machine is to translate.
type MachineRequest struct {
	// States are those of the texts to translate: missing, stale or both; both when it is empty.
	States []segment.State
	// Entry limits it to one page.
	Entry string
	// MaxWords bounds the words that are sent; 0 means the most that is allowed.
	MaxWords int
}

type machineArgs struct {
	Language id.Language
	User     id.User
	States   []segment.State
	Entry    string
	MaxWords int
}

// StartMachine has a machine translate what is missing or stale in a variant. It needs the role edit in the variant,
// and is an errs.Precondition where machine translation is off, an errs.Conflict while a run is under way.
func (s *Service) StartMachine(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string, in MachineRequest) (Language, error) {
	for i, state := range in.States {
		if state != segment.Missing && state != segment.Stale {
			return Language{}, errs.Invalidf("states["+strconv.Itoa(i)+"]", "is %.40q; missing and stale are accepted",
				state)
		}
	}
	if in.MaxWords < 0 || in.MaxWords > maxRunWords {
		return Language{}, errs.Invalidf("maxWords", "is 1 to %d", maxRunWords)
	}
	if in.MaxWords == 0 {
		in.MaxWords = maxRunWords
	}
	if err := s.checkEntry(ctx, caller, organizationID, translationID, code, in.Entry); err != nil {
		return Language{}, err
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, l, err := s.editable(ctx, q, caller, organizationID, translationID, code)
		if err != nil {
			return err
		}
		if s.deps.Provider == nil {
			return errs.New(errs.Precondition, "Machine translation is off on this server; the operator switches it "+
				"on with --translate-url and --translate-model.")
		}
		if l.Machine.State == Pending || l.Machine.State == Running {
			return errs.Conflictf("A machine is translating already; wait for it, or cancel it.")
		}
		m := Machine{State: Pending}
		m.job, err = s.deps.Jobs.Enqueue(ctx, q, machineKind, machineArgs{
			Language: l.ID, User: caller.User.ID, States: in.States, Entry: in.Entry, MaxWords: in.MaxWords,
		})
		if err != nil {
			return err
		}
		return setMachine(ctx, q, l.ID, m)
	})
	if err != nil {
		return Language{}, err
	}
	return s.Language(ctx, caller, organizationID, translationID, code)
}

// checkEntry refuses a page to translate that is not there; "" is none.
func (s *Service) checkEntry(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code, entryID string) error {
	if entryID == "" {
		return nil
	}
	_, l, err := s.editable(ctx, s.deps.DB.Read(), caller, organizationID, translationID, code)
	if err != nil {
		return err
	}
	r, err := s.read(ctx, l)
	if err != nil {
		return err
	}
	_, err = r.segments(ctx, entryID)
	return err
}

// CancelMachine ends the run of machine translation that is under way. What has been translated stays in the change
// request.
func (s *Service) CancelMachine(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string) (Language, error) {
	_, l, err := s.editable(ctx, s.deps.DB.Read(), caller, organizationID, translationID, code)
	if err != nil {
		return Language{}, err
	}
	if l.Machine.State != Pending && l.Machine.State != Running {
		return Language{}, errs.Conflictf("No machine is translating.")
	}
	// Written before the run hears of it: what it would write itself is that it was interrupted.
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now, err := languageByID(ctx, q, l.ID)
		if err != nil || now.Machine.State != Pending && now.Machine.State != Running {
			return err
		}
		now.Machine.State, now.Machine.Error = Failed, "Cancelled."
		return setMachine(ctx, q, l.ID, now.Machine)
	})
	if err != nil {
		return Language{}, err
	}
	if err := s.deps.Jobs.Cancel(ctx, l.Machine.job); err != nil && !errs.Is(err, errs.NotFound) {
		return Language{}, err
	}
	return s.Language(ctx, caller, organizationID, translationID, code)
}

// run is one run of machine translation.
type run struct {
	service     *Service
	args        machineArgs
	caller      account.Caller
	translation Translation
	language    Language
	machine     Machine
	words       int
	pages       map[string]bool
	done        []wanted
	brief       Batch
}

// runMachine is the job of machine translation.
func (s *Service) runMachine(ctx context.Context, raw json.RawMessage) error {
	r := &run{service: s, pages: map[string]bool{}}
	if err := json.Unmarshal(raw, &r.args); err != nil {
		return errs.Wrap(err, errs.Invalid, "The arguments of the job are damaged.")
	}
	if s.deps.Provider == nil {
		return errs.New(errs.Precondition, "Machine translation is off in this process.")
	}
	began := time.Now()
	err := r.prepare(ctx)
	if errs.Is(err, errs.NotFound) && s.gone(ctx, r.args.Language) {
		return nil
	}
	if err == nil {
		err = r.all(ctx)
	}
	return r.end(ctx, err, time.Since(began))
}

func (r *run) prepare(ctx context.Context) error {
	s := r.service
	user, err := s.deps.Accounts.UserByID(ctx, r.args.User)
	if err != nil {
		return err
	}
	if r.language, err = languageByID(ctx, s.deps.DB.Read(), r.args.Language); err != nil {
		return err
	}
	if r.translation, err = byID(ctx, s.deps.DB.Read(), r.language.Translation); err != nil {
		return err
	}
	r.caller = account.WorkIn(user, r.translation.Organization)
	r.machine = Machine{State: Running, job: r.language.Machine.job}
	r.brief = Batch{
		From: r.translation.SourceLanguage, To: r.language.Code,
		FromName: languageNames[r.translation.SourceLanguage], ToName: languageNames[r.language.Code],
		Instructions: instructionsText(r.translation.Instructions),
	}
	for _, term := range r.translation.Glossary {
		to := term.Translations[r.language.Code]
		if to == "" {
			to = term.Term
		}
		r.brief.Glossary = append(r.brief.Glossary, GlossaryEntry{From: term.Term, To: to})
	}
	return r.note(ctx)
}

// instructionsText is the text of instructions for a machine.
func instructionsText(raw json.RawMessage) string {
	var d doc.Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return ""
	}
	return strings.TrimSpace(render.Text(&d))
}

// todo lists the texts to translate, within the bound on words.
func (r *run) todo(ctx context.Context) ([]Segment, error) {
	reading, err := r.service.read(ctx, r.language)
	if err != nil {
		return nil, err
	}
	states := r.args.States
	if len(states) == 0 {
		states = []segment.State{segment.Missing, segment.Stale}
	}
	pages, err := allPages(ctx, r.service.deps.DB.Read(), r.language.ID)
	if err != nil {
		return nil, err
	}
	order := make([]Page, 0, len(pages))
	for _, p := range pages {
		if r.args.Entry == "" || p.Entry == r.args.Entry {
			order = append(order, p)
		}
	}
	slices.SortFunc(order, func(a, b Page) int { return int(a.position - b.position) })
	var todo []Segment
	left := r.args.MaxWords
	for _, p := range order {
		if p.Missing+p.Stale == 0 {
			continue
		}
		found, err := reading.segments(ctx, p.Entry)
		if errs.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			if !slices.Contains(states, one.State) {
				continue
			}
			if left -= one.Source.Words(); left < 0 {
				return todo, nil
			}
			todo = append(todo, one)
		}
	}
	return todo, nil
}

// all translates batch by batch and brings in what came back now and then.
func (r *run) all(ctx context.Context) error {
	todo, err := r.todo(ctx)
	if err != nil {
		return err
	}
	r.machine.Total = len(todo)
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, r.save(context.WithoutCancel(ctx)))
		}
		size, characters := 0, 0
		for size < len(todo) && size < batchSegments &&
			(size == 0 || characters+len(todo[size].Source.Text) <= batchCharacters) {
			characters += len(todo[size].Source.Text)
			size++
		}
		if err := r.batch(ctx, todo[:size]); err != nil {
			return errors.Join(err, r.save(context.WithoutCancel(ctx)))
		}
		todo = todo[size:]
		if len(r.done) >= savedSegments {
			if err := r.save(ctx); err != nil {
				return err
			}
		}
		if err := r.note(ctx); err != nil {
			return err
		}
	}
	return r.save(ctx)
}

// batch has one batch translated. What comes back with other placeholders is asked for once more by itself, then given
// up.
func (r *run) batch(ctx context.Context, segments []Segment) error {
	answers, err := r.ask(ctx, segments)
	if err != nil {
		return err
	}
	for i, one := range segments {
		problem := check(one, answers[i])
		if problem != nil && len(segments) > 1 {
			again, err := r.ask(ctx, segments[i:i+1])
			if err != nil {
				return err
			}
			answers[i], problem = again[0], check(one, again[0])
		}
		r.machine.Done++
		if problem != nil {
			r.machine.Failed++
			continue
		}
		r.pages[one.Entry] = true
		r.words += one.Source.Words()
		r.done = append(r.done, wanted{segment: one.ID, text: answers[i], origin: segment.Machine, confirm: true})
	}
	return nil
}

func check(one Segment, answer string) error {
	if answer == "" {
		return errors.New("there is no answer")
	}
	return one.Source.Check(answer)
}

// ask sends texts, again after a pause while the provider is busy.
func (r *run) ask(ctx context.Context, segments []Segment) ([]string, error) {
	batch := r.brief
	for _, one := range segments {
		text := BatchText{Text: one.Source.Text}
		for n := range one.Source.Codes {
			before, after := one.Source.Markdown(n + 1)
			if after != "" {
				before += "…" + after
			}
			text.Codes = append(text.Codes, before)
		}
		batch.Texts = append(batch.Texts, text)
	}
	pause := time.Second
	for try := 1; ; try++ {
		answers, err := r.service.deps.Provider.Translate(ctx, batch)
		if err == nil {
			answers = append(answers, make([]string, max(0, len(segments)-len(answers)))...)
			return answers, nil
		}
		if !errs.Is(err, errs.Unavailable) || try == maxTries {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
			pause *= 4
		}
	}
}

// save brings what has been translated into the change request.
func (r *run) save(ctx context.Context) error {
	if len(r.done) == 0 {
		return nil
	}
	report, err := r.service.apply(ctx, r.caller, r.language.ID, "Machine translation", r.done)
	if err != nil {
		return err
	}
	r.machine.Failed += len(report.Problems)
	r.done = nil
	return nil
}

// note writes the progress; when somebody has cancelled the run meanwhile, it ends.
func (r *run) note(ctx context.Context) error {
	return r.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now, err := languageByID(ctx, q, r.language.ID)
		if err != nil {
			return err
		}
		if now.Machine.State == Failed || now.Machine.job != r.machine.job {
			return errs.Conflictf("Cancelled.")
		}
		return setMachine(ctx, q, r.language.ID, r.machine)
	})
}

// end writes how the run has ended. What fails is in the record; the job itself is tried again only when its process
// stops, and then goes on with what is still to be translated, or when the record cannot be written.
func (r *run) end(ctx context.Context, failure error, took time.Duration) error {
	stopped := failure != nil && errors.Is(ctx.Err(), context.Canceled)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	s := r.service
	if failure != nil {
		r.machine.Error = reason(failure)
	} else if r.machine.Total > 0 && r.machine.Failed == r.machine.Total {
		failure = errs.New(errs.Precondition, "No answer could be used.")
		r.machine.Error = "No answer of the machine could be used: they had another form than it was asked for, or " +
			"lacked placeholders. Another model may do better."
	}
	cancelled := false
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now, err := languageByID(ctx, q, r.args.Language)
		if err != nil {
			return err
		}
		if stopped && r.words > 0 {
			return addRun(ctx, q, r.language.Translation, r.words, len(r.pages), took)
		}
		if stopped {
			return nil
		}
		replaced := r.machine.job != "" && now.Machine.job != r.machine.job
		if cancelled = replaced || now.Machine.State == Failed; replaced {
			return nil // another run has begun since
		}
		r.machine.State = Completed
		switch {
		case now.Machine.State == Failed:
			r.machine.State, r.machine.Error = Failed, now.Machine.Error
		case failure != nil:
			r.machine.State = Failed
		}
		if err := setMachine(ctx, q, r.args.Language, r.machine); err != nil || r.words == 0 {
			return err
		}
		return addRun(ctx, q, r.language.Translation, r.words, len(r.pages), took)
	})
	if stopped {
		return errors.Join(failure, err)
	}
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if failure != nil && !cancelled && !errors.Is(failure, context.Canceled) {
		level := slog.LevelWarn
		if errs.KindOf(failure) == errs.Internal {
			level = slog.LevelError
		}
		s.deps.Log.Log(ctx, level, "machine translation", slog.String("language", string(r.args.Language)),
			slog.Any("error", failure))
	}
	return err
}

// machineEnded notes in the transaction that ends a job that its run has ended, when the run could not write that
// itself.
func (s *Service) machineEnded(ctx context.Context, q db.Querier, raw json.RawMessage, end job.End) error {
	var args machineArgs
	if end.State == job.Done || json.Unmarshal(raw, &args) != nil {
		return nil
	}
	now, err := languageByID(ctx, q, args.Language)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil || now.Machine.job != end.ID || now.Machine.State != Pending && now.Machine.State != Running {
		return err
	}
	now.Machine.State, now.Machine.Error = Failed, reason(end.Err)
	if end.State == job.Cancelled {
		now.Machine.Error = "Cancelled."
	}
	return setMachine(ctx, q, args.Language, now.Machine)
}
