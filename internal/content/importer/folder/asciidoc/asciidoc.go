// Package asciidoc owns what an import does to a page of AsciiDoc before a program makes HTML of it: the files that the
// page includes are put in, since the program sees no file but the page.
//
// It is no parser of AsciiDoc. It knows the directive for includes with its options for lines, tags and levels of
// headings, and the attributes that a path may name. Running time is linear in the text that is made.
package asciidoc

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Read returns the file at a path below the root of the pages, the path that it was found at, and whether there is one.
// around are the files that include each other down to the one that asks.
type Read func(file string, around []string) (text, place string, ok bool)

// Includes returns the text of a page with the files that it includes, and the directives whose files are not there,
// which are left out.
func Includes(file, text string, read Read) (made string, missing []string) {
	in := including{read: read, page: file, attributes: map[string]string{"docname": stem(path.Base(file))}}
	made = in.text(file, text, nil)
	return made, in.missing
}

// including puts files into one page.
type including struct {
	read       Read
	page       string
	attributes map[string]string
	missing    []string
}

var (
	directive = regexp.MustCompile(`^(\\?)include::([^\[\]\s](?:[^\[\]]*[^\[\]\s])?)\[([^\]]*)\][ \t]*$`)
	attribute = regexp.MustCompile(`^:(!?)([\w-]+)(!?):(?:[ \t]+(.*?))?[ \t]*$`)
	named     = regexp.MustCompile(`\{([\w-]+)\}`)
	tag       = regexp.MustCompile(`(?:^|[^\w])(tag|end)::([^\s\[\]]+)\[\]`)
)

// maxValue is how long the value of an attribute is at most that a path may name.
const maxValue = 1000

func (in *including) text(file, text string, around []string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		if set := attribute.FindStringSubmatch(bare); set != nil && len(set[4]) <= maxValue {
			in.attributes[strings.ToLower(set[2])] = in.resolved(set[4])
		}
		found := directive.FindStringSubmatch(bare)
		if found == nil || found[1] != "" {
			out.WriteString(line)
			continue
		}
		options := readOptions(found[3])
		included, place, ok := in.file(file, in.resolved(found[2]), around)
		switch {
		case ok:
			in.put(&out, place, included, options, append(around[:len(around):len(around)], place))
		case !strings.Contains(options["opts"]+options["options"], "optional"):
			in.missing = append(in.missing, bare)
		}
	}
	return out.String()
}

// put writes an included file.
func (in *including) put(out *strings.Builder, place, included string, options map[string]string, around []string) {
	chosen := selected(included, options)
	if columns, err := strconv.Atoi(options["indent"]); err == nil && columns >= 0 && columns < 100 {
		chosen = indented(chosen, columns)
	}
	if isAsciiDoc(place) {
		chosen = in.text(place, chosen, around)
	}
	level := options["leveloffset"]
	if level != "" {
		out.WriteString(":leveloffset: " + level + "\n\n")
	}
	out.WriteString(strings.TrimRight(chosen, "\r\n") + "\n")
	if opposite, relative := against(level); relative {
		out.WriteString("\n:leveloffset: " + opposite + "\n")
	} else if level != "" {
		out.WriteString("\n:leveloffset!:\n")
	}
}

// against returns the offset that takes another one back, if that is a relative one.
func against(level string) (string, bool) {
	switch {
	case strings.HasPrefix(level, "+"):
		return "-" + level[1:], true
	case strings.HasPrefix(level, "-"):
		return "+" + level[1:], true
	}
	return "", false
}

// file reads what a file names: the path is from that file on.
func (in *including) file(file, target string, around []string) (text, place string, ok bool) {
	if strings.Contains(target, "://") || strings.Contains(target, "{") || path.IsAbs(target) {
		return "", "", false
	}
	return in.read(path.Join(path.Dir(file), target), around)
}

// resolved returns a text with the attributes that it names.
func (in *including) resolved(text string) string {
	made := named.ReplaceAllStringFunc(text, func(reference string) string {
		if value, known := in.attributes[strings.ToLower(reference[1:len(reference)-1])]; known {
			return value
		}
		return reference
	})
	if len(made) > maxValue {
		return text
	}
	return made
}

// readOptions reads what stands between the brackets of a directive.
func readOptions(list string) map[string]string {
	found := map[string]string{}
	for list != "" {
		name, rest, given := strings.Cut(list, "=")
		if !given {
			break
		}
		value := ""
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			value, rest, _ = strings.Cut(quoted, `"`)
			_, rest, _ = strings.Cut(rest, ",")
		} else {
			value, rest, _ = strings.Cut(rest, ",")
		}
		found[strings.TrimSpace(name)] = strings.TrimSpace(value)
		list = rest
	}
	return found
}

// selected returns the lines of a file that the options choose. Lines that only mark tags are left out.
func selected(text string, options map[string]string) string {
	chosen, wanted := lineRanges(options["lines"]), map[string]bool{}
	for _, each := range strings.FieldsFunc(options["tag"]+";"+options["tags"], func(r rune) bool {
		return r == ';' || r == ','
	}) {
		name, not := strings.CutPrefix(strings.TrimSpace(each), "!")
		wanted[name] = !not
	}
	_, all := wanted["**"]
	_, anyTag := wanted["*"]
	excludes := len(wanted) > 0
	for name, is := range wanted {
		excludes = excludes && !is && name != "*" && name != "**"
	}
	var out strings.Builder
	var open []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		if mark := tag.FindStringSubmatch(line); mark != nil {
			if mark[1] == "tag" {
				open = append(open, mark[2])
			} else if last := len(open) - 1; last >= 0 && open[last] == mark[2] {
				open = open[:last]
			}
			continue
		}
		keep := len(wanted) == 0 || all || excludes || anyTag && len(open) > 0
		for _, name := range open {
			if is, known := wanted[name]; known {
				keep = is
			}
		}
		if keep && (chosen == nil || inRanges(chosen, number)) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// lineRanges reads "1..5;7;9..-1"; nil for none.
func lineRanges(list string) [][2]int {
	var found [][2]int
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == ',' }) {
		first, last, ranged := strings.Cut(strings.TrimSpace(part), "..")
		from, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		to := from
		if ranged {
			if to, err = strconv.Atoi(last); err != nil || to < 0 {
				to = int(^uint(0) >> 1)
			}
		}
		found = append(found, [2]int{from, to})
	}
	return found
}

func inRanges(ranges [][2]int, number int) bool {
	for _, each := range ranges {
		if number >= each[0] && number <= each[1] {
			return true
		}
	}
	return false
}

// indented returns lines that begin in a column, the least indented of them.
func indented(text string, columns int) string {
	least := -1
	for line := range strings.Lines(text) {
		if bare := strings.TrimLeft(line, " \t"); strings.TrimSpace(bare) != "" {
			if indent := len(line) - len(bare); least < 0 || indent < least {
				least = indent
			}
		}
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			out.WriteString(line)
			continue
		}
		out.WriteString(strings.Repeat(" ", columns) + line[max(least, 0):])
	}
	return out.String()
}

// isAsciiDoc reports whether a file is AsciiDoc by its name.
func isAsciiDoc(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".adoc", ".asciidoc", ".asc":
		return true
	}
	return false
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
