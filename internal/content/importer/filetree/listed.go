package filetree

import "io"

// Listed returns a tree of files whose names and sizes somebody has listed, held to the same promises as an archive;
// open returns the content of one. Hidden files are the caller's to leave out. The tree is closed by nothing but
// OnClose.
func Listed(files []File, limits Limits, open func(path string) (io.ReadCloser, error)) (*Tree, error) {
	set := newSet(limits)
	for _, file := range files {
		if err := set.add(file.Path, file.Size); err != nil {
			return nil, err
		}
	}
	tree := set.tree()
	tree.open = open
	return tree, nil
}
