// Package httpx owns what every HTTP answer of the program has in common: the server with its limits and its graceful
// end, request ids, client addresses, the access log, recovery from panics, metrics, health, rate limits, entity tags,
// compression and security headers. It knows nothing of documentation and nothing of the shape of errors: whoever
// uses it says how an error looks.
//
// A program makes one Edge around its handlers and passes that to Serve.
package httpx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// DrainLimit is how long Serve lets requests finish after it has been told to end, unless the configuration says more.
const DrainLimit = 10 * time.Second

// Limits of a connection. Bodies may be large and clients slow, so reading and writing get minutes; a handler that
// knows better sets its own deadline with http.ResponseController.
const (
	headerTimeout  = 10 * time.Second
	readTimeout    = 10 * time.Minute
	writeTimeout   = 10 * time.Minute
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 64 << 10
)

// ServerConfig says what Serve serves and how it ends.
type ServerConfig struct {
	// Handler answers the requests.
	Handler http.Handler
	// Log receives the errors of connections.
	Log *slog.Logger
	// Drain is how long requests under way may take after the end has come; 0 means DrainLimit.
	Drain time.Duration
	// OnDrain is called when the end has come, before the listener closes; nil for nothing.
	OnDrain func()
}

// Listen opens the address that Serve will answer on, such as ":8080" or "127.0.0.1:0".
func Listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil,
			fmt.Errorf("listen on %s: another program uses that address; stop it or choose another with --listen: %w",
				address, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s: ports below 1024 need a privilege; choose a higher one with --listen: %w",
			address, err)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return listener, nil
}

// Serve answers requests on the listener until ctx ends, then takes no more, lets those under way finish within the
// drain limit and cuts the rest. It closes the listener. The error is nil when nothing was cut.
func Serve(ctx context.Context, listener net.Listener, config ServerConfig) error {
	// Requests outlive ctx by the time of the drain.
	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{
		Handler:           config.Handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(config.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnContext:       withConn,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(joinedListener{listener}) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	if config.OnDrain != nil {
		config.OnDrain()
	}
	limit := config.Drain
	if limit <= 0 {
		limit = DrainLimit
	}
	draining, cancel := context.WithTimeout(requests, limit)
	defer cancel()
	err := server.Shutdown(draining)
	if err != nil {
		cut()
		_ = server.Close()
		err = fmt.Errorf("drain: requests still ran after %v and were cut: %w", limit, err)
	}
	<-served // http.ErrServerClosed
	return err
}
