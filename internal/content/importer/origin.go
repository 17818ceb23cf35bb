package importer

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/platform/db"
)

// cleanOrigin returns the origin of a request in the form in which it is kept. Only what is made of files that a person
// edits as they are can have one: Markdown and HTML.
func cleanOrigin(request Request) (*git.Source, error) {
	if request.Origin == nil {
		return nil, nil
	}
	if files := request.Source == SourceAuto || request.Source == SourceMarkdown || request.Source == SourceHTML ||
		request.Source == SourceZIP; !files || request.Upload == nil {
		return nil, errs.Invalidf("repository",
			"goes with an upload of Markdown or HTML, or of a ZIP of these; leave it out")
	}
	clean, err := request.Origin.Clean()
	if err != nil {
		return nil, err
	}
	return &clean, nil
}

// file returns the file of a repository that something at a place of the source is; nil when the source is of no
// repository, or it is no file of its own.
func (a *assembly) file(place, oid string) *git.File {
	if a.tree.Origin == nil || oid == "" {
		return nil
	}
	return a.tree.Origin.File(place, oid)
}

// noted says in the report what was noted of a repository; nil for nothing.
func (a *assembly) noted() *source.Origin {
	from := a.tree.Origin
	if from == nil {
		return nil
	}
	noted := &source.Origin{Repository: from.Repository, Ref: from.Ref, Folder: from.Folder, Commit: from.Commit}
	for _, page := range a.ordered {
		noted.Pages += present(page.entry.Git)
	}
	for _, file := range a.files {
		noted.Files += present(file.Git)
	}
	for _, reusable := range a.reusable {
		noted.ReusableContents += present(reusable.entry.Git)
	}
	return noted
}

func present(file *git.File) int {
	if file == nil {
		return 0
	}
	return 1
}

// origin is the state of a repository that the revision of the import is made of, nil for none. One that is not known
// down to its commit says nothing of a revision.
func (a *assembly) origin() *git.Source {
	if from := a.tree.Origin; from != nil && from.Commit != "" {
		return from
	}
	return nil
}

// noteOrigin notes what the branch that takes an import was imported from, with the import: also when nothing but the
// commit has moved on. What comes into the root replaces what was noted before, by nothing when it is of no repository.
// What comes below a page, or is one page, leaves it alone, unless there is none yet or it is the same repository.
func (s *Service) noteOrigin(ctx context.Context, q db.Querier, record Import, to target, work *assembly) error {
	var from git.Source
	if work.tree.Origin != nil {
		from = *work.tree.Origin
	}
	part := record.TargetPage != "" || work.tree.Single
	if part && from.Repository == "" {
		return nil
	}
	if part || from.Repository == "" {
		before, err := s.deps.Content.Origin(ctx, q, to.space, to.branch)
		if err == nil && before.At.IsZero() && to.branch != "" {
			before, err = s.deps.Content.Origin(ctx, q, to.space, "")
		}
		if err != nil {
			return err
		}
		switch known := before.Source.Repository; {
		case part && known != "" && known != from.Repository:
			return nil
		case from.Repository == "" && known == "" && to.branch == "":
			return nil // most imports: there was nothing and there is nothing
		}
	}
	return s.deps.Content.SetOrigin(ctx, q, to.space, to.branch, from)
}
