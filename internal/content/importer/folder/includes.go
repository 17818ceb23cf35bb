package folder

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/folder/fences"
	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// maxPut is how many bytes are put into a page at most, which must not have many more.
const maxPut = 512 << 10

// inclusion puts files into a page, as VitePress and the extension for snippets that MkDocs sites use do it.
type inclusion struct {
	*reader
	file string
	// size counts the bytes that were put in, missing are the marks that name nothing that is there.
	size    int
	missing []string
}

// includeFiles returns the text of a page with the files that it includes, and whether there were any. A mark whose
// file is not part of the import stays as it is and is reported.
func (r *reader) includeFiles(file, text string) (string, bool) {
	in := inclusion{reader: r, file: file}
	var made string
	switch r.layout.generator {
	case generator.VitePress:
		made = in.vitePress(text, file, nil)
	case generator.MkDocs:
		made = in.snippets(text, nil)
		for _, each := range r.layout.appended {
			if below, _, ok := in.read(in.snippetPaths(each), nil); ok {
				made = strings.TrimRight(made, "\n") + "\n\n" + in.snippets(below, nil)
			}
		}
	case generator.Docusaurus, generator.Starlight, generator.Nextra, generator.Mintlify:
		made = in.partials(text, file, nil)
	default:
		return text, false
	}
	for _, mark := range in.missing {
		r.tree.Report.NotUnderstood.Addf(r.place(file),
			"%s: what it names is not part of the import; it stays as it is", strings.TrimSpace(mark))
	}
	return made, made != text
}

// read returns a file that a page includes: the first of some paths in the tree around the pages that is there. What
// includes itself, and what is too much, is not there.
func (in *inclusion) read(paths []string, around []string) (text, place string, ok bool) {
	for _, each := range paths {
		if strings.HasPrefix(each, "../") || !in.layout.outer.Has(each) || slices.Contains(around, each) {
			continue
		}
		if size, _ := in.layout.outer.Size(each); len(around) >= maxIncludeDepth || in.size+int(size) > maxPut {
			return "", "", false
		}
		data, err := in.layout.outer.Read(each, maxIncludeFile)
		if err != nil {
			return "", "", false
		}
		if text, err = decode(each, data); err != nil {
			return "", "", false
		}
		in.size += len(text)
		return text, each, true
	}
	return "", "", false
}

// from returns the path of what a file names, in the tree around the pages: "@" is the root of the pages.
func (in *inclusion) from(file, target string) string {
	if below, ok := strings.CutPrefix(target, "@"); ok {
		return path.Join(in.layout.inner, strings.TrimLeft(below, "/"))
	}
	return path.Join(in.layout.inner, path.Dir(file), target)
}

var (
	// codeImport is "<<< @/snippet.js#region{2,4-5 ts:line-numbers} [Title]".
	codeImport = regexp.MustCompile(`^([ \t]*)<<<[ \t]*([^<\s#{\[][^#{\[\r\n]*?)(#[\w-]+)?[ \t]*(\{[^}\r\n]*\})?` +
		`[ \t]*(?:\[([^\]\r\n]*)\])?[ \t]*\r?\n?$`)
	// pageImport is "<!--@include: ./part.md#region{3,}-->".
	pageImport = regexp.MustCompile(`<!--[ \t]*@include:[ \t]*([^#{\r\n]*?)(#[^{\s\r\n]+?)?[ \t]*` +
		`(?:\{(\d*),?(\d*)\})?[ \t]*-->`)
)

// vitePress puts in what lines with "<<<" and comments with "@include" name.
func (in *inclusion) vitePress(text, file string, around []string) string {
	text = fences.EachLine(text, func(line string, fenced bool) string {
		parts := codeImport.FindStringSubmatch(line)
		if parts == nil || fenced {
			return line
		}
		included, _, ok := in.read([]string{in.from(file, parts[2])}, around)
		if ok && parts[3] != "" {
			included, ok = region(included, parts[3][1:])
		}
		if !ok {
			in.missing = append(in.missing, line)
			return line
		}
		marked, language := codeOptions(parts[4], parts[2])
		info := language
		if marked != "" {
			info += "{" + marked + "}"
		}
		if parts[5] != "" {
			info += " [" + parts[5] + "]"
		}
		return prefixLines(parts[1]+fencedAs(strings.TrimLeft(info, " "), included), parts[1]) + "\n"
	})
	return pageImport.ReplaceAllStringFunc(text, func(mark string) string {
		parts := pageImport.FindStringSubmatch(mark)
		included, place, ok := in.read([]string{in.from(file, parts[1])}, around)
		if !ok {
			in.missing = append(in.missing, mark)
			return mark
		}
		included = withoutFront(included)
		if parts[2] != "" {
			if included, ok = region(included, parts[2][1:]); !ok {
				in.missing = append(in.missing, mark)
				return mark
			}
		}
		if strings.Contains(mark, "{") {
			included = between(included, parts[3], parts[4], strings.Contains(mark, ","))
		}
		below := strings.TrimPrefix(strings.TrimPrefix(place, in.layout.inner), "/")
		return strings.TrimSuffix(in.vitePress(included, below, append(around[:len(around):len(around)], place)), "\n")
	})
}

