package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Logins is the file with the tokens of recto login, one for each server. Only its owner can read it.
type Logins struct{ path string }

// Login is what is kept for one server.
type Login struct {
	Token string `json:"token"`
	// User is the id of whom the token stands for.
	User string `json:"user"`
	// Refresh, Client and ExpiresAt are there for a token of SignIn, which ends soon: what a new one is got with, as
	// which program, and when.
	Refresh   string    `json:"refresh,omitempty"`
	Client    string    `json:"client,omitempty"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// NewLogins returns the file in a user's folder for configuration, such as ~/.config. Nothing is read or made yet.
func NewLogins(folder string) Logins { return Logins{filepath.Join(folder, "recto", "logins.json")} }

// Path returns where the file is.
func (l Logins) Path() string { return l.path }

// Get returns what is kept for a server, and nothing when nothing is. A file that others can read is an error.
func (l Logins) Get(server string) (Login, error) {
	all, err := l.read()
	return all[serverKey(server)], err
}

// Set keeps a token for a server instead of the one before.
func (l Logins) Set(server string, login Login) error {
	all, err := l.read()
	if err != nil {
		return err
	}
	all[serverKey(server)] = login
	return l.write(all)
}

// Remove forgets what is kept for a server, and returns it.
func (l Logins) Remove(server string) (Login, error) {
	all, err := l.read()
	if err != nil {
		return Login{}, err
	}
	login, ok := all[serverKey(server)]
	if !ok {
		return login, nil
	}
	delete(all, serverKey(server))
	return login, l.write(all)
}

func (l Logins) read() (map[string]Login, error) {
	all := map[string]Login{}
	info, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the kept tokens: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s holds tokens and others can read it; revoke them, or run chmod 600 on it", l.path)
	}
	raw, err := os.ReadFile(l.path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the kept tokens: %w", err)
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("%s is damaged; remove it and log in again: %w", l.path, err)
	}
	return all, nil
}

// write replaces the file as a whole.
func (l Logins) write(all map[string]Login) error {
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot keep the token: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("cannot keep the token: %w", err)
	}
	// A temporary file is made with mode 0600.
	file, err := os.CreateTemp(filepath.Dir(l.path), "logins-*.json")
	if err != nil {
		return fmt.Errorf("cannot keep the token: %w", err)
	}
	_, err = file.Write(append(raw, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		os.Remove(file.Name())
		return fmt.Errorf("cannot keep the token: %w", err)
	}
	if err := os.Rename(file.Name(), l.path); err != nil {
		os.Remove(file.Name())
		return fmt.Errorf("cannot keep the token: %w", err)
	}
	return nil
}

// serverKey returns a server's address in one spelling.
func serverKey(server string) string {
	address, err := url.Parse(strings.TrimRight(server, "/"))
	if err != nil {
		return server
	}
	address.Scheme, address.Host = strings.ToLower(address.Scheme), strings.ToLower(address.Host)
	return address.String()
}

// lockStale is when a lock is taken for one that a program has left behind.
const lockStale = 2 * time.Minute

// lock keeps other programs from renewing a token until unlock is called.
func (l Logins) lock(ctx context.Context) (unlock func(), err error) {
	name := l.path + ".lock"
	for {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { os.Remove(name) }, file.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("cannot renew the token: %w", err)
		}
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > lockStale {
			os.Remove(name)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another program renews the token and does not end; remove %s if none runs", name)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
