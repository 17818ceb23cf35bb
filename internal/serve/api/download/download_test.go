package download

import (
	"net/url"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// TestAnAddressWorksForItsFileAndTime holds that the address of a file is good for these bytes under this name, until
// the end of the next day.
func TestAnAddressWorksForItsFileAndTime(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	signer := Signer{BaseURL: "http://localhost", Key: []byte("0123456789abcdef"),
		Now: func() time.Time { return now }}
	address, err := url.Parse(signer.URL("spc_a", &entity.Entry{Blob: "b1", Name: "my file.png"}))
	if err != nil {
		t.Fatal(err)
	}
	if address.Path != "/v1/downloads/spc_a/b1/my file.png" {
		t.Errorf("the path is %s", address.Path)
	}
	signature, expires := address.Query().Get("signature"), address.Query().Get("expires")
	for name, test := range map[string]struct {
		signature, expires string
		parts              []string
		at                 time.Time
		genuine, live      bool
	}{
		"as it was made": {signature, expires, []string{"spc_a", "b1", "my file.png"}, now, true, true},
		"on the next day": {signature, expires, []string{"spc_a", "b1", "my file.png"},
			time.Date(2026, 11, 21, 23, 59, 59, 0, time.UTC), true, true},
		"on the day after": {signature, expires, []string{"spc_a", "b1", "my file.png"},
			time.Date(2026, 11, 22, 0, 0, 1, 0, time.UTC), true, false},
		"other bytes":       {signature, expires, []string{"spc_a", "b2", "my file.png"}, now, false, true},
		"another name":      {signature, expires, []string{"spc_a", "b1", "my.html"}, now, false, true},
		"another space":     {signature, expires, []string{"spc_b", "b1", "my file.png"}, now, false, true},
		"parts moved":       {signature, expires, []string{"spc_ab", "1", "my file.png"}, now, false, true},
		"a longer life":     {signature, "9" + expires, []string{"spc_a", "b1", "my file.png"}, now, false, true},
		"no time":           {signature, "", []string{"spc_a", "b1", "my file.png"}, now, false, false},
		"another signature": {signature[1:], expires, []string{"spc_a", "b1", "my file.png"}, now, false, true},
		"no signature":      {"", expires, []string{"spc_a", "b1", "my file.png"}, now, false, true},
	} {
		before := now
		now = test.at
		genuine, live := signer.Check(test.signature, test.expires, test.parts...)
		now = before
		if genuine != test.genuine || live != test.live {
			t.Errorf("%s: genuine %t, live %t", name, genuine, live)
		}
	}
}
