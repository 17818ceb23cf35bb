package client

import "strings"

// gitConfig is what a configuration file of Git says, by "section", "subsection" and "key" with NUL between; sections
// and keys are in lower case. Of values that are given several times it has the first of a remote's address, as Git
// fetches from that one, and otherwise the last.
type gitConfig map[string]string

// value returns a value, "" when it is not set.
func (c gitConfig) value(section, subsection, key string) string {
	return c[section+"\x00"+subsection+"\x00"+key]
}

// parseGitConfig reads a configuration file. What is not in its form is passed over, and files that it includes are not
// read.
func parseGitConfig(text string) gitConfig {
	c := gitConfig{}
	section, subsection := "", ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\r\n\uFEFF")
		switch {
		case text == "":
		case text[0] == '#', text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '[':
			section, subsection, text = parseSection(text[1:])
		default:
			var key, value string
			key, value, text = parseSetting(text)
			at := section + "\x00" + subsection + "\x00" + key
			if _, set := c[at]; key != "" && (!set || key != "url") {
				c[at] = value
			}
		}
	}
	return c
}

// parseSection reads the header of a section behind its bracket, and returns what follows it.
func parseSection(text string) (section, subsection, rest string) {
	at := strings.IndexAny(text, " \t]\n")
	if at < 0 {
		return "", "", ""
	}
	section, text = strings.ToLower(text[:at]), strings.TrimLeft(text[at:], " \t")
	if !strings.HasPrefix(text, `"`) {
		_, rest, _ = strings.Cut(text, "]")
		return section, "", rest
	}
	var name strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i < len(text) {
				name.WriteByte(text[i])
			}
			continue
		case '"':
			_, rest, _ = strings.Cut(text[i:], "]")
			return section, name.String(), rest
		case '\n':
			return "", "", text[i:]
		}
		name.WriteByte(text[i])
	}
	return "", "", ""
}

// parseSetting reads a line "key = value", with quotes, escapes, comments and continued lines, and returns what follows
// it.
func parseSetting(text string) (key, value, rest string) {
	at := strings.IndexAny(text, "=\n")
	if at < 0 || text[at] == '\n' {
		_, rest, _ = strings.Cut(text, "\n")
		return "", "", rest // a flag, or no setting at all
	}
	key = strings.ToLower(strings.TrimSpace(text[:at]))
	text = strings.TrimLeft(text[at+1:], " \t")
	var out strings.Builder
	quoted, kept := false, 0 // kept is how much stays when white space at the end goes
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case '\n':
				continue
			case 'n':
				out.WriteByte('\n')
			case 't':
				out.WriteByte('\t')
			default:
				out.WriteByte(text[i])
			}
			kept = out.Len()
		case c == '"':
			quoted = !quoted
		case c == '\n':
			return key, out.String()[:kept], text[i+1:]
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return key, out.String()[:kept], rest
		default:
			out.WriteByte(c)
			if quoted || c != ' ' && c != '\t' && c != '\r' {
				kept = out.Len()
			}
		}
	}
	return key, out.String()[:kept], ""
}
