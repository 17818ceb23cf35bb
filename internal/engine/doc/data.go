package doc

// RefKind is the kind of a ContentRef.
type RefKind string

// Kinds of references.
const (
	RefURL             RefKind = "url"
	RefFile            RefKind = "file"
	RefPage            RefKind = "page"
	RefAnchor          RefKind = "anchor"
	RefUser            RefKind = "user"
	RefCollection      RefKind = "collection"
	RefSpace           RefKind = "space"
	RefReusableContent RefKind = "reusable-content"
	RefTag             RefKind = "tag"
	RefOpenAPI         RefKind = "openapi"
)

// Ref points at something a document mentions. Exactly the fields of its kind are set; an empty Space means the
// current space and, for an anchor, an empty Page means the current page.
//
// A parser that does not know the space's pages leaves every link as a URL reference holding the destination as
// written ("../guide.md#a"). Resolving turns those into page, anchor and file references; see package render's
// Resolver.
type Ref struct {
	Kind            RefKind `json:"kind"`
	URL             string  `json:"url,omitempty"`
	File            string  `json:"file,omitempty"`
	Page            string  `json:"page,omitempty"`
	Anchor          string  `json:"anchor,omitempty"`
	User            string  `json:"user,omitempty"`
	Collection      string  `json:"collection,omitempty"`
	Space           string  `json:"space,omitempty"`
	ReusableContent string  `json:"reusableContent,omitempty"`
	Tag             string  `json:"tag,omitempty"`
	Spec            string  `json:"spec,omitempty"`
}

// Length is a size: pixels when Unit is empty or "px", else Value in Unit ("%").
type Length struct {
	Unit  string  `json:"unit,omitempty"`
	Value float64 `json:"value"`
}
