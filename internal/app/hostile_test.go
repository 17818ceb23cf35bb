package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestOperationsForBadInput sends each operation of the document what it must refuse, one thing at a time beside a
// trial that is otherwise right: no token, ids that are nobody's, ids that are none, numbers and cursors out of range,
// values of another type, texts that are too long or that no database takes. Each is a clear 4xx, with the place for
// bodies and parameters, and none is answered with success.
func TestOperationsForBadInput(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		w := &world{Server: s.Hurry(), page: "http://192.0.2.1", offline: true}
		samples := w.samples()
		trials := maps.Clone(partA)
		maps.Copy(trials, partB)
		cursor := foreignCursor(s)
		deleted, member := w.samples(), s.Member(org.RoleCreate, "create@example.org")
		s.Call(http.MethodDelete, "/v1/spaces/"+deleted["spaceId"], nil, http.StatusNoContent, nil)
		for _, each := range operations(s) {
			what, ok := trials[each.id]
			if !ok {
				continue // TestOperationsForRoles says so
			}
			b := &badInput{Server: s, operation: each, samples: maps.Clone(samples), trial: what, cursor: cursor}
			if each.method == http.MethodGet && what.prepare != nil {
				what.prepare(s, b.samples)
			}
			operations := s.Document["paths"].(map[string]any)[each.pattern].(map[string]any)
			b.described = operations[strings.ToLower(each.method)].(map[string]any)
			if strings.Contains(each.pattern, "{spaceId}") && each.id != "restoreSpace" && each.id != "purgeSpace" &&
				b.samples["reusableContentId"] == "" {
				b.refused("a deleted space", b.Try(b.method, fill(t, each.pattern, deleted, url.PathEscape)+what.query,
					member, fill(t, what.body, b.known(), nil)), http.StatusNotFound)
			}
			b.token()
			b.ids()
			b.parameters()
			b.body()
		}
	})
}

// badInput tries one operation.
type badInput struct {
	*apptest.Server
	operation
	samples   map[string]string
	trial     trial
	described map[string]any
	cursor    string // of a list that is none of the operations'
}

// path is the operation's, with one parameter replaced, escaped, when name is not empty.
func (b *badInput) path(name, value string) string {
	samples := maps.Clone(b.samples)
	if name != "" {
		samples[name] = value
	}
	return fill(b.T, b.operation.pattern, samples, url.PathEscape) + b.trial.query
}

func (b *badInput) refused(what string, got apptest.Answer, want ...int) {
	b.T.Helper()
	if !slices.Contains(want, got.Status) {
		b.T.Errorf("%s: %s: status %d, want %v: %.200s", b.id, what, got.Status, want, got.Body)
		return
	}
	var said struct{ Error struct{ Message string } }
	if err := json.Unmarshal(got.Body, &said); err != nil || said.Error.Message == "" {
		b.T.Errorf("%s: %s: it says nothing: %.200s", b.id, what, got.Body)
	}
}

func (b *badInput) token() {
	b.refused("no token", b.Try(b.method, b.path("", ""), "", fill(b.T, b.trial.body, b.known(), nil)),
		http.StatusUnauthorized)
	b.refused("an unknown token", b.Try(b.method, b.path("", ""), "rct_"+strings.Repeat("a", 40), ""),
		http.StatusUnauthorized)
}

// known fills what a trial's own preparation would have made: bad input never gets that far.
func (b *badInput) known() map[string]string {
	all := maps.Clone(b.samples)
	for _, name := range parameter.FindAllString(b.trial.body, -1) {
		if name = strings.Trim(name, "{}"); all[name] == "" {
			all[name] = "none"
		}
	}
	return all
}

// makes are the operations that make what their address names, by the parameter for which any name will do.
var makes = map[string]string{"createOrUpdateOpenAPISpecBySlug": "specSlug", "publishIntegration": "integrationName"}

