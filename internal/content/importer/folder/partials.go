package folder

import (
	"path"
	"regexp"
	"strings"
)

var (
	partialImport = regexp.MustCompile(
		`(?m)^import[ \t]+([A-Z]\w*)[ \t]+from[ \t]+['"]([^'"\r\n]+\.mdx?)['"][ \t]*;?[ \t]*\r?$`)
	partialUse = regexp.MustCompile(`^([ \t]*)<([A-Z]\w*)(?:[ \t][^<>\r\n]*)?(?:/>|>[ \t]*</([A-Z]\w*)>)[ \t]*\r?\n?$`)
)

// partials puts in the pages that a page of MDX imports and shows as components. What is given to them is not known to
// their text, which stays as it is written.
func (in *inclusion) partials(text, file string, around []string) string {
	found := partialImport.FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		return text
	}
	names := map[string]string{}
	for _, each := range found {
		names[each[1]] = each[2]
	}
	return eachLine(text, func(line string, fenced bool) string {
		use := partialUse.FindStringSubmatch(line)
		if fenced || use == nil || use[3] != "" && use[3] != use[2] || names[use[2]] == "" {
			return line
		}
		included, place, ok := in.read(in.partialPaths(file, names[use[2]]), around)
		if !ok {
			in.missing = append(in.missing, line)
			return line
		}
		below := strings.TrimPrefix(strings.TrimPrefix(place, in.layout.inner), "/")
		included = in.partials(strings.Trim(withoutFront(included), "\n"), below,
			append(around[:len(around):len(around)], place))
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
