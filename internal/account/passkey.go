package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/rectodocs/recto/internal/audit"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
	"github.com/rectodocs/recto/internal/id"
)

// maxPasskeys is how many passkeys a user may have.
const maxPasskeys = 50

// challengeLife is how long a browser may take to answer a challenge.
const challengeLife = 5 * time.Minute

// Passkey is a key in somebody's device or password manager that signs them in.
type Passkey struct {
	// ID is "passkey_…".
	ID string
	// Name says which one it is; 1 to 100 characters.
	Name      string
	CreatedAt time.Time
	// LastUsedAt is when somebody last signed in with it; zero means never.
	LastUsedAt time.Time
}

// Challenge is what a browser's passkeys are asked to answer.
type Challenge struct {
	// Options is the JSON that navigator.credentials takes, with binary values in base64url.
	Options json.RawMessage `json:"options"`
	// State comes back with the answer. It is signed and not secret.
	State string `json:"state"`
}

// relyingParty is what passkeys are bound to: the host of the server's address. It is nil when that cannot have passkeys,
// because it is an IP address or no address is known.
func relyingParty(baseURL string) *webauthn.WebAuthn {
	address, err := url.Parse(baseURL)
	if err != nil || address.Hostname() == "" {
		return nil
	}
	if _, err := netip.ParseAddr(address.Hostname()); err == nil {
		return nil
	}
	timeout := webauthn.TimeoutConfig{Enforce: true, Timeout: challengeLife, TimeoutUVD: challengeLife}
	party, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: "Recto", RPOrigins: []string{address.Scheme + "://" + address.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil {
		return nil
	}
	return party
}

// PasskeysWork reports whether the server's address can have passkeys.
func (s *Service) PasskeysWork() bool { return s.party != nil }

func noPasskeys() error {
	return errs.New(errs.Precondition, "This server is reached by an IP address, and browsers keep passkeys for host names only. Set --base-url to an address with a name.")
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

// BeginPasskey asks the browser of whoever signed in lately to make a passkey.
func (s *Service) BeginPasskey(ctx context.Context, caller Caller) (Challenge, error) {
	if s.party == nil {
		return Challenge{}, noPasskeys()
	}
	if !caller.Session.Fresh(s.now()) {
		return Challenge{}, NotFresh()
	}
	holder, err := s.holder(ctx, caller.User)
	if err != nil {
		return Challenge{}, err
	}
	if len(holder.credentials) >= maxPasskeys {
		return Challenge{}, errs.Conflictf("You have %d passkeys, which is the most; remove one that you do not need.", maxPasskeys)
	}
	options, session, err := s.party.BeginRegistration(holder, webauthn.WithExclusions(webauthn.Credentials(holder.credentials).CredentialDescriptors()))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin a passkey: %w", err)
	}
	return s.challenge("passkey "+caller.User.ID, options.Response, session)
}

// AddPasskey keeps a passkey that the browser has made.
func (s *Service) AddPasskey(ctx context.Context, caller Caller, name, state string, answer []byte) (Passkey, error) {
	if s.party == nil {
		return Passkey{}, noPasskeys()
	}
	if !caller.Session.Fresh(s.now()) {
		return Passkey{}, NotFresh()
	}
	name, err := field.Text("name", name, 1, maxTokenName)
	if err != nil {
		return Passkey{}, err
	}
	session, err := s.openState("passkey "+caller.User.ID, state)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return Passkey{}, errs.Wrap(err, errs.Invalid, "The browser's answer is not a passkey.")
	}
	credential, err := s.party.CreateCredential(keyHolder{user: caller.User}, session, parsed)
	if err != nil {
		return Passkey{}, errs.Wrap(err, errs.Invalid, "The passkey was not accepted. Try again.")
	}
	passkey := Passkey{ID: id.New("passkey"), Name: name, CreatedAt: s.moment()}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.spend(ctx, q, session); err != nil {
			return err
		}
		if err := insertPasskey(ctx, q, caller.User.ID, passkey, credential); err != nil {
			return err
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, audit.Entry{
			Action: "passkey.add", Target: audit.Target{Kind: "passkey", ID: passkey.ID, Title: name},
		})
	})
	if db.IsUnique(err) {
		return Passkey{}, errs.Conflictf("This passkey is here already.")
	}
	if err != nil {
		return Passkey{}, err
	}
	return passkey, nil
}

// BeginPasskeySignIn asks for any passkey of this server that a browser has.
func (s *Service) BeginPasskeySignIn() (Challenge, error) {
	if s.party == nil {
		return Challenge{}, noPasskeys()
	}
	options, session, err := s.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin to sign in: %w", err)
	}
	return s.challenge("sign in", options.Response, session)
}

// unknownPasskey is what people see of a passkey that does not sign them in, whyever.
func unknownPasskey(cause error) error {
	return errs.Wrap(cause, errs.Unauthorized, "This passkey is not known here. It may have been removed; sign in another way.")
}

