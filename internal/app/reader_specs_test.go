package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// shownToo says who may see each canary of what specifications and an integration add to the site that is walked.
var shownToo = map[string]func(who) bool{
	"operation": everybody, "operation model": everybody, "pro operation": who.pro, "no operation": nobodyAtAll,
	"no model": nobodyAtAll, "spec about": nobodyAtAll, "spec gateway": nobodyAtAll,
	"pro spec": who.pro, "closed spec": nobodyAtAll, "elsewhere spec": nobodyAtAll,
	"reference about": who.pro, "reference operation": who.pro, "reference model": nobodyAtAll,
	"pro drawing": who.pro, "drawing": everybody,
}

// seen says who may see each canary of the site with these.
func seen() map[string]func(who) bool {
	all := maps.Clone(forWhom)
	maps.Copy(all, shownToo)
	return all
}

// described makes specifications that pages of the site show, for everybody and for some, and others that none shows,
// and an integration that draws. It returns another organization, which has a specification of the same name.
func described(s *apptest.Server, space string) (elsewhere string) {
	s.T.Helper()
	c := canary
	spec := func(about, paths, models string) string {
		return `{"openapi":"3.1.0","info":{"title":"API","version":"1","description":"About ` + about +
			`."},"paths":{` + paths + `},"components":{"schemas":{"Seen":{"type":"string","description":"` +
			c("operation model") + `"},"Unseen":{"type":"string","description":"` + models + `"}}}}`
	}
	path := func(name, says, model string) string {
		return `"/` + name + `":{"get":{"description":"` + says + `","x-gateway":"` + c("spec gateway") +
			`","responses":{"200":{"description":"Fine","content":{"application/json":{"schema":{"$ref":` +
			`"#/components/schemas/` + model + `"}}}}}}}`
	}
	s.PutSpec("open", spec(c("spec about"), path("all", c("operation"), "Seen")+","+
		path("pro", c("pro operation"), "Seen")+","+path("none", c("no operation"), "Unseen"), c("no model")), 201)
	s.PutSpec("proapi", spec(c("spec about"), path("all", c("pro spec"), "Seen"), c("no model")), 201)
	s.PutSpec("closed", spec("none", path("all", c("closed spec"), "Seen"), c("closed spec")), 201)
	s.PutSpec("reference", spec(c("reference about"), path("all", c("reference operation"), "Seen"),
		c("reference model")), 201)
	organization, eve := s.Elsewhere()
	body, err := json.Marshal(map[string]any{"source": map[string]any{
		"text": spec("none", path("all", c("elsewhere spec"), "Seen"), c("elsewhere spec"))}})
	if err != nil {
		s.T.Fatal(err)
	}
	got := s.Try(http.MethodPut, "/v1/orgs/"+organization+"/openapi/open", eve, string(body))
	if got.Status != http.StatusCreated {
		s.T.Fatalf("a specification of another organization: %d %s", got.Status, got.Body)
	}
	s.Publish("drawer", map[string]any{"visibility": "private", "runtime": "v2", "target": "space",
		"blocks": []any{map[string]any{"id": "drawing", "title": "Drawing"}},
		"script": `export default { async fetch(request) {
			const event = JSON.parse((await request.formData()).get("event"));
			return Response.json({type: "element", element: {type: "text", children: [event.props.say ?? "none"]}});
		} };`})
	s.Call(http.MethodPost, "/v1/integrations/drawer/installations/"+s.Install("drawer").ID+"/spaces",
		map[string]any{"space": space}, http.StatusCreated, nil)

	block := func(slug, path string) string {
		return `{% openapi-operation spec=\"` + slug + `\" path=\"/` + path + `\" method=\"get\" %}\n[API](/openapi/` +
			slug + `)\n{% endopenapi-operation %}\n\n`
	}
	pro := `{% if visitor.claims.plan == \"pro\" %}\n\n{% @drawer/drawing say=\"` + c("pro drawing") +
		`\" %}\n\n{% endif %}\n\n{% @drawer/drawing say=\"` + c("drawing") + `\" %}\n`
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[
		{"operation":"insert_page","title":"API","document":{"markdown":"`+block("open", "all")+
		`{% if visitor.claims.plan == \"pro\" %}\n\n`+block("open", "pro")+`{% endif %}\n"}},
		{"operation":"insert_page","title":"API of some","condition":"visitor.claims.plan == \"pro\"",
			"document":{"markdown":"`+block("proapi", "all")+`"}},
		{"operation":"insert_page","title":"API of nobody","condition":"visitor.claims.none.none",
			"document":{"markdown":"`+block("open", "none")+block("closed", "all")+`"}},
		{"operation":"insert_page","title":"Drawn","document":{"markdown":"`+pro+`"}},
		{"operation":"insert_page","title":"Reference","type":"computed","condition":"visitor.claims.plan == \"pro\"",
			"computed":{"type":"builtin:openapi","props":{"models":false},"dependencies":{"spec":{"ref":{
			"kind":"openapi","spec":"reference"}}}}}]}`, http.StatusOK, nil)
	return organization
}

// readSpecs asks for all that a program may ask for of specifications, and for blocks in every space.
func (r *reader) readSpecs(elsewhere string, spaces map[string][]apptest.PageNode) {
	r.T.Helper()
	latest := func(organization, slug string) apptest.Answer {
		return r.get(http.MethodGet, "/v1/orgs/"+organization+"/openapi/"+slug+"/versions/latest/content", nil)
	}
	for slug, sees := range map[string]func(who) bool{"open": everybody, "proapi": who.pro, "reference": who.pro,
		"closed": nobodyAtAll, "none": nobodyAtAll, "..%2F..": nobodyAtAll} {
		want := http.StatusNotFound
		if sees(r.who) {
			want = http.StatusOK
		}
		got := latest(r.Organization, slug)
		if got.Status != want {
			r.T.Errorf("%s gets %d for the specification %s: %.300s", r.who.name, got.Status, slug, got.Body)
		}
		if strings.Contains(string(got.Body), "/files/") || strings.Contains(string(got.Body), "signature") {
			r.T.Errorf("%s gets the address of a file of %s: %s", r.who.name, slug, got.Body)
		}
	}
	if got := latest(elsewhere, "open"); got.Status != http.StatusNotFound {
		r.T.Errorf("%s gets %d for a specification of another organization", r.who.name, got.Status)
	}
	at := "/v1/orgs/" + r.Organization + "/openapi"
	for _, path := range []string{at, at + "/open", at + "/open/versions", at + "/open/versions/latest",
		at + "/open/versions/latest/content/raw", at + "/open/versions/none/content"} {
		if got := r.get(http.MethodGet, path, nil); got.Status != http.StatusForbidden {
			r.T.Errorf("%s gets %d at %s", r.who.name, got.Status, path)
		}
	}
	drawn := 0
	for space := range spaces {
		for kind, status := range map[string]int{"document": http.StatusOK,
			"configuration_space": http.StatusNotFound, "configuration_contentsource": http.StatusNotFound} {
			got := r.get(http.MethodPost, "/v1/integrations/drawer/render", fmt.Sprintf(
				`{"componentId":"drawing","props":{"say":"hello"},"context":{"type":%q,"spaceId":%q}}`, kind, space))
			if got.Status == http.StatusOK && status == http.StatusOK {
				drawn++
			} else if got.Status != http.StatusNotFound {
				r.T.Errorf("%s: a drawing for %s answers %d %s", r.who.name, kind, got.Status, got.Body)
			}
		}
	}
	if drawn != 1 { // it is on one space
		r.T.Errorf("%s: there are drawings on %d spaces", r.who.name, drawn)
	}
}
