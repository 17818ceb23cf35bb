// Command recto is the documentation platform: its server, its administration and the clients of a running server.
//
// This package owns the command line alone: flags, output and exit codes. What a command does is in package app, or in
// package client for commands that talk to a server.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
