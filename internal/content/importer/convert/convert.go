// Package convert owns making HTML of pages in other markup than Markdown, reStructuredText and AsciiDoc, with the
// programs that this machine has: pandoc and asciidoctor.
//
// A program gets the page on its standard input and nothing else: no environment but a path, an empty folder to work
// in, the mode in which it reads no other file, and bounds on its time, its memory and what it writes. A machine
// without the program says so; what becomes of the page is the caller's to say.
package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of one page.
const (
	maxTime   = 20 * time.Second
	maxOutput = 32 << 20
	// heap is what pandoc may take; its runtime ends it beyond.
	heap = "-M512M"
)

// program is how a kind of pages is converted.
type program struct {
	name      string
	arguments []string
}

var (
	pandoc = program{"pandoc", []string{"+RTS", heap, "-RTS", "--sandbox", "--from=rst", "--to=html",
		"--wrap=none", "--mathjax", "--no-highlight"}}
	// The whole page says who wrote it; links to other pages lead to their files.
	asciidoctor = program{"asciidoctor", []string{"--safe-mode=secure", "--attribute=nofooter",
		"--attribute=stylesheet!", "--attribute=allow-uri-read!", "--attribute=relfilesuffix=.adoc", "--out-file=-",
		"-"}}
)

// programOf returns the program for a file by the end of its name.
func programOf(file string) (program, bool) {
	switch strings.ToLower(path.Ext(file)) {
	case ".rst", ".rest":
		return pandoc, true
	case ".adoc", ".asciidoc", ".asc":
		return asciidoctor, true
	}
	return program{}, false
}

// HTML returns a page as HTML. It fails with errs.Unsupported when this machine lacks the program, and with
// errs.Invalid when the program does not take the page.
func HTML(ctx context.Context, file string, text []byte) ([]byte, error) {
	with, known := programOf(file)
	if !known {
		return nil, errs.New(errs.Unsupported, "%s is in a markup that is not known", file)
	}
	binary, err := exec.LookPath(with.name)
	if err != nil {
		return nil, errs.New(errs.Unsupported, "%s is read by %s, which this server does not have; install it there",
			file, with.name)
	}
	dir, err := os.MkdirTemp("", "recto-convert-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder to convert in: %w", err)
	}
	defer os.RemoveAll(dir)
	bounded, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	command := exec.CommandContext(bounded, binary, with.arguments...)
	output, complaint := &limited{limit: maxOutput, end: cancel}, &limited{limit: 4 << 10}
	// Programs that the program has started end with it.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.Dir, command.Stdin, command.Stdout, command.Stderr = dir, bytes.NewReader(text), output, complaint
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + dir}
	command.WaitDelay = time.Second
	err = command.Run()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case output.over:
		return nil, errs.New(errs.TooLarge, "%s becomes more than %d bytes of HTML", file, maxOutput)
	case bounded.Err() != nil:
		return nil, errs.New(errs.Invalid, "%s takes %s longer than %v", file, with.name, maxTime)
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(complaint.kept.String()), "\n")
		return nil, errs.New(errs.Invalid, "%s cannot read %s: %.200s", with.name, file, first)
	}
	written := output.kept.Bytes()
	if with.name == pandoc.name {
		written = pandocLanguage.ReplaceAll(written, []byte(`<pre$1 data-lang="$2" class="$2`))
	}
	return written, nil
}

// pandocLanguage is the language of a block of code as pandoc writes it, which is a class like others.
var pandocLanguage = regexp.MustCompile(`<pre((?: id="[^"]*")?) class="([\w+#.-]+)`)

// limited takes what a program writes up to a limit.
type limited struct {
	kept  bytes.Buffer // not embedded: its ReadFrom knows no limit
	limit int
	over  bool
	end   func() // ends the program; nil where it may go on
}

// errOver ends a program that writes too much.
var errOver = errors.New("too much output")

// Write keeps bytes up to the limit.
func (b *limited) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.limit {
		b.over = true
		if b.end == nil {
			return len(p), nil
		}
		b.end()
		return 0, errOver
	}
	return b.kept.Write(p)
}
