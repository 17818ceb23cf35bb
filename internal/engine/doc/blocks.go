package doc

import "strings"

// The *Data types hold the attributes of one type of block or inline. JSON names are those of the document JSON.

// ParagraphData belongs to Paragraph.
type ParagraphData struct {
	Align string `json:"align,omitempty"` // start, center, end
}

// HeadingData belongs to Heading1, Heading2 and Heading3.
type HeadingData struct {
	ID    string `json:"id,omitempty"` // explicit anchor; the derived one is Node.ID
	Align string `json:"align,omitempty"`
}

// ListData belongs to ListOrdered (Start), ListUnordered and ListTasks.
type ListData struct {
	Start *int `json:"start,omitempty"` // nil means 1
}

// ListItemData belongs to ListItem. Checked is nil outside task lists.
type ListItemData struct {
	Checked *bool `json:"checked,omitempty"`
}

// EmptyData belongs to blocks without attributes (Divider, Blockquote, Stepper, Annotation).
type EmptyData struct{}

// HintData belongs to Hint. Style is info, success, warning or danger.
type HintData struct {
	Style string `json:"style"`
	Icon  string `json:"icon,omitempty"`
}

// CodeData belongs to Code. Overflow is scroll (default) or wrap.
type CodeData struct {
	Syntax string `json:"syntax,omitempty"`
	// Meta is what a fence says after its language, kept so that the Markdown can be written back.
	Meta               string `json:"-"`
	Title              string `json:"title,omitempty"`
	Overflow           string `json:"overflow,omitempty"`
	LineNumbers        *bool  `json:"lineNumbers,omitempty"`
	FullWidth          *bool  `json:"fullWidth,omitempty"`
	Expandable         *bool  `json:"expandable,omitempty"`
	CollapsedLineCount *int   `json:"collapsedLineCount,omitempty"`
}

// CodeLineData belongs to CodeLine.
type CodeLineData struct {
	Highlighted bool `json:"highlighted,omitempty"`
}

// FormulaData belongs to Math and InlineMath: TeX without its dollar signs.
type FormulaData struct {
	Formula string `json:"formula"`
}

// ImagesData belongs to Images.
type ImagesData struct {
	Align     string `json:"align,omitempty"` // left, center, right
	FullWidth *bool  `json:"fullWidth,omitempty"`
	WithFrame *bool  `json:"withFrame,omitempty"`
}

// ImageData belongs to Image.
type ImageData struct {
	Ref     Ref     `json:"ref"`
	RefDark *Ref    `json:"refDark,omitempty"`
	Width   *Length `json:"width,omitempty"`
	Height  *Length `json:"height,omitempty"`
	Alt     string  `json:"alt,omitempty"`
}

// FileData belongs to File and Drawing.
type FileData struct {
	Ref Ref `json:"ref"`
}

// EmbedData belongs to Embed.
type EmbedData struct {
	URL       string `json:"url"`
	FullWidth *bool  `json:"fullWidth,omitempty"`
}

// ExpandableData belongs to Expandable.
type ExpandableData struct {
	DefaultExpanded bool `json:"defaultExpanded,omitempty"`
}

// TabsData belongs to Tabs and Columns.
type TabsData struct {
	FullWidth *bool `json:"fullWidth,omitempty"`
}

// TabsItemData belongs to TabsItem.
type TabsItemData struct {
	Title string `json:"title,omitempty"`
	Icon  string `json:"icon,omitempty"`
	Slug  string `json:"slug,omitempty"`
}

// StepperStepData belongs to StepperStep.
type StepperStepData struct {
	Icon string `json:"icon,omitempty"`
}

// ColumnData belongs to Column.
type ColumnData struct {
	Width             *Length `json:"width,omitempty"`
	VerticalAlignment string  `json:"verticalAlignment,omitempty"` // top, middle, bottom
}

