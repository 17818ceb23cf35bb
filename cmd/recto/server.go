package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/client"
	"github.com/rectodocs/recto/internal/platform/config"
)

type serveCommand struct{ config.Serve }

// Run serves until the process is told to end.
func (c *serveCommand) Run(e environment) error {
	return app.Serve(e.ctx, c.Serve, programVersion(), e.stdout, e.log)
}

type demoCommand struct {
	config.Serve
	Source string `arg:"" optional:"" help:"What to show, as in recto import: a folder, a file or an address; the manual when not given."`
	Title  string `placeholder:"TEXT" help:"Title of the source's space and site; from its name when not given. A space with that title is brought up to date."`
	Limit  int    `placeholder:"N" help:"Most pages to take from a website; all when not given."`
	From   string `placeholder:"GENERATOR" help:"What a folder or ZIP is written for, as in recto import; found out when not given."`
	Watch  bool   `help:"Follow the folder or file: what changes in it is imported again, pages that go from it go from the site, and the page that is open in the browser loads itself again."`
	Once   bool   `help:"Make everything ready, print the addresses and end, without serving."`
}

// BeforeResolve keeps the data of a demo out of the folder in which it is started, which often is a checkout.
func (c *demoCommand) BeforeResolve(environment variables) error {
	c.Data = config.DemoFolder(environment)
	return nil
}

// Help is what recto demo --help says in front of the flags.
func (c *demoCommand) Help() string {
	return "Its data is kept below the folder for data of your account, such as ~/.local/share/recto/demo, unless " +
		"--data names another one."
}

// Run makes the demo ready and serves it.
func (c *demoCommand) Run(e environment) error {
	var source *app.DemoSource
	if c.Watch && c.Once {
		return errors.New("--watch goes on and --once ends; leave one of them out")
	}
	if c.Source != "" {
		title, err := client.TitleOf(c.Source)
		if err != nil {
			return err
		}
		source = &app.DemoSource{Title: cmp.Or(c.Title, title), Import: func(ctx context.Context,
			server, token, space string) error {
			command := importCommand{remote: remote{Server: server, Token: token}, Source: c.Source, Space: space,
				Limit: c.Limit, From: c.From, Mirror: c.Watch, Yes: c.Watch}
			e.ctx = ctx
			return command.Run(e)
		}}
		if c.Watch {
			watcher, err := client.Watch(c.Source)
			if err != nil {
				return err
			}
			source.Next = watcher.Next
		}
	} else if c.Watch {
		return errors.New("--watch is for a folder or file of yours: recto demo SOURCE --watch")
	} else if c.Title != "" || c.Limit != 0 {
		return errors.New("--title and --limit are for a source of yours: recto demo SOURCE")
	}
	return app.Demo(e.ctx, c.Serve, programVersion(), source, c.Once, e.stdout, e.log)
}

type initCommand struct {
	config.Storage
	Email string `required:"" help:"E-mail address of the first admin."`
	Name  string `required:"" help:"Their name."`
	Org   string `required:"" help:"Title of the organization."`
	Force bool   `help:"Begin anew although files of an earlier database are there; they are removed in time."`
}

// Run makes the first organization.
func (c *initCommand) Run(e environment) error {
	initialize := app.Init
	if c.Force {
		initialize = app.InitAnew
	}
	made, err := initialize(e.ctx, c.Storage, app.Setup{Title: c.Org, Email: c.Email, Name: c.Name}, e.log)
	if err != nil {
		return err
	}
	return e.printJSON(struct {
		Organization string `json:"organization"`
		User         string `json:"user"`
		Token        string `json:"token"`
	}{string(made.Organization.ID), string(made.User.ID), made.Secret})
}

type userCommand struct {
	Add      userAddCommand      `cmd:"" help:"Add a person to an organization; prints their id and a token."`
	Password userPasswordCommand `cmd:"" help:"Set a person's password, or print a link with which they set it themselves."`
}

type userAddCommand struct {
	config.Storage
	Email string `required:"" help:"E-mail address; a user who has it is added as they are."`
	Name  string `help:"Name of a new user."`
	Org   string `required:"" help:"Id or hostname of the organization."`
	Role  string `required:"" help:"read, comment, edit, review, create, admin, or guest."`
}

