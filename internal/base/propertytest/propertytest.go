// Package propertytest says how many random cases the properties of packages are tried with: few while somebody works,
// many when all is tested.
package propertytest

import (
	"os"
	"strconv"
	"testing"
)

// Setting is the variable of the environment that says how many cases a property of small ones has.
const Setting = "RECTO_PROPERTY_CASES"

// Cases returns how many cases to try: those of the setting, divided by how many small ones one of these is worth in
// time, and a few at least. The test fails when the setting is no number.
func Cases(t testing.TB, few, worth int) int {
	t.Helper()
	text := os.Getenv(Setting)
	if text == "" {
		return few
	}
	cases, err := strconv.Atoi(text)
	if err != nil || cases < 1 {
		t.Fatalf("%s is %q, want a number", Setting, text)
	}
	return max(few, cases/worth)
}
