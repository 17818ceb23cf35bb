package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"

	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Serve opens everything, logs one line with the address, prints where the server is set up when it has nobody yet, and
// works until ctx ends.
func Serve(ctx context.Context, settings config.Serve, version string, stdout io.Writer, log *slog.Logger) error {
	a, err := New(ctx, settings, version, log)
	if err != nil {
		return err
	}
	if settings.Role.Web() {
		if err := a.inviteFirst(ctx, stdout); err != nil {
			return errors.Join(err, a.Close())
		}
	}
	return errors.Join(a.listenAndRun(ctx, version), a.Close())
}

// listenAndRun answers at the address of the settings, unless the process only works on jobs.
func (a *App) listenAndRun(ctx context.Context, version string) error {
	var listener net.Listener
	if a.config.Role.Web() {
		var err error
		if listener, err = httpx.Listen(ctx, a.config.Listen); err != nil {
			return err
		}
		a.ready(ctx, listener, version)
	} else {
		a.log.InfoContext(ctx, "Recto works on jobs", slog.String("version", version),
			slog.String("role", string(a.config.Role)))
	}
	defer trimLater(ctx)()
	return a.Run(ctx, listener)
}

// ready logs the address at which the program answers.
func (a *App) ready(ctx context.Context, listener net.Listener, version string) {
	a.log.InfoContext(ctx, "Recto is ready at "+a.config.Base(),
		slog.String("listen", listener.Addr().String()), slog.String("version", version),
		slog.String("role", string(a.config.Role)))
	if a.config.BaseURL == "" && !isLoopback(listener.Addr()) {
		a.log.WarnContext(ctx, "links lead to "+a.config.Base()+", which other machines do not find: start with "+
			"--base-url and the address at which people reach this server")
	}
}

// isLoopback reports whether only this machine reaches an address.
func isLoopback(address net.Addr) bool {
	at, err := netip.ParseAddrPort(address.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}
