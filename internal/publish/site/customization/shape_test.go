package customization

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/propertytest"
)

// plain is a customization as JSON means it.
func plain(t *testing.T, c Customization) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(encoded, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestReadCustomizationNamesWhatIsWrong(t *testing.T) {
	link := func(to string) string { return `[{"title":"A","links":[],"to":` + to + `}]` }
	font := func(rest string) string { return `{"id":"f","custom":true,"fontFamily":"F",` + rest + `}` }
	tests := []struct {
		way, value string // JSON; "" takes it away
		path       string // of the problem; "" for none
		message    string
	}{
		{"styling.theme", `"neon"`, "styling.theme", "one of clean, muted, bold, gradient is"},
		{"styling.theme", `3`, "styling.theme", "is a number"},
		{"styling.theme", ``, "styling.theme", "is missing"},
		{"styling.theme", `null`, "styling.theme", "may not be null"},
		{"styling", `[]`, "styling", "is an array; an object is accepted"},
		{"styling", ``, "styling", "is missing"},
		{"styling.primaryColor.light", `"red"`, "styling.primaryColor.light", "is no colour"},
		{"styling.primaryColor.light", `"#12345"`, "styling.primaryColor.light", "is no colour"},
		{"styling.primaryColor.light", `"#12345g"`, "styling.primaryColor.light", "is no colour"},
		{"styling.primaryColor.dark", `"#aBc"`, "", ""},
		{"styling.primaryColor.dark", ``, "styling.primaryColor.dark", "is missing"},
		{"styling.tint", `{"color":{"light":"#000"}}`, "styling.tint.color.dark", "is missing"},
		{"styling.tint", `null`, "", ""},
		{"styling.font", `"Comic"`, "styling.font", "is not accepted"},
		{"styling.font", `"FiraCode"`, "styling.font", "is not accepted"},
		{"styling.monospaceFont", `"FiraCode"`, "", ""},
		{"styling.headingFont", `"Lato"`, "", ""},
		{"styling.font",
			font(`"fontFaces":[{"weight":400,"sources":[{"url":"https://a.example/f.woff2","format":"woff2"}]}]`), "",
			""},
		{"styling.font", font(`"fontFaces":[]`), "styling.font.fontFaces", "is empty"},
		{"styling.font", font(`"fontFaces":[{"weight":1001,"sources":[{"url":"https://a.example/f"}]}]`),
			"styling.font.fontFaces[0].weight", "is no weight"},
		{"styling.font", font(`"fontFaces":[{"weight":400,"sources":[{"url":"file:///f"}]}]`),
			"styling.font.fontFaces[0].sources[0].url", "https://"},
		{"styling.font",
			`{"id":"f","custom":true,"fontFamily":"\"};x","fontFaces":[{"weight":1,"sources":[{"url":"https://a.example/f"}]}]}`, "styling.font.fontFamily", "quotes"},
		{"styling.codeTheme", `{"default":{"light":"nope","dark":"nord"}}`, "styling.codeTheme.default.light",
			"is not accepted"},
		{"styling.codeTheme", ``, "", ""},
		{"styling.sidebar.list", `"dots"`, "styling.sidebar.list", "default, pill, line"},
		{"internationalization.locale", `"tlh"`, "internationalization.locale", "pt-br"},
		{"title", `"x"`, "title", "from 2 to 128"},
		{"localizedTitle", `{"fr":"Guide","no such!":"x"}`, "localizedTitle", "is no language"},
		{"favicon", `{"emoji":"rocket"}`, "favicon.emoji", "is no emoji"},
		{"favicon", `{"emoji":"1f680"}`, "", ""},
		{"favicon", `{"emoji":"🚀"}`, "", ""},
		{"favicon", `{"emoji":"🚀","icon":{"light":"https://a.example/i","dark":"https://a.example/i"}}`, "favicon",
			"both"},
		{"favicon", `{"icon":{"light":"javascript:alert(1)","dark":"https://a.example/i"}}`, "favicon.icon.light",
			"https://"},
		{"header.logo", `{"light":"//a.example/i","dark":"https://a.example/i"}`, "header.logo.light", "https://"},
		{"header.logo", `{"light":"https://u:p@a.example/i","dark":"https://a.example/i"}`, "header.logo.light",
			"user name"},
		{"header.links", link(`null`), "", ""},
		{"header.links", `[{"title":"A","links":[]}]`, "header.links[0].to", "is missing"},
		{"header.links", link(`{"kind":"url","url":"javascript:alert(1)"}`), "header.links[0].to.url", "is no address"},
		{"header.links", link(`{"kind":"url","url":"/a?b=c"}`), "", ""},
		{"header.links", link(`{"kind":"page"}`), "header.links[0].to.page", "is missing"},
		{"header.links", link(`{"kind":"page","page":"page_1","space":3}`), "header.links[0].to.space", "is a number"},
		{"header.links", link(`{"kind":"galaxy"}`), "header.links[0].to.kind", "reusable-content"},
		{"header.links", link(`"page_1"`), "header.links[0].to", "is a text"},
		{"header.links", `[{"title":"A","links":[],"to":null,"condition":"visitor.claims. ="}]`,
			"header.links[0].condition", "is no expression"},
		{"header.links", `[{"title":"A","links":[],"to":null,"condition":"visitor.claims.beta"}]`, "", ""},
		{"header.links", `[{"title":"A","to":null,"links":[{"title":"B","to":null}]}]`, "header.links[0].links[0].to",
			"may not be null"},
		{"header.links", "[" + strings.Repeat(`{"title":"A","to":null,"links":[]},`, maxLinks) +
			`{"title":"A","to":null,"links":[]}]`, "header.links", "has 61 entries"},
		{"footer.groups", `[{"title":"A","links":[{"title":"` + strings.Repeat("x", 65) +
			`","to":{"kind":"url","url":"https://a.example"}}]}]`, "footer.groups[0].links[0].title", "from 0 to 64"},
		{"footer.copyright", `"a\u0000b"`, "footer.copyright", "control characters"},
		{"announcement", `{"enabled":true,"message":"x","style":"info"}`, "announcement.message", "from 2 to 128"},
		{"announcement", `{"enabled":true,"message":"Hello","style":"loud"}`, "announcement.style",
			"info, warning, danger, success"},
		{"themes.toggeable", `"yes"`, "themes.toggeable", "true or false"},
		{"themes.default", `"system"`, "", ""},
		{"privacyPolicy.url", `"ftp://a.example"`, "privacyPolicy.url", "https://"},
		{"privacyPolicy.url", `"https://a.example/` + strings.Repeat("x", 2048) + `"`, "privacyPolicy.url",
			"characters"},
		{"socialAccounts", `[{"platform":"myspace","handle":"a"}]`, "socialAccounts[0].platform", "is not accepted"},
		{"ai.suggestions", `["ab"]`, "ai.suggestions[0]", "from 3 to 64"},
		{"ai.instructions", `"Be brief.\nBe kind."`, "", ""},
		{"insights", `{}`, "insights.trackingCookie", "is missing"},
		{"unknown", `{"a":1}`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.way+"="+test.value[:min(len(test.value), 40)], func(t *testing.T) {
			object := plain(t, Default())
			way := strings.Split(test.way, ".")
			if test.value == "" {
				remove(object, way)
			} else {
				var value any
				if err := json.Unmarshal([]byte(test.value), &value); err != nil {
					t.Fatal(err)
				}
				put(object, way, value)
			}
			_, err := Read(object)
			if test.path == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			refusal, ok := errors.AsType[*errs.Error](err)
			if !ok || refusal.Kind != errs.Invalid {
				t.Fatalf("got %v", err)
			}
			if !slices.ContainsFunc(refusal.Details, func(d errs.Detail) bool {
				return d.Path == test.path && strings.Contains(d.Message, test.message)
			}) {
				t.Errorf("got %+v", refusal.Details)
			}
		})
	}
}

func TestAllThatIsWrongIsSaidAtOnce(t *testing.T) {
	object := plain(t, Default())
	put(object, []string{"styling", "theme"}, "x")
	put(object, []string{"styling", "corners"}, "y")
	_, err := Read(object)
	refusal, _ := errors.AsType[*errs.Error](err)
	if refusal == nil || len(refusal.Details) != 2 {
		t.Errorf("got %v", err)
	}
}

func TestEveryOverrideIsOfTheShape(t *testing.T) {
	for _, way := range overridable {
		if shapeAt(way) == nil {
			t.Errorf("%v is no part of a customization", way)
		}
	}
}

// TestTwoWaysOfSayingWhatPagesOffer holds that older and newer clients both change what they mean to.
func TestTwoWaysOfSayingWhatPagesOffer(t *testing.T) {
	tests := []struct {
		change string // members in place of the stored ones
		want   string // items
		pdf    bool
	}{
		{`{"pdf":{"enabled":true}}`, "[markdown pdf]", true},
		{`{"pageActions":{"items":["markdown","pdf","git","assistant"]},"pdf":null,"git":null}`,
			"[assistant markdown git pdf]", true},
		{`{"pageActions":{"items":["markdown","pdf"]}}`, "[markdown]", false},
		{`{"pageActions":{"items":[]}}`, "[]", false},
		{`{"pageActions":{"externalAI":true,"markdown":false,"mcp":true}}`, "[external-ai mcp]", false},
		{`{"pageActions":{"externalAI":false,"markdown":true,"mcp":false,"items":["markdown","mcp"]}}`, "[markdown]",
			false},
		{`{"pageActions":{"externalAI":true,"markdown":true,"mcp":false,"items":["markdown"]}}`,
			"[external-ai markdown]", false},
		{`{}`, "[markdown]", false},
	}
	for _, test := range tests {
		object := plain(t, Default())
		var change map[string]any
		if err := json.Unmarshal([]byte(test.change), &change); err != nil {
			t.Fatal(err)
		}
		maps.Copy(object, change)
		read, err := Read(object)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(read.PageActions.Items); got != test.want || read.PDF.Enabled != test.pdf {
			t.Errorf("%s gives %s, PDF %t", test.change, got, read.PDF.Enabled)
		}
		if again, err := Read(plain(t, read)); err != nil || fmt.Sprint(again.PageActions) != fmt.Sprint(
			read.PageActions) {
			t.Errorf("%s: sending what was read changes it to %v (%v)", test.change, again.PageActions, err)
		}
	}
}

// random makes a value of a shape, in the form in which it is kept.
func random(r *rand.Rand, s shape) any {
	pick := func(from ...any) any { return from[r.IntN(len(from))] }
	switch s := s.(type) {
	case *objectShape:
		object := map[string]any{}
		for _, m := range s.members {
			if m.needed || r.IntN(2) == 0 {
				object[m.name] = random(r, m.shape)
			}
			if m.nullable && r.IntN(3) == 0 {
				object[m.name] = nil
			}
		}
		return object
	case listShape:
		items := []any{}
		for range r.IntN(min(s.most, 3) + 1) {
			items = append(items, random(r, s.of))
		}
		return items
	case textShape:
		return strings.Repeat("é", s.least+r.IntN(min(s.most-s.least, 5)+1))
	case wordShape:
		return s[r.IntN(len(s))]
	case flagShape:
		return r.IntN(2) == 0
	case colourShape:
		return fmt.Sprintf("#%06x", r.IntN(1<<24))
	case urlShape:
		return "https://example.org/" + strconv.Itoa(r.IntN(9))
	case localizedShape:
		return map[string]any{"fr": "Guide", "pt-br": "Guia"}
	case conditionShape:
		return pick("", "visitor.claims.beta", "1 < 2")
	case faviconShape:
		return pick(map[string]any{}, map[string]any{"emoji": "1f680"}, map[string]any{"icon": random(r, themedURL)})
	case fontShape:
		return pick(random(r, words(s.names)), map[string]any{
			"id": "f", "custom": true, "fontFamily": "Own Font",
			"fontFaces": []any{map[string]any{"weight": 400.0,
				"sources": []any{map[string]any{"url": "https://example.org/f"}}}},
		})
	case referenceShape:
		return pick(map[string]any{"kind": "url", "url": "https://example.org"}, map[string]any{"kind": "page",
			"page": "page_1"}, map[string]any{"kind": "file", "file": "file_1", "space": "space_1"})
	}
	panic(fmt.Sprintf("no value for %T", s))
}

// propertyCases counts documents of customization, each worth many small cases.
func propertyCases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 300, 20)
}

