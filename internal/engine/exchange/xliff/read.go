package xliff

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/segment"
)

// Limits of what is read.
const (
	MaxSize  = 32 << 20
	maxDepth = 40
	maxUnits = 200_000
)

// Read reads a document. What it says about units is checked: ids, states, placeholders that are not closed. What tools
// add (their own elements and attributes, several segments in a unit) is read over. An error is errs.Invalid and names
// the line.
func Read(data []byte) (Document, error) {
	if len(data) > MaxSize {
		return Document{}, errs.New(errs.TooLarge, "the XLIFF file has more than %d MB", MaxSize>>20)
	}
	if bytes.HasPrefix(data, []byte{0xFE, 0xFF}) || bytes.HasPrefix(data, []byte{0xFF, 0xFE}) {
		return Document{}, errs.Invalidf("file", "is in UTF-16; save it as UTF-8")
	}
	r := &reader{xml: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))))}
	r.xml.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, errs.Invalidf("file", "is in %.40s; save it as UTF-8", charset)
	}
	if err := r.document(); err != nil {
		return Document{}, r.located(err)
	}
	return r.made, nil
}

type reader struct {
	xml   *xml.Decoder
	depth int
	units int
	made  Document
}

// located puts the line in front of an error.
func (r *reader) located(err error) error {
	line, _ := r.xml.InputPos()
	if own, ok := errors.AsType[*errs.Error](err); ok {
		return errs.New(own.Kind, "line %d: %s", line, own.Message)
	}
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return errs.New(errs.Invalid, "line %d: the file is not well-formed XML: %s", syntax.Line, syntax.Msg)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errs.New(errs.Invalid, "line %d: the file ends in the middle", line)
	}
	return errs.New(errs.Invalid, "line %d: the file cannot be read: %v", line, err)
}

func refuse(format string, args ...any) error { return errs.New(errs.Invalid, format, args...) }

// next returns the next token that means something.
func (r *reader) next() (xml.Token, error) {
	for {
		token, err := r.xml.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, refuse("the file has a document type; XLIFF has none")
		case xml.Comment, xml.ProcInst:
			continue
		case xml.StartElement:
			if r.depth++; r.depth > maxDepth {
				return nil, refuse("elements are nested more than %d deep", maxDepth)
			}
			return t, nil
		case xml.EndElement:
			r.depth--
			return t, nil
		default:
			return token, nil
		}
	}
}

// children calls found for each element inside the one that has just begun, and text for what stands between them. An
// element that found does not take is read over.
func (r *reader) children(text func(string), found func(e xml.StartElement) (taken bool, err error)) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.CharData:
			if text != nil {
				text(string(t))
			}
		case xml.StartElement:
			taken, err := found(t)
			if err != nil {
				return err
			}
			if !taken {
				if err := r.children(nil, func(xml.StartElement) (bool, error) { return false, nil }); err != nil {
					return err
				}
			}
		}
	}
}

