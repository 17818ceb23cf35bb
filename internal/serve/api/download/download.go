// Package download owns signed addresses: whoever has one may read what it names until it expires, without a token.
package download

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// Signer signs addresses.
type Signer struct {
	// BaseURL is the public address of the server without a trailing slash.
	BaseURL string
	// Key is at least 16 secret bytes that every process shares.
	Key []byte
	// Now is the clock.
	Now func() time.Time
}

// Day names the day whose end, plus one more day, is when download addresses of now expire. Addresses change
// once a day only, so that answers which hold them can be kept.
func (s Signer) Day() string { return strconv.FormatInt(s.Now().Unix()/86400, 10) }

// URL signs the address of a file's bytes. Whoever has it may read these bytes, under this name, until the end
// of the next day (UTC).
func (s Signer) URL(space string, e *entity.Entry) string {
	expires := strconv.FormatInt((s.Now().Unix()/86400+2)*86400, 10)
	query := url.Values{"expires": {expires}, "signature": {s.Sign(space, e.Blob, e.Name, expires)}}
	return s.BaseURL + "/v1/downloads/" + space + "/" + e.Blob + "/" + url.PathEscape(e.Name) + "?" + query.Encode()
}

// never is when addresses expire that last.
const never = "never"

// LastingURL is URL for readers of a published site: it works as long as the bytes are there.
func (s Signer) LastingURL(space string, e *entity.Entry) string {
	query := url.Values{"expires": {never}, "signature": {s.Sign(space, e.Blob, e.Name, never)}}
	return s.BaseURL + "/v1/downloads/" + space + "/" + e.Blob + "/" + url.PathEscape(e.Name) + "?" + query.Encode()
}

// Sign returns the signature of some parts of an address.
func (s Signer) Sign(parts ...string) string {
	mac := hmac.New(sha256.New, s.Key)
	for _, part := range parts {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part)) // lengths keep parts from running into each other
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// Check says of an address that expires at a time, in seconds since 1970, whether the signature is that of the parts
// and the time, and whether the time has not come yet. The time of an address that lasts never comes.
func (s Signer) Check(signature, expires string, parts ...string) (genuine, live bool) {
	want := s.Sign(append(parts[:len(parts):len(parts)], expires)...)
	seconds, err := strconv.ParseInt(expires, 10, 64)
	genuine = hmac.Equal([]byte(want), []byte(signature))
	return genuine, expires == never || err == nil && !s.Now().After(time.Unix(seconds, 0))
}
