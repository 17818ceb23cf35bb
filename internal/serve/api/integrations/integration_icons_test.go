package integrations_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestIconsOfBlocksInBase64: blocks and content sources take their icons as integrations do, and give addresses back
// that are taken again.
func TestIconsOfBlocksInBase64(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 64, 64))); err != nil {
			t.Fatal(err)
		}
		inBase64 := base64.StdEncoding.EncodeToString(picture.Bytes())
		drawing := base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
		type described struct{ ID, Icon string }
		type integration struct {
			Blocks, ContentSources []described
		}
		publish := func(icon string, status int) (published integration) {
			t.Helper()
			got := s.Raw(http.MethodPost, "/v1/integrations/icons", s.Token, map[string]any{
				"organization": s.Organization, "title": "Icons", "description": "Shows icons.", "runtime": "v1",
				"scopes": []string{}, "visibility": "private", "target": "all", "script": "addEventListener",
				"blocks": []any{map[string]any{"id": "one", "title": "One", "icon": icon}},
				"contentSources": []any{map[string]any{"id": "two", "title": "Two", "icon": icon,
					"configuration": map[string]string{"componentId": "x"}}},
			})
			if got.Status != status {
				t.Fatalf("%.40s: %d %s", icon, got.Status, got.Body)
			}
			if status != http.StatusOK {
				if !strings.Contains(string(got.Body), "blocks[0].icon") {
					t.Errorf("%.40s is refused with %s", icon, got.Body)
				}
				return published
			}
			s.Call(http.MethodGet, "/v1/integrations/icons", nil, http.StatusOK, &published)
			return published
		}
		for icon, want := range map[string]string{
			inBase64: "data:image/png;base64," + inBase64, drawing: "data:image/svg+xml;base64," + drawing,
			"https://example.com/icon.png": "https://example.com/icon.png", "data:image/png;base64," +
				inBase64: "data:image/png;base64," + inBase64,
		} {
			made := publish(icon, http.StatusOK)
			if len(made.Blocks) != 1 || made.Blocks[0].Icon != want || len(made.ContentSources) != 1 ||
				made.ContentSources[0].Icon != want {
				t.Errorf("%.40s becomes %+v", icon, made)
			}
			if again := publish(made.Blocks[0].Icon, http.StatusOK); again.Blocks[0].Icon != want {
				t.Errorf("%.40s, sent back, becomes %.40s", want, again.Blocks[0].Icon)
			}
		}
		large := base64.StdEncoding.EncodeToString(append([]byte("<svg xmlns='http://www.w3.org/2000/svg'>"),
			bytes.Repeat([]byte(" "), 70<<10)...))
		for _, icon := range []string{"!", "aGVsbG8=", "icon.png", large, "javascript:alert(1)",
			"data:text/html;base64,aGVsbG8=", inBase64[:len(inBase64)/2]} {
			publish(icon, http.StatusBadRequest)
		}
	})
}

// A block without a picture of its own has that of its integration where authors choose it.
func TestIconsOfBlocksOfSpaces(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 64, 64))); err != nil {
			t.Fatal(err)
		}
		const own = "https://example.com/icon.png"
		s.Publish("icons", map[string]any{"icon": base64.StdEncoding.EncodeToString(picture.Bytes()), "runtime": "v2",
			"script": "export default { fetch() {} };", "blocks": []any{map[string]any{"id": "one", "title": "One"},
				map[string]any{"id": "two", "title": "Two", "icon": own}}})
		at := "/v1/integrations/icons/installations/" + s.Install("icons").ID
		s.Call(http.MethodPatch, at, `{"space_selection":"all"}`, http.StatusOK, nil)
		var made apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Docs"}`, http.StatusCreated, &made)
		var found []struct{ Blocks []struct{ Icon string } }
		s.Call(http.MethodGet, "/v1/spaces/"+made.ID+"/integration-blocks", nil, http.StatusOK, &found)
		if len(found) != 1 || len(found[0].Blocks) != 2 || found[0].Blocks[1].Icon != own ||
			!strings.HasPrefix(found[0].Blocks[0].Icon, s.Base+"/v1/integrations/icons/assets/") {
			t.Errorf("the blocks are %+v", found)
		}
	})
}