// SignInWithPasskey returns the user whose passkey answered a challenge.
func (s *Service) SignInWithPasskey(ctx context.Context, state string, answer []byte) (User, error) {
	if s.party == nil {
		return User{}, noPasskeys()
	}
	session, err := s.openState("sign in", state)
	if err != nil {
		return User{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return User{}, errs.Wrap(err, errs.Invalid, "The browser's answer is not that of a passkey.")
	}
	var holder keyHolder
	_, credential, err := s.party.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		user, err := s.UserByID(ctx, string(handle))
		if err != nil {
			return nil, err
		}
		holder, err = s.holder(ctx, user)
		return holder, err
	}, session, parsed)
	if err != nil {
		return User{}, unknownPasskey(err)
	}
	if credential.Authenticator.CloneWarning {
		// The counter of the device went backwards: there are two of it.
		return User{}, unknownPasskey(errors.New("the signature counter went backwards"))
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.spend(ctx, q, session); err != nil {
			return err
		}
		return usePasskey(ctx, q, holder.user.ID, credential, s.moment())
	})
	if err != nil {
		return User{}, err
	}
	return holder.user, s.CheckSignIn(ctx, holder.user.ID)
}

// ListPasskeys returns the passkeys of a user, oldest first.
func (s *Service) ListPasskeys(ctx context.Context, userID string) ([]Passkey, error) {
	passkeys, _, err := listPasskeys(ctx, s.db.Read(), userID)
	return passkeys, err
}

// RenamePasskey gives a passkey of the caller's another name.
func (s *Service) RenamePasskey(ctx context.Context, caller Caller, passkeyID, name string) error {
	name, err := field.Text("name", name, 1, maxTokenName)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := renamePasskey(ctx, q, caller.User.ID, passkeyID, name)
		if err != nil {
			return err
		}
		if !found {
			return noPasskey()
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, audit.Entry{
			Action: "passkey.rename", Target: audit.Target{Kind: "passkey", ID: passkeyID, Title: name},
		})
	})
}

// RemovePasskey removes a passkey of the caller's, who has signed in lately.
func (s *Service) RemovePasskey(ctx context.Context, caller Caller, passkeyID string) error {
	if !caller.Session.Fresh(s.now()) {
		return NotFresh()
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		name, err := deletePasskey(ctx, q, caller.User.ID, passkeyID)
		if errors.Is(err, db.ErrNoRows) {
			return noPasskey()
		}
		if err != nil {
			return err
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, audit.Entry{
			Action: "passkey.remove", Target: audit.Target{Kind: "passkey", ID: passkeyID, Title: name},
		})
	})
}

func noPasskey() error { return errs.NotFoundf("You have no such passkey.") }

// holder returns a user with their passkeys.
func (s *Service) holder(ctx context.Context, user User) (keyHolder, error) {
	_, credentials, err := listPasskeys(ctx, s.db.Read(), user.ID)
	return keyHolder{user, credentials}, err
}

// challenge packs what the browser needs. The state of the ceremony travels with it, signed for one purpose, so that asking
// for challenges writes nothing; what was answered is noted instead, see spend.
func (s *Service) challenge(purpose string, options any, session *webauthn.SessionData) (Challenge, error) {
	encoded, err := json.Marshal(options)
	if err != nil {
		return Challenge{}, fmt.Errorf("encode a challenge: %w", err)
	}
	state, err := json.Marshal(session)
	if err != nil {
		return Challenge{}, fmt.Errorf("encode the state of a challenge: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString(state)
	return Challenge{Options: encoded, State: text + "." + s.signState(purpose, text)}, nil
}

func (s *Service) signState(purpose, text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("challenge\x00" + purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// openState reads what challenge has packed for a purpose.
func (s *Service) openState(purpose, state string) (webauthn.SessionData, error) {
	old := errs.New(errs.Invalid, "That took too long, or the page is an old one. Try again.")
	text, signature, _ := strings.Cut(state, ".")
	if !hmac.Equal([]byte(s.signState(purpose, text)), []byte(signature)) {
		return webauthn.SessionData{}, old
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return webauthn.SessionData{}, old
	}
	var session webauthn.SessionData
	if err := json.Unmarshal(raw, &session); err != nil || session.Expires.IsZero() || !time.Now().Before(session.Expires) {
		return webauthn.SessionData{}, old
	}
	return session, nil
}

// spend notes that a challenge was answered; a second answer is refused.
func (s *Service) spend(ctx context.Context, q db.Querier, session webauthn.SessionData) error {
	fresh, err := insertChallenge(ctx, q, hashSecret(session.Challenge), session.Expires)
	if err == nil && !fresh {
		err = errs.New(errs.Invalid, "This answer was used already. Try again.")
	}
	return err
}
