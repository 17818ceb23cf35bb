package fetch

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestHTTPClient(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 200))
		case "/away":
			http.Redirect(w, r, "/secret", http.StatusFound)
		default:
			_, _ = io.WriteString(w, r.Header.Get("Authorization")+" "+r.Header.Get("User-Agent"))
		}
	})
	client := loopback(t).HTTPClient(Limits{Bytes: 100})
	get := func(client *http.Client, address string) (int, string, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Basic abc")
		response, err := client.Do(request)
		if err != nil {
			return 0, "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return response.StatusCode, string(body), err
	}
	if status, body, err := get(client, server.URL); err != nil || status != http.StatusOK ||
		body != "Basic abc Recto" {
		t.Errorf("%d %q %v", status, body, err)
	}
	if status, _, err := get(client, server.URL+"/away"); err != nil || status != http.StatusFound {
		t.Errorf("a redirect was followed: %d %v", status, err)
	}
	if _, _, err := get(client, server.URL+"/large"); !errs.Is(err, errs.TooLarge) {
		t.Errorf("a large body: %v", err)
	}
	if _, _, err := get(New(Options{}).HTTPClient(Limits{}), server.URL); !errs.Is(err, errs.Invalid) {
		t.Errorf("a private address: %v", err)
	}
	if _, _, err := get(client, "ftp://example.org/"); !errs.Is(err, errs.Invalid) {
		t.Errorf("another scheme: %v", err)
	}
}
