package flavor

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// Extensions of Python-Markdown, by the names that configurations give them. Signs that stand for something with one of
// them are text without it.
const (
	abbreviations = "abbr"
	// Formulas are those between signs of money; other tools have them under other names.
	Formulas       = "pymdownx.arithmatex"
	insertions     = "pymdownx.caret"
	critique       = "pymdownx.critic"
	inlineLanguage = "pymdownx.inlinehilite"
	markings       = "pymdownx.mark"
	smartSymbols   = "pymdownx.smartsymbols"
	lowered        = "pymdownx.tilde"
)

// bundles are extensions that stand for others.
var bundles = map[string][]string{
	"extra": {abbreviations}, "markdown.extensions.extra": {abbreviations}, "pymdownx.extra": {abbreviations},
	"markdown.extensions.abbr": {abbreviations},
}

// extend notes the extensions that a site has.
func (r *rewriter) extend(extensions []string) {
	r.extensions = map[string]bool{}
	for _, name := range extensions {
		r.extensions[name] = true
		for _, other := range bundles[name] {
			r.extensions[other] = true
		}
	}
}

var (
	// kept is what signs mean nothing in: formulas, destinations, elements and addresses.
	kept = regexp.MustCompile(`\$\$[^$]+\$\$|\]\([^()\s]*(?:\s"[^"]*")?\)|\]:\s*\S+|<!--.*?-->|</?[a-zA-Z][^<>]*>|` +
		`\{%.*?%\}|https?://[^\s<>)]+|\\[\^~=+$(]`)
	formula = regexp.MustCompile(`(^|[^\\$\w])\$([^\s$](?:[^$]*[^\s$\\])?)\$($|[^$\w])|\\\((.+?)\\\)`)

	criticInsert  = regexp.MustCompile(`\{\+\+(.+?)\+\+\}`)
	criticDelete  = regexp.MustCompile(`\{--(.+?)--\}`)
	criticReplace = regexp.MustCompile(`\{~~(.+?)~>(.+?)~~\}`)
	criticMark    = regexp.MustCompile(`\{==(.+?)==\}`)
	criticRemark  = regexp.MustCompile(`\{>>(.+?)<<\}`)
	criticLine    = regexp.MustCompile(`^[ \t]*(?:\{==|==\}|\{\+\+|\+\+\})[ \t]*$`)

	insertion   = regexp.MustCompile(`\^\^([^\s^](?:.*?[^\s^])?)\^\^`)
	superscript = regexp.MustCompile(`\^([^\s^]+)\^`)
	subscript   = regexp.MustCompile(`(^|[^~])~([^\s~]+)~($|[^~])`)
	marking     = regexp.MustCompile(`==([^\s=](?:.*?[^\s=])?)==`)
	languageOf  = regexp.MustCompile("(^|[^`])`(?:#!|:::)[\\w+#-]+ +([^`]+)`($|[^`])")

	ordinal = regexp.MustCompile(`\b(\d*1st|\d*2nd|\d*3rd|\d*[04-9]th|\d*1[123]th)\b`)
)

// symbols are signs that are written for others.
var symbols = strings.NewReplacer("(tm)", "™", "(c)", "©", "(r)", "®", "+/-", "±", "=/=", "≠", "<-->", "↔", "-->", "→",
	"<--", "←")

// fractions are those that have a sign of their own.
var fractions = map[string]string{"1/4": "¼", "1/2": "½", "3/4": "¾", "1/3": "⅓", "2/3": "⅔", "1/5": "⅕", "2/5": "⅖",
	"3/5": "⅗", "4/5": "⅘", "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞"}

var fraction = regexp.MustCompile(`\d+/\d+`)

// python rewrites what extensions of Python-Markdown add within a text that is no code.
func (r *rewriter) python(text string) string {
	if len(r.extensions) == 0 {
		return text
	}
	if r.extensions[Formulas] {
		text = formula.ReplaceAllString(text, "$1$$$$$2$4$$$$$3")
	}
	if r.extensions[critique] {
		text = outside(kept, text, func(text string) string {
			text = criticReplace.ReplaceAllString(text, "<del>$1</del><ins>$2</ins>")
			text = criticInsert.ReplaceAllString(text, "<ins>$1</ins>")
			text = criticDelete.ReplaceAllString(text, "<del>$1</del>")
			text = criticMark.ReplaceAllString(text, "<mark>$1</mark>")
			return criticRemark.ReplaceAllString(text, " <em>$1</em>")
		})
	}
	return outside(kept, text, func(text string) string {
		if r.extensions[insertions] {
			text = insertion.ReplaceAllString(text, "<ins>$1</ins>")
			text = superscript.ReplaceAllString(text, "<sup>$1</sup>")
		}
		if r.extensions[lowered] {
			text = subscript.ReplaceAllString(text, "$1<sub>$2</sub>$3")
		}
		if r.extensions[markings] {
			text = marking.ReplaceAllString(text, "<mark>$1</mark>")
		}
		if r.extensions[smartSymbols] {
			text = fraction.ReplaceAllStringFunc(symbols.Replace(text), func(written string) string {
				if sign := fractions[written]; sign != "" {
					return sign
				}
				return written
			})
			text = ordinal.ReplaceAllStringFunc(text, func(written string) string {
				number, ending := written[:len(written)-2], written[len(written)-2:]
				if number == "" {
					return written
				}
				return number + "<sup>" + ending + "</sup>"
			})
		}
		return text
	})
}

