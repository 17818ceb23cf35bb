// Command recto is the documentation platform: its server, its administration and the clients of a running server.
//
// This package owns the command line alone: flags, output and exit codes. What a command does is in package app, or in
// package client for commands that talk to a server.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// collectAt is how much the heap may grow before the collector runs, in percent of what lives. Go's own 100 is meant
// for large heaps; ours lives in some 30 MB, and at 200 a server takes 17 MB more under load and imports in a tenth
// less time. Operators set GOGC, or GOMEMLIMIT for a bound that holds whatever this says.
const collectAt = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
