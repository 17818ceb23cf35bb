package markdown

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// checkLaws holds what every body must satisfy that Parse accepts.
func checkLaws(t *testing.T, body []byte) {
	t.Helper()
	if failure := lawFailure(body); failure != "" {
		t.Fatalf("body %q\n%s", body, failure)
	}
}

// lawFailure returns which law a body breaks, or "".
func lawFailure(body []byte) string {
	d, err := Parse(body)
	if err != nil {
		return ""
	}
	if again := Rewrite(body, d); string(again) != string(body) {
		return fmt.Sprintf("Rewrite(x, Parse(x)) is not x but %q", again)
	}
	written := Write(d)
	d2, err := Parse(written)
	if err != nil {
		return fmt.Sprintf("Parse(Write(Parse(x))): %v\nwritten %q", err, written)
	}
	withoutSpans(d)
	withoutSpans(d2)
	normal := Normalize(d)
	doc.Finish(normal)
	if diff := difference(d, normal); diff != "" {
		return fmt.Sprintf("Parse(x) is not normal\n%s", diff)
	}
	if diff := difference(d, d2); diff != "" {
		return fmt.Sprintf("Parse(Write(Parse(x))) is not Parse(x)\nwritten %q\n%s", written, diff)
	}
	if twice := Write(d2); string(twice) != string(written) {
		return fmt.Sprintf("Write is no fixpoint\nfirst  %q\nsecond %q", written, twice)
	}
	return ""
}

// difference is what cmp.Diff says, which alone takes many times as long to find that two documents are alike.
func difference(one, other *doc.Document) string {
	if reflect.DeepEqual(one, other) {
		return ""
	}
	return cmp.Diff(one, other)
}

// withoutSpans forgets where nodes stood.
func withoutSpans(d *doc.Document) {
	d.Walk(func(n *doc.Node) bool {
		n.Source = doc.Span{}
		return true
	})
}
