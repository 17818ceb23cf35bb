package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestNoSecretStandsInTheLog asks for every address that has a secret in its path, and for ones with a secret where
// none belongs. What tests log is looked at when each ends.
func TestNoSecretStandsInTheLog(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	var invite struct{ ID string }
	organization := "/v1/orgs/" + s.Organization
	s.Call(http.MethodPost, organization+"/link-invites", `{"role":"read"}`, http.StatusCreated, &invite)
	site := s.NewSite("Docs", "share-link", apptest.OnePage)
	_, shared := site.Link("Friends")
	share := strings.Trim(strings.TrimPrefix(shared, site.Home), "/")
	if len(invite.ID) != len("invite_")+32 || len(share) != 32 {
		t.Fatalf("the secrets are %q and %q", invite.ID, share)
	}
	ticket := "user_01k.1999999999.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
	claims := "eyJwbGFuIjoicHJvIn0"
	shown := strings.TrimPrefix(site.Home, s.Base)
	addresses := []string{
		"/invites/" + s.Organization + "/" + invite.ID, "/v1/orgs/" + s.Organization + "/nothing/" + invite.ID,
		shown + share + "/", shown + share + "/start", "/" + share, shown + "~/visitor/" + claims + "/start",
		shown + "x/~/visitor/" + claims,
		"/v1/" + s.Token, "/signin/sso/finish?ticket=" + ticket, "/" + ticket,
		"/v1/downloads/a/b/c?expires=1&signature=" + share,
		"/signin/password?token=rcl_" + share, "/signin/password/rcl_" + share,
	}
	for _, address := range addresses {
		s.Raw(http.MethodGet, address, "", nil)
	}
	s.Raw(http.MethodPost, organization+"/invites/"+invite.ID, s.Token, nil)
	s.Call(http.MethodDelete, organization+"/link-invites/"+invite.ID, nil, http.StatusResetContent, nil)
	s.Stop()
	text := s.Log.String()
	for _, secret := range []string{invite.ID, share, s.Token, ticket, claims} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%.12s… is in the log: …%.300s", secret, text[max(0, i-200):])
		}
	}
	paths := map[string]int{}
	for line := range strings.Lines(text) {
		var entry struct{ Msg, Path string }
		if err := json.Unmarshal([]byte(line), &entry); err == nil && entry.Msg == "request" {
			paths[entry.Path]++
		}
	}
	for _, path := range []string{"/invites/" + s.Organization + "/invite_…", shown + "…/start",
		shown + "~/visitor/…/start", "/v1/rct_…", organization + "/link-invites/invite_…"} {
		if paths[path] == 0 {
			t.Errorf("the access log has no request for %s: %v", path, paths)
		}
	}
}
