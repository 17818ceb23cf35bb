package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
)

// show shows an answer: JSON as a table or as it is, other content byte for byte.
func show(c *cobra.Command, response *http.Response, host Host) error {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == "application/json" || strings.HasSuffix(kind, "+json") {
		raw, err := answerOf(response)
		if err != nil {
			return err
		}
		return showJSON(c, raw, host)
	}
	return write(c, host, func(w io.Writer) error {
		if _, err := io.Copy(w, response.Body); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		return nil
	})
}

// showJSON shows JSON, with --json as it is and else as a table.
func showJSON(c *cobra.Command, raw []byte, host Host) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	asJSON, err := c.Flags().GetBool("json")
	if err != nil {
		return err
	}
	return write(c, host, func(w io.Writer) error {
		if asJSON {
			_, err := w.Write(append(raw, '\n'))
			return err
		}
		return table(w, raw)
	})
}

// write hands out standard output, or the new file that --output names.
func write(c *cobra.Command, host Host, to func(io.Writer) error) error {
	name, err := c.Flags().GetString("output")
	if err != nil || name == "" {
		return errors.Join(err, to(host.Stdout))
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return errors.Join(to(file), file.Close())
}

// columns are what a list shows of its items, as far as they have it; the first of each group.
var columns = [][]string{{"id", "name"}, {"number"}, {"slug", "subdomain", "hostname"}, {"title", "displayName", "name",
	"label", "subject", "source", "expression", "fullName"}, {"email"}, {"path"}, {"type"},
	{"status", "state", "role", "visibility", "published"}, {"action"}, {"updatedAt", "createdAt", "at"}}

// table writes an answer for people: a row for each item of a list, or a line for each field of one thing. Text of
// others cannot steer the terminal.
func table(w io.Writer, raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var answer any
	if err := decoder.Decode(&answer); err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	object, _ := answer.(map[string]any)
	list, ok := answer.([]any)
	for _, name := range []string{"items", "pages"} {
		if found, isList := object[name].([]any); isList && !ok {
			list, ok = found, true
		}
	}
	switch {
	case ok:
		rows(out, flatten(list, 0))
	case object != nil:
		fields(out, "", object, 2)
	default:
		fmt.Fprintln(out, text(answer))
	}
	return out.Flush()
}

// flatten puts what lies below a page behind it. Depth is bounded.
func flatten(list []any, depth int) []map[string]any {
	var out []map[string]any
	for _, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			object = map[string]any{"name": item}
		}
		out = append(out, named(object))
		if below, ok := object["pages"].([]any); ok && depth < 100 {
			out = append(out, flatten(below, depth+1)...)
		}
	}
	return out
}

// named gives an item that has no name the name of what it is about, as a member has that of its user.
func named(item map[string]any) map[string]any {
	labels := []string{"title", "displayName", "name", "email"}
	if slices.ContainsFunc(labels, func(label string) bool { return text(item[label]) != "" }) {
		return item
	}
	for _, about := range []string{"user", "team", "space", "site", "actor", "integration"} {
		if inner, ok := item[about].(map[string]any); ok {
			item = maps.Clone(item)
			for _, label := range append(labels, "id") {
				if _, has := item[label]; !has {
					item[label] = inner[label]
				}
			}
			return item
		}
	}
	return item
}

func rows(out io.Writer, items []map[string]any) {
	var shown []string
	for _, group := range columns {
		for _, name := range group {
			if slices.ContainsFunc(items, func(item map[string]any) bool { return text(item[name]) != "" }) &&
				!slices.Contains(shown, name) {
				shown = append(shown, name)
				break
			}
		}
	}
	if len(shown) == 0 {
		for _, item := range items {
			raw, err := json.Marshal(item)
			if err == nil {
				fmt.Fprintln(out, plain(string(raw)))
			}
		}
		return
	}
	fmt.Fprintln(out, strings.ToUpper(strings.Join(shown, "\t")))
	for _, item := range items {
		cells := make([]string, len(shown))
		for i, name := range shown {
			cells[i] = short(text(item[name]))
		}
		fmt.Fprintln(out, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
}

// fields writes the fields of one thing, id and title first.
func fields(out io.Writer, prefix string, object map[string]any, depth int) {
	names := slices.Sorted(maps.Keys(object))
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range names {
		switch value := object[name].(type) {
		case map[string]any:
			if depth > 1 {
				fields(out, prefix+name+".", value, depth-1)
			}
		case []any:
			var texts []string
			for _, each := range value {
				if shown := text(each); shown != "" {
					texts = append(texts, shown)
				}
			}
			if len(texts) == len(value) && len(texts) > 0 {
				fmt.Fprintf(out, "%s\t%s\n", plain(prefix+name), strings.Join(texts, ", "))
			} else if len(value) > 0 {
				fmt.Fprintf(out, "%s\t%d (--json shows them)\n", plain(prefix+name), len(value))
			}
		default:
			if shown := text(value); shown != "" {
				fmt.Fprintf(out, "%s\t%s\n", plain(prefix+name), shown)
			}
		}
	}
}

func rank(name string) int {
	for i, first := range []string{"id", "number", "title", "name", "displayName", "subject"} {
		if name == first {
			return i
		}
	}
	return 100
}

// text returns a plain value as it is shown, "" for nothing and for what is no plain value.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return plain(value)
	case bool:
		return strconv.FormatBool(value)
	case json.Number:
		return value.String()
	}
	return ""
}

// plain replaces what would steer a terminal or the direction of its text.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// maxCell is the most characters that a list shows of a value.
const maxCell = 60

func short(s string) string {
	runes := []rune(s)
	if len(runes) <= maxCell {
		return s
	}
	return string(runes[:maxCell-1]) + "…"
}
