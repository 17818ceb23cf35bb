package audience

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/publish/site"
)

// memberClaim is the claim below which this server says who of an organization's members a visitor is. A site asks for
// it by naming it, as an object, in its schema.
const memberClaim = "member"

// ticketClaim is the claim that names the session or token which a member's token came from, see
// account.Caller.TicketName.
const ticketClaim = "sid"

// MemberTokenLife is how long a member's token holds. That somebody is a member is asked for anew with each request.
const MemberTokenLife = time.Hour

// maxMemberTeams bounds the teams in a member's token, which has to fit into a cookie.
const maxMemberTeams = 50

// memberOf is the claim about members in a schema, nil when the site does not ask for it.
func (s *Schema) memberOf() *Claim {
	if s == nil {
		return nil
	}
	claim := s.Signed.child(memberClaim)
	if claim == nil || claim.Kind != KindObject {
		return nil
	}
	return claim
}

// checkMember refuses a schema that uses the name for something else: claims of that name come from this server alone,
// so that one which it does not make would never be there.
func (s *Schema) checkMember() error {
	if claim := s.Signed.child(memberClaim); claim != nil && claim.Kind != KindObject {
		return errs.Invalidf("jsonSchema.properties."+memberClaim, "has to be an object: it is what this server "+
			"itself says of a member of your organization (id, role, email, teams); "+
			"give a claim of your own another name")
	}
	if s.Unsigned.child(memberClaim) != nil {
		return errs.Invalidf("jsonSchema.properties."+unsignedName+".properties."+memberClaim,
			"is not accepted: nobody says of themselves that they are a member; choose another name")
	}
	return nil
}

// memberKey is what tokens about the members of an organization are signed with. It is of this organization alone, and
// of no use for anything else; nobody gets to know it.
func (s *Service) memberKey(organizationID id.Organization) []byte {
	mac := hmac.New(sha256.New, s.deps.MemberSecret)
	mac.Write([]byte("audience.member/" + string(organizationID)))
	return mac.Sum(nil)
}

// MemberToken returns a token that tells the sites of an organization who of its members the caller is; "" when no
// published site asks for that, and for those who may not see the sites of the organization. It gives no more than the
// caller has: one who is limited to scopes gets none, and it ends with what they came in with.
func (s *Service) MemberToken(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (string, error) {
	q := s.deps.DB.Read()
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return "", err
	}
	if organization.Require(access.ViewSites) != nil || len(caller.Token.Scopes) > 0 {
		return "", nil
	}
	if asked, err := asksForMembers(ctx, q, organizationID); !asked || err != nil {
		return "", err
	}
	member := map[string]any{"id": string(caller.User.ID), "role": string(organization.Role)}
	if !caller.User.EmailVerifiedAt.IsZero() { // anybody can claim an address that is not theirs
		member["email"] = caller.User.Email
	}
	teams, err := s.deps.Teams(ctx, caller, organizationID, caller.User.ID, "",
		paging.Request{Limit: maxMemberTeams})
	if err != nil {
		return "", err
	}
	// else there are none: a list with holes would make conditions hold that must not
	if teams.Count <= len(teams.Items) {
		member["teams"] = teamIDs(teams.Items)
	}
	now := s.clock()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": string(caller.User.ID), ticketClaim: caller.TicketName(), "aud": string(organizationID),
		"iat": now.Unix(), "exp": caller.Until(now.Add(MemberTokenLife)).Unix(), memberClaim: member,
	}).SignedString(s.memberKey(organizationID))
}

func teamIDs(places []org.Place) []id.Team {
	ids := make([]id.Team, 0, len(places))
	for _, place := range places {
		ids = append(ids, place.Team.ID)
	}
	return ids
}

// verifyMember checks a token about a member of the site's organization. Of its claims there is what the site's schema
// names.
func (r *Rules) verifyMember(text string, now time.Time) (Token, error) {
	claims, expires, err := readToken(text, r.member, now, jwt.WithAudience(string(r.organization)))
	if err != nil {
		return Token{}, err
	}
	came, _ := claims[ticketClaim].(string)
	if came == "" {
		return Token{}, ErrTokenInvalid
	}
	given, _ := claims[memberClaim].(map[string]any)
	member := map[string]any{}
	for _, claim := range r.Schema.memberOf().Claims {
		if value, there := given[claim.Name]; there {
			member[claim.Name] = value
		}
	}
	return Token{Expires: expires, Claims: map[string]any{memberClaim: member}, Member: came}, nil
}

// readableBy returns which spaces of a site the member may read whom a token is about, by their ids; nil for tokens
// that are about nobody of the organization. errs.NotFound says that they are no member any more, or may not see the
// site: their token then counts for nothing.
func (s *Service) readableBy(ctx context.Context, token Token, served *site.Served) (map[id.Space]bool, error) {
	if token.Member == "" {
		return nil, nil
	}
	caller, err := s.deps.Accounts.CallerByTicket(ctx, token.Member)
	if err != nil {
		return nil, err
	}
	readable, err := s.Readable(ctx, caller, served)
	if errs.Is(err, errs.Forbidden) {
		err = site.NotServed()
	}
	return readable, err
}

// Readable returns which spaces of a site somebody may read now, by their ids. It is an errs.NotFound or
// errs.Forbidden when they may not see the site.
func (s *Service) Readable(ctx context.Context, caller account.Caller, served *site.Served) (map[id.Space]bool, error) {
	if _, err := s.deps.Sites.Get(ctx, caller, served.Organization, served.Site.ID); err != nil {
		return nil, err
	}
	permissions := access.New(s.deps.DB)
	readable := make(map[id.Space]bool, len(served.Spaces))
	for _, space := range served.Spaces {
		if _, asked := readable[space.Space]; asked {
			continue
		}
		_, err := permissions.RequireSpace(ctx, caller, space.Space, access.ViewSpace)
		if err != nil && !errs.Is(err, errs.NotFound) && !errs.Is(err, errs.Forbidden) {
			return nil, err
		}
		readable[space.Space] = err == nil
	}
	return readable, nil
}