// codeOptions parts "{2,4-5 ts:line-numbers}" into the lines and the language, which is that of the file's name when
// none is said.
func codeOptions(braces, file string) (marked, language string) {
	language = strings.TrimPrefix(path.Ext(file), ".")
	for each := range strings.FieldsSeq(strings.Trim(braces, "{}")) {
		if strings.Trim(each, "0123456789,-") == "" {
			marked = each
			continue
		}
		language = each
	}
	return marked, language
}

// fencedAs makes a block of code.
func fencedAs(info, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + info + "\n" + strings.TrimRight(text, "\r\n") + "\n" + fence
}

var (
	regionMark = regexp.MustCompile(`(?:^|[\s/*#;<!-])#?(end)?region\b[ \t]*([\w-]*)`)
	// sectionMark is the mark that snippets part a file with.
	sectionMark = regexp.MustCompile(`--8<--[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w-]+)[ \t]*\]`)
)

// region returns the lines between the marks of a region in comments, "// #region name" and the like, which are left
// out.
func region(text, name string) (string, bool) {
	return marked(text, name, func(line string) (string, bool, bool) {
		found := regionMark.FindStringSubmatch(line)
		if found == nil || !strings.Contains(line, "region") {
			return "", false, false
		}
		return found[2], found[1] == "", true
	})
}

// marked returns the lines between two marks with a name. mark says of a line which name it begins or ends, if it is a
// mark. An end without a name ends what was begun last.
func marked(text, name string, mark func(line string) (name string, begins, ok bool)) (string, bool) {
	var out strings.Builder
	inside, found := false, false
	for line := range strings.Lines(text) {
		each, begins, ok := mark(line)
		switch {
		case !ok && inside:
			out.WriteString(line)
		case ok && begins && each == name:
			inside, found = true, true
		case ok && !begins && (each == name || each == ""):
			inside = false
		}
	}
	return outdent(out.String()), found
}

// outdent takes away the spaces that all lines begin with.
func outdent(text string) string {
	least := -1
	for line := range strings.Lines(text) {
		if bare := strings.TrimLeft(line, " \t"); strings.TrimSpace(bare) != "" {
			if indent := len(line) - len(bare); least < 0 || indent < least {
				least = indent
			}
		}
	}
	if least <= 0 {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(line[min(least, len(line)-len(strings.TrimLeft(line, " \t"))):])
	}
	return out.String()
}

// between returns lines by their numbers, "" for the first and the last; without a comma one line.
func between(text, first, last string, ranged bool) string {
	lines := strings.SplitAfter(text, "\n")
	from, to := 1, len(lines)
	if n, err := strconv.Atoi(first); err == nil {
		from = max(1, n)
		if !ranged {
			to = n
		}
	}
	if n, err := strconv.Atoi(last); err == nil {
		to = n
	}
	if from > len(lines) || from > to {
		return ""
	}
	return strings.Join(lines[from-1:min(to, len(lines))], "")
}

var (
	// snippet is `--8<-- "file.md:2:4"`, with ";" before it where it is meant literally.
	snippet = regexp.MustCompile(`^([ \t]*)(;*)-+8<-+[ \t]+(?:"([^"\r\n]+)"|'([^'\r\n]+)')[ \t]*\r?\n?$`)
	// snippetEdge begins and ends a list of files, a line each.
	snippetEdge = regexp.MustCompile(`^[ \t]*-+8<-+[ \t]*\r?\n?$`)
)

// snippets puts in what lines with "--8<--" name, in code too.
func (in *inclusion) snippets(text string, around []string) string {
	var out strings.Builder
	listing := false
	for line := range strings.Lines(text) {
		if snippetEdge.MatchString(line) {
			listing = !listing
			continue
		}
		parts := snippet.FindStringSubmatch(line)
		switch {
		case listing && strings.TrimSpace(line) == "":
			continue
		case listing:
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			out.WriteString(in.snippet(line, indent, strings.TrimSpace(line), around))
		case parts == nil:
			out.WriteString(line)
		case parts[2] != "":
			out.WriteString(parts[1] + line[len(parts[1])+1:])
		default:
			out.WriteString(in.snippet(line, parts[1], parts[3]+parts[4], around))
		}
	}
	return out.String()
}

