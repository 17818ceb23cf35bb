package identity_test

import (
	"encoding/base64"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// FuzzReceive holds that no text but the provider's own is accepted, and that none breaks anything.
func FuzzReceive(f *testing.F) {
	f.Add("")
	f.Add("<a/>")
	f.Add(`<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>`)
	f.Fuzz(func(t *testing.T, text string) {
		h := newFixture(t, dbtest.SQLite(t))
		good := h.idp.text(h.idp.good(says{}))
		for _, forged := range []string{text, good + text, text + good} {
			_, err := h.receive(h.idp, base64.StdEncoding.EncodeToString([]byte(forged)))
			if err == nil && forged != good || err != nil && !errs.Is(err, errs.Forbidden) {
				t.Errorf("%q: %v", text, err)
			}
			if err == nil {
				return
			}
		}
	})
}
