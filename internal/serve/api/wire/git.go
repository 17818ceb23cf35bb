package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/git"
)

// GitFile is the file of a Git repository that a page, file or reusable content was imported from.
type GitFile struct {
	OID  string `json:"oid" doc:"Name that Git gives to the bytes that were imported."`
	Path string `json:"path" doc:"Path in the repository."`
}

// GitCommit is the commit of a Git repository that a revision was imported from.
type GitCommit struct {
	OID     string `json:"oid"`
	Message string `json:"message" doc:"Empty when it is not known."`
	// CreatedByService says that this server made the commit, which it does not do.
	CreatedByService bool   `json:"createdByService"`
	CreatedByGitBook bool   `json:"createdByGitBook" doc:"The same, under the name that older clients know."`
	URL              string `json:"url,omitempty" format:"uri" doc:"Address of the commit, where its host is known."`
	Ref              string `json:"ref,omitempty" doc:"Name of the branch."`
}

// GitSync is the Git repository that the content of a space was last imported from.
type GitSync struct {
	RepoName             string `json:"repoName" doc:"Path of the repository at its host."`
	InstallationID       string `json:"installationId" doc:"Id of the space: nothing is installed at the repository's host."`
	InstallationStatus   string `json:"installationStatus" enum:"active"`
	InstallationProvider string `json:"installationProvider,omitempty" enum:"github,gitlab" doc:"Absent for other hosts."`
	URL                  string `json:"url" format:"uri"`
	Ref                  string `json:"ref,omitempty" doc:"Name of the branch."`
	Folder               string `json:"folder,omitempty" doc:"Folder in the repository; absent for all of it."`
	Commit               string `json:"commit,omitempty" doc:"Name of the commit."`
	UpdatedAt            string `json:"updatedAt" format:"date-time" doc:"When it was imported."`
}

// GitFileOf turns the file that something was imported from into its wire form; nil for none.
func GitFileOf(file *git.File) *GitFile {
	if file == nil {
		return nil
	}
	return &GitFile{OID: file.OID, Path: file.Path}
}

func gitCommitOf(from *git.Source) *GitCommit {
	if from == nil {
		return nil
	}
	return &GitCommit{OID: from.Commit, Message: from.Message, URL: from.CommitAddress(), Ref: from.Ref}
}

func gitSyncOf(spaceID id.Space, origin store.Origin) *GitSync {
	from := origin.Source
	sync := &GitSync{
		RepoName: git.Name(from.Repository), URL: from.Repository, Ref: from.Ref, Folder: from.Folder,
		Commit:         from.Commit,
		InstallationID: string(spaceID), InstallationStatus: "active",
		UpdatedAt: Timestamp(origin.At),
	}
	if kind := git.HostOf(from.Repository).Kind; kind == "github" || kind == "gitlab" {
		sync.InstallationProvider = kind
	}
	return sync
}
