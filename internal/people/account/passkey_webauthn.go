package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// relyingParty is what passkeys are bound to: the host of the server's address. It makes what browsers are asked and
// checks what they answer; a state is what it has to remember from the question to the answer.
type relyingParty struct{ library *webauthn.WebAuthn }

// newRelyingParty returns the party of a server's address, or why that cannot have passkeys.
func newRelyingParty(baseURL string) (*relyingParty, error) {
	nameless := errs.New(errs.Precondition, "This server is reached by an IP address, and browsers keep passkeys for "+
		"host names only. Set --base-url to an address with a name.")
	address, err := url.Parse(baseURL)
	if err != nil || address.Hostname() == "" {
		return nil, nameless
	}
	if _, err := netip.ParseAddr(address.Hostname()); err == nil {
		return nil, nameless
	}
	timeout := webauthn.TimeoutConfig{Enforce: true, Timeout: challengeLife, TimeoutUVD: challengeLife}
	library, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: "Recto", RPOrigins: []string{address.Scheme + "://" + address.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil {
		return nil, nameless
	}
	return &relyingParty{library}, nil
}

// keyHolder is a user as the library wants to see one.
type keyHolder struct {
	user        User
	credentials []webauthn.Credential
}

// WebAuthnID is what passkeys remember of the user.
func (h keyHolder) WebAuthnID() []byte { return []byte(h.user.ID) }

// WebAuthnName is what password managers show.
func (h keyHolder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName is what password managers show beside it.
func (h keyHolder) WebAuthnDisplayName() string { return h.user.DisplayName }

// WebAuthnCredentials are the user's passkeys.
func (h keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

func holderOf(user User, has []credential) (keyHolder, error) {
	holder := keyHolder{user: user, credentials: make([]webauthn.Credential, len(has))}
	for i, kept := range has {
		if err := json.Unmarshal([]byte(kept.Encoded), &holder.credentials[i]); err != nil {
			return keyHolder{}, fmt.Errorf("decode a passkey of %s: %w", user.ID, err)
		}
	}
	return holder, nil
}

func encodeCredential(c *webauthn.Credential) (credential, error) {
	encoded, err := json.Marshal(c)
	if err != nil {
		return credential{}, fmt.Errorf("encode a passkey: %w", err)
	}
	return credential{ID: c.ID, Encoded: string(encoded)}, nil
}

// beginRegistration asks the browser of a user, who has some credentials already, to make a passkey.
func (p *relyingParty) beginRegistration(user User, has []credential) (options any, state []byte, err error) {
	holder, err := holderOf(user, has)
	if err != nil {
		return nil, nil, err
	}
	asked, session, err := p.library.BeginRegistration(holder,
		webauthn.WithExclusions(webauthn.Credentials(holder.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, nil, fmt.Errorf("begin a registration: %w", err)
	}
	if state, err = json.Marshal(session); err != nil {
		return nil, nil, fmt.Errorf("encode the state of a challenge: %w", err)
	}
	return asked.Response, state, nil
}

// register checks a passkey that the browser has made.
func (p *relyingParty) register(user User, state, answer []byte) (credential, answeredChallenge, error) {
	session, err := sessionOf(state)
	if err != nil {
		return credential{}, answeredChallenge{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return credential{}, answeredChallenge{}, errs.Wrap(err, errs.Invalid, "The browser's answer is not a passkey.")
	}
	made, err := p.library.CreateCredential(keyHolder{user: user}, session, parsed)
	if err != nil {
		return credential{}, answeredChallenge{},
			errs.Wrap(err, errs.Invalid, "The passkey was not accepted. Try again.")
	}
	kept, err := encodeCredential(made)
	return kept, answeredChallenge{session.Challenge, session.Expires}, err
}

// beginSignIn asks a browser for any passkey of this server.
func (p *relyingParty) beginSignIn() (options any, state []byte, err error) {
	asked, session, err := p.library.BeginDiscoverableLogin(
		webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, nil, fmt.Errorf("begin a login: %w", err)
	}
	if state, err = json.Marshal(session); err != nil {
		return nil, nil, fmt.Errorf("encode the state of a challenge: %w", err)
	}
	return asked.Response, state, nil
}

// signIn checks an answer with the credentials of the user that it names.
func (p *relyingParty) signIn(state, answer []byte,
	find func(userID id.User) (User, []credential, error)) (User, credential, answeredChallenge, error) {
	refused := func(err error) (User, credential, answeredChallenge, error) {
		return User{}, credential{}, answeredChallenge{}, err
	}
	session, err := sessionOf(state)
	if err != nil {
		return refused(err)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return refused(errs.Wrap(err, errs.Invalid, "The browser's answer is not that of a passkey."))
	}
	var holder keyHolder
	_, used, err := p.library.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		user, has, err := find(id.User(handle))
		if err != nil {
			return nil, err
		}
		holder, err = holderOf(user, has)
		return holder, err
	}, session, parsed)
	if err != nil {
		return refused(unknownPasskey(err))
	}
	if used.Authenticator.CloneWarning {
		// The counter of the device went backwards: there are two of it.
		return refused(unknownPasskey(errors.New("the signature counter went backwards")))
	}
	kept, err := encodeCredential(used)
	return holder.user, kept, answeredChallenge{session.Challenge, session.Expires}, err
}

// sessionOf reads a state that has not expired.
func sessionOf(state []byte) (webauthn.SessionData, error) {
	var session webauthn.SessionData
	if err := json.Unmarshal(state, &session); err != nil || session.Expires.IsZero() ||
		!time.Now().Before(session.Expires) {
		return webauthn.SessionData{}, oldChallenge()
	}
	return session, nil
}

// challengeLife is how long a browser may take to answer a challenge.
const challengeLife = 5 * time.Minute

// credential is a passkey as it is kept: ID is its own id, Encoded the JSON of a webauthn.Credential.
type credential struct {
	ID      []byte
	Encoded string
}

// answeredChallenge is a challenge that a browser has answered.
type answeredChallenge struct {
	text    string
	expires time.Time
}

// unknownPasskey is what people see of a passkey that does not sign them in, whyever.
func unknownPasskey(cause error) error {
	return errs.Wrap(cause, errs.Unauthorized,
		"This passkey is not known here. It may have been removed; sign in another way.")
}

func oldChallenge() error {
	return errs.New(errs.Invalid, "That took too long, or the page is an old one. Try again.")
}
