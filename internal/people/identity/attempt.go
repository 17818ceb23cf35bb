package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Times that a sign-in may take: at the provider, and between its answer and the click that may be asked for.
const (
	AttemptLifetime = 15 * time.Minute
	arrivalLifetime = 10 * time.Minute
)

const attemptPurpose = "identity.attempt"

// attempt is a sign-in under way. The browser keeps it sealed, so that beginning one costs the server nothing, and so
// that an answer is worth something in the browser alone that asked for it.
type attempt struct {
	ID       string
	Provider id.Provider
	ReturnTo string
	Expires  int64 // seconds since 1970
	// Nonce and Verifier are of OpenID Connect: what the token has to repeat, and the secret of PKCE (RFC 7636).
	Nonce    string `json:",omitempty"`
	Verifier string `json:",omitempty"`
}

// Beginning is what Begin answers.
type Beginning struct {
	// URL is where to send the browser.
	URL string
	// ID names the attempt; Attempt is what the browser has to keep until Finish, for AttemptLifetime.
	ID, Attempt string
}

// Begin begins a sign-in through a provider. returnTo is where the person goes then; anything but a path of this server
// is passed over.
func (s *Service) Begin(ctx context.Context, kind Kind, providerID id.Provider, returnTo string) (Beginning, error) {
	p, err := providerByID(ctx, s.deps.DB.Read(), kind, providerID)
	if err != nil {
		return Beginning{}, err
	}
	if p.status(s.clock()) != Active {
		return Beginning{}, pending(p)
	}
	a := attempt{Provider: p.ID, ReturnTo: LocalPath(returnTo), Expires: s.clock().Add(AttemptLifetime).Unix()}
	var address string
	if kind == OIDC {
		a.ID, a.Nonce, a.Verifier = rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		address, err = s.authorization(ctx, p, a)
	} else {
		address, a.ID, err = s.request(ctx, p)
	}
	if err != nil {
		return Beginning{}, err
	}
	encoded, err := json.Marshal(a)
	if err != nil {
		return Beginning{}, fmt.Errorf("encode attempt: %w", err)
	}
	sealed, err := s.deps.Secrets.Seal(string(encoded), attemptPurpose)
	if err != nil {
		return Beginning{}, err
	}
	return Beginning{URL: address, ID: a.ID, Attempt: sealed}, nil
}

// openAttempt returns the attempt that a browser has kept, when it is for the provider and not too old.
func (s *Service) openAttempt(sealed, attemptID string, providerID id.Provider) (attempt, error) {
	notHere := refused("it answers a sign-in that was not begun in this browser, or was begun more than %d minutes "+
		"ago. Begin to sign in again.", int(AttemptLifetime.Minutes()))
	text, err := s.deps.Secrets.Open(sealed, attemptPurpose)
	if err != nil {
		return attempt{}, notHere
	}
	var a attempt
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return attempt{}, notHere
	}
	if a.ID == "" || a.ID != attemptID || a.Provider != providerID || s.clock().Unix() >= a.Expires {
		return attempt{}, notHere
	}
	return a, nil
}

// arrival is what a provider has said of somebody who is still to be let in.
type arrival struct {
	provider id.Provider
	// attempt is the id of the attempt that it answers; "" when the provider began.
	attempt              string
	subject, email, name string
	returnTo             string
	expires              time.Time
	// sessionUntil is when a session that begins with it has to end; zero when the provider does not say.
	sessionUntil time.Time
}

func (s statement) arrival(p Provider, now time.Time) arrival {
	return arrival{
		provider: p.ID, attempt: s.attempt, subject: s.subject, email: s.email, name: s.name,
		expires: now.Add(arrivalLifetime), sessionUntil: s.sessionUntil,
	}
}

// newTicket returns a ticket and what the database keeps of it.
func newTicket() (ticket string, hash []byte) {
	ticket = rand.Text()
	return ticket, ticketHash(ticket)
}

func ticketHash(ticket string) []byte {
	hash := sha256.Sum256([]byte("recto ticket " + ticket))
	return hash[:]
}

// arrived returns the arrival of a ticket and its provider.
func (s *Service) arrived(ctx context.Context, q db.Querier, ticket string) (arrival, Provider, error) {
	a, found, err := arrivalOf(ctx, q, ticketHash(ticket))
	if err != nil {
		return arrival{}, Provider{}, err
	}
	if !found || !s.clock().Before(a.expires) {
		return arrival{}, Provider{},
			errs.Forbiddenf("This sign-in was finished already or took too long. Begin to sign in again.")
	}
	kind := SAML
	if validProvider(OIDC, a.provider) {
		kind = OIDC
	}
	p, err := providerByID(ctx, q, kind, a.provider)
	if err == nil && p.status(s.clock()) != Active {
		err = pending(p)
	}
	return a, p, err
}

func pending(p Provider) error {
	return errs.Forbiddenf("Nobody can sign in with %q at the moment: its settings are not complete, or its "+
		"certificates have expired. An admin of the organization can mend that.", p.Label)
}
