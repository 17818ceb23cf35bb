package audience

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
)

// MaxToken bounds a visitor's token, in bytes: a browser keeps no cookie that is longer.
const MaxToken = 3800

// TokenParameter is the parameter of an address with a visitor's token.
const TokenParameter = "jwt_token"

// signingKey is a key that tokens may be signed with, until a time; zero for as long as the rules hold.
type signingKey struct {
	key   []byte
	until time.Time
}

// Rules are what a site goes by when it meets a visitor. They do not change.
type Rules struct {
	FallbackURL, LogoutURL string
	// Schema is what the site may know of its visitors; nil for nothing.
	Schema *Schema

	organization id.Organization
	// integration lets visitors in, "" for the organization's own program.
	integration id.Integration
	keys        []signingKey
	// member is the key of tokens about the organization's members; nil where the site does not ask for them.
	member []byte
	// nobody is the profile of visitors of whom nothing is known; nil without a schema.
	nobody *Profile
}

// Rules returns those of a site. They are kept under the time of its last change: everything here that changes moves
// it. Whether an integration lets visitors in is asked each time.
func (s *Service) Rules(ctx context.Context, of site.Site) (*Rules, error) {
	key := string(of.ID) + strconv.FormatInt(of.UpdatedAt.UnixMicro(), 36)
	kept, ok := s.rules.Get(key)
	if !ok {
		siteID, organizationID := of.ID, of.Organization // else all of the site would be copied at each request
		var err error
		kept, err = s.rules.Load(ctx, key, func(ctx context.Context) (*Rules, error) {
			return s.loadRules(ctx, siteID, organizationID)
		})
		if err != nil {
			return nil, err
		}
	}
	if kept.integration == "" {
		return kept, nil
	}
	return s.backed(ctx, key, of.ID, kept)
}

func (s *Service) loadRules(ctx context.Context, siteID id.Site, organizationID id.Organization) (*Rules, error) {
	rules := &Rules{organization: organizationID}
	q := s.deps.DB.Read()
	row, err := authOf(ctx, q, siteID)
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return nil, err
	}
	if err == nil {
		rules.FallbackURL, rules.LogoutURL = row.fallbackURL.V, row.logoutURL.V
		key, err := s.deps.Secrets.Open(row.key, keyPurpose(siteID))
		if err != nil {
			return nil, fmt.Errorf("open the key of site %s: %w", siteID, err)
		}
		rules.keys = append(rules.keys, signingKey{key: []byte(key)})
		rules.integration = id.Integration(row.integration.V)
		if row.previous.Valid {
			previous, err := s.deps.Secrets.Open(row.previous.V, keyPurpose(siteID))
			if err != nil {
				return nil, fmt.Errorf("open the previous key of site %s: %w", siteID, err)
			}
			rules.keys = append(rules.keys, signingKey{key: []byte(previous),
				until: time.UnixMicro(row.previousUntil.V)})
		}
	}
	schema, err := schemaOf(ctx, q, siteID)
	if errors.Is(err, db.ErrNoRows) {
		return rules, nil
	}
	if err != nil {
		return nil, err
	}
	if rules.Schema, err = ParseSchema([]byte(schema.text)); err != nil {
		return nil, err
	}
	if schema.members {
		rules.member = s.memberKey(organizationID)
	}
	rules.nobody = newProfile(rules, Token{})
	return rules, nil
}

// Token is a visitor's token that counts.
type Token struct {
	// Expires is when it stops counting.
	Expires time.Time
	// Claims are everything that was signed but what is said of members; of a member's token, that alone as far as the
	// site asks for it. They may be shared: read only.
	Claims map[string]any
	// Member names what the member came in with about whom this server has signed it, see account.Caller.TicketName;
	// "" for a token of the site's own key. What it is worth depends on what they may read now, see Service.Readable.
	Member string
}

// Reasons why a token does not count. Their texts may be shown to whoever sent it.
var (
	ErrTokenExpired = errors.New("the token has expired")
	ErrTokenInvalid = errors.New("the token is not one of this site: it has to be a JWT, signed with HS256 and the " +
		"site's key, with a time of expiry")
	ErrTokenTooLong = fmt.Errorf("the token is longer than %d bytes, which no browser keeps", MaxToken)
)

// parser accepts one algorithm and nothing without an end. Times are checked here, against the service's clock.
func parser(now time.Time, options ...jwt.ParserOption) *jwt.Parser {
	return jwt.NewParser(append(options,
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(func() time.Time { return now }))...)
}

// readToken checks a token against one key.
func readToken(text string, key []byte, now time.Time, options ...jwt.ParserOption) (jwt.MapClaims, time.Time, error) {
	claims := jwt.MapClaims{}
	keyOf := func(token *jwt.Token) (any, error) {
		// What a header calls critical has to be understood (RFC 7515, 4.1.11), and nothing beyond the algorithm is.
		if _, demands := token.Header["crit"]; demands {
			return nil, ErrTokenInvalid
		}
		return key, nil
	}
	if _, err := parser(now, options...).ParseWithClaims(text, claims, keyOf); err != nil {
		return nil, time.Time{}, err
	}
	expires, err := claims.GetExpirationTime()
	if err != nil || expires == nil {
		return nil, time.Time{}, ErrTokenInvalid
	}
	return claims, expires.Time, nil
}

// Verify checks a visitor's token at a time.
func (r *Rules) Verify(text string, now time.Time) (Token, error) {
	if len(text) > MaxToken {
		return Token{}, ErrTokenTooLong
	}
	expired := false
	for _, each := range r.keys {
		if !each.until.IsZero() && !now.Before(each.until) {
			continue
		}
		claims, expires, err := readToken(text, each.key, now)
		if err == nil {
			// The organization's own program knows nothing of its members here: that is for a member's token to say.
			delete(claims, memberClaim)
			token := Token{Expires: expires, Claims: claims}
			if !each.until.IsZero() && each.until.Before(token.Expires) {
				token.Expires = each.until
			}
			return token, nil
		}
		// The signature is checked before the times: only who has the key learns that it has expired.
		expired = expired || errors.Is(err, jwt.ErrTokenExpired)
	}
	if r.member != nil {
		token, err := r.verifyMember(text, now)
		if err == nil {
			return token, nil
		}
		expired = expired || errors.Is(err, jwt.ErrTokenExpired)
	}
	if expired {
		return Token{}, ErrTokenExpired
	}
	return Token{}, ErrTokenInvalid
}
