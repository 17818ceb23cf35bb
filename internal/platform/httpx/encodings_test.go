package httpx_test

import (
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/platform/httpx"
)

func TestAccepted(t *testing.T) {
	for header, want := range map[string]httpx.Encodings{
		"": {}, "gzip": {Gzip: true}, "gzip, zstd": {Gzip: true, Zstd: true}, "GZIP;q=0.5": {Gzip: true},
		"gzip;q=0, zstd;q=1": {Zstd: true}, "gzip; q=0.0": {}, "gzip;q=x": {}, "br": {}, "gzipped": {},
	} {
		r, err := http.NewRequest(http.MethodGet, "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", header)
		if got := httpx.Accepted(r); got != want {
			t.Errorf("%q accepts %+v, want %+v", header, got, want)
		}
	}
}
