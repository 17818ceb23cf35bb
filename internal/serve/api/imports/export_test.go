package imports_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestExportAndImportAgain(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		first, second := s.Space("First"), s.Space("Second")
		s.Upload(first, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		exported := s.Call(http.MethodGet, "/v1/spaces/"+first+"/content/export", nil, 200, nil)
		s.Upload(second, "again.zip", exported.Body)
		again := s.Call(http.MethodGet, "/v1/spaces/"+second+"/content/export", nil, 200, nil)
		if diff := cmp.Diff(apptest.Unzipped(t, exported.Body), apptest.Unzipped(t, again.Body)); diff != "" {
			t.Errorf("export, import, export (-first +second):\n%s", diff)
		}
	})
}