// snippet returns a file that a line names, or a part of it, indented as the line is.
func (in *inclusion) snippet(line, indent, target string, around []string) string {
	name, selection, _ := strings.Cut(target, ":")
	if strings.Contains(target, "://") {
		in.missing = append(in.missing, line)
		return line
	}
	text, place, ok := in.read(append(in.snippetPaths(name), in.from(in.file, name)), around)
	if ok && selection != "" {
		if _, _, isRange := lineRange(selection, 1); isRange {
			first, last, ranged := strings.Cut(selection, ":")
			text = between(text, first, last, ranged)
		} else {
			text, ok = marked(text, selection, func(line string) (string, bool, bool) {
				found := sectionMark.FindStringSubmatch(line)
				if found == nil {
					return "", false, false
				}
				return found[2], found[1] == "start", true
			})
		}
	}
	if !ok {
		in.missing = append(in.missing, line)
		return line
	}
	text = in.snippets(text, append(around[:len(around):len(around)], place))
	return indent + prefixLines(text, indent) + "\n"
}

// snippetPaths returns where a file to include may lie: in the root of the site, in the folders that the configuration
// names, and among the pages.
func (in *inclusion) snippetPaths(name string) []string {
	root := in.layout.site
	paths := []string{path.Join(root, name)}
	for _, folder := range in.layout.snippetFolders {
		paths = append(paths, path.Join(root, folder, name))
	}
	return append(paths, path.Clean(name), path.Join(in.layout.inner, name))
}

var (
	partialImport = regexp.MustCompile(
		`(?m)^import[ \t]+([A-Z]\w*)[ \t]+from[ \t]+['"]([^'"\r\n]+\.mdx?)['"][ \t]*;?[ \t]*\r?$`)
	partialUse = regexp.MustCompile(
		`^([ \t]*)<([A-Z]\w*)((?:[ \t][^<>\r\n]*?)?)(?:/>|>[ \t]*</([A-Z]\w*)>)[ \t]*\r?\n?$`)
	partialGiven = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|'([^']*)'|\{(?:"([^"]*)"|'([^']*)'|(\d+|true|false))\})`)
	partialValue = regexp.MustCompile(`\{[ \t]*(?:props\.)?(\w+)[ \t]*\}`)
)

// partials puts in the pages that a page of MDX imports and shows as components, with the texts that are given to them.
// What else is given is not known to their text, which stays as it is written.
func (in *inclusion) partials(text, file string, around []string) string {
	names := map[string]string{}
	for _, each := range partialImport.FindAllStringSubmatch(text, -1) {
		names[each[1]] = each[2]
	}
	named := in.layout.generator == generator.Mintlify && strings.Contains(text, "<Snippet")
	if len(names) == 0 && !named {
		return text
	}
	return fences.EachLine(text, func(line string, fenced bool) string {
		use := partialUse.FindStringSubmatch(line)
		if fenced || use == nil || use[4] != "" && use[4] != use[2] {
			return line
		}
		given := map[string]string{}
		for _, each := range partialGiven.FindAllStringSubmatch(use[3], -1) {
			given[each[1]] = strings.Join(each[2:], "")
		}
		target := names[use[2]]
		if target == "" && named && use[2] == "Snippet" && given["file"] != "" {
			target = "/" + path.Join("snippets", given["file"])
		}
		if target == "" {
			return line
		}
		included, place, ok := in.read(in.partialPaths(file, target), around)
		if !ok {
			in.missing = append(in.missing, line)
			return line
		}
		below := strings.TrimPrefix(strings.TrimPrefix(place, in.layout.inner), "/")
		included = in.partials(strings.Trim(withoutFront(included), "\n"), below,
			append(around[:len(around):len(around)], place))
		if len(given) > 0 {
			included = fences.EachLine(included, func(line string, fenced bool) string {
				if fenced {
					return line
				}
				return partialValue.ReplaceAllStringFunc(line, func(whole string) string {
					if value, ok := given[partialValue.FindStringSubmatch(whole)[1]]; ok {
						return value
					}
					return whole
				})
			})
		}
		return "\n" + use[1] + prefixLines(included, use[1]) + "\n\n"
	})
}

// partialPaths returns where an import may lead: beside the page, from the root of the site, and from that of the
// pages.
func (in *inclusion) partialPaths(file, target string) []string {
	if below, ok := strings.CutPrefix(target, "@site/"); ok {
		return []string{path.Join(path.Dir(in.layout.inner), below)}
	}
	if below, ok := strings.CutPrefix(target, "/"); ok {
		return []string{path.Join(in.layout.inner, below), below}
	}
	if below, ok := strings.CutPrefix(target, "@/"); ok {
		return []string{path.Join("src", below), below}
	}
	return []string{in.from(file, target)}
}
