package filetree

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

func listed(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	var list []File
	for name, content := range files {
		list = append(list, File{Path: name, Size: int64(len(content))})
	}
	tree, err := Listed(list, nil, DefaultLimits, func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(files[name])), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestJoin(t *testing.T) {
	closed := 0
	first := listed(t, map[string]string{"a.md": "first", "x/b.md": "b"}).OnClose(func() error { closed++; return nil })
	second := listed(t, map[string]string{"a.md": "second", "c.md": "c"}).OnClose(func() error {
		closed++
		return errors.New("no")
	})
	joined, err := Join(DefaultLimits, first, second)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.md": "first", "x/b.md": "b", "c.md": "c"} {
		if data, err := joined.Read(name, 100); string(data) != want || err != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if data, err := joined.Sub("x").Read("b.md", 100); string(data) != "b" || err != nil {
		t.Errorf("below a folder: %q, %v", data, err)
	}
	if _, err := joined.Open("d.md"); !errs.Is(err, errs.NotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := joined.Close(); err == nil || closed != 2 {
		t.Errorf("close: %v, %d", err, closed)
	}
	small := DefaultLimits
	small.TotalBytes = 6
	if _, err := Join(small, first, second); !errs.Is(err, errs.TooLarge) {
		t.Errorf("more than the limit: %v", err)
	}
	twins, err := Join(DefaultLimits, first, listed(t, map[string]string{"A.md": "x"}))
	if err != nil || len(twins.Files()) != 2 || len(twins.Left()) != 1 || twins.Left()[0].Path != "A.md" {
		t.Errorf("names that differ in case only: %v, %v, %v", twins.Files(), twins.Left(), err)
	}
}

func TestListedKeepsThePromises(t *testing.T) {
	for _, name := range []string{"../a", "/a", "a/../b", "a//b", "", "a\\b", "\xff", "a\x00b"} {
		if _, err := Listed([]File{{Path: name}}, nil, DefaultLimits, nil); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
