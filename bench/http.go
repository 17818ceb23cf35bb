package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pagePath is a page of the book with code, pictures and links, of about the middle size.
const pagePath = "ch04-01-what-is-ownership"

// measurePage compares a warm published page with nginx sending the same bytes from a file, and with a handler that
// does nothing but send them, which is as fast as net/http can be.
func measurePage(ctx context.Context, o options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	recto, err := startRecto(ctx, o, filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	defer recto.stop()
	found, err := recto.findPage(ctx)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, found.url, nil)
	if err != nil {
		return err
	}
	// Without this the client asks for gzip by itself and unpacks it.
	request.Header.Set("Accept-Encoding", "identity")
	body, err := fetch(request)
	if err != nil {
		return err
	}
	nginx, address, err := startNginx(ctx, dir, body)
	if err != nil {
		return err
	}
	defer nginx.stop()
	p, err := compare(ctx, o, found.url, "http://"+address+"/page.html", nil, nil)
	if err != nil {
		return err
	}
	p.report(fmt.Sprintf("warm page (%d KB) against nginx", len(body)>>10), "req/s", 0.7,
		func(ours, bare float64) float64 { return ours / bare })
	bare, address, err := startBare(ctx, dir, body)
	if err != nil {
		return err
	}
	defer bare.stop()
	if p, err = compare(ctx, o, found.url, "http://"+address+"/", nil, nil); err != nil {
		return err
	}
	p.report(fmt.Sprintf("warm page (%d KB) against a bare handler", len(body)>>10), "req/s", 0.9,
		func(ours, bare float64) float64 { return ours / bare })
	return nil
}

type foundPage struct{ id, url string }

func (i *instance) findPage(ctx context.Context) (foundPage, error) {
	var page struct{ ID, Path string }
	for _, path := range []string{pagePath, "ch04-00-understanding-ownership%2F" + pagePath} {
		if err := i.call(ctx, http.MethodGet, "/v1/spaces/"+i.space+"/content/path/"+path, "", &page); err == nil {
			return foundPage{id: page.ID, url: i.site + page.Path}, nil
		}
	}
	return foundPage{}, fmt.Errorf("the book has no page %s", pagePath)
}

// startNginx serves one file with the settings of a plain installation, without an access log.
func startNginx(ctx context.Context, dir string, body []byte) (*server, string, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx"
	}
	root := filepath.Join(dir, "html")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // nginx's workers run as another user
		return nil, "", err
	}
	if _, err := writeFile(root, "page.html", body); err != nil {
		return nil, "", err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, "", err
	}
	config := strings.NewReplacer("DIR", dir, "ADDRESS", address, "ROOT", root).Replace(`
daemon off;
worker_processes 2;
pid DIR/nginx.pid;
error_log DIR/nginx.log;
events { worker_connections 1024; }
http {
  types { text/html html; }
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_body_temp_path DIR/body;
  proxy_temp_path DIR/proxy;
  fastcgi_temp_path DIR/fastcgi;
  uwsgi_temp_path DIR/uwsgi;
  scgi_temp_path DIR/scgi;
  server { listen ADDRESS; root ROOT; }
}
`)
	path, err := writeFile(dir, "nginx.conf", []byte(config))
	if err != nil {
		return nil, "", err
	}
	started, err := start(ctx, "http://"+address+"/page.html", program, "-c", path)
	return started, address, err
}

// measureJSON compares reading a page as JSON with a token with a handler that does nothing but send the same bytes.
func measureJSON(ctx context.Context, o options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	recto, err := startRecto(ctx, o, filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	defer recto.stop()
	found, err := recto.findPage(ctx)
	if err != nil {
		return err
	}
	address := recto.base + "/v1/spaces/" + recto.space + "/content/page/" + found.id
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+recto.token)
	request.Header.Set("Accept-Encoding", "identity")
	body, err := fetch(request)
	if err != nil {
		return err
	}
	bare, listen, err := startBare(ctx, dir, body)
	if err != nil {
		return err
	}
	defer bare.stop()
	header := []string{"Authorization: Bearer " + recto.token}
	p, err := compare(ctx, o, address, "http://"+listen+"/", header, header)
	if err != nil {
		return err
	}
	p.report(fmt.Sprintf("page JSON (%d KB) against a bare handler", len(body)>>10), "req/s", 0.6,
		func(ours, bare float64) float64 { return ours / bare })
	return nil
}

// startBare serves one body with serveBare in a process of its own.
func startBare(ctx context.Context, dir string, body []byte) (*server, string, error) {
	file, err := writeFile(dir, "bare", body)
	if err != nil {
		return nil, "", err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, "", err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	started, err := start(ctx, "http://"+address+"/", self, "bare", address, file)
	return started, address, err
}

// serveBare answers every request with the bytes of a file, and ends with its context.
func serveBare(ctx context.Context, address, file string) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	plain := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // the client went away
	})}
	context.AfterFunc(ctx, func() { _ = plain.Close() })
	if err := plain.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
