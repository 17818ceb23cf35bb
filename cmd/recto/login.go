package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/rectodocs/recto/internal/client"
)

// maxTokenLine bounds what is read as a token.
const maxTokenLine = 4 << 10

// logins returns the file of kept tokens.
func logins() (client.Logins, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return client.Logins{}, fmt.Errorf("there is no folder to keep tokens in; give --token or RECTO_TOKEN: %w", err)
	}
	return client.NewLogins(folder), nil
}

// keptToken returns the token that recto login has kept for a server, "" without one.
func keptToken(server string) (string, error) {
	kept, err := logins()
	if err != nil {
		return "", nil // who has no home has logged in nowhere
	}
	login, err := kept.Get(server)
	return login.Token, err
}

type loginCommand struct {
	remote
}

// Run asks for a token, tries it and keeps it.
func (c *loginCommand) Run(e environment) error {
	kept, err := logins()
	if err != nil {
		return err
	}
	token := c.Token
	if token == "" {
		if token, err = askToken(e, c.Server); err != nil {
			return err
		}
	}
	remote, err := client.New(c.Server, token)
	if err != nil {
		return err
	}
	me, err := remote.Me(e.ctx)
	if err != nil {
		return fmt.Errorf("the server does not take this token: %w", err)
	}
	if err := kept.Set(c.Server, client.Login{Token: token, User: me.ID}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "Logged in to %s as %s.\nThe token is in %s; recto logout forgets it.\n", c.Server,
		me, kept.Path())
	return err
}

// askToken reads a token, from a terminal without showing it.
func askToken(e environment, server string) (string, error) {
	address, err := url.Parse(server)
	if err != nil || address.Host == "" {
		return "", fmt.Errorf("%q is not the address of a server: give --server like http://localhost:8080", server)
	}
	if host := address.Hostname(); address.Scheme == "http" && host != "localhost" && !isLoopback(host) {
		fmt.Fprintf(e.stderr, "Warning: %s is not encrypted; who listens on the way can read the token.\n", server)
	}
	file, terminal := e.stdin.(*os.File)
	if terminal = terminal && term.IsTerminal(int(file.Fd())); terminal {
		fmt.Fprintf(e.stderr, "Make a token at %s/account/tokens and paste it here (it is not shown): ",
			strings.TrimRight(server, "/"))
		raw, err := term.ReadPassword(int(file.Fd()))
		fmt.Fprintln(e.stderr)
		if err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
		return strings.TrimSpace(string(raw)), nil
	}
	line, err := bufio.NewReader(io.LimitReader(e.stdin, maxTokenLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the token: %w", err)
	}
	return strings.TrimSpace(line), nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

type logoutCommand struct {
	Server string `placeholder:"URL" default:"http://localhost:8080" help:"Address of the server."`
}

// Run forgets a token. The server keeps it until it is revoked in the account.
func (c *logoutCommand) Run(e environment) error {
	kept, err := logins()
	if err != nil {
		return err
	}
	login, err := kept.Remove(c.Server)
	if err != nil {
		return err
	}
	if login.Token == "" {
		return fmt.Errorf("no token is kept for %s", c.Server)
	}
	_, err = fmt.Fprintf(e.stdout, "The token is forgotten here. It works until you revoke it at %s/account/tokens.\n",
		strings.TrimRight(c.Server, "/"))
	return err
}

type whoamiCommand struct {
	remote
	JSON bool `name:"json" help:"Print the answer as JSON."`
}

// Run prints whom the token stands for.
func (c *whoamiCommand) Run(e environment) error {
	remote, err := c.client()
	if err != nil {
		return err
	}
	me, err := remote.Me(e.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(me)
	}
	_, err = fmt.Fprintf(e.stdout, "%s on %s\n", me, c.Server)
	return err
}
