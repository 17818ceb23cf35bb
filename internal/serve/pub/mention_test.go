package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestMentionsInWhatIsSaidOfAPage holds that descriptions, outlines and search have the title of a page that is
// mentioned as far as the page shows it, and neither the names nor the ids of people.
func TestMentionsInWhatIsSaidOfAPage(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public", apptest.OnePage)
		site.Adapt(`{"type":"object","properties":{"plan":{"type":"string","description":""}},` +
			`"additionalProperties":false}`)
		person := s.UserOf(s.Token)
		insert := func(title, condition, text string) string {
			t.Helper()
			s.Call(http.MethodPost, "/v1/spaces/"+site.Space+"/content", map[string]any{"changes": []any{map[string]any{
				"operation": "insert_page", "title": title, "condition": condition,
				"document": map[string]any{"markdown": text}}}}, http.StatusOK, nil)
			var tree struct{ Pages []struct{ ID, Title string } }
			s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &tree)
			for _, page := range tree.Pages {
				if page.Title == title {
					return page.ID
				}
			}
			t.Fatalf("there is no page %s", title)
			return ""
		}
		plans := insert("Plans", "", "All of them.\n")
		secret := insert("Secret", `visitor.claims.plan == "pro"`, "For some.\n")
		mention := func(kind, id, title string) string { return "[" + title + "](/" + kind + "/" + id + ` "mention")` }
		ada, shown := mention("users", person, "Ada Someone"), mention("pages", plans, "Old plans")
		insert("Help", "", "Ask "+ada+" about "+shown+" or "+mention("pages", secret, "Secret")+" zebras.\n\n"+
			"## With "+shown+" first\n\nText.\n\n## And "+ada+" then\n\nMore.\n")

		visitor := apptest.NewVisitor(t)
		status, body, _ := visitor.Open(site.Home + "help")
		if status != http.StatusOK {
			t.Fatal(status)
		}
		for _, hidden := range []string{person, plans, secret, "Ada Someone", "Old plans", "Secret"} {
			if strings.Contains(body, hidden) {
				t.Errorf("the page has %q:\n%s", hidden, body)
			}
		}
		for _, shown := range []string{`name="description" content="Ask about Plans or zebras."`,
			`property="og:description" content="Ask about Plans or zebras."`} {
			if !strings.Contains(body, shown) {
				t.Errorf("the page has no %s:\n%s", shown, body)
			}
		}
		for _, heading := range []string{">With Plans first<", ">And then<"} {
			if !strings.Contains(body, heading) {
				t.Errorf("the outline has no %s", heading)
			}
		}
		found := visitor.Search(site.Home, "zebras")
		if found.Total != 1 || strings.Contains(found.Text, person) || strings.Contains(found.Text, plans) ||
			strings.Contains(found.Text, secret) || strings.Contains(found.Text, "Ada") {
			t.Errorf("search: %s", found.Text)
		}
		for _, id := range []string{person, plans, secret} {
			if found := visitor.Search(site.Home, id); found.Total != 0 {
				t.Errorf("%s is found: %s", id, found.Text)
			}
			s.Find(site.Space, id, 0)
		}
		_, body, _ = visitor.Open(site.Home + "help.md")
		if strings.Contains(body, person) || strings.Contains(body, "Ada Someone") || strings.Contains(body, "Secret") {
			t.Errorf("the Markdown: %s", body)
		}
	})
}
