package source

import (
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
)

// MaxNotes is how many notes of one kind a report keeps; the counts go on.
const MaxNotes = 1000

// Report says what an import took and what it did not. Its JSON form is part of an import's record.
type Report struct {
	// Pages, Files and ReusableContents were imported. Pages counts pages of all types.
	Pages            int `json:"pages"`
	Files            int `json:"files"`
	ReusableContents int `json:"reusableContents"`
	Redirects        int `json:"redirects"`
	// Skipped was there and is left out on purpose: pages that robots.txt or the limit excludes, files nobody names.
	Skipped Notes `json:"skipped"`
	// NotUnderstood was taken as text, or left out, because it has no counterpart.
	NotUnderstood Notes `json:"notUnderstood"`
	// Broken are destinations that lead nowhere.
	Broken Notes `json:"broken"`
	// Changes says what becomes of pages; absent until the content was read.
	Changes *Changes `json:"changes,omitempty"`
	// Detected says what made a tree of files, as far as it was found out; absent for sources of other kinds.
	Detected *Detected `json:"detected,omitempty"`
	// Origin says what was noted of the Git repository that the content came from; absent when it came from none.
	Origin *Origin `json:"origin,omitempty"`
}

// Changes says what an import does to the pages of a space. A note's place is the file or address that a page is made
// of, its message the title; of a page that moves the target is the path that it had. Removed ones have their path.
type Changes struct {
	Added   Notes `json:"added"`
	Updated Notes `json:"updated"`
	Moved   Notes `json:"moved"`
	Removed Notes `json:"removed"`
}

// Detected says which generator of sites a tree of files is of.
type Detected struct {
	// Generator is its name, as an import may name it: "mkdocs"; "folders" for none.
	Generator string `json:"generator"`
	// Because is the file or the mark that tells.
	Because string `json:"because"`
}

// Origin is what an import has noted of a Git repository.
type Origin struct {
	// Repository is its address, Ref the branch, Folder the folder that was read, Commit the commit's name.
	Repository string `json:"repository"`
	Ref        string `json:"ref,omitempty"`
	Folder     string `json:"folder,omitempty"`
	Commit     string `json:"commit,omitempty"`
	// Pages, Files and ReusableContents were noted with their files in it.
	Pages            int `json:"pages"`
	Files            int `json:"files"`
	ReusableContents int `json:"reusableContents"`
}

// Notes is a list of notes that stops growing at MaxNotes.
type Notes struct {
	// Total counts all notes, also those that are not listed.
	Total int    `json:"total"`
	Items []Note `json:"items"`
}

// Note is one observation.
type Note struct {
	// Place is where: "guide/setup.md:12", a URL.
	Place string `json:"place"`
	// Target is the destination of a broken link.
	Target string `json:"target,omitempty"`
	// Message says what.
	Message string `json:"message"`
}

// MarshalJSON writes a list without notes as an empty one.
func (n Notes) MarshalJSON() ([]byte, error) {
	type plain Notes
	if n.Items == nil {
		n.Items = []Note{}
	}
	return json.Marshal(plain(n))
}

// Add adds a note.
func (n *Notes) Add(note Note) {
	n.Total++
	if len(n.Items) < MaxNotes {
		n.Items = append(n.Items, note)
	}
}

// Addf adds a note with a formatted message.
func (n *Notes) Addf(place, format string, args ...any) {
	n.Add(Note{Place: place, Message: fmt.Sprintf(format, args...)})
}

// Leave notes what is left out of a tree of files.
func (r *Report) Leave(files *filetree.Tree) {
	for _, each := range files.Left() {
		r.Skipped.Addf(each.Path, "it is left out: %s", each.Why)
	}
}

// Join adds the notes of another list.
func (n *Notes) Join(other Notes) {
	for _, note := range other.Items {
		if len(n.Items) == MaxNotes {
			break
		}
		n.Items = append(n.Items, note)
	}
	n.Total += other.Total
}
