package required_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
)

// service has what is its own: nobody looks into it.
type service struct{ text string }

func (s *service) String() string { return s.text }

type deps struct {
	Function func()
	Pointer  *int
	Reader   io.Reader
	Names    []string
	Table    map[string]int
	Address  string
	Most     int
	Inner    struct{ Function func() }
	Behind   *struct{ Name string }
	Service  *service
	Now      func() `optional:"the clock of the machine"`
}

// TestCheckNamesWhatIsMissing takes each field away in turn.
func TestCheckNamesWhatIsMissing(t *testing.T) {
	whole := deps{Function: func() {}, Pointer: new(int), Reader: strings.NewReader(""), Names: []string{},
		Table: map[string]int{}, Address: "https://example.com", Service: new(service)}
	whole.Inner.Function, whole.Behind = func() {}, &struct{ Name string }{"name"}
	if err := required.Check(whole); err != nil {
		t.Errorf("nothing is missing: %v", err)
	}
	for name, without := range map[string]func(*deps){
		"Function": func(d *deps) { d.Function = nil }, "Pointer": func(d *deps) { d.Pointer = nil },
		"Reader": func(d *deps) { d.Reader = nil }, "Names": func(d *deps) { d.Names = nil },
		"Inner.Function": func(d *deps) { d.Inner.Function = nil }, "Behind": func(d *deps) { d.Behind = nil },
		"Behind.Name": func(d *deps) { d.Behind = &struct{ Name string }{} },
		"Table":       func(d *deps) { d.Table = nil }, "Address": func(d *deps) { d.Address = "" },
	} {
		given := whole
		without(&given)
		if err := required.Check(given); err == nil || err.Error() != "required_test.deps."+name+" is not set" {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if err := required.Check(deps{}); err == nil || strings.Count(err.Error(), "\n") != 8 {
		t.Errorf("with nothing: %v", err)
	}
}

// wired is a service that asks others for something.
type wired struct{ hooks required.Hooks[hooks] }

type hooks struct {
	Ask  func() error
	Tell []func(text string) (int, error)
	More struct{ Ask func() bool }
	Also func() `optional:"nobody asks"`
}

// TestHooksAreSetOnce holds that functions are given whole, once, and before they are used.
func TestHooksAreSetOnce(t *testing.T) {
	var service wired
	refused := func(want string, do func()) {
		t.Helper()
		defer func() {
			t.Helper()
			if said := fmt.Sprint(recover()); !strings.Contains(said, want) {
				t.Errorf("got %q, want %q", said, want)
			}
		}()
		do()
	}
	refused("required_test.hooks are not set", func() { service.hooks.Get() })
	refused("required_test.hooks.Ask is not set", func() { service.hooks.Set(hooks{}) })
	type services struct{ first, second *wired }
	if err := required.CheckHooks(services{first: &service}); err == nil || err.Error() !=
		"required_test.services.second is not set\nSetHooks of required_test.wired was not called" {
		t.Errorf("without functions: %v", err)
	}
	given := requiredtest.Fill(hooks{Tell: []func(string) (int, error){nil}})
	if len(given.Tell) != 1 || given.More.Ask() || given.Ask() != nil {
		t.Errorf("functions that do nothing: %+v", given)
	}
	service.hooks.Set(given)
	if service.hooks.Get().Ask() != nil {
		t.Error("the function is another one")
	}
	refused("required_test.hooks were set before", func() { service.hooks.Set(given) })
	if err := required.CheckHooks(services{&service, &service}); err != nil {
		t.Error(err)
	}
}
