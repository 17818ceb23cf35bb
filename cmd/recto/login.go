package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

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

// keptToken returns the token that recto login has kept for a server, a new one when it ends, and "" without one.
func keptToken(server string) (string, error) {
	kept, err := logins()
	if err != nil {
		return "", nil // who has no home has logged in nowhere
	}
	ctx, cancel := context.WithTimeout(context.Background(), renewTime)
	defer cancel()
	login, err := kept.Renewed(ctx, server)
	return login.Token, err
}

// renewTime is how long a token may take to be renewed.
const renewTime = 30 * time.Second

type loginCommand struct {
	remote
	Browser bool `help:"Sign in with the browser although standard input is no terminal."`
	Paste   bool `help:"Ask for a token that you have made in your account, on a machine without a browser."`
}

// Run signs in with the browser, or takes a token and tries it, and keeps what lets it in.
func (c *loginCommand) Run(e environment) error {
	kept, err := logins()
	if err != nil {
		return err
	}
	login := client.Login{Token: c.Token}
	switch {
	case c.Token != "":
	case c.Browser || isTerminal(e.stdin) && !c.Paste:
		if login, err = client.SignIn(e.ctx, c.Server, func(address string) {
			fmt.Fprintf(e.stderr, "Open this address to sign in, if no browser has opened:\n%s\n", address)
			if isTerminal(e.stdin) {
				openBrowser(e.ctx, address)
			}
		}); err != nil {
			return err
		}
	default:
		if login.Token, err = askToken(e, c.Server); err != nil {
			return err
		}
	}
	remote, err := client.New(c.Server, login.Token)
	if err != nil {
		return err
	}
	me, err := remote.Me(e.ctx)
	if err != nil {
		return fmt.Errorf("the server does not take this token: %w", err)
	}
	login.User = me.ID
	if err := kept.Set(c.Server, login); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "Logged in to %s as %s.\nThe token is in %s; recto logout forgets it.\n", c.Server,
		me, kept.Path())
	return err
}

// openBrowser shows an address in the person's browser where there is one. The address is printed anyway, so it does
// not matter when that fails.
func openBrowser(ctx context.Context, address string) {
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	_ = exec.CommandContext(ctx, program[0], append(program[1:], address)...).Start()
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

// Run forgets a token, and ends it at the server when the browser signed in. A token that was made in the account works
// until it is revoked there.
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
	account := strings.TrimRight(c.Server, "/") + "/account/tokens"
	if login.Refresh == "" {
		_, err = fmt.Fprintf(e.stdout, "The token is forgotten here. It works until you revoke it at %s.\n", account)
		return err
	}
	if err := login.SignOut(e.ctx, c.Server); err != nil {
		return fmt.Errorf("the token is forgotten here, but not ended; do that at %s: %w", account, err)
	}
	_, err = fmt.Fprintf(e.stdout, "Logged out of %s.\n", c.Server)
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
