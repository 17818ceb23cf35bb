package endpoints

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/publish/dispatch"
)

// What a script sets while it signs a visitor in is kept in one cookie of this server's: so a script can neither take
// the name of another cookie, nor make so many that a browser forgets others. The browser sends it below the address of
// the installation on the site alone, no page reads it, and no other script gets it.
const (
	visitorCookie = "recto_integration"
	// maxKept bounds what is kept together, in bytes of the cookie, maxKeptCookies their number. With its name and its
	// path, it is what every browser keeps: 4 kB. The token of an identity provider, encrypted, takes the most of it.
	maxKept        = 3700
	maxKeptCookies = 20
	// keptFor is how long anything is kept at most: it is for the way through a sign-in.
	keptFor = 24 * time.Hour
)

// cookie is one that a script has set.
type cookie struct {
	Value string
	// Until is in seconds since 1970.
	Until int64
}

// cookies are those that a script has set in a browser for one installation on a site, by their names. It knows no
// others.
func (s *Server) cookies(r *http.Request) map[string]cookie {
	kept := map[string]cookie{}
	found, err := r.Cookie(visitorCookie)
	if err != nil || s.deps.Cookieless || len(found.Value) > maxKept {
		return kept
	}
	fields, err := url.ParseQuery(found.Value)
	if err != nil || len(fields) > maxKeptCookies {
		return kept // made by hand
	}
	now := s.deps.Now().Unix()
	for name := range fields {
		until, value, _ := strings.Cut(fields.Get(name), ".")
		end, err := strconv.ParseInt(until, 36, 64)
		if err == nil && end > now && (&http.Cookie{Name: name, Value: value}).Valid() == nil {
			kept[name] = cookie{value, end}
		}
	}
	return kept
}

// values are the cookies as an event has them.
func values(kept map[string]cookie) map[string]string {
	list := make(map[string]string, len(kept))
	for name, each := range kept {
		list[name] = each.Value
	}
	return list
}

// cookieHeader is what the header Cookie of a request says to a script, "" for nothing.
func cookieHeader(kept map[string]cookie) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		parts = append(parts, (&http.Cookie{Name: name, Value: kept[name].Value}).String())
	}
	return strings.Join(parts, "; ")
}

// keep lets the browser keep what an answer sets, together with what it has kept before. Of an answer's cookies the
// name, the value and the end count. Those that would be too many are left out, the last ones first.
func (s *Server) keep(w http.ResponseWriter, to dispatch.Target, kept map[string]cookie, answer *dispatch.Answer) {
	if s.deps.Cookieless {
		return
	}
	now, changed := s.deps.Now(), false
	for _, header := range answer.Header {
		if !strings.EqualFold(header[0], "set-cookie") {
			continue
		}
		set, err := http.ParseSetCookie(header[1])
		if err != nil {
			continue
		}
		until := now.Add(keptFor)
		switch {
		case set.MaxAge < 0:
			until = now
		case set.MaxAge > 0:
			until = earlier(until, now.Add(time.Duration(min(set.MaxAge, int(keptFor/time.Second)))*time.Second))
		case !set.Expires.IsZero():
			until = earlier(until, set.Expires)
		}
		before, had := kept[set.Name]
		if !until.After(now) {
			delete(kept, set.Name)
			changed = changed || had
			continue
		}
		kept[set.Name] = cookie{set.Value, until.Unix()}
		if _, fits := encode(kept); fits {
			changed = true
		} else if delete(kept, set.Name); had {
			kept[set.Name] = before
		}
	}
	if !changed {
		return
	}
	made := &http.Cookie{Name: visitorCookie, Path: cookiePath(to), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(s.deps.BaseURL, "https:"), MaxAge: -1}
	for _, each := range kept {
		made.MaxAge = max(made.MaxAge, int(each.Until-now.Unix()))
	}
	if made.MaxAge > 0 {
		made.Value, _ = encode(kept)
	}
	http.SetCookie(w, made)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// encode writes cookies as the value of one, and says whether they are few enough. What scripts keep is base64 mostly,
// which stands in a query as it is.
func encode(kept map[string]cookie) (value string, fits bool) {
	fields := url.Values{}
	for name, each := range kept {
		fields.Set(name, strconv.FormatInt(each.Until, 36)+"."+each.Value)
	}
	value = fields.Encode()
	return value, len(kept) <= maxKeptCookies && len(value) <= maxKept
}

// cookiePath is the path below which the addresses of an installation on a site are.
func cookiePath(to dispatch.Target) string {
	return fmt.Sprintf("%s%s/installations/%s/sites/%s/", Prefix, url.PathEscape(to.Integration), to.Installation,
		to.Site)
}
