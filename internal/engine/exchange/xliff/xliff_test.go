package xliff_test

import (
	"bytes"
	"encoding/xml"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/engine/exchange/xliff"
)

func written(t *testing.T, d xliff.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := xliff.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var sample = xliff.Document{Source: "en", Target: "pt-BR",
	Files: []xliff.File{{ID: "page_1", Original: "a & b", Units: []xliff.Unit{
		{ID: "title", Name: "title", State: xliff.Initial, Source: "Plain &amp; &lt;simple&gt;"},
		{
			ID: "5d23-2", Name: "paragraph", Notes: []string{"Look <here>"}, State: xliff.Translated,
			SubState:  "machine",
			HasTarget: true,
			Source:    "See <1>the <2>guide</2></1> and <3/>\nnext  line\r\x01.", Target: "<3/> e <1>o <2>guia</2></1>",
			Codes: []xliff.Code{{Pair: true, Before: "[", After: "](a.md)"}, {Pair: true, Before: "**", After: "**"},
				{Before: "`x<y`"}},
		},
	}}}}

func TestWhatIsWrittenReadsBack(t *testing.T) {
	data := written(t, sample)
	got, err := xliff.Read(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if diff := cmp.Diff(sample, got, cmpopts.IgnoreFields(xliff.Unit{}, "Line", "Codes", "Notes")); diff != "" {
		t.Errorf("read back (-want +got):\n%s\n%s", diff, data)
	}
	if got.Files[0].Units[1].Line < 7 {
		t.Errorf("the second unit is said to be in line %d", got.Files[0].Units[1].Line)
	}
}

// TestDocumentsFollowTheCoreSchema checks what the schema of the standard asks for: the order and the attributes of
// elements, ids that are unique and names, and references that lead to data.
func TestDocumentsFollowTheCoreSchema(t *testing.T) {
	attributes := map[string]string{
		"xliff": "version srcLang trgLang xmlns", "file": "id original space", "unit": "id name", "notes": "",
		"note": "", "originalData": "",
		"data": "id", "segment": "state subState", "source": "", "target": "", "cp": "hex",
		"pc": "id canCopy canDelete dataRefStart dataRefEnd", "ph": "id canCopy canDelete dataRef",
	}
	inside := map[string]string{
		"": "xliff", "xliff": "file", "file": "unit", "unit": "notes originalData segment", "notes": "note",
		"originalData": "data", "segment": "source target",
		"source": "pc ph cp", "target": "pc ph cp", "pc": "pc ph cp", "data": "cp",
	}
	decoder := xml.NewDecoder(bytes.NewReader(written(t, sample)))
	stack := []string{""}
	last := map[int]string{}
	data := map[string]bool{}
	for {
		token, err := decoder.Token()
		if token == nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			break
		}
		switch e := token.(type) {
		case xml.StartElement:
			parent, name := stack[len(stack)-1], e.Name.Local
			allowed := strings.Fields(inside[parent])
			at := strings.Index(inside[parent]+" ", name+" ")
			if at < 0 {
				t.Errorf("<%s> stands in <%s>", name, parent)
			}
			if parent == "unit" || parent == "segment" {
				if before := last[len(stack)]; before != "" && strings.Index(inside[parent], before) > at {
					t.Errorf("<%s> comes after <%s>: the order is %v", name, before, allowed)
				}
				last[len(stack)] = name
			}
			if name == "unit" {
				data, last = map[string]bool{}, map[int]string{}
			}
			for _, a := range e.Attr {
				if !strings.Contains(" "+attributes[name]+" ", " "+a.Name.Local+" ") {
					t.Errorf("<%s> has %s", name, a.Name.Local)
				}
				switch {
				case strings.HasPrefix(a.Name.Local, "dataRef") && !data[a.Value]:
					t.Errorf("%s leads to %s, which is not there", a.Name.Local, a.Value)
				case name == "data":
					if data[a.Value] {
						t.Errorf("two data have the id %s", a.Value)
					}
					data[a.Value] = true
				case a.Name.Local == "subState" && !strings.Contains(a.Value, ":"):
					t.Errorf("subState %s has no authority", a.Value)
				}
			}
			stack = append(stack, name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// TestToolsMayArrange reads what translators' tools make of a file.
func TestToolsMayArrange(t *testing.T) {
	const file = `<?xml version="1.0"?>
<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" xmlns:m="urn:other" version="2.1" srcLang="en" trgLang="de">
<x:file id="p"><m:stuff><m:more/></m:stuff><x:skeleton href="../../etc/passwd"/><x:group id="g">
<x:unit id="u"><m:a/>
 <x:segment id="s1" state="final"><x:source>One. </x:source><x:target><x:mrk id="m1" type="term">Eins</x:mrk>. </x:target></x:segment>
 <x:ignorable><x:source> </x:source></x:ignorable>
 <x:segment id="s2" state="reviewed"><x:source><x:sc id="1"/>Two<x:ec startRef="1"/></x:source><x:target><x:sc id="1"/>Zwei<x:ec startRef="1"/></x:target></x:segment>
</x:unit></x:group></x:file></x:xliff>`
	got, err := xliff.Read([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	u := got.Files[0].Units[0]
	if u.Source != "One.  <1>Two</1>" || u.Target != "Eins.  <1>Zwei</1>" || u.State != xliff.Reviewed {
		t.Errorf("read %+v", u)
	}
}

func TestHostileFilesAreRefused(t *testing.T) {
	unit := func(inner string) string {
		return `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">
<file id="f"><unit id="u"><segment>` + inner + `</segment></unit></file></xliff>`
	}
	for name, test := range map[string]struct{ data, says string }{
		"external entity": {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + unit("<source>&e;</source>"),
			"document type"},
		"many laughs": {`<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>` + unit("<source>&b;</source>"),
			"document type"},
		"unknown entity":  {unit("<source>&e;</source>"), "line 2"},
		"deep":            {unit("<source>" + strings.Repeat(`<pc id="1">`, 1000) + "</source>"), "deep"},
		"cut off":         {unit("<source>")[:90], "line"},
		"not XML":         {"hello", "no xliff"},
		"version 1.2":     {`<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>`, "XLIFF 2"},
		"no source":       {`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0"/>`, "srcLang"},
		"other encoding":  {`<?xml version="1.0" encoding="ISO-8859-1"?>` + unit("<source>x</source>"), "UTF-8"},
		"UTF-16":          {"\xFF\xFEx\x00", "UTF-16"},
		"strange element": {unit("<source><b>x</b></source>"), "<b>"},
		"strange id":      {unit(`<source><ph id="x"/></source>`), "line 2"},
		"strange state": {strings.Replace(unit("<source>x</source>"), "<segment>", `<segment state="done">`, 1),
			"done"},
		"order":      {unit(`<source>x</source><target order="2">y</target>`), "order"},
		"surrogate":  {unit(`<source><cp hex="ZZ"/></source>`), "ZZ"},
		"no segment": {strings.NewReplacer("<segment>", "", "</segment>", "").Replace(unit("")), "no segment"},
		"two units, an id": {strings.Replace(unit("<source>x</source>"), "</file>",
			`<unit id="u"><segment><source>y</source></segment></unit></file>`, 1), "another has"},
	} {
		_, err := xliff.Read([]byte(test.data))
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
	if _, err := xliff.Read(make([]byte, xliff.MaxSize+1)); err == nil {
		t.Error("a file that is too large is read")
	}
}

func TestAnyTextReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", " ", "\n", "\t", "\r", "&amp;", "&lt;", "&gt;", "é", "日", "\x00", "\x1f", "\uFFFE",
		"<1/>", "<2>x</2>", `"`, "'", "]]&gt;", "&amp;amp;"}
	for range 2000 {
		var text strings.Builder
		for range r.IntN(12) {
			text.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		d := xliff.Document{Source: "en", Target: "de",
			Files: []xliff.File{{ID: "f", Original: "o", Units: []xliff.Unit{
				{ID: "u", State: xliff.Translated, Source: "s", Target: text.String(), HasTarget: true,
					Codes: []xliff.Code{{Before: text.String()}, {Pair: true}}},
			}}}}
		got, err := xliff.Read(written(t, d))
		if err != nil || got.Files[0].Units[0].Target != text.String() {
			t.Fatalf("%q reads back as %q, %v", text.String(), got.Files[0].Units[0].Target, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := xliff.Write(&b, sample); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = xliff.Read(data) // must not panic or hang
	})
}
