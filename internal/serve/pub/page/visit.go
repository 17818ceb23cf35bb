package page

import "github.com/rectodocs/recto/internal/publish/audience"

// ClaimField is a claim in the form in which a member chooses.
type ClaimField struct {
	Name, Label, Description string
	Kind                     audience.Kind
	Choices                  []string
	// Value is what is chosen, Values that of a list.
	Value  string
	Values []string
}

// ChoiceView is the page on which a member chooses claims.
type ChoiceView struct {
	Action string
	// At is the path, below the claims, that is shown afterwards.
	At     string
	Fields []ClaimField
	// Off says that the site's content does not adapt, so that claims make no difference.
	Off bool
}

// ReasonView says why something is hidden from a visitor.
type ReasonView struct {
	// Kind is what it is, in words: a page with how many below it, a section, a variant, a link.
	Kind, Title, Path, Condition string
	// Read are the claims that the condition reads, with what they are.
	Read []ClaimRead
	// Broken is set for a condition that cannot be read at all.
	Broken bool
}

// ClaimRead is a claim that a condition reads, with what it is for the visitor.
type ClaimRead struct{ Name, Value string }
