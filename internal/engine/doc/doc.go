// Package doc owns the document tree: the blocks, inlines, leaves and marks that a page's Markdown means.
//
// It is the one model between the dialect and everything that reads a page: the API serves it as the document
// JSON, the site renders it, search cuts it into sections. The package is pure: no database, no network, no
// Markdown. Package markdown makes documents and writes them back; package render walks them.
//
// A Node is deliberately one struct for all kinds, with the kind-specific attributes in Data as a pointer to one
// of the *Data types of this package (see DataFor). The JSON form is the document JSON of the API: every node
// carries "object", blocks and inlines carry "type", "isVoid" and "data".
package doc

// Object says which of the four layers of the tree a node belongs to.
type Object string

// The layers of a document tree.
const (
	ObjectDocument Object = "document"
	ObjectBlock    Object = "block"
	ObjectInline   Object = "inline"
	ObjectText     Object = "text"
	ObjectFragment Object = "fragment"
)

// Type names a block or an inline. The values are those of the document JSON.
type Type string

// Block types.
const (
	Paragraph        Type = "paragraph"
	Heading1         Type = "heading-1" // "##" in Markdown: the page title owns "#"
	Heading2         Type = "heading-2"
	Heading3         Type = "heading-3"
	ListOrdered      Type = "list-ordered"
	ListUnordered    Type = "list-unordered"
	ListTasks        Type = "list-tasks"
	ListItem         Type = "list-item"
	Divider          Type = "divider"
	Blockquote       Type = "blockquote"
	Hint             Type = "hint"
	Code             Type = "code"
	CodeLine         Type = "code-line"
	Math             Type = "math"
	Images           Type = "images"
	Image            Type = "image"
	File             Type = "file"
	Drawing          Type = "drawing"
	Embed            Type = "embed"
	Expandable       Type = "expandable"
	Tabs             Type = "tabs"
	TabsItem         Type = "tabs-item"
	Stepper          Type = "stepper"
	StepperStep      Type = "stepper-step"
	Columns          Type = "columns"
	Column           Type = "column"
	Updates          Type = "updates"
	Update           Type = "update"
	Prompt           Type = "prompt"
	If               Type = "if"
	Table            Type = "table"
	ContentRefBlock  Type = "content-ref"
	ReusableContent  Type = "reusable-content"
	Integration      Type = "integration"
	Swagger          Type = "swagger"
	OpenAPIOperation Type = "openapi-operation"
	OpenAPISchemas   Type = "openapi-schemas"
	OpenAPIWebhook   Type = "openapi-webhook"

	// Raw is a block that the dialect does not know (an unknown tag, raw HTML). It is ours, not the public
	// schema's: it keeps the source bytes so that nothing is lost, and renders inert.
	Raw Type = "raw"
)

// Inline types.
const (
	Link        Type = "link"
	Annotation  Type = "annotation"
	Emoji       Type = "emoji"
	Icon        Type = "icon"
	Expression  Type = "expression"
	InlineMath  Type = "inline-math"
	InlineImage Type = "inline-image"
	Mention     Type = "mention"
	Button      Type = "button"

	// RawInline is inline HTML that the dialect does not know, kept as it is and rendered inert.
	RawInline Type = "raw-inline"
)

// Fragment names used by blocks whose content is not a plain list of children.
const (
	FragmentCaption         = "caption"
	FragmentExpandableTitle = "expandable-title"
	FragmentExpandableBody  = "expandable-body"
	FragmentAnnotationBody  = "annotation-body"
	// FragmentExample is what stands beside the description of an operation of an API, FragmentChoices a list of which
	// readers look at one item at a time. They stand among the nodes of a described API block, in no stored document.
	FragmentExample = "openapi-example"
	FragmentChoices = "openapi-choices"
	// FragmentColumnTitle is put before the id of a column in the name of the fragment with its formatted title.
	FragmentColumnTitle = "title-"
)

// SchemaVersion is the value of data.schemaVersion in the documents that we write.
const SchemaVersion = 2

// Document is the root: the body of one page or one reusable content, without the page's title.
type Document struct {
	// Nodes are the top-level blocks in order. An empty document has none.
	Nodes []*Node
}

// Node is a block, an inline, a text or a fragment.
type Node struct {
	Object Object
	// Type is set on blocks and inlines, and on fragments whose schema names one.
	Type Type
	// Key identifies the node within the document for comments and editors; the same source gives the same keys.
	Key string
	// Fragment is the name of a fragment node (FragmentCaption …, or the cell name a table value points to).
	Fragment string
	// Data holds the attributes of a block or inline: a pointer to the *Data type that DataFor names, never nil
	// on blocks and inlines that have one.
	Data any
	// Nodes are children: blocks in blocks, text and inlines in paragraphs and headings, text in links.
	Nodes []*Node
	// Fragments are the named sub-trees of void blocks (captions, expandables, table cells).
	Fragments []*Node
	// Leaves are set on text nodes only.
	Leaves []Leaf
	// ID is meta.id: the URL fragment of a heading, expandable, tab or API block, unique within the page.
	ID string
	// Source is where the node came from; zero for nodes that were not parsed.
	Source Span
}

// Span is a half-open range of byte offsets in the Markdown body that a node was parsed from.
type Span struct{ Start, End int }

// Leaf is a run of text with one set of marks.
type Leaf struct {
	Text  string
	Marks []Mark
}

// MarkType names a mark.
type MarkType string

// Marks.
const (
	Bold          MarkType = "bold"
	Italic        MarkType = "italic"
	CodeMark      MarkType = "code"
	Keyboard      MarkType = "keyboard"
	Strikethrough MarkType = "strikethrough"
	Superscript   MarkType = "superscript"
	Subscript     MarkType = "subscript"
	Color         MarkType = "color"
)

// Mark is one formatting of a leaf. Text and Background are set for Color only and hold a colour name
// ("default", "red", "$primary" …).
type Mark struct {
	Type             MarkType
	Text, Background string
}