func value(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

func core(e xml.StartElement, name string) bool {
	return e.Name.Local == name && (e.Name.Space == Namespace || strings.HasPrefix(e.Name.Space,
		"urn:oasis:names:tc:xliff:document:2."))
}

func (r *reader) document() error {
	for {
		token, err := r.next()
		if errors.Is(err, io.EOF) {
			return refuse("the file has no xliff element")
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local == "xliff" && !core(start, "xliff") {
			return refuse("the file is not of XLIFF 2: its namespace is %.80q and its version %.10q", start.Name.Space,
				value(start, "version"))
		}
		if !core(start, "xliff") {
			return refuse("the file begins with <%.40s>; XLIFF begins with <xliff>", start.Name.Local)
		}
		if version := value(start, "version"); !strings.HasPrefix(version, "2.") {
			return refuse("the version is %.10q; 2.0 is read", version)
		}
		r.made.Source, r.made.Target = value(start, "srcLang"), value(start, "trgLang")
		if r.made.Source == "" {
			return refuse("srcLang is missing on <xliff>")
		}
		seen := map[string]bool{}
		return r.children(nil, func(e xml.StartElement) (bool, error) {
			if !core(e, "file") {
				return false, nil
			}
			f := File{ID: value(e, "id"), Original: value(e, "original")}
			if f.ID == "" || seen[f.ID] {
				return true, refuse("a file has no id, or one that another has: %.80q", f.ID)
			}
			seen[f.ID] = true
			err := r.unitsOf(&f, map[string]bool{})
			r.made.Files = append(r.made.Files, f)
			return true, err
		})
	}
}

// unitsOf reads what is in a file or a group.
func (r *reader) unitsOf(f *File, seen map[string]bool) error {
	return r.children(nil, func(e xml.StartElement) (bool, error) {
		switch {
		case core(e, "group"):
			return true, r.unitsOf(f, seen)
		case core(e, "unit"):
			u, err := r.unit(e)
			if err != nil {
				return true, err
			}
			if u.ID == "" || seen[u.ID] {
				return true, refuse("a unit of the file %s has no id, or one that another has: %.80q", f.ID, u.ID)
			}
			if r.units++; r.units > maxUnits {
				return true, refuse("there are more than %d units", maxUnits)
			}
			seen[u.ID] = true
			f.Units = append(f.Units, u)
			return true, nil
		}
		return false, nil
	})
}

var states = []State{Initial, Translated, Reviewed, Final}

func (r *reader) unit(e xml.StartElement) (Unit, error) {
	line, _ := r.xml.InputPos()
	u := Unit{ID: value(e, "id"), Name: value(e, "name"), State: Final, Line: line}
	segments, targets := 0, 0
	err := r.children(nil, func(part xml.StartElement) (bool, error) {
		ignorable := core(part, "ignorable")
		if !core(part, "segment") && !ignorable {
			return false, nil
		}
		source, target, has, err := r.segment()
		if err != nil {
			return true, err
		}
		u.Source += source
		if ignorable {
			if !has {
				target = source
			}
			u.Target += target
			return true, nil
		}
		segments++
		state := State(value(part, "state"))
		if state == "" {
			state = Initial
		}
		if !slices.Contains(states, state) {
			return true, refuse("the state of unit %s is %.40q; initial, translated, reviewed and final are accepted",
				u.ID, state)
		}
		if slices.Index(states, state) < slices.Index(states, u.State) {
			u.State = state
		}
		if word, ours := strings.CutPrefix(value(part, "subState"), "recto:"); ours {
			u.SubState = word
		}
		if has {
			targets++
		}
		u.Target += target
		return true, nil
	})
	if err != nil {
		return u, err
	}
	if segments == 0 {
		return u, refuse("unit %.80q has no segment", u.ID)
	}
	if targets > 0 && targets < segments {
		return u, refuse("unit %.80q has a translation for only %d of its %d segments", u.ID, targets, segments)
	}
	u.HasTarget = targets > 0
	if !u.HasTarget {
		u.Target = ""
	}
	return u, nil
}

func (r *reader) segment() (source, target string, has bool, err error) {
	err = r.children(nil, func(e xml.StartElement) (bool, error) {
		var err error
		switch {
		case core(e, "source"):
			source, err = r.text()
		case core(e, "target"):
			if value(e, "order") != "" {
				return true, refuse("the segments of a unit are in another order, which is not read; join them first")
			}
			has = true
			target, err = r.text()
		default:
			return false, nil
		}
		return true, err
	})
	return source, target, has, err
}

// text reads a source or target.
func (r *reader) text() (string, error) {
	var runs []segment.Run
	if err := r.inlines(&runs); err != nil {
		return "", err
	}
	return segment.Join(runs), nil
}

func (r *reader) inlines(runs *[]segment.Run) error {
	add := func(run segment.Run) { *runs = append(*runs, run) }
	return r.children(func(text string) { add(segment.Run{Text: text}) }, func(e xml.StartElement) (bool, error) {
		id := value(e, "id")
		switch {
		case core(e, "cp"):
			code, err := strconv.ParseUint(value(e, "hex"), 16, 21)
			if err != nil {
				return true, refuse("<cp> has the character %.20q", value(e, "hex"))
			}
			add(segment.Run{Text: string(rune(code))})
			return false, nil
		case core(e, "mrk"):
			return true, r.inlines(runs)
		case core(e, "sm"), core(e, "em"):
			return false, nil
		case core(e, "ec") && value(e, "startRef") != "":
			id = value(e, "startRef")
		}
		number, err := strconv.Atoi(id)
		if err != nil || number < 1 || number > 1_000_000 {
			return true, refuse("<%.20s> has the id %.40q; ids of placeholders are the numbers that the file came with",
				e.Name.Local, id)
		}
		switch {
		case core(e, "ph"):
			add(segment.Run{Kind: segment.RunSingle, Code: number})
			return false, nil
		case core(e, "sc"):
			add(segment.Run{Kind: segment.RunOpen, Code: number})
			return false, nil
		case core(e, "ec"):
			add(segment.Run{Kind: segment.RunClose, Code: number})
			return false, nil
		case core(e, "pc"):
			add(segment.Run{Kind: segment.RunOpen, Code: number})
			err := r.inlines(runs)
			add(segment.Run{Kind: segment.RunClose, Code: number})
			return true, err
		}
		return true, refuse("<%.40s> may not stand in a text", e.Name.Local)
	})
}
