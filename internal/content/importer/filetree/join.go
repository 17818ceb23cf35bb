package filetree

import (
	"errors"
	"io"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Join returns the files of several trees as one, which has to stay within limits as a whole. Of files with the same
// path the first counts. Closing it closes all of them.
func Join(limits Limits, trees ...*Tree) (*Tree, error) {
	set := newSet(limits)
	owners := map[string]*Tree{}
	for _, tree := range trees {
		for _, file := range tree.files {
			if owners[file.Path] != nil {
				continue
			}
			kept, err := set.add(file.Path, file.Size)
			if err != nil {
				return nil, err
			}
			if kept {
				owners[file.Path] = tree
			}
		}
		for _, each := range tree.left {
			set.leave(each.Path, each.Why)
		}
	}
	joined := set.tree()
	joined.open = func(path string) (io.ReadCloser, error) {
		owner := owners[path]
		if owner == nil {
			return nil, errs.NotFoundf("There is no file %q.", path)
		}
		return owner.open(owner.prefix + path)
	}
	joined.close = func() error {
		var failures []error
		for _, tree := range trees {
			failures = append(failures, tree.Close())
		}
		return errors.Join(failures...)
	}
	return joined, nil
}
