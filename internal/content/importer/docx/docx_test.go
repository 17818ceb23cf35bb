package docx

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// namespaces are those that the parts of a document name.
const namespaces = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"` +
	` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"` +
	` xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"` +
	` xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
	` xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"` +
	` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
	` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
	` xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"` +
	` xmlns:v="urn:schemas-microsoft-com:vml"` +
	` xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`

const testTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`

const testStyles = `<?xml version="1.0"?><w:styles` + namespaces + `>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My section"/><w:basedOn w:val="Heading2"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="paragraph" w:styleId="SourceCode"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/></w:style>
<w:style w:type="paragraph" w:styleId="ListBullet2"><w:name w:val="List Bullet 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="character" w:styleId="VerbatimChar"><w:name w:val="Verbatim Char"/><w:rPr><w:rFonts w:ascii="Consolas" w:hAnsi="Consolas"/></w:rPr></w:style>
</w:styles>`

const testNumbering = `<?xml version="1.0"?><w:numbering` + namespaces + `>
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
</w:numbering>`

const testRelations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="x/image" Target="media/image1.png"/>
<Relationship Id="rId2" Type="x/hyperlink" Target="https://example.org/docs?a=1&amp;b=2" TargetMode="External"/>
</Relationships>`

// para writes a paragraph of a style.
func para(style, runs string) string {
	properties := ""
	if style != "" {
		properties = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return `<w:p>` + properties + runs + `</w:p>`
}

// text writes a run with properties.
func text(words string, properties ...string) string {
	return `<w:r><w:rPr>` + strings.Join(properties, "") + `</w:rPr><w:t xml:space="preserve">` + words + `</w:t></w:r>`
}

// item writes a paragraph of a list.
func item(list, level, runs string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + list + `"/></w:numPr></w:pPr>` +
		runs + `</w:p>`
}

// cell writes a table cell.
func cell(properties, words string) string {
	return `<w:tc><w:tcPr>` + properties + `</w:tcPr>` + para("", text(words)) + `</w:tc>`
}

// parts returns the parts of a document with a body.
func parts(body string) map[string]string {
	return map[string]string{
		"[Content_Types].xml": testTypes,
		"_rels/.rels":         `<Relationships/>`,
		"word/document.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document` +
			namespaces + `><w:body>` + body + `<w:sectPr/></w:body></w:document>`,
		"word/styles.xml":              testStyles,
		"word/numbering.xml":           testNumbering,
		"word/_rels/document.xml.rels": testRelations,
		"word/media/image1.png":        "\x89PNG\r\n\x1a\nimage",
	}
}

func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t testing.TB, files map[string]string) (*source.Tree, error) {
	t.Helper()
	packed := pack(t, files)
	limits := filetree.DefaultLimits
	limits.Ratio = 1 << 30 // the limits of this package are what is tested
	tree, err := filetree.Zip(bytes.NewReader(packed), int64(len(packed)), limits)
	if err != nil {
		return nil, err
	}
	return Read(t.Context(), tree, "Field guide.docx", &source.Texts{})
}

