package identity

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Question is what a person has to say yes to before they are let in.
type Question string

// Questions.
const (
	// Continue is asked when the provider began: without it another site could sign somebody in as somebody else.
	Continue Question = "continue"
	// Connect is asked when an account that belongs to other organizations too is to be connected with the provider.
	Connect Question = "connect"
)

// FinishRequest is the input of Finish.
type FinishRequest struct {
	// Ticket is what ReceiveSAML or ReceiveOIDC gave.
	Ticket string
	// Attempt returns what the browser has kept of the attempt with an id, "" when it has nothing.
	Attempt func(id string) string
	// SignedIn is the id of the user who is signed in in the browser already by a proven way, "" for nobody.
	SignedIn id.User
	// Yes is the question that the person has said yes to.
	Yes Question
}

// Outcome is what Finish answers: a user who is signed in, or a question.
type Outcome struct {
	// User is who is signed in; the zero User when there is a question.
	User account.User
	// VouchedBy is who vouches for it: the id of the provider's organization, or "" when the account's owner has
	// confirmed that the provider may open it.
	VouchedBy id.Organization
	// Through is the id of the provider's organization, when somebody is signed in.
	Through string
	// Kind is the protocol, for the session.
	Kind Kind
	// Until is when the provider wants the session to end at the latest; zero when it does not say.
	Until time.Time
	// ReturnTo is the local path where the person goes then, "" for the usual one.
	ReturnTo string
	// Ask is the question, "" when there is none: then nothing has happened yet. The rest is what it is about.
	Ask          Question
	Label        string
	Organization string
	Email        string
}

