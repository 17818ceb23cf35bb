package contents_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestReadMarkdown(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		base := "/v1/spaces/" + s.Space("Guide")
		var read struct {
			Title    string
			Document *struct{ Nodes []struct{ Type string } }
			Lines    []int
			Faults   []struct {
				Severity, Message string
				From, To          struct{ Line, Column int }
			}
		}
		s.Call(http.MethodPost, base+"/content/markdown",
			`{"markdown":"---\nicon: star\n---\n\n# Title\n\nText\n\n{% hint style=\"info\" %}\n"}`, 200, &read)
		if read.Title != "Title" || len(read.Document.Nodes) != 2 || read.Lines[0] != 7 || read.Lines[1] != 9 {
			t.Errorf("%+v", read)
		}
		if len(read.Faults) != 1 || read.Faults[0].Severity != "warning" || read.Faults[0].From.Line != 9 ||
			read.Faults[0].To.Column != 24 {
			t.Errorf("%+v", read.Faults)
		}
		// What is refused has no document, and says why.
		read.Document = nil
		s.Call(http.MethodPost, base+"/content/markdown", `{"markdown":"`+strings.Repeat("x", 2<<20)+`"}`, 200, &read)
		if read.Document != nil || len(read.Faults) != 1 || read.Faults[0].Severity != "error" {
			t.Errorf("%+v", read)
		}
	})
}
