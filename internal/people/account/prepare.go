package account

import (
	"context"

	"github.com/rectodocs/recto/internal/platform/db"
)

// PreparedPassword is what is kept of a password that was checked for a person.
type PreparedPassword struct{ hash string }

// PreparePassword checks the password that a person has chosen, and works out what is kept of it. That takes some
// milliseconds, so it comes before the transaction in which KeepPrepared keeps it. user needs a name and an address
// alone.
func (s *Service) PreparePassword(ctx context.Context, user User, password string) (PreparedPassword, error) {
	if err := checkPassword("password", password, user); err != nil {
		return PreparedPassword{}, err
	}
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	return PreparedPassword{hash}, err
}

// KeepPrepared sets the password of somebody whose account has just been made, in the caller's transaction. It opens
// what the person was identified for.
func (s *Service) KeepPrepared(ctx context.Context, q db.Querier, who Identified, password PreparedPassword) error {
	return s.storePassword(ctx, q, who.Caller(), keptPassword{password.hash, who.VouchedBy}, "password.set")
}

// Caller returns who has just been identified as a caller, for what they do in the same transaction.
func (i Identified) Caller() Caller {
	return Caller{User: i.User, Token: Token{User: i.ID, VouchedBy: i.VouchedBy}}
}