// meant takes out of a document what means nothing: absent and empty members.
func meant(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, v := range value {
			v = meant(v)
			if object, ok := v.(map[string]any); v == nil || v == "" || ok && len(object) == 0 {
				continue
			}
			kept[name] = v
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, v := range value {
			kept[i] = meant(v)
		}
		return kept
	}
	return value
}

// within reports where a document has not what another one says.
func within(path string, part, whole any) []string {
	object, ok := part.(map[string]any)
	if !ok {
		if !cmp.Equal(meant(part), meant(whole)) && !sameLoosely(part, whole) {
			return []string{fmt.Sprintf("%s: %v became %v", path, part, whole)}
		}
		return nil
	}
	other, _ := whole.(map[string]any)
	var found []string
	for name, value := range object {
		found = append(found, within(join(path, name), value, other[name])...)
	}
	return found
}

// sameLoosely lets lists differ in members that are false when they are left out.
func sameLoosely(part, whole any) bool {
	a, ok := part.([]any)
	b, also := whole.([]any)
	if ok && len(a) == 0 && whole == nil {
		return true
	}
	if !ok || !also || len(a) != len(b) {
		return meant(part) == nil || reflect.ValueOf(part).IsZero() && whole == nil
	}
	for i := range a {
		if len(within("", a[i], b[i])) > 0 {
			return false
		}
	}
	return true
}

