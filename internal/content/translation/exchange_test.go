package translation_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/translation"
)

func (v variant) export(format translation.Format) string {
	v.Helper()
	file, err := v.Export(v.Context(), v.Admin(), v.Organization, v.id, v.code, format, translation.SegmentFilter{})
	if err != nil {
		v.Fatal(err)
	}
	return string(file.Bytes)
}

// bring imports a file whose format is found out.
func (v variant) bring(text string) (translation.Report, error) {
	return v.Import(v.Context(), v.Admin(), v.Organization, v.id, v.code, "", []byte(text))
}

func TestImportSaysWhatIsWrong(t *testing.T) {
	each(t, func(f *fixture) {
		v := f.translate(f.document("Start", "See [this](https://example.com/).\n\nPlain words.\n"))
		data := v.export(translation.XLIFF)
		data = strings.Replace(data, `<source>Plain words.</source>`,
			`<source>Plain words.</source><target>Einfache Worte.</target>`, 1)
		data = regexp.MustCompile(`<source>See .*?</source>`).ReplaceAllString(data, `$0<target>Siehe dies.</target>`)
		data = strings.Replace(data, `<unit id="title"`,
			`<unit id="gone"><segment><source>x</source><target>y</target></segment></unit><unit id="title"`, 1)
		report, err := v.bring(data)
		if err != nil || report.Applied != 1 || len(report.Problems) != 2 || report.ChangeRequest == "" {
			f.Fatalf("report: %+v %v", report, err)
		}
		for i, says := range []string{"no such text", "<1> is missing"} {
			if problem := report.Problems[i]; problem.Line == 0 || problem.Segment == "" ||
				!strings.Contains(problem.Message, says) {
				f.Errorf("problem: %+v, want %q", problem, says)
			}
		}
		catalog := v.export(translation.Gettext)
		for _, test := range []struct{ name, data, says string }{
			{"nonsense", "hello", "no keyword"},
			{"a document type", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xliff>&e;</xliff>`,
				"document type"},
			{"another language", strings.Replace(data, `trgLang="de"`, `trgLang="fr"`, 1),
				`to "fr" (trgLang), not to de`},
			// The texts of all variants of a source have the same names, so that nothing else tells them apart.
			{"a catalogue of another language", strings.Replace(catalog, "Language: de", "Language: pt_BR", 1),
				`to "pt_BR" (Language in its header), not to de`},
			{"XLIFF in UTF-16", utf16Text(data), "in UTF-16; save it as UTF-8"},
			{"a catalogue in UTF-16", utf16Text(catalog), "not in UTF-8"},
		} {
			report, err := v.bring(test.data)
			if err == nil {
				f.Errorf("%s is taken: %+v", test.name, report)
			}
			wantKind(f.T, err, errs.Invalid, test.says)
		}
		bell := strings.Replace(catalog, "Einfache Worte.", `Einfache\aWorte.`, 1)
		if report, err := v.bring(bell); err != nil || report.Applied != 0 || len(report.Problems) != 1 ||
			!strings.Contains(report.Problems[0].Message, "U+0007") {
			f.Errorf("a control character: %+v %v", report, err)
		}
		catalog = strings.Replace(catalog, "Language: de", "Language: DE", 1)
		catalog = strings.Replace(catalog, "Einfache Worte.", "Schlichte Worte.", 1)
		if report, err := v.bring(catalog); err != nil || report.Applied != 1 || len(report.Problems) != 0 {
			f.Errorf("a catalogue: %+v %v", report, err)
		}
	})
}

// utf16Text is a text in UTF-16 as some tools save it, with its mark before it.
func utf16Text(text string) string {
	data := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	return string(data)
}
