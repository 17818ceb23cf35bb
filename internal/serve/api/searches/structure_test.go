package searches_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestSiteSearchForClients holds the fields that clients tell results apart and order them by.
func TestSiteSearchForClients(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		found := s.NewSite("Found", "public",
			`{"operation":"insert_page","ref":"a","title":"Above","document":{"markdown":"Nothing.\n"}},
			{"operation":"insert_page","into":"a","title":"Needles","description":"About them","document":{"markdown":"A needle.\n"}},
			{"operation":"insert_page","title":"Hay","document":{"markdown":"No needle but hay, and straw, and more of both.\n"}}`)
		type answer struct {
			Items []struct {
				Type  string
				Score float64
				Pages []struct {
					Title, Description, ResultType string
					Score                          float64
					Rank                           int
					Ancestors                      []struct{ Title string }
					Sections                       []struct {
						ResultType string
						Score      float64
					}
				}
			}
			Next struct{ Page string }
		}
		const all = `{"query":"needle","scope":{"mode":"all"}}`
		var first, second answer
		s.Call(http.MethodPost, found.Path+"/search?limit=1", all, http.StatusOK, &first)
		s.Call(http.MethodPost, found.Path+"/search?limit=1&page="+url.QueryEscape(first.Next.Page), all, http.StatusOK,
			&second)
		space := first.Items[0]
		page := space.Pages[0]
		if space.Type != "space" || space.Score <= 0 || page.Title != "Needles" || page.Description != "About them" ||
			page.ResultType != "page" ||
			page.Score != space.Score || page.Rank != 1 || len(page.Ancestors) != 1 ||
			page.Ancestors[0].Title != "Above" {
			t.Errorf("%+v", space)
		}
		if section := page.Sections[0]; section.ResultType != "section" || section.Score != page.Score {
			t.Errorf("%+v", section)
		}
		if page := second.Items[0].Pages[0]; page.Rank != 2 || page.Ancestors == nil || page.Score > space.Score {
			t.Errorf("%+v", page)
		}
		s.Call(http.MethodPost, found.Path+"/search",
			`{"query":"needle","scope":{"mode":"default","restrictTo":"otherSiteSpaces"}}`, http.StatusBadRequest, nil)
	})
}