// TestWhatIsPutIsThere: what a customization says it says after it was read, kept and read again.
func TestWhatIsPutIsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range propertyCases(t) {
		given := random(r, customizationShape).(map[string]any)
		delete(given["pageActions"].(map[string]any), "items") // said in two ways: TestTwoWaysOfSayingWhatPagesOffer
		read, err := Read(given)
		if err != nil {
			t.Fatalf("refused %v: %v", given, err)
		}
		got := plain(t, read)
		if lost := within("", given, got); len(lost) > 0 {
			t.Fatalf("lost: %v", lost)
		}
		again, err := Read(got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(read, again); diff != "" {
			t.Fatalf("putting what one got changes it:\n%s", diff)
		}
	}
}

// TestOverridesMerge holds changes of overrides against a model: a map from the way of each value to it.
func TestOverridesMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range propertyCases(t) {
		site, err := Read(random(r, customizationShape).(map[string]any))
		if err != nil {
			t.Fatal(err)
		}
		overrides, model := map[string]any{}, map[string]any{}
		for range 1 + r.IntN(6) {
			change := map[string]any{}
			for _, way := range overridable {
				switch r.IntN(8) {
				case 0:
					value := random(r, shapeAt(way))
					put(change, way, value)
					model[strings.Join(way, ".")] = value
				case 1:
					put(change, way, nil)
					delete(model, strings.Join(way, "."))
				}
			}
			before := fmt.Sprint(overrides)
			changed, err := Override(overrides, change)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(overrides) != before {
				t.Fatal("the overrides from before have changed")
			}
			overrides = changed
		}
		merged, err := site.With(overrides)
		if err != nil {
			t.Fatal(err)
		}
		got, base := plain(t, merged), plain(t, site)
		for _, way := range overridable {
			path := strings.Join(way, ".")
			value, _ := lookUp(got, way, &problems{})
			if own, ok := model[path]; ok {
				if lost := within(path, own, value); len(lost) > 0 {
					t.Fatal(lost)
				}
				continue
			}
			if was, _ := lookUp(base, way, &problems{}); !cmp.Equal(meant(was), meant(value)) {
				t.Fatalf("%s: the site's %v became %v", path, was, value)
			}
		}
		reset, err := Override(overrides, map[string]any{
			"title": nil, "localizedTitle": nil, "styling": nil, "internationalization": nil, "favicon": nil,
			"announcement": nil, "header": nil, "footer": nil,
			"themes": nil, "feedback": nil, "externalLinks": nil, "pagination": nil, "trademark": nil,
			"privacyPolicy": nil, "socialPreview": nil,
		})
		if err != nil || len(reset) != 0 {
			t.Fatalf("null leaves %v (%v)", reset, err)
		}
	}
}

func TestOverridesAreChecked(t *testing.T) {
	for change, path := range map[string]string{
		`{"styling":{"theme":"neon"}}`:                  "styling.theme",
		`{"styling":[]}`:                                "styling",
		`{"header":{"links":[{"title":"A"}]}}`:          "header.links[0].to",
		`{"styling":{"sidebar":{"background":"blue"}}}`: "styling.sidebar.background",
		`{"themes":{"toggeable":1}}`:                    "themes.toggeable",
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(change), &object); err != nil {
			t.Fatal(err)
		}
		_, err := Override(nil, object)
		refusal, _ := errors.AsType[*errs.Error](err)
		if refusal == nil || refusal.Details[0].Path != path {
			t.Errorf("%s: %v", change, err)
		}
	}
}

func TestLocalizedIn(t *testing.T) {
	texts := Localized{"fr": "bonjour", "pt-br": "oi", "pt": "olá"}
	for language, want := range map[string]string{"fr-CA": "bonjour", "pt-BR": "oi", "pt-PT": "olá", "de": "hello",
		"": "hello"} {
		if got := texts.In(language, "hello"); got != want {
			t.Errorf("%s: %q", language, got)
		}
	}
}
