package theme

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// TestScriptSpeaksEnglish holds that the script itself has the English words that the other languages translate.
func TestScriptSpeaksEnglish(t *testing.T) {
	set, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	script, err := embedded.ReadFile("assets/site/script/1-base.js")
	if err != nil {
		t.Fatal(err)
	}
	_, labels, _ := strings.Cut(string(script), "const labels = {")
	labels, _, _ = strings.Cut(labels, "...JSON.parse")
	said := map[string]string{}
	for _, label := range regexp.MustCompile(`(\w+): "([^"]*)"`).FindAllStringSubmatch(labels, -1) {
		said[label[1]] = label[2]
	}
	if want := set.For("en", "").Script; len(want) == 0 || !maps.Equal(said, want) {
		t.Errorf("the script says %v, en.json %v", said, want)
	}
}

func TestLicences(t *testing.T) {
	for _, face := range typefaces {
		if face.file == "" {
			continue
		}
		if text, err := os.ReadFile("assets/fonts/LICENSE-" + face.file + ".txt"); err != nil || len(text) < 200 {
			t.Errorf("the licence of %s: %d bytes, %v", face.family, len(text), err)
		}
	}
	for _, file := range []string{"fonts/LICENSE-inter.txt", "fonts/LICENSE-jetbrains-mono.txt",
		"icons/LICENSE-lucide.txt", "icons/LICENSE-simple-icons.txt", "katex/LICENSE", "mermaid/LICENSE"} {
		if text, err := os.ReadFile("assets/" + file); err != nil || len(text) < 200 {
			t.Errorf("the licence %s: %d bytes, %v", file, len(text), err)
		}
	}
}

// TestAssetsHaveContent reads all that is read when somebody first asks.
func TestAssetsHaveContent(t *testing.T) {
	set, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range set.byName {
		body := a.body()
		if len(body) == 0 {
			t.Errorf("%s is empty", name)
		}
		packed := a.gzip()
		if packed == nil {
			continue
		}
		reader, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(name, err)
		}
		if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, body) {
			t.Errorf("%s is another file when it is packed: %v", name, err)
		}
	}
}

// TestPlainNames holds that a file is there under its plain name as well where that is asked for, but is not kept then.
func TestPlainNames(t *testing.T) {
	set, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"katex.js", "katex.css", "diagram.html"} {
		for file, kept := range map[string]bool{name: false, set.File(name): true} {
			answer := httptest.NewRecorder()
			set.ServeNamed(answer, httptest.NewRequest(http.MethodGet, "/", nil), file)
			caching := answer.Header().Get("Cache-Control")
			if answer.Code != http.StatusOK || strings.Contains(caching, "immutable") != kept {
				t.Errorf("%s: %d, %s", file, answer.Code, caching)
			}
		}
	}
}

func TestWeightOfScriptsAndStyles(t *testing.T) {
	set, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]int{"site.js": 15 << 10, "theme.js": 1 << 10, "site.css": 20 << 10} {
		if size := len(set.byName[name].gzip()); size > limit {
			t.Errorf("%s is %d bytes compressed, more than %d", name, size, limit)
		}
	}
}

// TestStylesAreShortened holds the shortening of style sheets against expressions that say the same, on all of ours and
// on what they do not have.
func TestStylesAreShortened(t *testing.T) {
	want := func(body string) string {
		for _, each := range []struct{ expression, with string }{
			{`(?s)/\*.*?\*/`, ""}, {`\s*\n\s*`, "\n"}, {`\s*{\s*`, "{"}, {`;?\s*}\s*`, "}"}, {";\n", ";"}, {",\n", ","},
		} {
			body = regexp.MustCompile(each.expression).ReplaceAllString(body, each.with)
		}
		return strings.TrimSpace(body)
	}
	sheets := []string{"", "\n", "a{}", " a , b\n {\n\tcolor : red ;\n\ttop: 0;\n}\n\nb\nc {}\n",
		"@media x {\n a { b: c; } \n}\n",
		"a { b: c;\n\n/* d { e; } */\n }", "/* open", "a/**/b", "a {{ } ; }", "a:  b;  c: d ;e", "}\n}\n a", "a\n"}
	files, err := filepath.Glob("assets/*/*.css")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sheets = append(sheets, string(body))
	}
	for _, sheet := range sheets {
		if got := string(shortenStyle([]byte(sheet))); got != want(sheet) {
			t.Errorf("%.60q is %.200q, want %.200q", sheet, got, want(sheet))
		}
	}
}
