package folder

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// sphinxNames are what roles of Sphinx name: labels with the headings below them, and the titles of documents, by the
// paths of their files without the ending.
type sphinxNames struct {
	labels map[string]sphinxLabel
	titles map[string]string
}

// sphinxLabel is a place in a file, with the heading that it stands before.
type sphinxLabel struct{ file, heading string }

var (
	sphinxTarget = regexp.MustCompile("^\\.\\. _(?:`([^`]+)`|([^:`]+)):[ \\t]*$")
	underlined   = regexp.MustCompile(`^([=\-~^"'#*+.:_<>!$%&(),/;?@\[\]\\{|}` + "`" + `])+[ \t]*$`)
)

// isUnderline reports whether a line is that below a heading.
func isUnderline(line, heading string) bool {
	line = strings.TrimRight(line, " \t\r")
	return len(line) > 1 && underlined.MatchString(line) && strings.Trim(line, line[:1]) == "" &&
		strings.TrimSpace(heading) != "" && !underlined.MatchString(heading)
}

// findSphinxNames reads the labels and titles of all documents.
func (r *reader) findSphinxNames() {
	r.sphinx = &sphinxNames{labels: map[string]sphinxLabel{}, titles: map[string]string{}}
	for _, file := range r.files.Files() {
		if !strings.EqualFold(path.Ext(file.Path), ".rst") {
			continue
		}
		data, err := r.files.Read(file.Path, maxPageBytes)
		if err != nil {
			continue // it is said where the page is read
		}
		lines := strings.Split(string(data), "\n")
		var waiting []string
		for i, line := range lines {
			line = strings.TrimRight(line, "\r")
			if found := sphinxTarget.FindStringSubmatch(line); found != nil {
				waiting = append(waiting, strings.ToLower(found[1]+found[2]))
				continue
			}
			if strings.TrimSpace(line) == "" || len(line) > 1 && underlined.MatchString(line) {
				continue
			}
			heading := ""
			if i+1 < len(lines) && isUnderline(lines[i+1], line) {
				heading = strings.TrimSpace(strings.NewReplacer("``", "", "`", "", "**", "").Replace(line))
				if plain := stem(file.Path); r.sphinx.titles[plain] == "" {
					r.sphinx.titles[plain] = heading
				}
			}
			for _, label := range waiting {
				r.sphinx.labels[label] = sphinxLabel{file.Path, heading}
			}
			waiting = nil
		}
	}
}

// roles writes the roles of Sphinx that lead to documents and places as links with the texts that Sphinx gives them,
// and its other roles as code: no other program knows them.
func (r *reader) roles(file, text string) string {
	if r.sphinx == nil {
		r.findSphinxNames()
	}
	document := func(target string) (link, title string) {
		joined, _ := r.join(file, strings.TrimSuffix(target, ".rst"))
		title = r.sphinx.titles[joined]
		if title == "" {
			return target, path.Base(target)
		}
		return "/" + joined + ".rst", title
	}
	place := func(label string) (link, title string) {
		found, ok := r.sphinx.labels[strings.ToLower(label)]
		if !ok {
			return "#" + label, label
		}
		return "/" + found.file + "#" + anchorOfLabel(label), found.heading
	}
	text = titledRole.ReplaceAllStringFunc(text, func(role string) string {
		parts := titledRole.FindStringSubmatch(role)
		link, _ := document(parts[2])
		if strings.HasPrefix(role, ":ref:") || strings.HasPrefix(role, ":any:") {
			link, _ = place(parts[2])
		}
		return "`" + parts[1] + " <" + link + ">`__"
	})
	text = bareRole.ReplaceAllStringFunc(text, func(role string) string {
		link, title := document(bareRole.FindStringSubmatch(role)[1])
		return "`" + title + " <" + link + ">`__"
	})
	text = refRole.ReplaceAllStringFunc(text, func(role string) string {
		label := refRole.FindStringSubmatch(role)[1]
		link, title := place(label)
		if title == "" {
			title = label
		}
		return "`" + title + " <" + link + ">`__"
	})
	return plainRole.ReplaceAllString(text, "``$1``")
}

// anchorOfLabel is the anchor that a label has in HTML.
func anchorOfLabel(label string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(label)), "-")
}