func (b *badInput) ids() {
	for _, name := range parameter.FindAllString(b.operation.pattern, -1) {
		name = strings.Trim(name, "{}")
		nobodys := b.samples[name]
		if prefix, _, ok := strings.Cut(nobodys, "_"); ok {
			nobodys = prefix + "_" + strings.Repeat("0", 26)
		} else {
			nobodys += "9999999"
		}
		body := fill(b.T, b.trial.body, b.known(), nil)
		if makes[b.id] == name {
			continue
		}
		statuses := []int{http.StatusNotFound, http.StatusBadRequest, http.StatusConflict, http.StatusMethodNotAllowed,
			http.StatusRequestURITooLong}
		if name != "emailDomain" { // any domain has a state
			b.refused("another "+name, b.Try(b.method, b.path(name, nobodys), b.Server.Token, body), statuses...)
		}
		for _, odd := range []string{"x", "0", "-1", "a\x00b", "\xff", "'; --", "🙂", "..", strings.Repeat("a", 3000)} {
			got := b.Try(b.method, b.path(name, odd), b.Server.Token, body)
			b.refused(fmt.Sprintf("%s %.10q", name, odd), got, statuses...)
		}
	}
}

// parameters tries those of the query.
func (b *badInput) parameters() {
	all, _ := b.described["parameters"].([]any)
	paged := slices.ContainsFunc(all, func(each any) bool { return each.(map[string]any)["name"] == "limit" })
	for _, each := range all {
		described := each.(map[string]any)
		if described["in"] != "query" {
			continue
		}
		name, schema := described["name"].(string), b.resolved(described["schema"])
		for _, bad := range b.badTexts(name, schema, paged) {
			separator := "?"
			base := b.path("", "")
			if strings.Contains(base, "?") {
				// The trial's own value of the same name goes.
				before, query, _ := strings.Cut(base, "?")
				values, err := url.ParseQuery(query)
				if err != nil {
					b.T.Fatal(err)
				}
				values.Del(name)
				base, separator = before+"?"+values.Encode(), "&"
			}
			got := b.Try(b.method, base+separator+url.QueryEscape(name)+"="+url.QueryEscape(bad), b.Server.Token,
				fill(b.T, b.trial.body, b.known(), nil))
			b.refused(fmt.Sprintf("query %s=%.20q", name, bad), got, http.StatusBadRequest)
		}
	}
}

// badTexts are values that a parameter of a schema must not take.
func (b *badInput) badTexts(name string, schema map[string]any, paged bool) []string {
	switch {
	case name == "page" && paged:
		if b.id == cursorFrom {
			return []string{"x", strings.Repeat("A", 3000)}
		}
		return []string{"x", b.cursor, strings.Repeat("A", 3000)}
	case name == "limit":
		return []string{"-1", "1001", "x", "1.5", "99999999999999999999"}
	}
	switch kind(schema) {
	case "integer", "number":
		return []string{"x"}
	case "boolean":
		return []string{"perhaps"}
	case "string":
		bad := []string{"a\x00b", "\xff"}
		if schema["enum"] != nil || schema["format"] == "date-time" {
			bad = append(bad, "no such value")
		}
		if most, ok := schema["maxLength"].(float64); ok {
			bad = append(bad, strings.Repeat("a", int(most)+1))
		}
		return bad
	case "array":
		if items := b.resolved(schema["items"]); items["enum"] != nil {
			return []string{"no such value"}
		}
	}
	return nil
}

