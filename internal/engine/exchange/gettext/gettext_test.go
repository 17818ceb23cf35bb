package gettext_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/engine/exchange/gettext"
)

func written(t *testing.T, c gettext.Catalog) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gettext.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnyCatalogueReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", " ", "\n", "\t", "\r", `"`, `\`, "é", "日", "\x01", "\x7f", "#", "msgid ", "n", "0", "7"}
	text := func() string {
		var s strings.Builder
		for range r.IntN(10) {
			s.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		return s.String()
	}
	for range 1000 {
		c := gettext.Catalog{Header: []string{"Language: de", "Content-Type: text/plain; charset=UTF-8"}}
		for i := range r.IntN(5) {
			c.Messages = append(c.Messages, gettext.Message{
				Context: "page." + string(rune('a'+i)), ID: text(), Text: text(), Fuzzy: r.IntN(2) == 0,
				Comments: []string{"A comment"}, References: []string{"a/b"},
			})
		}
		data := written(t, c)
		got, err := gettext.Read(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(c, got, cmpopts.IgnoreFields(gettext.Message{}, "Line")); diff != "" {
			t.Fatalf("read back (-want +got):\n%s\n%s", diff, data)
		}
	}
}

func TestOtherToolsFiles(t *testing.T) {
	const file = "# Translator\n#, c-format, fuzzy\n#| msgid \"before\"\nmsgctxt \"p.a\"\nmsgid \"\"\n\"one \"\n" +
		"\"two\\n\"\nmsgstr \"eins\"\n\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n\nmsgid \"x\"\r\nmsgstr \"\\303y\"\n"
	if _, err := gettext.Read([]byte(file)); err == nil || !strings.Contains(err.Error(), "line 14") {
		t.Errorf("an octal beyond ASCII: %v", err)
	}
	got, err := gettext.Read([]byte(strings.Replace(file, `\303`, `\101`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := []gettext.Message{{Fuzzy: true, Context: "p.a", ID: "one two\n", Text: "eins", Line: 4},
		{ID: "x", Text: "Ay", Line: 13}}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for data, says := range map[string]string{
		"msgid \"a\"\n":                     "line 1: a message has no msgstr",
		"msgstr \"a\"\n":                    "before msgid",
		"\"a\"\n":                           "belongs to nothing",
		"msgid a\n":                         "between quotes",
		"msgid \"a\"b\"\nmsgstr \"\"\n":     "a quote",
		"msgid \"a\\\"\n":                   "escape",
		"msgid \"a\\q\"\n":                  "no escape",
		"msgid \"a\"\nmsgid_plural \"b\"\n": "plural",
		"hello\n":                           "no keyword",
		"msgid \"\"\nmsgstr \"a; charset=EUC-JP\\n\"\n":          "EUC-JP",
		"msgid \"a\"\nmsgstr \"\"\n\nmsgid \"a\"\nmsgstr \"\"\n": "twice",
		"msgid \"\xff\"\n": "UTF-8",
	} {
		if _, err := gettext.Read([]byte(data)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", data, err, says)
		}
	}
	if _, err := gettext.Read(make([]byte, gettext.MaxSize+1)); err == nil {
		t.Error("a file that is too large is read")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("#, fuzzy\nmsgctxt \"a\"\nmsgid \"b\"\nmsgstr \"c\\n\"\n\"d\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := gettext.Read(data)
		if err != nil {
			return
		}
		if _, err := gettext.Read(written(t, c)); err != nil && len(c.Header) == 0 {
			t.Fatalf("what was read and written reads as %v", err)
		}
	})
}
