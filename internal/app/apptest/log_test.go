package apptest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestTheAuditOfLogsFindsSecrets holds that what every test with a server relies on can fail.
func TestTheAuditOfLogsFindsSecrets(t *testing.T) {
	for line, secret := range map[string]string{
		`{"path":"/invites/x/invite_` + strings.Repeat("a", 32) + `"}`: "",
		`{"path":"/docs/` + strings.Repeat("b", 32) + `/start"}`:       "",
		`/docs/` + strings.Repeat("b", 32):                             "",
		`{"path":"/x/~/visitor/a/start"}`:                              "",
		`{"path":"/x?signature=a"}`:                                    "",
		`{"token":"rct_abcdefghij"}`:                                   "",
		`{"path":"/eyJhbGciOiJIUzI1.eyJzdWIi"}`:                        "",
		`{"path":"/docs/some-very-secret-words/start"}`:                "some-very-secret-words",
	} {
		var known secrets
		known.add("a test", secret)
		// A second line with the same words is no second leak.
		if found := known.leaks([]byte(line + "\n")); len(found) != 1 {
			t.Errorf("%s: %v", line, found)
		}
	}
	var known secrets
	invite, share := "invite_"+strings.Repeat("c", 32), strings.Repeat("d", 32)
	known.exchange(
		&http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/a", RawQuery: "signature=0123456789abcdef"},
			Header: http.Header{"Authorization": {"Bearer rct_aaaaaaaaaaaaaaaa"}, "Cookie": {"b=another-of-sixteen"}}},
		Answer{Header: http.Header{"Content-Type": {"application/json"}, "Set-Cookie": {"a=cookie-of-sixteen"}},
			Body: []byte(`{"id":"` + invite + `","privateKey":"0123456789abcdefg","code":"too short",` +
				`"url":"/x?a=1&ticket=0123456789abcdefgh","key":"` + share + `","token":"not a \" value of sixteen"}`)},
	)
	var found []string
	for secret := range known.where {
		found = append(found, secret)
	}
	slices.Sort(found)
	want := []string{"0123456789abcdef", "0123456789abcdefg", "0123456789abcdefgh", "another-of-sixteen",
		"cookie-of-sixteen", share, invite, "rct_aaaaaaaaaaaaaaaa"}
	if !slices.Equal(found, want) {
		t.Errorf("secrets %q, want %q", found, want)
	}
	harmless := `{"path":"/docs/start","request":"request_01jd3k9m8n7p6q5r4s3t2v1w0x"}`
	if leaks := known.leaks([]byte(harmless)); leaks != nil {
		t.Errorf("leaks %q", leaks)
	}
}
