package app

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
)

// Addresses that a demo has beside those of every server, while it follows its source.
const (
	watchState  = "/~/demo/state"
	watchScript = "/~/demo/reload.js"
)

//go:embed demo_reload.js
var reloadScript []byte

// reloading puts a script into the pages of sites that loads them again when the source of the demo has changed. It
// stands before the handlers of a demo alone.
type reloading struct {
	next http.Handler
	// changed is when the content changed last.
	changed atomic.Int64
}

func (h *reloading) bump() { h.changed.Store(time.Now().UnixNano()) }

func (h *reloading) state() string { return strconv.FormatInt(h.changed.Load(), 36) }

// ServeHTTP answers the two addresses of its own, and passes everything else on.
func (h *reloading) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case reads && r.URL.Path == watchState:
		answerPlain(w, "text/plain; charset=utf-8", []byte(h.state()))
	case reads && r.URL.Path == watchScript:
		answerPlain(w, "text/javascript; charset=utf-8", reloadScript)
	case reads && strings.HasPrefix(r.URL.Path, "/sites/"):
		h.page(w, r)
	default:
		h.next.ServeHTTP(w, r)
	}
}

func answerPlain(w http.ResponseWriter, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) // whoever has asked is gone
}

// page sends a page with the script. It is asked for whole and not packed, so that there is something to put it into.
func (h *reloading) page(w http.ResponseWriter, r *http.Request) {
	at := h.state()
	asked := r.Clone(r.Context())
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since"} {
		asked.Header.Del(name)
	}
	answer := &heldPage{ResponseWriter: w}
	h.next.ServeHTTP(answer, asked)
	if !answer.held {
		return
	}
	// The script is told what the page was made of: a change while it is on its way shows, too.
	script := []byte(`<script src="` + watchScript + "?at=" + at + `" defer></script>` + "\n</body>")
	body := bytes.Replace(answer.body.Bytes(), []byte("</body>"), script, 1)
	w.Header().Del("ETag")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(answer.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // whoever has asked is gone
	}
}

// heldPage keeps an answer that is HTML, and lets every other one pass.
type heldPage struct {
	http.ResponseWriter
	status  int
	decided bool
	held    bool
	body    bytes.Buffer
}

// Unwrap lets what sets deadlines reach the connection.
func (p *heldPage) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader decides by the header what becomes of the answer.
func (p *heldPage) WriteHeader(status int) {
	if p.decided {
		return
	}
	p.decided, p.status = true, status
	kind, _, err := mime.ParseMediaType(p.Header().Get("Content-Type"))
	p.held = err == nil && kind == "text/html" && p.Header().Get("Content-Encoding") == ""
	if !p.held {
		p.ResponseWriter.WriteHeader(status)
	}
}

// Write keeps HTML.
func (p *heldPage) Write(data []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	if p.held {
		return p.body.Write(data)
	}
	return p.ResponseWriter.Write(data)
}

// follow imports the source again each time that it changes, until ctx ends. A state that cannot be imported is said
// and waits for the next change: the site shows what was there before.
func (d *demo) follow(ctx context.Context, server string, source DemoSource, into id.Space) {
	for source.Next(ctx) == nil {
		err := d.bring(ctx, server, source, into)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			fmt.Fprintf(d.stdout, "Not updated: %v\n", err)
			d.log.WarnContext(ctx, "the source of the demo cannot be imported", slog.Any("err", err))
		default:
			d.reloading.bump()
		}
	}
}