// outside rewrites the parts of a text that an expression does not find.
func outside(found *regexp.Regexp, text string, rewrite func(string) string) string {
	var out strings.Builder
	last := 0
	for _, at := range found.FindAllStringIndex(text, -1) {
		out.WriteString(rewrite(text[last:at[0]]))
		out.WriteString(text[at[0]:at[1]])
		last = at[1]
	}
	out.WriteString(rewrite(text[last:]))
	return out.String()
}

// maxAbbreviations is how many abbreviations of a page are followed.
const maxAbbreviations = 1000

var abbreviation = regexp.MustCompile(`^ {0,3}\*\[([^\]\\]+)\][ \t]?:[ \t]*(\S.*?)[ \t]*$`)

// takeAbbreviations takes the abbreviations of a page out of its lines: words say what they are short for where they
// stand.
func (r *rewriter) takeAbbreviations(lines []string) []string {
	if !r.extensions[abbreviations] {
		return lines
	}
	var out []string
	r.short = map[string]string{}
	for i := 0; i < len(lines); {
		if f, ok := openFence(lines[i]); ok {
			end := fenceEnd(lines, i, f)
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		if m := abbreviation.FindStringSubmatch(lines[i]); m != nil && len(r.short) < maxAbbreviations {
			r.short[m[1]] = m[2]
			out = append(out, "")
		} else {
			out = append(out, lines[i])
		}
		i++
	}
	if len(r.short) == 0 {
		return out
	}
	var words []string
	for word := range r.short {
		words = append(words, regexp.QuoteMeta(word))
	}
	// The longest first: one may begin with another.
	slices.SortFunc(words, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	r.shortWords = regexp.MustCompile(`\b(?:` + strings.Join(words, "|") + `)\b`)
	return out
}

// abbreviated writes abbreviations in a text as what the words are short for.
func (r *rewriter) abbreviated(text string) string {
	if r.shortWords == nil {
		return text
	}
	return outside(kept, text, func(text string) string {
		return r.shortWords.ReplaceAllStringFunc(text, func(word string) string {
			return `<abbr title="` + html.EscapeString(r.short[word]) + `">` + word + "</abbr>"
		})
	})
}

// keyNames are what is written on keys that are not called as they look.
var keyNames = map[string]string{"ctrl": "Ctrl", "control": "Ctrl", "del": "Del", "delete": "Del", "esc": "Esc",
	"escape": "Esc", "ins": "Ins", "insert": "Ins", "return": "Enter", "cmd": "Cmd", "command": "Cmd", "windows": "Win",
	"spc": "Space", "pgup": "Page Up", "pgdn": "Page Down", "pg-up": "Page Up", "pg-dn": "Page Down",
	"page-dn": "Page Down", "bksp": "Backspace", "prtsc": "Print Screen", "arrow-up": "Up", "arrow-down": "Down",
	"arrow-left": "Left", "arrow-right": "Right", "plus": "+", "minus": "-", "hyphen": "-", "opt": "Option",
	"fn": "Fn", "function": "Fn", "alt-graph": "AltGr", "altgr": "AltGr", "context-menu": "Menu", "num-plus": "Num +",
	"num-minus": "Num -", "num-asterisk": "Num *", "num-slash": "Num /", "num-delete": "Num Del", "tabulator": "Tab",
	"backslash": `\`, "bar": "|", "pipe": "|", "brace-left": "{", "brace-right": "}", "bracket-left": "[",
	"bracket-right": "]", "colon": ":", "comma": ",", "double-quote": `"`, "single-quote": "'", "equal": "=",
	"exclam": "!", "grave": "`", "greater": ">", "less": "<", "period": ".", "question": "?", "semicolon": ";",
	"slash": "/", "tilde": "~", "underscore": "_", "caps": "Caps Lock", "lctrl": "Left Ctrl", "rctrl": "Right Ctrl",
	"lshift": "Left Shift", "rshift": "Right Shift", "lalt": "Left Alt", "ralt": "Right Alt"}

// keyName is what is written on a key: a name, or a text in quotation marks that stands for itself.
func keyName(name string) string {
	if text, ok := strings.CutPrefix(name, `"`); ok {
		return strings.TrimSpace(strings.TrimSuffix(text, `"`))
	}
	if known := keyNames[name]; known != "" {
		return known
	}
	words := strings.Split(name, "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}

// keyText writes a key so that its sign stands for itself in Markdown.
func keyText(name string) string {
	text := html.EscapeString(keyName(name))
	if strings.Trim(text, "\\|{}[]*`_~") == "" {
		text = "\\" + text
	}
	return "<kbd>" + text + "</kbd>"
}

var tableRule = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// table rewrites a table of MkDocs in which code has pipes: they part no cells there, and do here unless a backslash
// stands before them.
func (r *rewriter) table(lines []string, i int) (int, []string, bool) {
	if r.of != generator.MkDocs || i+1 >= len(lines) || !strings.Contains(lines[i], "|") ||
		!strings.Contains(lines[i+1], "|") || !tableRule.MatchString(lines[i+1]) {
		return 0, nil, false
	}
	end := paragraphEnd(lines, i)
	made := make([]string, 0, end-i)
	for _, line := range lines[i:end] {
		made = append(made, r.inline(withPipes(line)))
	}
	return end, made, true
}

// withPipes writes a backslash before the pipes in the code of a line.
func withPipes(line string) string {
	var out strings.Builder
	for {
		start, end := firstCode(line)
		if end < 0 {
			break
		}
		code := strings.ReplaceAll(line[start:end], `\|`, "|")
		out.WriteString(line[:start] + strings.ReplaceAll(code, "|", `\|`))
		line = line[end:]
	}
	return out.String() + line
}
