package links_test

import (
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// reference is a location with everything that a client may look for.
type reference struct {
	Kind, URL      string
	Organization   *apptest.Identified
	Collection     *apptest.Identified
	OpenAPISpec    *struct{ ID, Slug, Object string }
	VersionContext *struct {
		Type     string
		Revision *struct {
			Object, ID, Type string
			Pages, Files     []any
		}
		ChangeRequest *apptest.Identified
	}
}

// TestReferencesSayWhatTheyLeadTo holds that a specification and a collection are told as what they are, and that
// places of content say of which version they are.
func TestReferencesSayWhatTheyLeadTo(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		spec := s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		collection := s.Collection("Handbooks", "")
		space := s.Space("Guide")
		at := "/v1/spaces/" + space
		body := `See [the API](/openapi/pets), [by id](/openapi/` + spec.ID +
			`), [none](/openapi/cats), [the books](/collections/` + collection +
			`) and [more](/pages/more).\n\n{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" %}\n{% endopenapi-operation %}\n`
		var written struct{ Revision string }
		s.Call(http.MethodPost, at+"/content",
			`{"changes":[{"operation":"insert_page","ref":"more","title":"More"},{"operation":"insert_page","title":"Start","document":{"markdown":"`+body+`"}}]}`, http.StatusOK, &written)
		s.Call(http.MethodPost, at+"/change-requests", nil, http.StatusCreated, nil)
		type list struct {
			Items []struct {
				Written, Status    string
				TargetReference    *reference
				LocationReferences []reference
			}
		}
		for _, c := range []struct{ path, context string }{{at + "/links", "revision"},
			{at + "/change-requests/1", "changeRequest"}} {
			path := c.path
			if c.context == "changeRequest" {
				var tree struct{ Pages []struct{ ID, Title string } }
				s.Call(http.MethodGet, at+"/content/pages", nil, http.StatusOK, &tree)
				for _, page := range tree.Pages {
					if page.Title == "Start" {
						path = at + "/change-requests/1/content/page/" + page.ID + "/links"
					}
				}
			}
			var links list
			s.Call(http.MethodGet, path, nil, http.StatusOK, &links)
			seen := map[string]int{}
			for _, link := range links.Items {
				target := link.TargetReference
				if target == nil {
					t.Errorf("%s: %s leads to nothing", path, link.Written)
					continue
				}
				seen[link.Written+" "+target.Kind]++
				switch target.Kind {
				case "openapi":
					if target.OpenAPISpec == nil || target.OpenAPISpec.ID != spec.ID ||
						target.OpenAPISpec.Object != "openapi-spec" || target.Organization == nil ||
						target.Organization.ID != s.Organization {
						t.Errorf("%s: %s is %+v", path, link.Written, target)
					}
				case "collection":
					if target.Collection == nil || target.Collection.ID != collection || target.Organization == nil {
						t.Errorf("%s: %s is %+v", path, link.Written, target)
					}
				}
				places := link.LocationReferences
				if target.Kind == "page" {
					places = append(places, *target)
				}
				for _, place := range places {
					version := place.VersionContext
					switch {
					case version == nil || version.Type != c.context:
						t.Errorf("%s: a place of %s is of %+v", path, link.Written, version)
					case c.context == "revision" &&
						(version.Revision == nil || version.Revision.ID != written.Revision ||
							version.Revision.Object != "revision" || version.Revision.Pages == nil):
						t.Errorf("%s: the revision is %+v", path, version.Revision)
					case c.context == "changeRequest" && version.ChangeRequest == nil:
						t.Errorf("%s: no change request", path)
					}
				}
			}
			// The block depends on the specification, beside the link to it.
			for want, times := range map[string]int{"/openapi/pets openapi": 2, "/openapi/" + spec.ID + " openapi": 1,
				"/openapi/cats url": 1, "/collections/" + collection + " collection": 1} {
				if seen[want] != times {
					t.Errorf("%s: %q is there %d times in %v", path, want, seen[want], seen)
				}
			}
		}
	})
}
