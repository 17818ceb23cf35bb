package edit

import (
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// names are the ids of what a batch creates. They stay the same when the batch has to be made again.
type names struct {
	// made are the ids of inserted pages and reusable contents by the number of their change.
	made map[int]string
	// known are the ids of pages, files and reusable contents by the caller's references.
	known map[string]string
}

// nameAll gives ids to all pages and reusable contents that a batch inserts, and to its files that have a reference.
func nameAll(changes []Change) (names, error) {
	n := names{made: map[int]string{}, known: map[string]string{}}
	files := 0
	for i, change := range changes {
		switch change.Operation {
		case InsertPage, InsertReusable:
			prefix := "page"
			if change.Operation == InsertReusable {
				prefix = "content"
			}
			n.made[i] = id.New(prefix)
			if err := n.add(fmt.Sprintf("changes[%d].ref", i), change.Ref, n.made[i]); err != nil {
				return names{}, err
			}
		case UpdateFile:
			if change.Replacement != nil {
				files++
			}
			if files > MaxBatchFiles {
				return names{}, tooManyFiles()
			}
		case InsertFiles:
			if len(change.Files) == 0 || len(change.Files) > MaxFiles {
				return names{}, errs.Invalidf(fmt.Sprintf("changes[%d].files", i),
					"has %d elements; 1 to %d are accepted", len(change.Files), MaxFiles)
			}
			if files += len(change.Files); files > MaxBatchFiles {
				return names{}, tooManyFiles()
			}
			for j, file := range change.Files {
				if file.Ref == "" {
					continue
				}
				if err := n.add(fmt.Sprintf("changes[%d].files[%d].ref", i, j), file.Ref, id.New("file")); err != nil {
					return names{}, err
				}
			}
		}
	}
	return n, nil
}

func tooManyFiles() error {
	return errs.Invalidf("changes", "take in more than %d files together; send several requests, or upload them",
		MaxBatchFiles)
}

func (n names) add(path, reference, created string) error {
	if reference == "" {
		return nil
	}
	if len(reference) > MaxReference || strings.ContainsFunc(reference, func(r rune) bool {
		return !referenceLetter(r)
	}) {
		return errs.Invalidf(path, "%.120q cannot be a reference: use 1 to %d letters, digits and -_.:", reference,
			MaxReference)
	}
	if strings.HasPrefix(reference, "page_") || strings.HasPrefix(reference, "file_") || strings.HasPrefix(reference,
		"content_") {
		return errs.Invalidf(path, "%q looks like an id; choose another reference", reference)
	}
	if _, twice := n.known[reference]; twice {
		return errs.Invalidf(path, "%q is the reference of something else in this request; choose another", reference)
	}
	n.known[reference] = created
	return nil
}

func referenceLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:", r)
}

// resolve returns the id that a reference stands for, and an id as it is.
func (n names) resolve(reference string) string {
	if known, ok := n.known[reference]; ok {
		return known
	}
	return reference
}

// names reports whether a destination is written with a reference of the batch.
func (n names) names(destination string) bool {
	ref := doc.ParseDestination(destination)
	return ref != n.reference(ref)
}

// reference puts ids in the place of the batch's references in a reference to a page, file or reusable content.
func (n names) reference(ref doc.Ref) doc.Ref {
	if ref.Space == "" {
		ref.Page, ref.File, ref.ReusableContent = n.resolve(ref.Page), n.resolve(ref.File),
			n.resolve(ref.ReusableContent)
	}
	return ref
}

// target is reference for the reference of an entry.
func (n names) target(t *doc.Ref) *doc.Ref {
	if t == nil {
		return nil
	}
	named := *t
	if named.Space == "" {
		named.Page, named.File, named.ReusableContent = n.resolve(named.Page), n.resolve(named.File),
			n.resolve(named.ReusableContent)
	}
	return &named
}