// Run adds a person.
func (c *userAddCommand) Run(e environment) error {
	made,
		err := app.AddUser(e.ctx, c.Storage,
		app.NewMember{Email: c.Email, Name: c.Name, Organization: id.Organization(c.Org),
			Role: c.Role}, e.log)
	if err != nil {
		return err
	}
	return e.printJSON(struct {
		User  string `json:"user"`
		Token string `json:"token"`
	}{string(made.User.ID), made.Secret})
}

type userPasswordCommand struct {
	config.Storage
	Email   string `required:"" help:"E-mail address of the person."`
	Stdin   bool   `help:"Read the password from standard input, one line; without it a one-time link is printed."`
	BaseURL string `name:"base-url" placeholder:"URL" default:"http://localhost:8080" help:"Address of the server that the link leads to."`
}

// Run sets a password or prints a link.
func (c *userPasswordCommand) Run(e environment) error {
	if c.Stdin {
		line, err := bufio.NewReader(io.LimitReader(e.stdin, maxPasswordLine)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the password: %w", err)
		}
		user, err := app.SetPassword(e.ctx, c.Storage, c.Email, strings.TrimRight(line, "\r\n"), e.log)
		if err != nil {
			return err
		}
		return e.printJSON(struct {
			User string `json:"user"`
		}{string(user.ID)})
	}
	link, address, err := app.PasswordLink(e.ctx, c.Storage, c.Email, c.BaseURL, e.log)
	if err != nil {
		return err
	}
	return e.printJSON(struct {
		User      string    `json:"user"`
		Link      string    `json:"link"`
		ExpiresAt time.Time `json:"expiresAt"`
	}{string(link.User.ID), address, link.ExpiresAt})
}

// maxPasswordLine bounds what is read as a password, in bytes; characters have up to four.
const maxPasswordLine = 8 << 10

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make a token; prints its id and its secret, once."`
	List   tokenListCommand   `cmd:"" help:"List a user's tokens as JSON, one a line."`
	Revoke tokenRevokeCommand `cmd:"" help:"End a token at once."`
}

type tokenCreateCommand struct {
	config.Storage
	Email   string        `required:"" help:"E-mail address of the user whom it stands for."`
	Name    string        `required:"" help:"What it is for."`
	Scopes  []string      `help:"Limit it to scopes such as spaces:read,content:write; all when not given."`
	Expires time.Duration `help:"How long it works, such as 720h; for ever when not given."`
}

// Run makes a token.
func (c *tokenCreateCommand) Run(e environment) error {
	if c.Expires < 0 {
		return fmt.Errorf("--expires must not be negative")
	}
	secret, token, err := app.CreateToken(e.ctx, c.Storage, c.Email, c.Name, c.Scopes, c.Expires, e.log)
	if err != nil {
		return err
	}
	return e.printJSON(struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	}{token.ID, secret})
}

type tokenListCommand struct {
	config.Storage
	Email string `required:"" help:"E-mail address of the user."`
}

// listedToken is one line of recto token list.
type listedToken struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Hint       string    `json:"hint"`
	Scopes     []string  `json:"scopes,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	ExpiresAt  time.Time `json:"expiresAt,omitzero"`
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	RevokedAt  time.Time `json:"revokedAt,omitzero"`
}

// Run lists tokens.
func (c *tokenListCommand) Run(e environment) error {
	tokens, err := app.ListTokens(e.ctx, c.Storage, c.Email, e.log)
	if err != nil {
		return err
	}
	for _, token := range tokens {
		err := e.printJSON(listedToken{
			ID: token.ID, Name: token.Name, Hint: token.Hint, Scopes: token.Scopes, CreatedAt: token.CreatedAt,
			ExpiresAt: token.ExpiresAt, LastUsedAt: token.LastUsedAt, RevokedAt: token.RevokedAt,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type tokenRevokeCommand struct {
	config.Storage
	Email string `required:"" help:"E-mail address of the user."`
	Token string `arg:"" name:"id" help:"Id of the token; recto token list shows it."`
}

// Run ends a token.
func (c *tokenRevokeCommand) Run(e environment) error {
	if err := app.RevokeToken(e.ctx, c.Storage, c.Email, c.Token, e.log); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s is revoked.\n", c.Token)
	return nil
}

type migrateCommand struct{ config.Storage }

// Run brings the database up to date.
func (c *migrateCommand) Run(e environment) error {
	if err := app.Migrate(e.ctx, c.Storage); err != nil {
		return err
	}
	fmt.Fprintln(e.stdout, "The database is up to date.")
	return nil
}
