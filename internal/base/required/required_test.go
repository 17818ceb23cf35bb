package required_test

import (
	"io"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/required"
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
