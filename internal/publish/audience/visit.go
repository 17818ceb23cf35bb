package audience

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/site"
)

// This file makes and reads the tokens of programs that show a site in another place: one for each audience, which
// reads what the site publishes for that visitor. A token holds what the visitor has brought, and no right: each call
// with it asks Admit again, so that a closed link, a new key or an unpublished site counts at once (ADR 62).

// Visit is a visitor of a site, for whom another program asks.
type Visit struct {
	Verdict
	Served *site.Served
	// Audience is the same for visitors who get the same of all that the site's spaces hold now.
	Audience string
	// Ends is when what the visitor has brought stops counting, zero for what never does.
	Ends time.Time
	// Preview is what is shown in place of what is live, nil for what is live. Served has its space alone then, with
	// the revision of the preview as its head.
	Preview *Previewed
	// Looker is who looks at the preview, by their ticket.
	Looker account.Caller
}

// IsVisitToken reports whether a token looks like one of a visit. All others of this server have another form.
func IsVisitToken(text string) bool {
	return strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 2
}

// visitClaims are what a token of a visit holds. Names are those that other programs may read.
type visitClaims struct {
	Organization id.Organization `json:"organization"`
	Site         id.Site         `json:"site"`
	// State changes with the site, so that what was kept under a token is asked for again.
	State string `json:"state"`
	// Share is the secret of a share link, Visitor a token of visitor authentication, and Unsigned are the claims that
	// the visitor makes up.
	Share    string         `json:"shareKey,omitempty"`
	Visitor  string         `json:"visitorToken,omitempty"`
	Unsigned map[string]any `json:"claims,omitempty"`
	Agent    bool           `json:"agent,omitempty"`
	// Look says that a preview is read, and by whom.
	Look *Look `json:"preview,omitempty"`
	jwt.RegisteredClaims
}

// visitIssuer says what a token is for, so that none of another kind counts as one.
const visitIssuer = "recto/visit"

// maxVisit bounds a token of a visit, in bytes.
const maxVisit = 24 << 10

// visitKey signs the tokens of one site's visits. It is stored nowhere.
func (s *Service) visitKey(siteID id.Site) []byte {
	mac := hmac.New(sha256.New, s.deps.MemberSecret)
	mac.Write([]byte("visits/" + string(siteID)))
	return mac.Sum(nil)
}

// VisitToken returns the token of somebody who was let in by what they brought: the same text while nothing changes of
// the site for them. more identifies what the site shows besides its spaces. It is "" for those who were let in as
// members, who read with tokens of their own, and for claims that no token holds.
func (s *Service) VisitToken(verdict *Verdict, visitorToken string, agent bool, more string) (string, error) {
	if verdict.Decision != Admitted || verdict.Trusted {
		return "", nil
	}
	return s.signVisit(verdict, visitorToken, agent, more, nil)
}

func (s *Service) signVisit(verdict *Verdict, visitorToken string, agent bool, more string,
	look *Look) (string, error) {
	state, err := siteState(verdict.Site, more)
	if err != nil {
		return "", err
	}
	claims := visitClaims{Look: look, Organization: verdict.Site.Organization, Site: verdict.Site.Site.ID, State: state,
		Share: verdict.Key, Agent: agent, RegisteredClaims: jwt.RegisteredClaims{Issuer: visitIssuer}}
	if verdict.Signed {
		claims.Visitor = visitorToken
	}
	if verdict.Adaptive {
		claims.Unsigned = verdict.Unsigned
	}
	if look != nil {
		claims.ExpiresAt = jwt.NewNumericDate(look.Until)
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(s.visitKey(claims.Site))
	if err != nil {
		return "", fmt.Errorf("sign the token of a visit: %w", err)
	}
	if len(text) > maxVisit {
		return "", nil
	}
	return text, nil
}

// siteState identifies a site as it is served.
func siteState(served *site.Served, more string) (string, error) {
	of := served.Site
	known := []any{of.ID, of.UpdatedAt, of.Title, of.PublishedURL, of.Visibility, served.CustomizationVersion,
		served.Groups, served.Sections, served.Scripts, more}
	for _, space := range served.Spaces {
		space.Customization = nil // which the version stands for
		known = append(known, space)
	}
	text, err := json.Marshal(known)
	if err != nil {
		return "", fmt.Errorf("encode the state of a site: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:15]), nil
}

// Visit returns the visitor of a token, as the site has it now. It is errs.Unauthorized when the token is none of this
// server's, and when nobody is let in by it any more.
func (s *Service) Visit(ctx context.Context, text string) (*Visit, error) {
	refused := errs.New(errs.Unauthorized, "The token of this visit is none of this server's, or opens nothing any "+
		"more. Look the address up again.")
	if len(text) > maxVisit {
		return nil, refused
	}
	var claims visitClaims
	parsed, err := jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(visitIssuer), jwt.WithStrictDecoding(), jwt.WithTimeFunc(s.clock)).
		ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) { return s.visitKey(claims.Site), nil })
	if err != nil || !parsed.Valid {
		return nil, refused
	}
	served, err := s.deps.Sites.ResolveID(ctx, claims.Site)
	if errs.Is(err, errs.NotFound) {
		return nil, refused
	}
	if err != nil {
		return nil, err
	}
	visitor := Visitor{Token: claims.Visitor, Unsigned: claims.Unsigned, Agent: claims.Agent}
	if claims.Share != "" {
		visitor.Keys = []string{claims.Share}
	}
	if claims.Look != nil {
		visit, err := s.lookAgain(ctx, &served, visitor, &claims)
		if kind := errs.KindOf(err); err != nil && kind != errs.Internal && kind != errs.Unavailable {
			return nil, refused
		}
		return visit, err
	}
	verdict, err := s.Admit(ctx, &served, visitor)
	if err != nil {
		return nil, err
	}
	if verdict.Decision != Admitted || claims.Visitor != "" && !verdict.Signed {
		return nil, refused
	}
	return newVisit(verdict, &claims)
}

// newVisit is the visit of somebody who was let in, with the name of their audience.
func newVisit(verdict Verdict, claims *visitClaims) (*Visit, error) {
	verdict.Key = claims.Share
	heads := make([]id.Revision, len(verdict.Site.Spaces))
	for i, space := range verdict.Site.Spaces {
		heads[i] = space.Head
	}
	known, err := json.Marshal([]any{claims.Site, verdict.Claims, verdict.State, claims.Share, heads, claims.Look})
	if err != nil {
		return nil, fmt.Errorf("encode claims: %w", err)
	}
	sum := sha256.Sum256(known)
	visit := &Visit{Verdict: verdict, Served: verdict.Site, Audience: base64.RawURLEncoding.EncodeToString(sum[:15])}
	if verdict.Signed {
		visit.Ends = verdict.Token.Expires
	}
	if look := claims.ExpiresAt; look != nil && (visit.Ends.IsZero() || look.Before(visit.Ends)) {
		visit.Ends = look.Time
	}
	return visit, nil
}

// Space returns a space that the visitor gets; ok is false for any other.
func (v *Visit) Space(spaceID id.Space) (space site.ServedSpace, ok bool) {
	for _, each := range v.Served.Spaces {
		if each.Space == spaceID {
			return each, true
		}
	}
	return site.ServedSpace{}, false
}

// Address is an address of the site as the visitor gets it: with the secret of their share link.
func (v *Visit) Address(address string) string {
	if v.Key == "" || v.Served.Site.Visibility != site.VisibilityShareLink {
		return address
	}
	return WithToken(v.Served.Site.PublishedURL, address, v.Key)
}
