package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Scratch runs a server with an empty space for as long as use takes: on loopback, in a folder that is made for it and
// removed with all that came into it. use gets the server's address, an admin's token and the id of the space.
func Scratch(ctx context.Context, version string, log *slog.Logger,
	use func(ctx context.Context, server, token, space string) error) (err error) {
	folder, err := os.MkdirTemp("", "recto-scratch-")
	if err != nil {
		return fmt.Errorf("make a folder for what is tried: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	settings := config.Defaults(filepath.Join(folder, "data"))
	settings.Listen, settings.Role, settings.RateLimit = "127.0.0.1:0", config.RoleAll, 0
	made, err := Init(ctx, settings.Storage, Setup{Title: "Scratch", Email: demoEmail, Name: "Scratch"}, log)
	if err != nil {
		return err
	}
	a, err := New(ctx, settings, version, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	listener, err := httpx.Listen(ctx, settings.Listen)
	if err != nil {
		return err
	}
	// The server outlives ctx by what it takes to cancel an import.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(running, listener) }()
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	d := demo{App: a}
	if err := d.find(ctx); err != nil {
		return err
	}
	space, err := d.space(ctx, "Scratch")
	if err != nil {
		return err
	}
	return use(ctx, localAddress(listener), made.Secret, string(space))
}
