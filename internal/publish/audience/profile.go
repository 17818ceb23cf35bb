package audience

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Profile is what a token says of its visitor, or that nothing is known of one. Visits share it for as long as the
// token counts and the site stays as it is, so that the token is not read again with each request.
type Profile struct {
	token Token
	// rules are those by which the token was read. It counts for no other ones: neither at another site nor here after
	// a change.
	rules *Rules
	// claims are those of a visitor who says nothing of themselves.
	claims func() map[string]any
	kept   atomic.Value
}

// newProfile returns that of a token which counts by some rules.
func newProfile(rules *Rules, token Token) *Profile {
	return &Profile{token: token, rules: rules, claims: sync.OnceValue(func() map[string]any {
		return rules.Schema.Visitor(token, nil)
	})}
}

// Keep keeps what somebody who serves the site has worked out of the claims and of nothing else: whoever comes with
// the same token gets it. It has the same type each time.
func (p *Profile) Keep(made any) { p.kept.Store(made) }

// Kept returns what was kept last, nil when nothing was.
func (p *Profile) Kept() any { return p.kept.Load() }

// profileCacheSize is how much memory may hold what visitors' tokens say and what is kept with it, in bytes.
const profileCacheSize = 64 << 20

// weighProfile returns about how many bytes a profile takes: the token, its claims as they are signed and as the site
// takes them, and what is kept with them.
func weighProfile(token string, _ *Profile) uint32 { return uint32(3*len(token) + 2048) }

// profile checks a token by a site's rules, and returns what is wrong with one that does not count.
func (s *Service) profile(rules *Rules, text string, now time.Time) (*Profile, error) {
	if len(text) > MaxToken {
		return nil, ErrTokenTooLong
	}
	if kept, ok := s.profiles.Get(text); ok && kept.rules == rules && now.Before(kept.token.Expires) {
		return kept, nil
	}
	token, err := rules.Verify(text, now)
	if err != nil {
		return nil, err
	}
	made := newProfile(rules, token)
	s.profiles.Set(strings.Clone(text), made) // not with all of the header that it is a part of
	return made, nil
}
