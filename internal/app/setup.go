package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mask"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/web"
)

// Setup is the input of Init: the title of the organization, and the address and name of its first admin.
type Setup = org.Setup

// Access is what Init and AddUser made.
type Access = org.Access

// NewMember is who AddUser adds; Role is the name of a role, or "guest".
type NewMember struct {
	Email, Name  string
	Organization id.Organization
	Role         string
}

// people is what commands need that work on accounts beside a running server.
type people struct {
	accounts *account.Service
	operator *org.Operator
}

// withPeople opens the database for one piece of work.
func withPeople(ctx context.Context, storage config.Storage, log *slog.Logger, work func(people) error) error {
	return withPeopleIn(ctx, storage, orphansRefused, log, work)
}

func withPeopleIn(ctx context.Context, storage config.Storage, begin beginning, log *slog.Logger,
	work func(people) error) error {
	log = mask.Logger(log)
	database, err := openDatabase(ctx, storage, begin)
	if err != nil {
		return err
	}
	key, err := db.Secret(ctx, database, "signin")
	if err != nil {
		return errors.Join(err, database.Close())
	}
	accounts := account.New(account.Deps{DB: database, Log: log, Key: key, Scopes: api.Scopes()})
	accounts.SetHooks(accountHooks())
	return errors.Join(work(people{accounts, org.NewOperator(database, accounts)}), database.Close())
}

// Migrate makes the database or brings it up to date.
func Migrate(ctx context.Context, storage config.Storage) error {
	database, err := openDatabase(ctx, storage, orphansRefused)
	if err != nil {
		return err
	}
	return database.Close()
}

// Init makes the first organization with its admin and a token. On a database that has users it fails and changes
// nothing, and likewise where there is no database but files of one are.
func Init(ctx context.Context, storage config.Storage, setup Setup, log *slog.Logger) (Access, error) {
	return initialize(ctx, storage, setup, orphansRefused, log)
}

// InitAnew is Init that gives up files of a database that is not there any more. They are removed in time.
func InitAnew(ctx context.Context, storage config.Storage, setup Setup, log *slog.Logger) (Access, error) {
	return initialize(ctx, storage, setup, anew, log)
}

func initialize(ctx context.Context, storage config.Storage, setup Setup, begin beginning,
	log *slog.Logger) (made Access, err error) {
	err = withPeopleIn(ctx, storage, begin, log, func(p people) error {
		made, err = p.operator.Init(ctx, setup)
		return err
	})
	return made, err
}

// AddUser makes a user a member of an organization, and the user when there is none with that address.
func AddUser(ctx context.Context, storage config.Storage, member NewMember, log *slog.Logger) (made Access, err error) {
	role := org.RoleGuest
	if member.Role != "guest" {
		if role, err = org.ParseRole("--role", member.Role); err != nil {
			return made, err
		}
	}
	err = withPeople(ctx, storage, log, func(p people) error {
		made, err = p.operator.AddUser(ctx, org.NewMember{
			Email: member.Email, Name: member.Name, Organization: member.Organization, Role: role,
		})
		return err
	})
	return made, err
}

// CreateToken makes a token for the user with an e-mail address. lifetime is how long it works; 0 means for ever.
func CreateToken(ctx context.Context, storage config.Storage, email, name string, scopes []string,
	lifetime time.Duration, log *slog.Logger) (secret string, token account.Token, err error) {
	err = withPeople(ctx, storage, log, func(p people) error {
		user, err := p.accounts.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		wanted := account.NewToken{User: user.ID, Name: name, Scopes: scopes}
		if lifetime > 0 {
			wanted.ExpiresAt = time.Now().Add(lifetime)
		}
		secret, token, err = p.accounts.CreateToken(ctx, wanted)
		return err
	})
	return secret, token, err
}

// SetPassword sets the password of the user with an e-mail address, who is signed out everywhere.
func SetPassword(ctx context.Context, storage config.Storage, email, password string,
	log *slog.Logger) (user account.User, err error) {
	err = withPeople(ctx, storage, log, func(p people) error {
		if user, err = p.accounts.UserByEmail(ctx, email); err != nil {
			return err
		}
		return p.accounts.GivePassword(ctx, user, password)
	})
	return user, err
}

// PasswordLink makes a one-time link with which the user with an e-mail address sets a password at the server at
// baseURL.
func PasswordLink(ctx context.Context, storage config.Storage, email, baseURL string,
	log *slog.Logger) (link account.PasswordLink, address string, err error) {
	err = withPeople(ctx, storage, log, func(p people) error {
		user, err := p.accounts.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		link, err = p.accounts.CreatePasswordLink(ctx, user)
		return err
	})
	return link, web.PasswordLinkAddress(baseURL, link.Secret), err
}

// ListTokens returns all tokens of the user with an e-mail address, without their secrets.
func ListTokens(ctx context.Context, storage config.Storage, email string,
	log *slog.Logger) (tokens []account.Token, err error) {
	err = withPeople(ctx, storage, log, func(p people) error {
		user, err := p.accounts.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		request := paging.Request{Limit: paging.MaxLimit}
		for {
			page, err := p.accounts.ListTokens(ctx, account.Caller{User: user}, request)
			if err != nil {
				return err
			}
			tokens = append(tokens, page.Items...)
			if page.Next == nil {
				return nil
			}
			request.After = page.Next
		}
	})
	return tokens, err
}

// RevokeToken ends a token of the user with an e-mail address.
func RevokeToken(ctx context.Context, storage config.Storage, email, tokenID string, log *slog.Logger) error {
	return withPeople(ctx, storage, log, func(p people) error {
		user, err := p.accounts.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		return p.accounts.RevokeToken(ctx, user.ID, tokenID)
	})
}
