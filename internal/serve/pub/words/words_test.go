package words

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// texts returns the texts of a file by the paths of their keys.
func texts(t *testing.T, file []byte) map[string]string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(file, &object); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(path+"."+name, inner)
			}
		case []any:
			for i, inner := range v {
				walk(fmt.Sprintf("%s.%d", path, i), inner)
			}
		case string:
			found[strings.TrimPrefix(path, ".")] = v
		default:
			t.Errorf("%s is no text: %v", path, value)
		}
	}
	walk("", object)
	return found
}

var placeholder = regexp.MustCompile(`%.|\{\w*\}`)

// differences compares the texts of a language with those of English.
func differences(english, said map[string]string) []string {
	var found []string
	for _, key := range slices.Sorted(maps.Keys(english)) {
		text, ok := said[key]
		if !ok || strings.TrimSpace(text) == "" {
			found = append(found, key+" is missing")
			continue
		}
		got, want := placeholder.FindAllString(text, -1), placeholder.FindAllString(english[key], -1)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			found = append(found, fmt.Sprintf("%s has the placeholders %v, in English %v", key, got, want))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(said)) {
		if _, ok := english[key]; !ok {
			found = append(found, key+" is unknown")
		}
	}
	return found
}

// TestEveryLanguageSaysTheSame holds that every language has all keys of English and no other, each with the
// placeholders of English.
func TestEveryLanguageSaysTheSame(t *testing.T) {
	file := func(name string) map[string]string {
		content, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return texts(t, content)
	}
	english := file("en.json")
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	languages := 0
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		languages++
		for _, problem := range differences(english, file(entry.Name())) {
			t.Errorf("%s: %s", entry.Name(), problem)
		}
	}
	if languages < 13 {
		t.Errorf("there are %d languages", languages)
	}
	for key, text := range file("notes/translation.json") {
		if strings.TrimSpace(text) == "" {
			t.Errorf("the note %s is empty", key)
		}
	}
}

// TestEveryWordIsRead holds that English has a text for each field that pages read.
func TestEveryWordIsRead(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for tag, said := range set.languages {
		encoded, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		for key, text := range texts(t, encoded) {
			if text == "" {
				t.Errorf("%s: %s is not in the file", tag, key)
			}
		}
	}
	for language, note := range set.notes {
		if note.Stale == "" || note.Missing == "" || note.Original == "" {
			t.Errorf("%s: %+v", language, note)
		}
	}
}

// TestDifferencesFindsWhatIsWrong shows that the check can fail.
func TestDifferencesFindsWhatIsWrong(t *testing.T) {
	english := map[string]string{"a": "A", "b.c": "%s of %s", "date": "{day} {month}"}
	for want, said := range map[string]map[string]string{
		"a is missing":    {"b.c": "%s von %s", "date": "{month}, {day}"},
		"b.c is missing":  {"a": "A", "b.c": " ", "date": "{month}, {day}"},
		"b.c has the":     {"a": "A", "b.c": "%s von %d", "date": "{month}, {day}"},
		"date has the":    {"a": "A", "b.c": "%s von %s", "date": "{month}, {tag}"},
		"b.d is unknown":  {"a": "A", "b.c": "%s von %s", "b.d": "D", "date": "{month}, {day}"},
		"a has the place": {"a": "%A", "b.c": "%s von %s", "date": "{month}, {day}"},
	} {
		if got := differences(english, said); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

func TestFor(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range [][3]string{{"en", "fr-CA", "fr"}, {"en", "", "en"}, {"en", "tlh", "en"}, {"de", "fr", "de"},
		{"en", "nb", "no"}, {"", "pt", "pt-BR"}, {"xx", "fr", "en"}, {"en", "he", "he"},
		{"en", "ar-EG", "ar"}, {"fa", "", "fa"}} {
		if got := set.For(test[0], test[1]).Tag; got != test[2] {
			t.Errorf("%v: %s", test, got)
		}
	}
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	for tag, want := range map[string]string{"en": "March 5, 2026", "de": "5. März 2026", "fr": "5 mars 2026",
		"ja": "2026年3月5日", "ru": "5 марта 2026 г."} {
		if got := set.For(tag, "").Day(day); got != want {
			t.Errorf("%s: %s", tag, got)
		}
	}
	if got := set.TranslationNote("ko").Original; got != "원문 읽기" {
		t.Errorf("in Korean: %q", got)
	}
	if got := set.TranslationNote("tlh").Original; got != "Read the original" {
		t.Errorf("in a language without a note: %q", got)
	}
}
