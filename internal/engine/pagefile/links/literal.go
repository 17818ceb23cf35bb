package links

import (
	"bytes"
)

// literalRanges returns the ranges of a body that hold no links whatever they look like: fenced and indented code,
// and formulas on lines of their own. The ranges are in order and do not overlap.
func literalRanges(body []byte) []span {
	reader := blockReader{}
	for offset := 0; offset < len(body); {
		end := len(body)
		if newline := bytes.IndexByte(body[offset:], '\n'); newline >= 0 {
			end = offset + newline + 1
		}
		reader.line(body[offset:end], offset, end)
		offset = end
	}
	return reader.ranges
}

type span struct{ start, end int }

// blockReader follows the block structure as far as it decides what is code.
type blockReader struct {
	ranges []span
	// fence is the opening fence while inside fenced code ("```", "~~~~", "$$"), else empty.
	fence string
	// item is the column where the content of the innermost list item starts, 0 outside lists.
	item int
	// blank says that the previous line was blank, code that it was indented code.
	blank, code bool
}

func (r *blockReader) line(line []byte, start, end int) {
	content, column, inQuote := stripContainers(line)
	content = bytes.TrimRight(content, " \t\r\n")
	if r.fence != "" {
		r.literal(start, end)
		if closesFence(content, r.fence) {
			r.fence = ""
		}
		return
	}
	if len(content) == 0 {
		r.blank = true
		return
	}
	wasBlank, wasCode := r.blank || len(r.ranges) == 0 && start == 0, r.code
	r.blank, r.code = false, false
	if (wasBlank || wasCode) && column >= r.item+4 && !inQuote {
		r.code = true
		r.literal(start, end)
		return
	}
	content = r.stripMarkers(content, column, wasBlank)
	if fence := opensFence(content); fence != "" {
		r.fence = fence
		r.literal(start, end)
	}
}

// stripMarkers takes list markers off a line and keeps the column of the item that they open.
func (r *blockReader) stripMarkers(content []byte, column int, wasBlank bool) []byte {
	marked := false
	for {
		width := markerWidth(content)
		if width == 0 {
			break
		}
		rest := content[width:]
		spaces := 0
		for spaces < len(rest) && rest[spaces] == ' ' {
			spaces++
		}
		if spaces > 4 || spaces == len(rest) {
			spaces = 1
		}
		column += width + spaces
		content = rest[min(spaces, len(rest)):]
		r.item, marked = column, true
	}
	if !marked && column < r.item && wasBlank {
		r.item = max(column, 0)
	}
	return content
}

// literal marks a range, joined with the one before when they touch.
func (r *blockReader) literal(start, end int) {
	if last := len(r.ranges) - 1; last >= 0 && r.ranges[last].end == start {
		r.ranges[last].end = end
		return
	}
	r.ranges = append(r.ranges, span{start, end})
}

// stripContainers takes indentation and blockquote marks off a line and says in which column its content starts.
func stripContainers(line []byte) (content []byte, column int, inQuote bool) {
	for i, c := range line {
		switch c {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		case '>':
			column, inQuote = 0, true
		default:
			return line[i:], column, inQuote
		}
	}
	return nil, column, inQuote
}

// markerWidth returns the width of the list marker that a line starts with, without the space behind it, or 0.
func markerWidth(line []byte) int {
	digits := 0
	for digits < len(line) && digits < 10 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	width := digits + 1
	switch {
	case digits == 10 || len(line) < width:
		return 0
	case digits > 0 && line[digits] != '.' && line[digits] != ')':
		return 0
	case digits == 0 && line[0] != '-' && line[0] != '*' && line[0] != '+':
		return 0
	case len(line) > width && line[width] != ' ' && line[width] != '\t':
		return 0
	}
	return width
}

// opensFence returns the run of characters that opens fenced code or a formula block, or "".
func opensFence(content []byte) string {
	if bytes.Equal(content, []byte("$$")) {
		return "$$"
	}
	if len(content) < 3 || content[0] != '`' && content[0] != '~' {
		return ""
	}
	run := 1
	for run < len(content) && content[run] == content[0] {
		run++
	}
	if run < 3 || content[0] == '`' && bytes.IndexByte(content[run:], '`') >= 0 {
		return ""
	}
	return string(content[:run])
}

func closesFence(content []byte, fence string) bool {
	if fence == "$$" {
		return bytes.HasSuffix(content, []byte("$$"))
	}
	if len(content) < len(fence) {
		return false
	}
	for _, c := range content {
		if c != fence[0] {
			return false
		}
	}
	return true
}
