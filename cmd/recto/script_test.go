package main

import (
	"context"
	"net"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rectodocs/recto/internal/content/search"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"recto": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts runs the command line as a user would; each script in testdata/script tells a story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			// A port that is free now; the script's server takes it at once.
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Setenv("ADDRESS", listener.Addr().String())
			env.Setenv("INDEXES", "data/search/"+search.Layout)
			return listener.Close()
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await":   await,
			"fetched": fetched,
			"capture": capture,
			"match":   match,
			"pack":    pack,
		},
	})
}