// UpdatesData belongs to Updates. Format is full (default), short or numeric.
type UpdatesData struct {
	Format string `json:"format,omitempty"`
}

// UpdateData belongs to Update. Date is YYYY-MM-DD; Tags are references of kind tag.
type UpdateData struct {
	Date string `json:"date"`
	Tags []Ref  `json:"tags,omitempty"`
}

// PromptData belongs to Prompt, whose only child is a Code block.
type PromptData struct {
	Description       string `json:"description"`
	Icon              string `json:"icon,omitempty"`
	OpenInAIProviders *bool  `json:"openInAIProviders,omitempty"`
	DefaultExpanded   string `json:"defaultExpanded,omitempty"` // hidden, partial, full
}

// ExpressionData belongs to If and Expression.
type ExpressionData struct {
	Expression string `json:"expression"`
}

// ContentRefData belongs to ContentRefBlock, Link and Mention.
type ContentRefData struct {
	Ref Ref `json:"ref"`
	// Title is a link's title attribute, kept so that the Markdown can be written back; of a mention what stands for it
	// where it is written as Markdown, which is not read again.
	Title string `json:"-"`
}

// ReusableContentData belongs to ReusableContent.
type ReusableContentData struct {
	Ref Ref `json:"ref"`
}

// IntegrationData belongs to Integration: {% @integration/block prop="…" %}.
type IntegrationData struct {
	Integration string         `json:"integration"`
	Block       string         `json:"block"`
	Props       map[string]any `json:"props"`
	URL         string         `json:"url,omitempty"`
	FullWidth   *bool          `json:"fullWidth,omitempty"`
	Action      map[string]any `json:"action,omitempty"`
}

// OpenAPIData belongs to Swagger, OpenAPIOperation, OpenAPISchemas and OpenAPIWebhook. A Swagger block that refers to
// nothing is inline: its children describe the operation, and Title is its summary.
type OpenAPIData struct {
	Ref       Ref      `json:"ref"`
	BaseURL   string   `json:"baseUrl,omitempty"` // of an inline operation: what Path goes on from
	Path      string   `json:"path,omitempty"`
	Method    string   `json:"method,omitempty"`
	Name      string   `json:"name,omitempty"`
	Schemas   []string `json:"schemas,omitempty"`
	Grouped   *bool    `json:"grouped,omitempty"`
	Title     string   `json:"title,omitempty"`
	Headless  *bool    `json:"headless,omitempty"`
	Expanded  *bool    `json:"expanded,omitempty"`
	FullWidth *bool    `json:"fullWidth,omitempty"`
}

// IsInline reports whether the block describes its operation itself and refers to nothing.
func (d *OpenAPIData) IsInline() bool { return d.Ref.Kind == RefURL && d.Ref.URL == "" }

// Target is what a block names, as readers see it: the address or path of an operation, or the name of a webhook.
func (d *OpenAPIData) Target() string {
	switch {
	case d.Path == "" && d.BaseURL == "":
		return d.Name
	case d.Path == "" || d.BaseURL == "":
		return d.BaseURL + d.Path
	}
	return strings.TrimRight(d.BaseURL, "/") + "/" + strings.TrimLeft(d.Path, "/")
}

// RawData belongs to Raw and RawInline.
type RawData struct {
	// Source is the bytes as written.
	Source string `json:"source"`
	// Syntax says what they are: "html" or "tag".
	Syntax string `json:"syntax"`
}

// EmojiData belongs to Emoji: hexadecimal code points joined by "-".
type EmojiData struct {
	Code string `json:"code"`
}

// IconData belongs to Icon.
type IconData struct {
	Icon  string `json:"icon"`
	Color string `json:"color,omitempty"`
}

// InlineImageData belongs to InlineImage.
type InlineImageData struct {
	Ref     Ref    `json:"ref"`
	RefDark *Ref   `json:"refDark,omitempty"`
	Caption string `json:"caption,omitempty"`
	Alt     string `json:"alt,omitempty"`
	Size    string `json:"size,omitempty"` // original (default) or line
}

