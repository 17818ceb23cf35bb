package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxPasskeys is how many passkeys a user may have.
const maxPasskeys = 50

// Passkey is a key in somebody's device or password manager that signs them in.
type Passkey struct {
	// ID is "passkey_…".
	ID string
	// Name says which one it is; 1 to 100 characters.
	Name      string
	CreatedAt time.Time
	// LastUsedAt is when somebody last signed in with it; zero means never.
	LastUsedAt time.Time
	// VouchedBy is the id of the organization that alone vouches for the way in from which it was added, and that alone
	// it opens; "" when that way was proven.
	VouchedBy id.Organization
}

// Challenge is what a browser's passkeys are asked to answer.
type Challenge struct {
	// Options is the JSON that navigator.credentials takes, with binary values in base64url.
	Options json.RawMessage `json:"options"`
	// State comes back with the answer. It is signed and not secret.
	State string `json:"state"`
}

// PasskeysWork reports whether the server's address can have passkeys.
func (s *Service) PasskeysWork() bool { return s.party != nil }

// BeginPasskey asks the browser of whoever signed in lately to make a passkey.
func (s *Service) BeginPasskey(ctx context.Context, caller Caller) (Challenge, error) {
	if s.party == nil {
		return Challenge{}, s.noPasskeys
	}
	if !caller.Session.Fresh(s.now()) {
		return Challenge{}, NotFresh()
	}
	_, credentials, err := listPasskeys(ctx, s.db.Read(), caller.User.ID, "")
	if err != nil {
		return Challenge{}, err
	}
	if len(credentials) >= maxPasskeys {
		return Challenge{}, errs.Conflictf("You have %d passkeys, which is the most; remove one that you do not need.",
			maxPasskeys)
	}
	options, state, err := s.party.beginRegistration(caller.User, credentials)
	if err != nil {
		return Challenge{}, fmt.Errorf("begin a passkey: %w", err)
	}
	return s.challenge("passkey "+string(caller.User.ID), options, state)
}

// AddPasskey keeps a passkey that the browser has made.
func (s *Service) AddPasskey(ctx context.Context, caller Caller, name, state string, answer []byte) (Passkey, error) {
	if s.party == nil {
		return Passkey{}, s.noPasskeys
	}
	if !caller.Session.Fresh(s.now()) {
		return Passkey{}, NotFresh()
	}
	name, err := field.Text("name", name, 1, maxTokenName)
	if err != nil {
		return Passkey{}, err
	}
	remembered, err := s.openState("passkey "+string(caller.User.ID), state)
	if err != nil {
		return Passkey{}, err
	}
	made, challenge, err := s.party.register(caller.User, remembered, answer)
	if err != nil {
		return Passkey{}, err
	}
	passkey := Passkey{ID: id.New("passkey"), Name: name, CreatedAt: s.moment(), VouchedBy: caller.VouchedBy()}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.spend(ctx, q, challenge); err != nil {
			return err
		}
		if err := insertPasskey(ctx, q, caller.User.ID, passkey, made); err != nil {
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
		return Challenge{}, s.noPasskeys
	}
	options, state, err := s.party.beginSignIn()
	if err != nil {
		return Challenge{}, fmt.Errorf("begin to sign in: %w", err)
	}
	return s.challenge("sign in", options, state)
}

// SignInWithPasskey returns the user whose passkey answered a challenge.
func (s *Service) SignInWithPasskey(ctx context.Context, state string, answer []byte) (Identified, error) {
	if s.party == nil {
		return Identified{}, s.noPasskeys
	}
	remembered, err := s.openState("sign in", state)
	if err != nil {
		return Identified{}, err
	}
	user, used, challenge, err := s.party.signIn(remembered, answer, func(userID id.User) (User, []credential, error) {
		user, err := s.UserByID(ctx, userID)
		if err != nil {
			return User{}, nil, err
		}
		_, credentials, err := listPasskeys(ctx, s.db.Read(), user.ID, "")
		return user, credentials, err
	})
	if err != nil {
		return Identified{}, err
	}
	who := Identified{User: user}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.spend(ctx, q, challenge); err != nil {
			return err
		}
		var err error
		who.VouchedBy, err = usePasskey(ctx, q, user.ID, used, s.moment())
		return err
	})
	if err != nil {
		return Identified{}, err
	}
	return who, nil
}

// ListPasskeys returns the passkeys of the caller, oldest first. Who came in by an organization's word alone sees no
// others when the account is in other organizations, too.
func (s *Service) ListPasskeys(ctx context.Context, caller Caller) ([]Passkey, error) {
	mark, err := s.reachOf(ctx, s.db.Read(), caller)
	if err != nil {
		return nil, err
	}
	passkeys, _, err := listPasskeys(ctx, s.db.Read(), caller.User.ID, mark)
	return passkeys, err
}

// RenamePasskey gives a passkey of the caller's, among those that ListPasskeys shows, another name.
func (s *Service) RenamePasskey(ctx context.Context, caller Caller, passkeyID, name string) error {
	name, err := field.Text("name", name, 1, maxTokenName)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mark, err := s.reachOf(ctx, q, caller)
		if err != nil {
			return err
		}
		found, err := renamePasskey(ctx, q, caller.User.ID, mark, passkeyID, name)
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

// RemovePasskey removes a passkey of the caller's, among those that ListPasskeys shows; the caller has signed in
// lately.
func (s *Service) RemovePasskey(ctx context.Context, caller Caller, passkeyID string) error {
	if !caller.Session.Fresh(s.now()) {
		return NotFresh()
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mark, err := s.reachOf(ctx, q, caller)
		if err != nil {
			return err
		}
		name, err := deletePasskey(ctx, q, caller.User.ID, mark, passkeyID)
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

// challenge packs what the browser needs. The state of the ceremony travels with it, signed for one purpose, so that
// asking for challenges writes nothing; what was answered is noted instead, see spend.
func (s *Service) challenge(purpose string, options any, state []byte) (Challenge, error) {
	encoded, err := json.Marshal(options)
	if err != nil {
		return Challenge{}, fmt.Errorf("encode a challenge: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString(state)
	return Challenge{Options: encoded, State: text + "." + s.signState(purpose, text)}, nil
}

func (s *Service) signState(purpose, text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("challenge\x00" + purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// openState returns the state that challenge has packed for a purpose.
func (s *Service) openState(purpose, packed string) ([]byte, error) {
	text, signature, _ := strings.Cut(packed, ".")
	if !hmac.Equal([]byte(s.signState(purpose, text)), []byte(signature)) {
		return nil, oldChallenge()
	}
	state, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, oldChallenge()
	}
	return state, nil
}

// spend notes that a challenge was answered; a second answer is refused.
func (s *Service) spend(ctx context.Context, q db.Querier, challenge answeredChallenge) error {
	fresh, err := insertChallenge(ctx, q, secrets.Hash(challenge.text), challenge.expires)
	if err == nil && !fresh {
		err = errs.New(errs.Invalid, "This answer was used already. Try again.")
	}
	return err
}
