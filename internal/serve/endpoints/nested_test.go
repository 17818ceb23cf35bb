package endpoints_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestNestedCallsTakeTurns holds that calls within a call have no more room than others.
func TestNestedCallsTakeTurns(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	s.Publish("swarm", map[string]any{"runtime": "v2", "script": `
export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	const base = environment.integration.urls.publicEndpoint;
	if (event.request.url.endsWith("/leaf")) {
		await new Promise((resolve) => setTimeout(resolve, 3000));
		return new Response("leaf");
	}
	const all = await Promise.all(Array.from({length: 30}, () => fetch(base + "/leaf").then((r) => r.status)));
	return new Response(String(all.filter((status) => status === 200).length));
} };`})
	got := s.Raw(http.MethodGet, "/integrations/swarm/root", "", nil)
	t.Logf("%d %s at once", got.Status, got.Body)
	if n := strings.TrimSpace(string(got.Body)); got.Status != 200 || len(n) > 1 || n > "3" {
		t.Errorf("%d nested calls: %s ran", got.Status, n)
	}
}