// ButtonData belongs to Button: Ref or Action is set, or neither for a disabled button.
type ButtonData struct {
	Label  string        `json:"label"`
	Kind   string        `json:"kind"` // primary, secondary
	Size   string        `json:"size,omitempty"`
	Icon   string        `json:"icon,omitempty"`
	Ref    *Ref          `json:"ref,omitempty"`
	Action *ButtonAction `json:"action,omitempty"`
}

// ButtonAction is what a button without a target does: search, ask, or select a tab slug.
type ButtonAction struct {
	Action string `json:"action"`
	Query  string `json:"query,omitempty"`
	Slug   string `json:"slug,omitempty"`
}

// TableData belongs to Table. The text of a cell is the fragment whose name is the record's value for that column.
type TableData struct {
	View       TableView                   `json:"view"`
	Records    map[string]TableRecord      `json:"records"`
	Definition map[string]*TableDefinition `json:"definition"`
	CellMerges []CellMerge                 `json:"cellMerges,omitempty"`
	FullWidth  *bool                       `json:"fullWidth,omitempty"`
	Search     *bool                       `json:"search,omitempty"`
}

// TableView says how a table shows: a grid or cards. Columns lists the visible columns in order.
type TableView struct {
	Type                string             `json:"type"` // grid, cards
	Columns             []string           `json:"columns"`
	ColumnWidths        map[string]float64 `json:"columnWidths,omitempty"`
	HideHeader          bool               `json:"hideHeader"`
	StickyHeader        *bool              `json:"stickyHeader,omitempty"`
	StickyFirstColumn   *bool              `json:"stickyFirstColumn,omitempty"`
	UseNewSizing        *bool              `json:"useNewSizing,omitempty"`
	CardSize            string             `json:"cardSize,omitempty"` // medium, large
	TargetDefinition    string             `json:"targetDefinition,omitempty"`
	CoverDefinition     string             `json:"coverDefinition,omitempty"`
	CoverDefinitionDark string             `json:"coverDefinitionDark,omitempty"`
	HideColumnTitle     *bool              `json:"hideColumnTitle,omitempty"`
	Wrap                *bool              `json:"wrap,omitempty"`
}

// TableRecord is one row. OrderIndex sorts rows as a string. Values holds, per column id: a number, a string
// (for a text column the name of a fragment), a bool, nil, []string, Ref or ImageRecord.
type TableRecord struct {
	OrderIndex string         `json:"orderIndex"`
	Values     map[string]any `json:"values"`
}

// ImageRecord is an image cell with its fitting.
type ImageRecord struct {
	Ref       Ref    `json:"ref"`
	ObjectFit string `json:"objectFit,omitempty"`
	Alt       string `json:"alt,omitempty"`
}

// TableDefinition is one column.
type TableDefinition struct {
	ID                string         `json:"id"`
	Title             string         `json:"title"`
	Type              string         `json:"type"` // text number checkbox files users rating select content-ref image
	TextAlignment     string         `json:"textAlignment,omitempty"`
	VerticalAlignment string         `json:"verticalAlignment,omitempty"`
	Multiple          *bool          `json:"multiple,omitempty"`
	Max               *int           `json:"max,omitempty"`
	Options           []SelectOption `json:"options,omitzero"`
}

// SelectOption is one choice of a select column.
type SelectOption struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Color string `json:"color"`
}

// CellMerge joins cells of a grid, from its anchor right and down.
type CellMerge struct {
	Anchor  CellAnchor `json:"anchor"`
	RowSpan int        `json:"rowSpan"`
	ColSpan int        `json:"colSpan"`
}

// CellAnchor is the top left cell of a CellMerge.
type CellAnchor struct {
	Record string `json:"record"`
	Column string `json:"column"`
}
