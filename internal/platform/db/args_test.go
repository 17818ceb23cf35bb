package db_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
)

func TestArgsNumberThemselves(t *testing.T) {
	args := db.Args{"a"}
	condition := "first = $1 AND second = " + args.Add("b") +
		" AND third IN (" + args.Add("c") + ", " + args.Add(4) + ")"
	if want := "first = $1 AND second = $2 AND third IN ($3, $4)"; condition != want {
		t.Errorf("the condition is %q, want %q", condition, want)
	}
	if len(args) != 4 || args[1] != "b" || args[3] != 4 {
		t.Errorf("the arguments are %v", args)
	}
}
