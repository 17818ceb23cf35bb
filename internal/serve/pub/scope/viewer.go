package scope

import (
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// Viewer is who reads a site that they may see.
type Viewer struct {
	Visitor *edition.Visitor
	// Adaptive says that what they get may depend on their claims.
	Adaptive bool
	// Admitted says that the site is for them. It is false for those who may only see a preview.
	Admitted bool
	// Previewed is what they see of the preview that they ask for; nil when they ask for none, or it is not there for
	// them.
	Previewed *preview.Found
	// Inspection is set for a member who looks at the site as a visitor.
	Inspection *Inspection
}

// Inspection is a member's look at a site as a visitor.
type Inspection struct {
	// Claims are the visitor's in a line, "" for one of whom nothing is known.
	Claims string
	// Choose is where other claims are chosen, Reasons where it is said what is hidden; Leave is the live site.
	Choose, Reasons, Leave string
}

// Paths, below the site's root, at which visitors sign in and out.
const (
	SignInPath  = "~/auth/login"
	SignOutPath = "~/auth/logout"
)
