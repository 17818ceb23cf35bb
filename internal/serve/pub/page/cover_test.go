package page

import "testing"

func TestCutAt(t *testing.T) {
	for yPos, want := range map[float64]string{
		0: "", 7: "", -7: "", 30: "cover-at-40", 100: "cover-at-15", 150: "cover-at-0", 900: "cover-at-0",
		-75: "cover-at-75", -150: "cover-at-100", -1e9: "cover-at-100",
	} {
		if got := cutAt(yPos); got != want {
			t.Errorf("cutAt(%v) = %q, want %q", yPos, got, want)
		}
	}
}
