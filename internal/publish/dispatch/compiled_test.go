package dispatch_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// TestAPublishedScriptIsCompiledOnce holds that calls after a publication use the program of the publication.
func TestAPublishedScriptIsCompiledOnce(t *testing.T) {
	each(t, func(f *fixture) {
		call := func(name string, want string) {
			f.Helper()
			answer, err := f.Send(f.Context(), dispatch.Target{Integration: name}, dispatch.Event{"type": "fetch"}, nil)
			if err != nil || string(answer.Body) != want {
				f.Fatalf("%s answers %+v, %v", name, answer, err)
			}
		}
		publish := func(name, script string, runtime integration.Runtime) {
			f.Helper()
			_, err := f.integrations.Publish(f.Context(), f.Admin(), name, integration.Publication{
				Organization: f.Organization, Title: "Swift", Script: script, Runtime: runtime,
				Visibility: integration.Public})
			if err != nil {
				f.Fatal(err)
			}
		}
		publish("swift", `export default { fetch() { return new Response("one"); } };`, integration.RuntimeV2)
		call("swift", "one")
		publish("swift", `export default { fetch() { return new Response("two"); } };`, integration.RuntimeV2)
		call("swift", "two")
		// The same bytes as a classic script are another program.
		const both = `addEventListener("fetch", (event) => event.respondWith(new Response("v1")));`
		publish("classic", both, "")
		call("classic", "v1")
		if opened := f.opened.Load(); opened != 0 {
			t.Errorf("%d scripts were read to be compiled again", opened)
		}
	})
}