// body tries each property of a JSON body in turn.
func (b *badInput) body() {
	request, _ := b.described["requestBody"].(map[string]any)
	content, _ := request["content"].(map[string]any)
	described, _ := content["application/json"].(map[string]any)
	if described == nil || b.trial.least == nobody {
		return
	}
	good := map[string]any{}
	if b.trial.body != "" {
		if err := json.Unmarshal([]byte(fill(b.T, b.trial.body, b.known(), nil)), &good); err != nil {
			b.T.Fatalf("%s: %v", b.id, err)
		}
	}
	for _, text := range []string{"{", "[]", `"text"`, "7", "null", "{\"a\": \"\xff\"}", strings.Repeat("[", 100_000)} {
		if text == "null" && b.trial.body == "" {
			continue // like no body
		}
		b.refused(fmt.Sprintf("the body %.10s", text), b.Try(b.method, b.path("", ""), b.Server.Token, text),
			http.StatusBadRequest)
	}
	schema := b.resolved(described["schema"])
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := b.resolved(properties[name])
		for what, bad := range badValues(property) {
			if what == "far too long" && b.OnPostgres() {
				continue // it is refused before the database would take it, or else SQLite takes it
			}
			if b.id == "readMarkdown" && (what == "a text with NUL" || what == "far too long") {
				continue // it reads any text, keeps nothing, and answers with what is wrong
			}
			if name == "script" && (what == "a text with NUL" || what == "far too long") {
				continue // a program of up to 5 MB, kept as bytes
			}
			mutated := maps.Clone(good)
			mutated[name] = bad
			encoded, err := json.Marshal(mutated)
			if err != nil {
				b.T.Fatal(err)
			}
			got := b.Try(b.method, b.path("", ""), b.Server.Token, string(encoded))
			// A text that names something may be that of nothing.
			b.refused(name+" is "+what, got, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
				http.StatusNotFound)
			if got.Status == http.StatusBadRequest && !strings.Contains(string(got.Body), name) {
				b.T.Errorf("%s: %s is %s: the answer does not name it: %.200s", b.id, name, what, got.Body)
			}
		}
	}
}

// farTooLong is longer than any text may be.
var farTooLong = strings.Repeat("a", 1_500_000)

// badValues are values that a property must not take, by what they are.
func badValues(schema map[string]any) map[string]any {
	switch kind(schema) {
	case "string":
		bad := map[string]any{"a number": 7, "an object": map[string]any{}, "a list": []any{},
			"a text with NUL": "a\x00b", "far too long": farTooLong}
		if schema["enum"] != nil {
			bad["an unknown value"] = "no such value"
		}
		if most, ok := schema["maxLength"].(float64); ok {
			bad["too long"] = strings.Repeat("a", int(most)+1)
		}
		return bad
	case "boolean":
		return map[string]any{"a text": "yes", "a number": 1}
	case "integer", "number":
		return map[string]any{"a text": "7", "a list": []any{}}
	case "array":
		return map[string]any{"a text": "a", "an object": map[string]any{}}
	case "object":
		return map[string]any{"a text": "a", "a list": []any{}, "a number": 7}
	}
	return nil
}

// kind is the one type of a schema, null aside; "" for anything else.
func kind(schema map[string]any) string {
	switch named := schema["type"].(type) {
	case string:
		return named
	case []any:
		for _, each := range named {
			if each != "null" {
				return each.(string)
			}
		}
	}
	return ""
}

// resolved follows a reference into the components.
func (b *badInput) resolved(schema any) map[string]any {
	described, _ := schema.(map[string]any)
	reference, ok := described["$ref"].(string)
	if !ok {
		return described
	}
	components := b.Document["components"].(map[string]any)["schemas"].(map[string]any)
	return b.resolved(components[reference[strings.LastIndexByte(reference, '/')+1:]])
}

// cursorFrom lists the organizations of the caller.
const cursorFrom = "listOrganizationsForAuthenticatedUser"

// foreignCursor is a real cursor of the list of cursorFrom.
func foreignCursor(s *apptest.Server) string {
	s.T.Helper()
	var list struct{ Next struct{ Page string } }
	s.Call(http.MethodPost, "/v1/orgs", `{"title":"Second"}`, http.StatusCreated, nil)
	s.Call(http.MethodGet, "/v1/orgs?limit=1", nil, http.StatusOK, &list)
	return list.Next.Page
}
