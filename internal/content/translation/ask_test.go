package translation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// busy answers with err for the first times, and then translates to "x".
type busy struct {
	times, asked int
	err          error
}

func (b *busy) Translate(context.Context, Batch) ([]string, error) {
	if b.asked++; b.asked <= b.times {
		return nil, b.err
	}
	return []string{"x"}, nil
}

// TestBusyMachinesAreAskedAgain holds how often a batch is sent and how long the pauses between are.
func TestBusyMachinesAreAskedAgain(t *testing.T) {
	unavailable, refused := errs.New(errs.Unavailable, "busy"), errs.New(errs.Precondition, "refused")
	for name, test := range map[string]struct {
		busy  busy
		asked int
		took  time.Duration
		want  error
	}{
		"at once":        {busy{}, 1, 0, nil},
		"once busy":      {busy{times: 1, err: unavailable}, 2, time.Second, nil},
		"always busy":    {busy{times: 9, err: unavailable}, maxTries, 21 * time.Second, unavailable},
		"another reason": {busy{times: 1, err: refused}, 1, 0, refused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				r := &run{service: &Service{deps: Deps{Provider: &test.busy}}}
				answers, err := r.ask(t.Context(), make([]Segment, 2))
				if !errors.Is(err, test.want) || test.busy.asked != test.asked || time.Since(began) != test.took {
					t.Errorf("asked %d times in %v: %v", test.busy.asked, time.Since(began), err)
				}
				// A text without an answer has an empty one.
				if err == nil && (len(answers) != 2 || answers[0] != "x" || answers[1] != "") {
					t.Errorf("answers: %q", answers)
				}
			})
		})
	}
}

// TestCancelledRunsDoNotWait holds that a run which is cancelled ends while it waits for a machine that is busy.
func TestCancelledRunsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		provider := &busy{times: 9, err: errs.New(errs.Unavailable, "busy")}
		r := &run{service: &Service{deps: Deps{Provider: provider}}}
		_, err := r.ask(ctx, make([]Segment, 1))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 3*time.Second || provider.asked != 2 {
			t.Errorf("asked %d times in %v: %v", provider.asked, time.Since(began), err)
		}
	})
}
