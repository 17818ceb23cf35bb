package audience

import (
	"errors"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/platform/cache"
)

// TestProfilesAreOfTheirRules brings one token to several sites, to one that has changed, and after its end: what was
// worked out of it before is there for the same rules alone, and for as long as the token counts.
func TestProfilesAreOfTheirRules(t *testing.T) {
	service := &Service{profiles: cache.Weighted(profileCacheSize, weighProfile)}
	rules, changed, foreign := tokenRules(t), tokenRules(t), tokenRules(t)
	var err error
	if changed.Schema, err = ParseSchema([]byte(
		`{"type":"object","additionalProperties":false,"properties":{}}`)); err != nil {
		t.Fatal(err)
	}
	foreign.keys, foreign.member = []signingKey{{key: foreignKey}}, nil
	ends := tokenNow.Add(time.Minute)
	text := writeToken(t, jwt.SigningMethodHS256, siteKey, map[string]any{"exp": ends.Unix(), "plan": "pro"})

	first, err := service.profile(rules, text, tokenNow)
	if err != nil {
		t.Fatal(err)
	}
	first.Keep("made of it")
	again, err := service.profile(rules, text, tokenNow)
	if err != nil || again != first || again.Kept() != "made of it" || again.claims()["plan"] != "pro" {
		t.Errorf("the token gives %v with %v, %v: want the same profile", again.claims(), again.Kept(), err)
	}
	if none, err := service.profile(foreign, text, tokenNow); none != nil || !errors.Is(err, ErrTokenInvalid) {
		t.Errorf("at a site with another key it gives %v, %v", none, err)
	}
	other, err := service.profile(changed, text, tokenNow)
	if err != nil {
		t.Fatal(err)
	}
	if _, there := other.claims()["plan"]; there || other.Kept() != nil {
		t.Errorf("by rules that do not name the plan it gives %v with %v", other.claims(), other.Kept())
	}
	if none, err := service.profile(rules, text, ends); none != nil || !errors.Is(err, ErrTokenExpired) {
		t.Errorf("after its end it gives %v, %v", none, err)
	}
}
