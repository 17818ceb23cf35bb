package filetree

import "io"

// Listed returns a tree of files whose names and sizes somebody has listed, held to the same promises as an archive;
// links are symbolic links beside them. open returns the content of a file. Hidden files are the caller's to leave out.
// The tree is closed by nothing but OnClose.
func Listed(files []File, links []string, limits Limits, open func(path string) (io.ReadCloser, error)) (*Tree, error) {
	set := newSet(limits)
	for _, file := range files {
		if _, err := set.add(file.Path, file.Size); err != nil {
			return nil, err
		}
	}
	for _, link := range links {
		set.leave(link, symbolicLink)
	}
	tree := set.tree()
	tree.open = open
	return tree, nil
}
