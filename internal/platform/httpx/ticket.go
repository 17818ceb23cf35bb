package httpx

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Tickets makes and reads tickets: signed texts that say who somebody is, for one purpose and for a while. Whoever
// holds a ticket is taken for that person, so what they may do has to be checked again each time.
type Tickets struct {
	// Key signs; at least 16 secret bytes that every process shares.
	Key []byte
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Issue returns a ticket for a user that is good for one purpose until lifetime is over. It consists of characters that
// need no escaping in URLs and cookies. user and purpose must not contain a dot.
func (t Tickets) Issue(user, purpose string, lifetime time.Duration) string {
	claims := user + "." + strconv.FormatInt(t.now().Add(lifetime).Unix(), 10)
	return claims + "." + t.sign(claims, purpose)
}

// User returns whom a ticket is for and when it ends; ok is false when it was not made here for this purpose, was
// changed, or is over.
func (t Tickets) User(ticket, purpose string) (user string, until time.Time, ok bool) {
	if len(ticket) > 512 {
		return "", time.Time{}, false
	}
	end := strings.LastIndexByte(ticket, '.')
	if end < 0 || !hmac.Equal([]byte(t.sign(ticket[:end], purpose)), []byte(ticket[end+1:])) {
		return "", time.Time{}, false
	}
	user, seconds, _ := strings.Cut(ticket[:end], ".")
	expires, err := strconv.ParseInt(seconds, 10, 64)
	until = time.Unix(expires, 0)
	if err != nil || !t.now().Before(until) {
		return "", time.Time{}, false
	}
	return user, until, true
}

func (t Tickets) sign(claims, purpose string) string {
	mac := hmac.New(sha256.New, t.Key)
	mac.Write([]byte(purpose + "\x00" + claims))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (t Tickets) now() time.Time {
	if t.Now == nil {
		return time.Now()
	}
	return t.Now()
}
