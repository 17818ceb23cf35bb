package tags

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/entity"
)

func read(t *testing.T) Labels {
	t.Helper()
	labels, others, err := Read([]byte("- tag: beta\n  label: In Beta\n- tag: same\n  label: In Beta\n" +
		"- tag: odd\n  label: 'x: \"y\", z'\n  color: red\n"))
	if err != nil || others != 1 {
		t.Fatal(others, err)
	}
	return labels
}

// TestRename holds that tags are called as the file says, and that no two of a page are called the same.
func TestRename(t *testing.T) {
	for _, test := range []struct{ tags, want []entity.Tag }{
		{[]entity.Tag{{Tag: "beta"}, {Tag: "odd", Primary: true}, {Tag: "same"}, {Tag: "new"}},
			[]entity.Tag{{Tag: "In Beta"}, {Tag: `x: "y" z`, Primary: true}, {Tag: "same"}, {Tag: "new"}}},
		{[]entity.Tag{{Tag: "beta"}, {Tag: "In Beta"}}, nil},
		{[]entity.Tag{{Tag: "new"}}, nil},
	} {
		got, changed := read(t).Rename(test.tags)
		want := test.want
		if want == nil {
			want = test.tags
		}
		if diff := cmp.Diff(want, got); diff != "" || changed != (test.want != nil) {
			t.Errorf("%v, changed %t (-want +got): %s", test.tags, changed, diff)
		}
	}
}

// TestUpdates holds where the labels of tags stand in the updates of a page, and that what only looks like one stays.
func TestUpdates(t *testing.T) {
	const update = "{% update date=\"2026-01-01\" tags=\"beta,odd, new\" %}\n"
	const labelled = "{% update date=\"2026-01-01\" tags=\"In Beta,x: &quot;y&quot; z,new\" %}\n"
	for text, want := range map[string]string{
		update: labelled, "a\n" + update + "b": "a\n" + labelled + "b", "no tags: beta": "no tags: beta",
		"```\n" + update + "```\n" + update: "```\n" + update + "```\n" + labelled,
	} {
		if got := string(read(t).Updates([]byte(text))); got != want {
			t.Errorf("%q:\n%q, want\n%q", text, got, want)
		}
	}
}