func TestDocumentBecomesAPage(t *testing.T) {
	code := `<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>`
	picture :=
		`<w:r><w:drawing><wp:inline><wp:extent cx="3048000" cy="1524000"/><wp:docPr id="1" name="x" descr="A small owl"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
	field := func(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }
	body := para("Title", text("Field guide to owls")) +
		para("TOC1", text("Where they live 1")) +
		`<w:p>` + field("begin") + `<w:r><w:instrText>TOC \o "1-3"</w:instrText></w:r>` + field("separate") +
		text("Contents of the guide") + `</w:p>` +
		`<w:p>` + text("more contents") + field("end") + `</w:p>` +
		para("", text("Owls are ")+text("mostly", `<w:b/>`)+text(" ")+text("solitary ", `<w:i/>`, `<w:b w:val="0"/>`)+
			text("birds", `<w:strike/>`)+text(" of prey; run ")+text("owl --help", `<w:rStyle w:val="VerbatimChar"/>`)+
			text(" or H")+text("2", `<w:vertAlign w:val="subscript"/>`)+text("O. ")+text("hidden", `<w:vanish/>`)+
			text("Loud", `<w:rStyle w:val="Strong"/>`)+text(".")) +
		para("Heading1", `<w:bookmarkStart w:id="0" w:name="habitat"/>`+text("Where they live")+
			`<w:bookmarkEnd w:id="0"/>`) +
		para("", text("See ")+`<w:hyperlink r:id="rId2">`+text("the atlas")+`</w:hyperlink>`+text(", ")+
			`<w:hyperlink w:anchor="food">`+text("what they eat")+`</w:hyperlink>`+text(" and ")+
			field("begin")+
			`<w:r><w:instrText xml:space="preserve"> HYPERLINK "https://example.org/a" \l "part" </w:instrText></w:r>`+
			field("separate")+text("the ")+text("rest", `<w:b/>`)+field("end")+text(".")) +
		item("1", "0", text("barns")) + item("1", "1", text("old ones")) + item("1", "1", text("new ones")) +
		para("ListParagraph", text("also under the new roof")) + item("1", "0", text("woods")) +
		para("ListBullet2", text("deep by its style")) +
		para("", text("Then:")) +
		item("2", "0", text("listen")) + item("2", "1", text("twice")) + item("2", "0", text("look")) +
		para("", text("and go on:")) + item("2", "0", text("wait")) + item("3", "0", text("fifth")) +
		para("Mine", `<w:bookmarkStart w:id="1" w:name="food"/>`+text("Food")) +
		para("Quote", text("They eat mice.")) + para("Quote", text("And voles.")) +
		para("SourceCode", text("if owl {")) + para("SourceCode", `<w:r><w:tab/><w:t>hoot()</w:t></w:r>`) +
		para("SourceCode", "") + para("SourceCode", text("}")) +
		para("", text("by font 1", code)) + para("", text("by font 2", code)) +
		para("", picture) + para("Caption", text("An owl, asleep")) +
		`<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>` +
		`<w:tr>` + cell("", "Kind") + cell(`<w:gridSpan w:val="2"/>`, "Size in cm") + `</w:tr>` +
		`<w:tr>` + cell(`<w:vMerge w:val="restart"/>`, "Barn owl") + cell("", "male") + cell("", "33") + `</w:tr>` +
		`<w:tr>` + cell(`<w:vMerge/>`, "") + cell("", "female") + cell("", "35 | 36") + `</w:tr></w:tbl>` +
		para("", text("Noted")+`<w:r><w:footnoteReference w:id="2"/></w:r>`+text(" by all.")) +
		para("",
			text("Area ")+
				`<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>`+text(".")) +
		para("", `<w:ins w:id="1">`+text("Added")+
			`</w:ins><w:del w:id="2"><w:r><w:delText>gone</w:delText></w:r></w:del>`+
			`<w:r><w:commentReference w:id="0"/></w:r>`+text(" stays.")) +
		para("", text("Before the box.")+
			`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>`+para("",
			text("In the box."))+
			`</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>`+
			para("", text("Twice?"))+
			`</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`) +
		item("1", "0",
			`<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>`+text("☒")+
				`</w:sdtContent></w:sdt>`+text("seen")) +
		item("1", "0",
			`<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr><w:sdtContent>`+text("☐")+
				`</w:sdtContent></w:sdt>`+text("heard")) +
		para("Loop", text("*Stars* &lt;b&gt; stay as they are.")) +
		`<w:p><w:pPr><w:pBdr><w:bottom w:val="single"/></w:pBdr></w:pPr></w:p>` +
		para("", text("The end."))
	files := parts(body)
	files["word/footnotes.xml"] = `<w:footnotes` + namespaces +
		`><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">` + para("",
		text("In 1890.")) + `</w:footnote></w:footnotes>`
	files["word/header1.xml"] = `<w:hdr/>`
	tree, err := read(t, files)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Pages) != 1 || len(tree.Files) != 1 || tree.Files[0].Name != "image1.png" {
		t.Fatalf("%d pages, %d files", len(tree.Pages), len(tree.Files))
	}
	page := tree.Pages[0]
	if page.Entry.Title != "Field guide to owls" {
		t.Errorf("title %q", page.Entry.Title)
	}
	golden(t, "document.md", []byte(page.Body.String()))
	if page.Anchors["habitat"] != "where-they-live" || page.Anchors["food"] != "food" {
		t.Errorf("anchors %v", page.Anchors)
	}
	var notes []string
	for _, note := range tree.Report.NotUnderstood.Items {
		notes = append(notes, note.Message)
	}
	want := []string{
		"left out: comment", "left out: header or footer of the printed page", "left out: table of contents (2 times)",
		"left out: text deleted under change tracking",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if got := tree.Resolve("", "recto-import-file:0"); got.Kind != source.ToFile || got.File != tree.Files[0] {
		t.Errorf("image resolves to %+v", got)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestTitles(t *testing.T) {
	core := `<cp:coreProperties xmlns:cp="x" xmlns:dc="y"><dc:title>From  the properties</dc:title></cp:coreProperties>`
	tests := []struct {
		name, body, core, want, first string
	}{
		{"only top heading", para("Heading1", text("Guide")) + para("Heading2", text("Part")) + para("", text("x")),
			core, "Guide", "## Part"},
		{"several top headings", para("Heading1", text("One")) + para("Heading1", text("Two")), core,
			"From the properties", "## One"},
		{"file name", para("", text("plain")), "", "Field guide", "plain"},
		{"a title later is a heading", para("", text("plain")) + para("Title", text("Late")), "", "Field guide",
			"plain"},
		{"title without styles", `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>` + text("Only") + `</w:p>`, "",
			"Only", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := parts(test.body)
			if test.core != "" {
				files["docProps/core.xml"] = test.core
			}
			tree, err := read(t, files)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(tree.Pages[0].Body.String(), "\n")
			if tree.Pages[0].Entry.Title != test.want || first != test.first {
				t.Errorf("title %q, first line %q; want %q, %q", tree.Pages[0].Entry.Title, first, test.want,
					test.first)
			}
		})
	}
}

func TestHostileDocuments(t *testing.T) {
	with := func(name, content string) map[string]string {
		files := parts(para("", text("x")))
		files[name] = content
		return files
	}
	tests := []struct {
		name  string
		files map[string]string
		kind  errs.Kind
		says  string
	}{
		{"no document", map[string]string{"a.txt": "x"}, errs.Invalid, "not a Word document"},
		{"no main part", map[string]string{contentTypes: testTypes, "word/styles.xml": testStyles}, errs.Invalid,
			"no text part"},
		{"entity bomb", with("word/document.xml",
			`<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`), errs.Invalid, "document type declaration"},
		{"unknown entity", with("word/document.xml",
			`<w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`), errs.Invalid,
			"not well-formed"},
		{"cut off", with("word/document.xml", `<w:document><w:body><w:p>`), errs.Invalid, "ends in the middle"},
		{"empty part", with("word/document.xml", ``), errs.Invalid, "is empty"},
		{"deep nesting", with("word/document.xml", `<w:document><w:body>`+strings.Repeat("<w:sdt><w:sdtContent>",
			100_000)), errs.Invalid, "levels deep"},
		{"deep unknown nesting", with("word/styles.xml", `<w:styles>`+strings.Repeat("<x>", 1_000_000)), errs.Invalid,
			"levels deep"},
		{"deep tables", with("word/document.xml", `<w:document><w:body>`+strings.Repeat("<w:tbl><w:tr><w:tc>", 5000)),
			errs.Invalid, "levels deep"},
		{"not UTF-8", with("word/document.xml",
			"<w:document><w:body><w:p><w:r><w:t>\xff\xfe</w:t></w:r></w:p></w:body></w:document>"), errs.Invalid,
			"not well-formed"},
		{"huge part", with("word/document.xml", `<w:document><w:body>`+strings.Repeat(" ", maxPart)), errs.TooLarge,
			"split the document"},
		{"path traversal", with("../evil.xml", `x`), errs.Invalid, "leads out"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			_, err := read(t, test.files)
			if !errs.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want kind %v saying %q", err, test.kind, test.says)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestOddNumbersAreBounded(t *testing.T) {
	wide := `<w:tbl>` + strings.Repeat(`<w:tr>`+cell(`<w:gridSpan w:val="2000000000"/>`, "a")+
		cell(`<w:gridSpan w:val="-4"/><w:vMerge/>`, "b")+`</w:tr>`, 50) + `</w:tbl>`
	tree, err := read(t, parts(wide+item("99", "4000000000", text("deep"))+para("Heading9", text("Low"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"deep", "Low", "a", "b"} {
		if !strings.Contains(tree.Pages[0].Body.String(), want) {
			t.Errorf("%q is lost", want)
		}
	}
}

func TestReadingStopsWhenCancelled(t *testing.T) {
	packed := pack(t, parts(strings.Repeat(para("", text("x")), 50_000)))
	files, err := filetree.Zip(bytes.NewReader(packed), int64(len(packed)), filetree.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, files, "x.docx", &source.Texts{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
