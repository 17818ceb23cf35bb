package scope

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// once returns a response from the cache, or makes it once for all who ask at the same time.
func (s *Services) once(asked pageKey, prepare func() (*response.Response, error)) (*response.Response, error) {
	key := asked.String()
	if kept, ok := s.Pages.Get(key); ok && !kept.Stale() {
		return kept, nil
	}
	made, err, _ := s.rendering.Do(key, func() (any, error) {
		made, err := prepare()
		if err == nil {
			s.Pages.Set(key, made)
		}
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*response.Response), nil
}

// pageKey says what a rendered page depends on, and nothing else does.
type pageKey struct {
	state string       // of the site, see resolved
	space id.SiteSpace // on the site
	path  string       // as asked for, percent-encoded; of other things than pages a NUL and what they are
}

// String returns the key as one text, under which the cache has it.
func (k pageKey) String() string { return k.state + "\x00" + string(k.space) + "\x00" + k.path }

// PageKey returns the key of the page at a percent-encoded path; ok is false for paths that are no page's.
func (s *Scope) PageKey(escaped string) (key pageKey, ok bool) {
	if strings.HasPrefix(escaped, "~") || escaped == NeedsSlash {
		return pageKey{}, false
	}
	return pageKey{state: s.State, space: s.Space.ID, path: escaped}, true
}

// Once returns a response from the cache, or makes it once for all who ask at the same time and get the same. Where
// content adapts, a page is kept under what came of the conditions and values that it was made with: visitors who
// differ in nothing that it uses share it.
func (s *Scope) Once(path string, prepare func() (*response.Response, error)) (*response.Response, error) {
	key := pageKey{state: s.State, space: s.Space.ID, path: path}
	unbounded := prepare
	prepare = func() (*response.Response, error) {
		s.shown = &shown{}
		made, err := unbounded()
		if err == nil {
			made.Until = s.shown.until
		}
		return made, err
	}
	if !s.Adaptive {
		return s.Services.once(key, prepare)
	}
	ctx := context.Background() // a reader who leaves must not change what comes of a condition
	first := key.String() + "\x00" + edition.ShortKey(s.Edition.Outcomes) + "\x00"
	if known, ok := s.Services.variances.Get(first); ok {
		if kept, ok := s.Services.Pages.Get(first + known.key(ctx, s, nil)); ok && !kept.Stale() {
			return kept, nil
		}
	}
	made, err, _ := s.Services.rendering.Do(first+"\x00"+s.Visitor.Key(), func() (any, error) {
		s.uses = &uses{outcomes: map[string]string{}}
		made, err := prepare()
		if err != nil {
			return nil, err
		}
		known, _ := s.Services.variances.Get(first)
		grown := known.with(s.uses.met)
		if grown != known {
			s.Services.variances.Set(first, grown)
		}
		// What was met while the page was made counts, not what would come of it now.
		s.Services.Pages.Set(first+grown.key(ctx, s, s.uses.outcomes), made)
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(*response.Response), nil
}
