package render

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// token is a stretch of one line with the class that colours it, "" for plain text.
type token struct{ class, text string }

// highlight cuts lines of code into coloured tokens. Nil means plain: no such language, or over a limit. The tokens of
// a line always join to its text.
func (p *page) highlight(lines []codeLine, language string) [][]token {
	size, longest := 0, 0
	for _, line := range lines {
		size += len(line.text) + 1
		longest = max(longest, len(line.text))
	}
	if longest > maxHighlightedLine || language == "" || size > p.options.Limits.CodeBlock || size > p.codeLeft ||
		time.Now().After(p.codeUntil) {
		return nil
	}
	lexer := lexersByName()[language]
	if lexer == nil {
		return nil
	}
	p.codeLeft -= size
	var source strings.Builder
	for _, line := range lines {
		source.WriteString(line.text)
		source.WriteByte('\n')
	}
	tokens := p.tokens(lexer, source.String())
	if tokens == nil || !joins(tokens, lines) {
		return nil
	}
	return tokens
}

// maxHighlightedLine is the longest line, in bytes, of a block that is highlighted: lexers backtrack within lines.
const maxHighlightedLine = 1000

// tokens runs a lexer beside this goroutine and gives it up at the page's deadline. Lexers are other people's regular
// expressions: one step can take seconds, and nothing but the step itself can end it, so one that is given up goes on
// to the end of its step. The deadline is then over, so a page leaves at most one behind.
func (p *page) tokens(lexer chroma.Lexer, source string) [][]token {
	result := make(chan [][]token, 1)
	until := p.codeUntil
	go func() { result <- tokenise(lexer, source, until) }()
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case lines := <-result:
		return lines
	case <-timer.C:
	case <-p.ctx.Done():
	}
	return nil
}

// lexersByName maps the names, aliases, file extensions and file names of languages, in lower case, to their lexers.
// The registry's own search goes through every file pattern, which a page of unknown languages would pay for each time.
var lexersByName = sync.OnceValue(func() map[string]chroma.Lexer {
	index := map[string]chroma.Lexer{}
	add := func(name string, lexer chroma.Lexer) {
		name = strings.ToLower(name)
		if name != "" && !strings.ContainsAny(name, "*?[") && index[name] == nil {
			index[name] = lexer
		}
	}
	all := slices.Clone(lexers.GlobalLexerRegistry.Lexers)
	slices.SortStableFunc(all, func(a, b chroma.Lexer) int {
		return cmp.Or(cmp.Compare(b.Config().Priority, a.Config().Priority), strings.Compare(a.Config().Name,
			b.Config().Name))
	})
	all = slices.DeleteFunc(all, func(l chroma.Lexer) bool { return strings.EqualFold(l.Config().Name, "plaintext") })
	for _, lexer := range all {
		add(lexer.Config().Name, lexer)
	}
	for _, lexer := range all {
		for _, alias := range lexer.Config().Aliases {
			add(alias, lexer)
		}
	}
	for _, lexer := range all {
		for _, pattern := range lexer.Config().Filenames {
			add(strings.TrimPrefix(pattern, "*."), lexer)
		}
	}
	return index
})

// tokenise runs a lexer until a deadline, which makes it nil. A lexer that panics costs the colours, not the page.
func tokenise(lexer chroma.Lexer, source string, until time.Time) (lines [][]token) {
	defer func() {
		if recover() != nil {
			lines = nil
		}
	}()
	next, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root"}, source)
	if err != nil {
		return nil
	}
	line := []token{}
	for count := 0; ; count++ {
		t := next()
		if t == chroma.EOF {
			return append(lines, line)
		}
		if count%64 == 0 && time.Now().After(until) {
			return nil
		}
		class := classOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, line)
				line = nil
			}
			switch {
			case part == "":
			case strings.Trim(part, " \t") == "":
				// Blanks have no colour to carry.
				line = append(line, token{text: part})
			default:
				line = append(line, token{class: class, text: part})
			}
		}
	}
}

// classOf is the short class of a token type, or of the nearest type above it that has one.
func classOf(t chroma.TokenType) string {
	for t != 0 {
		if class, ok := chroma.StandardTypes[t]; ok {
			return class
		}
		t = t.Parent()
	}
	return ""
}

// joins reports whether tokens hold exactly the lines: lexers may change line ends or lose text.
func joins(tokens [][]token, lines []codeLine) bool {
	for i, line := range lines {
		if i >= len(tokens) {
			return false
		}
		rest := line.text
		for _, t := range tokens[i] {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, t.text); !ok {
				return false
			}
		}
		if rest != "" {
			return false
		}
	}
	return true
}
