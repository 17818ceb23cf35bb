package links_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestInclusionsSurviveANewTitle holds that a reusable content is found by the path that pages name it by, whatever it
// is called meanwhile, in lists of links and in PDFs.
func TestInclusionsSurviveANewTitle(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		content := "/v1/spaces/" + space + "/content"
		var done struct{ Changes []apptest.ContentChange }
		// The page is there before what it includes, so the path stays as it is written.
		s.Call(http.MethodPost, content,
			`{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"{% include \".gitbook/includes/note.md\" %}\n"}},
			{"operation":"insert_reusable_content","title":"Note","document":{"markdown":"Shared words.\n"}}]}`,
			http.StatusOK, &done)
		page, note := done.Changes[0].Page.(map[string]any)["id"].(string), done.Changes[1].ReusableContent
		s.Call(http.MethodPost, content, `{"changes":[{"operation":"update_reusable_content","reusableContent":"`+note+
			`","title":"Remark"}]}`, http.StatusOK, nil)
		s.Call(http.MethodPost, content, `{"changes":[{"operation":"update_reusable_content","reusableContent":"`+note+
			`","title":"Last"}]}`, http.StatusOK, nil)
		var links linkAnswer
		s.Call(http.MethodGet, content+"/page/"+page+"/links", nil, http.StatusOK, &links)
		if links.Count != 1 || links.Items[0].Status != "ok" {
			t.Errorf("the inclusion: %+v", links)
		}
		if got := apptest.WordsOfPDF(t, s.FetchPDF(s.Order("/v1/spaces/"+space+"/pdf"))); !strings.Contains(got,
			"sharedwords") {
			t.Errorf("the PDF lacks it: %s", got)
		}
	})
}
