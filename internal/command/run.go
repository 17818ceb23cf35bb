package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rectodocs/recto/internal/client"
)

const (
	defaultLimit = 50
	// pageLimit is the most that the API gives at once.
	pageLimit = 1000
	// maxBody bounds what is read into memory: a JSON body, or a JSON answer.
	maxBody = 256 << 20
)

// run calls an operation and shows the answer.
func run(c *cobra.Command, op Operation, args []string, host Host) error {
	body, contentType, err := body(c, op, host)
	if err != nil {
		return err
	}
	query, err := query(c, op)
	if err != nil {
		return err
	}
	remote, err := Remote(c, host)
	if err != nil {
		return err
	}
	path, err := path(c, op, args, remote, host)
	if err != nil {
		return err
	}
	if op.Paged {
		return list(c, remote, path, query, host)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	response, err := remote.Call(c.Context(), op.Method, path, contentType, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return show(c, response, host)
}

// path fills the operation's path.
func path(c *cobra.Command, op Operation, args []string, remote *client.Client, host Host) (string, error) {
	for i, value := range args {
		if value == "" || value == "." || value == ".." {
			return "", usage("%s must not be %q", argument(op.Arguments[i]), value)
		}
	}
	segments := strings.Split(op.Path, "/")
	next := 0
	for i, segment := range segments {
		switch name := strings.Trim(segment, "{}"); {
		case name == segment:
		case name == organizationParameter:
			organization, err := organization(c, remote, host)
			if err != nil {
				return "", err
			}
			segments[i] = url.PathEscape(organization)
		default:
			segments[i] = url.PathEscape(args[next])
			next++
		}
	}
	return strings.Join(segments, "/"), nil
}

// organization returns the organization that is meant: the one that is named, or the only one that there is.
func organization(c *cobra.Command, remote *client.Client, host Host) (string, error) {
	if named := setting(c, host, "org"); named != "" {
		return named, nil
	}
	var answer struct {
		Items []struct{ ID, Title string }
	}
	response, err := remote.Call(c.Context(), http.MethodGet, "/v1/orgs?limit=20", "", nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(io.LimitReader(response.Body, maxBody)).Decode(&answer); err != nil {
		return "", fmt.Errorf("read the list of organizations: %w", err)
	}
	switch len(answer.Items) {
	case 0:
		return "", errors.New("you are in no organization; recto org create makes one")
	case 1:
		return answer.Items[0].ID, nil
	}
	var names []string
	for _, each := range answer.Items {
		names = append(names, fmt.Sprintf("%s (%s)", each.ID, plain(each.Title)))
	}
	return "", usage("you are in more than one organization; give --org or RECTO_ORG: %s", strings.Join(names, ", "))
}

// query collects the parameters whose flags are given.
func query(c *cobra.Command, op Operation) (url.Values, error) {
	values := url.Values{}
	for _, field := range op.Query {
		value, given, err := value(c, field, flagName(field.Name))
		if err != nil {
			return nil, err
		}
		switch list, ok := value.([]string); {
		case !given:
			if field.Required {
				return nil, usage("--%s is needed", flagName(field.Name))
			}
		case ok:
			values.Set(field.Name, strings.Join(list, ","))
		default:
			values.Set(field.Name, fmt.Sprint(value))
		}
	}
	return values, nil
}

// value reads a flag as what its field holds, and reports whether it is given.
func value(c *cobra.Command, field Field, name string) (any, bool, error) {
	flags := c.Flags()
	if !flags.Changed(name) {
		return nil, false, nil
	}
	switch field.Type {
	case "boolean":
		value, err := flags.GetBool(name)
		return value, true, err
	case "array":
		value, err := flags.GetStringSlice(name)
		return value, true, err
	}
	text, err := flags.GetString(name)
	switch {
	case err != nil:
		return nil, true, err
	case text == "null" && field.Nullable:
		return nil, true, nil
	case field.Type == "string":
		return text, true, nil
	}
	var number json.Number
	if json.Unmarshal([]byte(text), &number) != nil || text == "" || text[0] == '"' {
		return nil, true, usage("--%s must be a number, not %q", name, text)
	}
	return number, true, nil
}

// body returns the request's body and its type.
func body(c *cobra.Command, op Operation, host Host) (io.Reader, string, error) {
	switch op.Media {
	case "":
		return nil, "", nil
	case "multipart/form-data":
		return files(c)
	}
	given, err := c.Flags().GetString("body")
	if err != nil {
		return nil, "", err
	}
	if op.Media != "application/json" {
		if given == "" {
			return nil, "", usage("--body names the file to send")
		}
		raw, err := read(given, host)
		return bytes.NewReader(raw), op.Media, err
	}
	raw := []byte(given)
	if given != "" && !strings.HasPrefix(strings.TrimSpace(given), "{") {
		if raw, err = read(given, host); err != nil {
			return nil, "", err
		}
	}
	fields := map[string]any{}
	for _, field := range op.Body {
		value, given, err := value(c, field, bodyFlag(op, field))
		if err != nil {
			return nil, "", err
		}
		if given {
			fields[field.Name] = value
		}
	}
	if len(raw) > 0 {
		var whole map[string]any
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if err := decoder.Decode(&whole); err != nil || decoder.More() {
			return nil, "", usage("--body must be one JSON object: a file, - for standard input, or JSON itself")
		}
		if whole == nil {
			whole = map[string]any{}
		}
		maps.Copy(whole, fields)
		fields = whole
	}
	encoded, err := json.Marshal(fields)
	return bytes.NewReader(encoded), op.Media, err
}

// files returns a form with the files that are given. It is read while it is sent.
func files(c *cobra.Command) (io.Reader, string, error) {
	names, err := c.Flags().GetStringArray("file")
	if err != nil {
		return nil, "", err
	}
	if len(names) == 0 {
		return nil, "", usage("--file names the file to send")
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return nil, "", fmt.Errorf("cannot send %s: it is no file that can be read", name)
		}
	}
	reader, writer := io.Pipe()
	context.AfterFunc(c.Context(), func() { reader.CloseWithError(context.Canceled) })
	form := multipart.NewWriter(writer)
	go func() {
		for _, name := range names {
			if err := addFile(form, name); err != nil {
				writer.CloseWithError(err)
				return
			}
		}
		writer.CloseWithError(form.Close())
	}()
	return reader, form.FormDataContentType(), nil
}

func addFile(form *multipart.Writer, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	defer file.Close()
	part, err := form.CreateFormFile("file", filepath.Base(name))
	if err != nil {
		return fmt.Errorf("send %s: %w", name, err)
	}
	if _, err := io.Copy(part, file); err != nil {
		return fmt.Errorf("send %s: %w", name, err)
	}
	return nil
}

// read reads a file whole, or standard input for -.
func read(name string, host Host) ([]byte, error) {
	reader := host.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, err)
		}
		defer file.Close()
		reader = file
	}
	raw, err := io.ReadAll(io.LimitReader(reader, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(raw) > maxBody {
		return nil, fmt.Errorf("%s is larger than %d MB", name, maxBody>>20)
	}
	return raw, nil
}

// list shows a list, following its pages as far as is asked.
func list(c *cobra.Command, remote *client.Client, path string, query url.Values, host Host) error {
	wanted, err := c.Flags().GetInt("limit")
	if err != nil {
		return err
	}
	if all, _ := c.Flags().GetBool("all"); all {
		wanted = int(^uint(0) >> 1)
	}
	if wanted < 1 {
		return usage("--limit must be at least 1")
	}
	var items []json.RawMessage
	var answer map[string]json.RawMessage
	var next struct{ Page string }
	for {
		query.Set("limit", fmt.Sprint(min(pageLimit, wanted-len(items))))
		raw, err := get(c.Context(), remote, path+"?"+query.Encode())
		if err != nil {
			return err
		}
		answer, next.Page = nil, ""
		var page []json.RawMessage
		if err := json.Unmarshal(raw, &answer); err != nil {
			return fmt.Errorf("read the server's answer: %w", err)
		}
		if err := json.Unmarshal(answer["items"], &page); err != nil {
			return fmt.Errorf("read the list in the server's answer: %w", err)
		}
		if found := answer["next"]; found != nil {
			if err := json.Unmarshal(found, &next); err != nil {
				return fmt.Errorf("read the server's answer: %w", err)
			}
		}
		items = append(items, page...)
		if next.Page == "" || len(page) == 0 || len(items) >= wanted {
			break
		}
		query.Set("page", next.Page)
	}
	if items == nil {
		items = []json.RawMessage{}
	}
	if answer["items"], err = json.Marshal(items); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	whole, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	if err := showJSON(c, whole, host); err != nil {
		return err
	}
	switch asJSON, _ := c.Flags().GetBool("json"); {
	case asJSON:
	case len(items) == 0:
		fmt.Fprintln(host.Stderr, "There is nothing to list.")
	case next.Page != "":
		total := string(answer["count"])
		fmt.Fprintf(host.Stderr, "%d of %s are shown; --limit N or --all shows more.\n", len(items),
			firstOf(total, "more"))
	}
	return nil
}

func get(ctx context.Context, remote *client.Client, path string) ([]byte, error) {
	response, err := remote.Call(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return answerOf(response)
}

// answerOf reads an answer whole.
func answerOf(response *http.Response) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read the server's answer: %w", err)
	}
	if len(raw) > maxBody {
		return nil, fmt.Errorf("the server's answer is larger than %d MB", maxBody>>20)
	}
	return raw, nil
}

// ExitCode returns the exit code for an error of a command: 2 for a wrong command line, 3 when the server asks for
// another token or for more rights, 4 when it has no such thing, 5 for a conflict, else 1.
func ExitCode(err error) int {
	if _, ok := errors.AsType[*Usage](err); ok {
		return 2
	}
	refusal, ok := errors.AsType[*client.Error](err)
	switch {
	case !ok:
		return 1
	case refusal.Status == http.StatusUnauthorized, refusal.Status == http.StatusForbidden:
		return 3
	case refusal.Status == http.StatusNotFound:
		return 4
	case slices.Contains([]int{http.StatusConflict, http.StatusPreconditionFailed}, refusal.Status):
		return 5
	}
	return 1
}
