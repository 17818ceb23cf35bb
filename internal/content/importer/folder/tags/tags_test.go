package tags

import "testing"

// TestText holds where the labels of tags stand in a page, and that what only looks like a tag stays.
func TestText(t *testing.T) {
	labels, others, err := Read([]byte("- tag: beta\n  label: In Beta\n" +
		"- tag: odd\n  label: 'x: \"y\", z'\n  color: red\n"))
	if err != nil || others != 1 {
		t.Fatal(others, err)
	}
	for _, test := range [][2]string{
		{"---\ntitle: beta\ntags:\n  - beta\n  - tag: odd\n    primary: true\n  - \"beta\"\n  - new\n" +
			"other:\n  - beta\n---\n- beta\n",
			"---\ntitle: beta\ntags:\n  - In Beta\n  - tag: \"x: \\\"y\\\" z\"\n    primary: true\n  - \"beta\"\n" +
				"  - new\nother:\n  - beta\n---\n- beta\n"},
		{"---\ntags: [beta, 'odd', new]\n---\ntags: [beta]\n",
			"---\ntags: [In Beta, \"x: \\\"y\\\" z\", new]\n---\ntags: [beta]\n"},
		{"{% update date=\"2026-01-01\" tags=\"beta,odd, new\" %}\n",
			"{% update date=\"2026-01-01\" tags=\"In Beta,x: &quot;y&quot; z,new\" %}\n"},
		{"no tags: beta", "no tags: beta"},
	} {
		if got := labels.Text(test[0]); got != test[1] {
			t.Errorf("%q:\n%q, want\n%q", test[0], got, test[1])
		}
	}
}
