package flavor

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// maxMarked is the longest block of code whose marked lines are looked for, in lines.
const maxMarked = 20_000

var (
	infoRanges   = regexp.MustCompile(`\{([\d,\s-]+)\}`)
	infoHugo     = regexp.MustCompile(`\bhl_lines\s*=\s*(?:"([^"]*)"|'([^']*)'|\[([^\]]*)\]|(\d[\d ,-]*))`)
	rangeParts   = regexp.MustCompile(`(\d+)(?:\s*-\s*(\d+))?`)
	comment      = `(?://|#|--|;|%|/\*|<!--|\{/\*)[ \t]*`
	commentClose = `[ \t]*(?:\*/\}?|-->)?[ \t]*$`
	magicNext    = regexp.MustCompile(`^[ \t]*` + comment + `highlight-next-line` + commentClose)
	magicStart   = regexp.MustCompile(`^[ \t]*` + comment + `highlight-start` + commentClose)
	magicEnd     = regexp.MustCompile(`^[ \t]*` + comment + `highlight-end` + commentClose)
	codeMark     = regexp.MustCompile(`[ \t]*` + comment +
		`\[!code (?:highlight|hl|focus|warning|error|info)(?::(\d+))?\]` + commentClose)
)

// markedLines returns the numbers of the lines that stand behind a fence as those to be shown marked.
func markedLines(info string) map[int]bool {
	written := ""
	if found := infoHugo.FindStringSubmatch(info); found != nil {
		written = found[1] + found[2] + found[3] + found[4]
	} else if found := infoRanges.FindStringSubmatch(info); found != nil {
		written = found[1]
	}
	if written == "" {
		return nil
	}
	marked := map[int]bool{}
	for _, part := range rangeParts.FindAllStringSubmatch(written, 100) {
		from, _ := strconv.Atoi(part[1])
		to, err := strconv.Atoi(part[2])
		if err != nil {
			to = from
		}
		for line := from; line <= min(to, from+maxMarked, maxMarked); line++ {
			marked[line] = true
		}
	}
	return marked
}

// markedCode writes a block of code with lines that are marked, behind its fence or by comments in it, in the form that
// the dialect has for that; false for one without.
func markedCode(lines []string, f fence, language, title string, numbers bool) ([]string, bool) {
	if len(lines) > maxMarked {
		return nil, false
	}
	inner := lines[1:]
	if last := len(inner) - 1; last >= 0 && f.closes(inner[last]) {
		inner = inner[:last]
	}
	marked := markedLines(f.info)
	text := strings.Join(inner, "\n")
	if len(marked) == 0 && !strings.Contains(text, "highlight-") && !strings.Contains(text, "[!code ") {
		return nil, false
	}
	data := &doc.CodeData{Syntax: language, Title: title}
	if numbers {
		data.LineNumbers = new(true)
	}
	block := doc.NewBlock(doc.Code, data)
	next, open, any := 0, false, false
	for _, line := range inner {
		line = strings.TrimPrefix(line, f.indent)
		switch {
		case magicNext.MatchString(line):
			next = 1
			continue
		case magicStart.MatchString(line):
			open = true
			continue
		case magicEnd.MatchString(line):
			open = false
			continue
		}
		if at := codeMark.FindStringSubmatchIndex(line); at != nil {
			next = 1
			if at[2] >= 0 {
				next, _ = strconv.Atoi(line[at[2]:at[3]])
			}
			line = line[:at[0]]
		}
		made := doc.NewCodeLine(line)
		if marked[len(block.Nodes)+1] || open || next > 0 {
			made.Data = &doc.CodeLineData{Highlighted: true}
			any = true
		}
		next = max(0, next-1)
		block.Nodes = append(block.Nodes, made)
	}
	if !any {
		return nil, false
	}
	written := strings.TrimSuffix(string(markdown.Write(&doc.Document{Nodes: []*doc.Node{block}})), "\n")
	return indentLines(f.indent, strings.Split(written, "\n")), true
}