// Finish lets in whom a provider has named. The person becomes a member of the organization when they are none, with
// the provider's default role and team, or with what an invite to them says.
func (s *Service) Finish(ctx context.Context, in FinishRequest) (Outcome, error) {
	var out Outcome
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		a, p, err := s.arrived(ctx, q, in.Ticket)
		if err != nil {
			return err
		}
		organization, err := org.OrganizationIn(ctx, q, p.Organization)
		if err != nil {
			return err
		}
		out = Outcome{Kind: p.Kind, Until: a.sessionUntil, ReturnTo: a.returnTo, Label: p.Label,
			Organization: organization.Title, Email: a.email}
		if a.attempt != "" {
			kept, err := s.openAttempt(in.Attempt(a.attempt), a.attempt, p.ID)
			if err != nil {
				return err
			}
			out.ReturnTo = kept.ReturnTo
		}
		who, err := s.recognize(ctx, q, organization, a, in)
		if err != nil {
			return err
		}
		switch {
		case who.connect && in.Yes != Connect:
			out.Ask = Connect
			return nil
		case a.attempt == "" && in.Yes == "":
			out.Ask = Continue
			return nil
		}
		if err := deleteArrival(ctx, q, ticketHash(in.Ticket)); err != nil {
			return err
		}
		out.User, err = s.admit(ctx, q, p, organization, a, who)
		out.Through = string(organization.ID)
		if !who.confirmed && !who.connect {
			out.VouchedBy = organization.ID
		}
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// recognized is who an arrival is.
type recognized struct {
	// user is the account; the zero User when there is none yet.
	user account.User
	// known says that the provider's subject is linked with the account already.
	known bool
	// confirmed says that the account's owner has said before that the provider may open it.
	confirmed bool
	// connect says that only the account's owner can say that it is theirs.
	connect bool
	// expected is what an invite says, if there is one.
	expected *invite.Expected
}

// recognize finds the account of an arrival, or refuses it. ADR 21 has the reasons.
func (s *Service) recognize(ctx context.Context, q db.Querier, organization org.Organization, a arrival,
	in FinishRequest) (recognized, error) {
	l, found, err := linkOf(ctx, q, a.provider, a.subject)
	if err != nil {
		return recognized{}, err
	}
	if found {
		return s.recognizeLinked(ctx, q, organization, l, in)
	}
	email, err := account.CheckEmail("email", a.email)
	if err != nil {
		return recognized{}, refused(
			"it names no e-mail address that this server could know the person by; have the identity provider " +
				"send one.")
	}
	user, err := s.deps.Accounts.UserByEmailIn(ctx, q, email)
	if errs.Is(err, errs.NotFound) {
		expected, err := s.mayCome(ctx, q, organization, email)
		return recognized{expected: expected}, err
	}
	if err != nil {
		return recognized{}, err
	}
	who, member, elsewhere, err := s.standing(ctx, q, organization, user)
	if err != nil {
		return recognized{}, err
	}
	if !member {
		if who.expected, err = s.mayCome(ctx, q, organization, email); err != nil {
			return recognized{}, err
		}
	}
	switch {
	case member && !elsewhere:
		return who, nil
	case in.SignedIn == user.ID:
		who.connect = true
		return who, nil
	case !member:
		// Somebody who has an account comes into an organization when they say so, and the provider cannot say it for
		// them.
		return recognized{}, errs.Forbiddenf(
			"There is an account with the address %s, which is in %s only once its owner says so. "+
				"Sign in to it in another way, accept the invitation or choose this single sign-on again in the same "+
				"browser.", user.Email, organization.Title)
	}
	return recognized{}, foreign(user, organization)
}

// foreign is the refusal to open an account that the organization's provider has no say over.
func foreign(user account.User, organization org.Organization) error {
	return errs.Forbiddenf("The account with the address %s belongs to other organizations, too, so the identity "+
		"provider of %s alone cannot open it. "+
		"Sign in to it in another way, and then choose this single sign-on again in the same browser to connect the "+
		"two.", user.Email, organization.Title)
}

// recognizeLinked returns the account that a subject was linked with. A link that its owner did not confirm holds while
// the account is in no other organization.
func (s *Service) recognizeLinked(ctx context.Context, q db.Querier, organization org.Organization, l link,
	in FinishRequest) (recognized, error) {
	users, err := s.deps.Accounts.UsersIn(ctx, q, []id.User{l.user})
	if err != nil {
		return recognized{}, err
	}
	who, member, elsewhere, err := s.standing(ctx, q, organization, users[l.user])
	if err != nil {
		return recognized{}, err
	}
	if elsewhere && !l.confirmed {
		if in.SignedIn != l.user {
			return recognized{}, foreign(who.user, organization)
		}
		who.connect = true
	}
	if !member {
		if who.expected, err = s.mayCome(ctx, q, organization, who.user.Email); err != nil {
			return recognized{}, err
		}
	}
	who.known, who.confirmed = true, l.confirmed
	return who, nil
}

// standing says whether a user is a member of the organization, and whether of others, too.
func (s *Service) standing(ctx context.Context, q db.Querier, organization org.Organization,
	user account.User) (who recognized, member, elsewhere bool, err error) {
	ids, err := org.OrganizationsOf(ctx, q, user.ID)
	if err != nil {
		return recognized{}, false, false, err
	}
	member = slices.Contains(ids, organization.ID)
	elsewhere = slices.ContainsFunc(ids, func(id id.Organization) bool { return id != organization.ID })
	return recognized{user: user}, member, elsewhere, nil
}

// mayCome refuses an address that is neither on a domain of the organization nor invited; it returns what the invite
// says.
func (s *Service) mayCome(ctx context.Context, q db.Querier, organization org.Organization,
	email string) (*invite.Expected, error) {
	expected, invited, err := invite.ExpectedIn(ctx, q, organization.ID, email, s.clock())
	if err != nil {
		return nil, err
	}
	if invited {
		return &expected, nil
	}
	if slices.Contains(organization.EmailDomains, account.EmailDomain(email)) {
		return nil, nil
	}
	return nil, errs.Forbiddenf("The address %s is on no verified e-mail domain of %s, and nobody has invited it. An "+
		"admin of the organization can do either.", email, organization.Title)
}

// admit makes the account when there is none, links it, and makes it a member.
func (s *Service) admit(ctx context.Context, q db.Querier, p Provider, organization org.Organization, a arrival,
	who recognized) (account.User, error) {
	if who.user.ID == "" {
		// That the provider says so does not verify the address for others: who has a verified address may claim its
		// domain.
		made, _, err := s.deps.Accounts.EnsureUser(ctx, q, account.NewUser{DisplayName: displayName(a), Email: a.email})
		if err != nil {
			return account.User{}, err
		}
		who.user = made
	}
	now := s.clock()
	if err := putLink(ctx, q, link{provider: p.ID, subject: a.subject, user: who.user.ID, confirmed: who.connect},
		now); err != nil {
		return account.User{}, err
	}
	join := org.JoinRequest{
		Organization: organization.ID, User: who.user.ID, Way: org.BySSO, Role: optional.Of(p.DefaultRole),
		Actor: account.Caller{User: who.user},
	}
	if p.DefaultRole == org.RoleGuest {
		join.Role = optional.Null[org.Role]()
	}
	_, member, err := org.MemberIn(ctx, q, organization.ID, who.user.ID)
	if err != nil {
		return account.User{}, err
	}
	if !member {
		if p.DefaultTeam != "" {
			join.Teams = append(join.Teams, org.TeamPlace{Team: id.Team(p.DefaultTeam)})
		}
		if who.expected != nil {
			join.Role, join.Teams = optional.Of(who.expected.Role), append(join.Teams, who.expected.Teams...)
		}
	}
	if _, _, err := s.deps.Organizations.Join(ctx, q, join); err != nil {
		return account.User{}, err
	}
	if who.known {
		return who.user, nil
	}
	return who.user, audit.Record(ctx, q, audit.Entry{
		Organization: organization.ID, Actor: who.user.ID, Action: "member.connect", Target: audit.Target{Kind: "user",
			ID: string(who.user.ID), Title: who.user.DisplayName},
		Details: map[string]any{"provider": p.ID, "confirmed": who.connect},
	})
}

// maxDisplayName is how many characters a display name may have.
const maxDisplayName = 64

// displayName is what a person is called who has no account yet: as the provider says, or as their address begins.
func displayName(a arrival) string {
	name := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\ufffd' {
			return ' '
		}
		return r
	}, a.name)), " ")
	if name == "" {
		name, _, _ = strings.Cut(a.email, "@")
	}
	if runes := []rune(name); len(runes) > maxDisplayName {
		name = strings.TrimSpace(string(runes[:maxDisplayName]))
	}
	return name
}
