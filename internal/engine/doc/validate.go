package doc

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/strict"
)

// anchorPattern is what an explicit anchor may be made of.
var anchorPattern = regexp.MustCompile("^[^\\s\"'<>`&]{1,256}$")

// namePattern is what names an integration and its blocks.
var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]{0,99}$`)

// validate checks the attributes of one node.
func validate(n *Node, path string) error {
	check := checker{path: path}
	switch data := n.Data.(type) {
	case *ParagraphData:
		check.choice("align", data.Align, "start", "center", "end")
	case *HeadingData:
		check.choice("align", data.Align, "start", "center", "end")
		if data.ID != "" && !anchorPattern.MatchString(data.ID) {
			check.fail("id", "an anchor has no spaces, quotes, angle brackets or &")
		}
	case *HintData:
		if data.Style == "" {
			data.Style = "info"
		}
		check.choice("style", data.Style, "info", "success", "warning", "danger")
	case *CodeData:
		check.choice("overflow", data.Overflow, "scroll", "wrap")
		if data.CollapsedLineCount != nil && *data.CollapsedLineCount < 1 {
			check.fail("collapsedLineCount", "expected a number from 1")
		}
	case *ImagesData:
		check.choice("align", data.Align, "left", "center", "right")
	case *ImageData:
		check.ref("ref", data.Ref)
		check.optionalRef("refDark", data.RefDark)
	case *FileData:
		if n.Type == File || data.Ref.Kind != "" {
			check.ref("ref", data.Ref)
		}
	case *ColumnData:
		check.choice("verticalAlignment", data.VerticalAlignment, "top", "middle", "bottom")
	case *UpdatesData:
		check.choice("format", data.Format, "full", "short", "numeric")
	case *UpdateData:
		for i, tag := range data.Tags {
			check.ref("tags["+strconv.Itoa(i)+"]", tag)
		}
	case *PromptData:
		check.choice("defaultExpanded", data.DefaultExpanded, "hidden", "partial", "full")
	case *ContentRefData:
		check.ref("ref", data.Ref)
	case *ReusableContentData:
		check.ref("ref", data.Ref)
	case *OpenAPIData:
		// Bodies have blocks that name no specification yet.
		if data.Ref != (Ref{Kind: RefOpenAPI}) {
			check.ref("ref", data.Ref)
		}
		if n.Type != Swagger && data.Ref.Kind != RefOpenAPI {
			check.fail("ref.kind", "the openapi blocks take an openapi reference; swagger takes a url or file, too")
		}
	case *IntegrationData:
		if !namePattern.MatchString(data.Integration) {
			check.fail("integration", "expected the name of an integration")
		}
		if !namePattern.MatchString(data.Block) {
			check.fail("block", "expected the name of a block")
		}
	case *RawData:
		check.choice("syntax", data.Syntax, "html", "tag")
	case *EmojiData:
		if EmojiCharacters(data.Code) == "" {
			check.fail("code", "expected hexadecimal code points joined by -")
		}
	case *InlineImageData:
		check.ref("ref", data.Ref)
		check.optionalRef("refDark", data.RefDark)
		check.choice("size", data.Size, "original", "line")
	case *ButtonData:
		check.choice("kind", data.Kind, "primary", "secondary")
		check.choice("size", data.Size, "small", "medium", "large")
		check.optionalRef("ref", data.Ref)
	case *TableData:
		check.table(data)
	}
	return check.err
}

// checker remembers the first thing that is wrong.
type checker struct {
	path string
	err  error
}

func (c *checker) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = errs.Invalidf(c.path+"."+field, format, args...)
	}
}

// choice checks that a value is absent or one of a few.
func (c *checker) choice(field, value string, choices ...string) {
	if value == "" {
		return
	}
	if slices.Contains(choices, value) {
		return
	}
	c.fail(field, "expected %s, not %q", strings.Join(choices, ", "), abbreviate(value))
}

func (c *checker) optionalRef(field string, ref *Ref) {
	if ref != nil {
		c.ref(field, *ref)
	}
}

// ref checks that a reference has the fields of its kind.
func (c *checker) ref(field string, ref Ref) {
	target := ""
	switch ref.Kind {
	case RefURL:
		return // also one to nowhere
	case RefFile:
		target = ref.File
	case RefPage:
		target = ref.Page
	case RefAnchor:
		target = ref.Anchor
	case RefUser:
		target = ref.User
	case RefCollection:
		target = ref.Collection
	case RefSpace:
		target = ref.Space
	case RefReusableContent:
		target = ref.ReusableContent
	case RefTag:
		target = ref.Tag
	case RefOpenAPI:
		target = ref.Spec
	case "":
		c.fail(field+".kind", "a reference needs a kind, such as url, page or file")
		return
	default:
		c.fail(field+".kind", "there is no kind of reference %q", abbreviate(string(ref.Kind)))
		return
	}
	if target == "" {
		c.fail(field, "a reference of kind %s needs its target", ref.Kind)
	}
}

// table checks the parts of a table against each other.
func (c *checker) table(data *TableData) {
	c.choice("view.type", data.View.Type, "grid", "cards")
	c.choice("view.cardSize", data.View.CardSize, "medium", "large")
	switch {
	case len(data.Definition) > MaxColumns:
		c.fail("definition", "a table has at most %d columns", MaxColumns)
	case len(data.Definition)*len(data.Records) > MaxCells:
		c.fail("records", "a table has at most %d cells", MaxCells)
	case len(data.CellMerges) > MaxCells:
		c.fail("cellMerges", "a table has at most %d cells", MaxCells)
	}
	for id, definition := range data.Definition {
		if definition == nil {
			c.fail("definition."+abbreviate(id), "a column cannot be null")
			continue
		}
		c.choice("definition."+abbreviate(id)+".type", definition.Type,
			"text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image")
	}
	for _, id := range data.View.Columns {
		if data.Definition[id] == nil {
			c.fail("view.columns", "there is no column %q in the definition", abbreviate(id))
		}
	}
	for i, merge := range data.CellMerges {
		if merge.RowSpan < 1 || merge.RowSpan > 50 || merge.ColSpan < 1 || merge.ColSpan > 50 {
			c.fail("cellMerges["+strconv.Itoa(i)+"]", "rowSpan and colSpan are from 1 to 50")
		}
	}
}

// UnmarshalJSON decodes the values of a row by their JSON types: a number, a text, a bool, null, a list of texts, a
// reference, or an image with its fitting.
func (r *TableRecord) UnmarshalJSON(data []byte) error {
	var wire struct {
		OrderIndex string                     `json:"orderIndex"`
		Values     map[string]json.RawMessage `json:"values"`
	}
	if err := strict.Unmarshal(data, &wire); err != nil {
		return unknownIn("records", err)
	}
	r.OrderIndex = wire.OrderIndex
	r.Values = make(map[string]any, len(wire.Values))
	for column, raw := range wire.Values {
		value, err := decodeCell(raw)
		if err != nil {
			return unknownIn("records: values."+abbreviate(column), err)
		}
		r.Values[column] = value
	}
	return nil
}

// unknownIn turns a failure of strict.Unmarshal below a place into a refusal that names the place.
func unknownIn(place string, err error) error {
	if unknown, ok := errors.AsType[*strict.UnknownMember](err); ok {
		return errs.Invalidf(place+"."+unknown.Path, "%s", strict.Advice(unknown.Name, unknown.Known))
	}
	return errs.Invalidf(place, "%v", err)
}

// decodeCell reads a value of a row. An image may also be its reference with the fitting beside it.
func decodeCell(raw json.RawMessage) (any, error) {
	switch raw[0] {
	case '[':
		var list []string
		err := json.Unmarshal(raw, &list)
		return list, err
	case '{':
		var cell struct {
			Ref
			Image     *Ref   `json:"ref"`
			ObjectFit string `json:"objectFit"`
			Alt       string `json:"alt"`
		}
		if err := strict.Unmarshal(raw, &cell); err != nil {
			return nil, err
		}
		switch {
		case cell.Image != nil:
			return ImageRecord{Ref: *cell.Image, ObjectFit: cell.ObjectFit, Alt: cell.Alt}, nil
		case cell.ObjectFit != "" || cell.Alt != "":
			return ImageRecord{Ref: cell.Ref, ObjectFit: cell.ObjectFit, Alt: cell.Alt}, nil
		}
		return cell.Ref, nil
	}
	var value any
	err := json.Unmarshal(raw, &value)
	return value, err
}
