// Package gettext owns the message catalogues of GNU gettext (PO files): writing and reading them.
//
// Reading is bounded in size and number of messages; errors name the line. Plural forms and obsolete messages mean
// nothing for documents: the former are refused, the latter read over.
package gettext

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of what is read.
const (
	MaxSize     = 32 << 20
	maxMessages = 200_000
)

// Catalog is a PO file.
type Catalog struct {
	// Header are the lines of the header, such as "Language: de".
	Header   []string
	Messages []Message
}

// Language returns the language that the header names, such as "de" or "pt_BR"; "" when it names none.
func (c Catalog) Language() string {
	for _, line := range c.Header {
		if name, value, found := strings.Cut(line, ":"); found && strings.EqualFold(strings.TrimSpace(name),
			"Language") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Message is one text and its translation.
type Message struct {
	// Comments are for translators, References say where the text is.
	Comments   []string
	References []string
	// Fuzzy says that the translation has to be looked at.
	Fuzzy bool
	// Context tells messages with one text apart.
	Context string
	// ID is the text, Text its translation, "" for none.
	ID, Text string
	// Line is where the message was read.
	Line int
}

// Write writes a catalogue.
func Write(w io.Writer, c Catalog) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "msgid \"\"\nmsgstr \"\"\n")
	for _, line := range c.Header {
		fmt.Fprintf(b, "%s\n", quote(line+"\n"))
	}
	for _, m := range c.Messages {
		fmt.Fprint(b, "\n")
		for _, comment := range m.Comments {
			fmt.Fprintf(b, "#. %s\n", oneLine(comment))
		}
		for _, reference := range m.References {
			fmt.Fprintf(b, "#: %s\n", oneLine(reference))
		}
		if m.Fuzzy {
			fmt.Fprint(b, "#, fuzzy\n")
		}
		if m.Context != "" {
			writeText(b, "msgctxt", m.Context)
		}
		writeText(b, "msgid", m.ID)
		writeText(b, "msgstr", m.Text)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write catalogue: %w", err)
	}
	return nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// writeText writes a keyword and its text, a line of it on each line.
func writeText(b *bufio.Writer, keyword, text string) {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 1 {
		fmt.Fprintf(b, "%s %s\n", keyword, quote(text))
		return
	}
	fmt.Fprintf(b, "%s \"\"\n", keyword)
	for _, line := range lines {
		fmt.Fprintf(b, "%s\n", quote(line))
	}
}

func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			if r < 0x20 || r == 0x7F {
				fmt.Fprintf(&b, `\%03o`, r)
				continue
			}
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Read reads a catalogue. An error is errs.Invalid, or errs.TooLarge, and names the line.
func Read(data []byte) (Catalog, error) {
	if len(data) > MaxSize {
		return Catalog{}, errs.New(errs.TooLarge, "the PO file has more than %d MB", MaxSize>>20)
	}
	if !utf8.Valid(data) {
		return Catalog{}, errs.New(errs.Invalid, "the PO file is not in UTF-8; convert it first")
	}
	r := &reader{}
	for text := range strings.Lines(strings.TrimPrefix(string(data), "\uFEFF")) {
		r.line++
		if err := r.take(strings.TrimSpace(text)); err != nil {
			return Catalog{}, err
		}
	}
	if err := r.end(); err != nil {
		return Catalog{}, err
	}
	return r.made, nil
}

type reader struct {
	made    Catalog
	line    int
	current Message
	// into is where the next quoted line goes; nil between messages.
	into     *strings.Builder
	context  strings.Builder
	id, text strings.Builder
	hasID    bool
	hasText  bool
	seen     map[[2]string]int
}

func (r *reader) refuse(format string, args ...any) error {
	return errs.New(errs.Invalid, "line %d: %s", r.line, fmt.Sprintf(format, args...))
}

func (r *reader) take(text string) error {
	switch {
	case text == "", strings.HasPrefix(text, "#~"):
		return r.endIf(r.hasText)
	case strings.HasPrefix(text, "#"):
		if err := r.endIf(r.hasText); err != nil {
			return err
		}
		r.comment(text)
		return nil
	case strings.HasPrefix(text, `"`):
		if r.into == nil {
			return r.refuse("a quoted text belongs to nothing")
		}
		return r.quoted(text)
	}
	keyword, rest, _ := strings.Cut(text, " ")
	switch keyword {
	case "msgctxt":
		if err := r.endIf(r.hasText); err != nil {
			return err
		}
		r.begin()
		r.into = &r.context
	case "msgid":
		if err := r.endIf(r.hasText); err != nil {
			return err
		}
		r.begin()
		r.into, r.hasID = &r.id, true
	case "msgstr":
		if !r.hasID {
			return r.refuse("msgstr comes before msgid")
		}
		r.into, r.hasText = &r.text, true
	default:
		if strings.HasPrefix(keyword, "msgid_plural") || strings.HasPrefix(keyword, "msgstr[") {
			return r.refuse("plural forms are not used here")
		}
		return r.refuse("%.40q is no keyword; msgctxt, msgid and msgstr are", keyword)
	}
	return r.quoted(strings.TrimSpace(rest))
}

func (r *reader) begin() {
	if r.current.Line == 0 {
		r.current.Line = r.line
	}
}

func (r *reader) comment(text string) {
	switch {
	case strings.HasPrefix(text, "#."):
		r.current.Comments = append(r.current.Comments, strings.TrimSpace(text[2:]))
	case strings.HasPrefix(text, "#:"):
		r.current.References = append(r.current.References, strings.TrimSpace(text[2:]))
	case strings.HasPrefix(text, "#,"):
		flags := strings.FieldsFunc(text[2:], func(c rune) bool { return c == ',' || c == ' ' })
		r.current.Fuzzy = r.current.Fuzzy || slices.Contains(flags, "fuzzy")
	}
}

// quoted appends one quoted text.
func (r *reader) quoted(text string) error {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return r.refuse("a text has to stand between quotes")
	}
	for text = text[1 : len(text)-1]; text != ""; {
		c := text[0]
		text = text[1:]
		switch c {
		case '"':
			return r.refuse(`a quote in a text is written \"`)
		case '\\':
			if text == "" {
				return r.refuse("the text ends in the middle of an escape")
			}
			length, err := r.escape(text)
			if err != nil {
				return err
			}
			text = text[length:]
		default:
			r.into.WriteByte(c)
		}
	}
	return nil
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\', 'a': 7, 'b': 8, 'f': 12, 'v': 11}

// escape reads what follows a backslash and returns how long that is.
func (r *reader) escape(text string) (int, error) {
	if c, ok := escapes[text[0]]; ok {
		r.into.WriteByte(c)
		return 1, nil
	}
	octal, length := 0, 0
	for length < 3 && length < len(text) && text[length] >= '0' && text[length] <= '7' {
		octal = octal*8 + int(text[length]-'0')
		length++
	}
	if length == 0 || octal > 0x7F {
		return 0, r.refuse(`\%c is no escape`, text[0])
	}
	r.into.WriteByte(byte(octal))
	return length, nil
}

func (r *reader) endIf(complete bool) error {
	if !complete {
		return nil
	}
	return r.end()
}

// end takes a message that is complete.
func (r *reader) end() error {
	m := r.current
	m.Context, m.ID, m.Text = r.context.String(), r.id.String(), r.text.String()
	had, complete := r.hasID || r.into != nil, r.hasText
	line, made, seen := r.line, r.made, r.seen
	*r = reader{line: line, made: made, seen: seen}
	if !had {
		return nil
	}
	if !complete {
		return r.refuse("a message has no msgstr")
	}
	if m.ID == "" && m.Context == "" {
		return r.header(m.Text)
	}
	if r.seen == nil {
		r.seen = map[[2]string]int{}
	}
	key := [2]string{m.Context, m.ID}
	if first, twice := r.seen[key]; twice {
		return r.refuse("the message of line %d is there twice", first)
	}
	r.seen[key] = m.Line
	if len(r.made.Messages) == maxMessages {
		return r.refuse("there are more than %d messages", maxMessages)
	}
	r.made.Messages = append(r.made.Messages, m)
	return nil
}

// header takes the header, which says how the file is encoded.
func (r *reader) header(text string) error {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		r.made.Header = append(r.made.Header, line)
		_, charset, found := strings.Cut(line, "charset=")
		if charset = strings.TrimSpace(charset); found && !strings.EqualFold(charset, "UTF-8") &&
			!strings.EqualFold(charset, "ASCII") && charset != "CHARSET" {
			return r.refuse("the file says that it is in %.40s; convert it to UTF-8", charset)
		}
	}
	return nil
}
