package endpoints

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/publish/dispatch"
)

// scripts keeps the scripts of sites for as long as their Cache-Control says, under the installation, its version and
// what is configured. Everybody who asks for the same at once waits for one run.
type scripts struct {
	kept    cache.Cache[keptScript]
	running *singleflight.Group
}

type keptScript struct {
	answer *dispatch.Answer // not changed
	until  time.Time
}

// Bounds of what is kept.
const (
	keptBytes = 64 << 20
	// usualAge is how long a script is kept that says nothing on it, maxAge how long any is.
	usualAge = time.Minute
	maxAge   = 24 * time.Hour
	// scriptTime is how long a script may take, whoever waits.
	scriptTime = 15 * time.Second
)

func newScripts() scripts {
	return scripts{cache.Weighted(keptBytes, func(key string, kept keptScript) uint32 {
		return uint32(len(key) + len(kept.answer.Body) + 1024)
	}), new(singleflight.Group)}
}

// script answers with the script that an integration puts on the pages of a site.
func (s *Server) script(w http.ResponseWriter, r *http.Request, to dispatch.Target) {
	state, err := s.deps.ScriptState(r.Context(), to.Integration, to.Installation, to.Site)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	key := strings.Join([]string{to.Installation, string(to.Site), state}, " ")
	kept, ok := s.scripts.kept.Get(key)
	if !ok || time.Now().After(kept.until) {
		running := s.scripts.running.DoChan(key, func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), scriptTime)
			defer cancel()
			answer, err := s.runScript(ctx, to)
			if err != nil {
				return nil, err
			}
			made := keptScript{answer: answer}
			if age := ageOf(answer); age > 0 {
				made.until = time.Now().Add(age)
				s.scripts.kept.Set(key, made)
			}
			return made, nil
		})
		select {
		case done := <-running:
			if done.Err != nil {
				s.fail(w, r, done.Err)
				return
			}
			kept = done.Val.(keptScript)
		case <-r.Context().Done():
			return
		}
	}
	// Pages of other origins load it, which their own policy decides on.
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	write(w, r, kept.answer)
}

// runScript asks the integration for its script.
func (s *Server) runScript(ctx context.Context, to dispatch.Target) (*dispatch.Answer, error) {
	answer, err := s.deps.Send(ctx, to, dispatch.Event{"type": "fetch_published_script",
		"installationId": to.Installation, "siteId": to.Site}, nil)
	if err != nil {
		return nil, err
	}
	if answer.Status == http.StatusNotAcceptable || answer.Status == http.StatusNoContent {
		answer.Status, answer.Header = http.StatusOK, [][2]string{{"cache-control", "public, max-age=300"}}
		answer.Body = []byte("// This integration puts no script on pages.\n")
	}
	if kind := answer.Get("content-type"); kind == "" || strings.HasPrefix(kind, "text/plain") {
		answer.Header = slices.DeleteFunc(answer.Header, func(each [2]string) bool {
			return strings.EqualFold(each[0], "content-type")
		})
		answer.Header = append(answer.Header, [2]string{"content-type", "application/javascript; charset=utf-8"})
	}
	return answer, nil
}

// ageOf is how long the answer of a script may be kept for everybody, zero for not at all. Failures are not.
func ageOf(answer *dispatch.Answer) time.Duration {
	if answer.Status != http.StatusOK {
		return 0
	}
	age, shared := usualAge, false
	for directive := range strings.SplitSeq(strings.ToLower(answer.Get("cache-control")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "no-store", "private", "no-cache":
			return 0
		case "max-age", "s-maxage":
			seconds, err := time.ParseDuration(strings.Trim(value, `"`) + "s")
			if err != nil || seconds < 0 || shared && name == "max-age" {
				continue
			}
			age, shared = min(seconds, maxAge), name == "s-maxage"
		}
	}
	return age
}
