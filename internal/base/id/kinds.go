package id

// The kinds of identifiers that stand beside others, each a type of its own: the compiler refuses a site's where an
// organization's is wanted. They read and write JSON and SQL as the texts that they are. A conversion says that a text
// of a request, or an identifier of several possible kinds, is meant as one; that something has it is for the package
// to find out that owns it.
type (
	// Organization names an organization: "org_…".
	Organization string
	// User names a user: "user_…".
	User string
	// Team names a team: "team_…".
	Team string
	// Provider names an identity provider of an organization: "saml_…" or "oidc_…".
	Provider string

	// Space names a space: "space_…".
	Space string
	// Collection names a collection of spaces: "collection_…".
	Collection string
	// Branch names a branch of a space, the main one or that of a change request: "branch_…".
	Branch string
	// Revision names a revision of a space: "revision_…".
	Revision string
	// ChangeRequest names a change request: "change_…".
	ChangeRequest string
	// Comment names a comment that begins a thread: "comment_…".
	Comment string
	// LiveSession names a live session: "live_…".
	LiveSession string
	// Import names an import: "import_…".
	Import string
	// Translation names a translation of a space: "translation_…".
	Translation string
	// Language names a language of a translation: "variant_…".
	Language string

	// Site names a site: "site_…".
	Site string
	// SiteSpace names a space on a site: "sitespace_…".
	SiteSpace string
	// Section names a section of a site: "sitesection_…".
	Section string
	// SectionGroup names a group of sections of a site: "sectiongroup_…".
	SectionGroup string
	// Integration names an integration: "integration_…".
	Integration string
)

// Texts returns identifiers as texts, for what takes those alone.
func Texts[T ~string](ids []T) []string {
	texts := make([]string, len(ids))
	for i, each := range ids {
		texts[i] = string(each)
	}
	return texts
}