var (
	sphinxInclude = regexp.MustCompile(
		`(?m)^([ \t]*)\.\. (literalinclude|include)::[ \t]+(\S+)[ \t]*\r?\n((?:[ \t]+:[^\n]*\n)*)`)
	sphinxOption = regexp.MustCompile(`(?m)^[ \t]+:([\w-]+):[ \t]*(.*?)[ \t]*\r?$`)
)

// sphinxIncludes puts in the files that a document includes, as text or as code. One that is not part of the import is
// reported.
func (r *reader) sphinxIncludes(file, text string) string {
	in := inclusion{reader: r, file: file}
	made := in.sphinx(text, nil)
	for _, mark := range in.missing {
		r.tree.Report.NotUnderstood.Addf(r.place(file),
			"%s: what it names is not part of the import; it is left out", strings.TrimSpace(mark))
	}
	return made
}

func (in *inclusion) sphinx(text string, around []string) string {
	return sphinxInclude.ReplaceAllStringFunc(text+"\n", func(whole string) string {
		parts := sphinxInclude.FindStringSubmatch(whole)
		indent, target := parts[1], parts[3]
		from := path.Join(path.Dir(in.file), target)
		if strings.HasPrefix(target, "/") {
			from = strings.TrimPrefix(path.Clean(target), "/")
		}
		included, place, ok := in.readHere(from, around)
		if !ok {
			first, _, _ := strings.Cut(whole, "\n")
			in.missing = append(in.missing, first)
			return ""
		}
		options := map[string]string{}
		for _, option := range sphinxOption.FindAllStringSubmatch(parts[4], -1) {
			options[option[1]] = option[2]
		}
		included = selected(included, options)
		if parts[2] == "include" && !hasKey(options, "literal") && !hasKey(options, "code") {
			return indent + prefixLines(in.sphinx(included, append(around[:len(around):len(around)], place)), indent) +
				"\n"
		}
		var out strings.Builder
		out.WriteString(indent + ".. code-block:: " + options["language"] + options["code"] + "\n")
		for _, kept := range []string{"emphasize-lines", "caption"} {
			if options[kept] != "" {
				out.WriteString(indent + "   :" + kept + ": " + options[kept] + "\n")
			}
		}
		out.WriteString("\n" + indent + "   " + prefixLines(strings.TrimRight(included, "\r\n"), indent+"   ") + "\n\n")
		return out.String()
	})
}

func hasKey(options map[string]string, key string) bool {
	_, found := options[key]
	return found
}

// readHere reads a file of the tree of the pages, within the bounds of what is put into pages.
func (in *inclusion) readHere(file string, around []string) (text, place string, ok bool) {
	outer := in.layout.outer
	if outer == nil {
		return "", "", false
	}
	return in.read([]string{path.Join(in.layout.inner, file)}, around)
}

// selected returns the lines of a file that the options of an inclusion choose.
func selected(text string, options map[string]string) string {
	lines := strings.SplitAfter(text, "\n")
	if chosen := options["lines"]; chosen != "" {
		var kept []string
		for part := range strings.SplitSeq(chosen, ",") {
			first, last, ranged := strings.Cut(strings.TrimSpace(part), "-")
			from, err := strconv.Atoi(first)
			if err != nil {
				from = 1
			}
			to := from
			if ranged {
				if to, err = strconv.Atoi(last); err != nil {
					to = len(lines)
				}
			}
			for line := max(from, 1); line <= min(to, len(lines)); line++ {
				kept = append(kept, lines[line-1])
			}
		}
		lines = kept
	}
	from, to := 0, len(lines)
	for i, line := range lines {
		for _, start := range [][2]any{{"start-after", 1}, {"start-at", 0}} {
			if mark := options[start[0].(string)]; mark != "" && from == 0 && strings.Contains(line, mark) {
				from = i + start[1].(int)
			}
		}
	}
	for i := from; i < len(lines); i++ {
		if mark := options["end-before"]; mark != "" && strings.Contains(lines[i], mark) {
			to = min(to, i)
		}
		if mark := options["end-at"]; mark != "" && strings.Contains(lines[i], mark) {
			to = min(to, i+1)
		}
	}
	return strings.Join(lines[min(from, to):to], "")
}
