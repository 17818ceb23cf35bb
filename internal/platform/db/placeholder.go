package db

import "strings"

// rewrite returns the query as the dialect wants its placeholders. SQLite reads $1 as a parameter with the name "$1"
// and numbers such parameters by their first appearance; ?1 is what means the first argument there.
func rewrite(dialect Dialect, query string) string {
	if dialect != SQLite || strings.IndexByte(query, '$') < 0 {
		return query
	}
	out := []byte(query)
	for i := 0; i < len(query); {
		next := strings.IndexAny(query[i:], "$'\"`[-/") // nearly all of a query is none of these
		if next < 0 {
			break
		}
		i += next
		end := i + 1
		switch c := query[i]; {
		case c == '\'' || c == '"' || c == '`':
			// A doubled quote inside ends one part and begins the next, which comes to the same.
			end = after(query, end, string(c))
		case c == '[':
			end = after(query, end, "]")
		case c == '-' && strings.HasPrefix(query[i:], "--"):
			end = after(query, end, "\n")
		case c == '/' && strings.HasPrefix(query[i:], "/*"):
			end = after(query, end+1, "*/")
		case c == '$' && end < len(query) && isDigit(query[end]):
			out[i] = '?'
		}
		i = end
	}
	return string(out)
}

// after returns the offset behind the next occurrence of mark at or after start, or the end of the query.
func after(query string, start int, mark string) int {
	if at := strings.Index(query[start:], mark); at >= 0 {
		return start + at + len(mark)
	}
	return len(query)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
