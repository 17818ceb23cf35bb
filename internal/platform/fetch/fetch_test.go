package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// loopback is a client that may reach the test servers on 127.0.0.1 and nothing else that is special.
func loopback(t *testing.T) *Client {
	t.Helper()
	client := New(Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	t.Cleanup(client.CloseIdle)
	return client
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// specialAddresses are addresses that no fetch may reach unless the operator says so.
var specialAddresses = []string{
	"127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "0.1.2.3",
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255",
	"169.254.169.254", "169.254.0.1", "169.254.170.2", "100.64.0.1", "100.100.100.200", "100.127.255.255",
	"192.0.0.1", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
	"192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
	"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:7f00:1]",
	"[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[100::1]",
	"[2001::1]", "[2001:db8::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[3fff::1]",
	"[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[5f00::1]",
}

func TestSpecialAddressesAreRefused(t *testing.T) {
	client := New(Options{})
	for _, host := range specialAddresses {
		t.Run(host, func(t *testing.T) {
			response, err := client.Get(t.Context(), "http://"+host+":80/latest/meta-data/",
				Limits{Time: 5 * time.Second})
			if err == nil {
				response.Body.Close()
				t.Fatal("the address was fetched")
			}
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok {
				t.Fatalf("not refused by the guard: %v", err)
			}
			if !errs.Is(err, errs.Invalid) {
				t.Errorf("kind %v, want Invalid: %v", errs.KindOf(err), err)
			}
			own, _ := errors.AsType[*errs.Error](err)
			if !strings.Contains(own.Message, AllowFlag) ||
				strings.Contains(strings.ReplaceAll(err.Error(), strings.Trim(host, "[]"), ""), refused.Addr.String()) {
				t.Errorf("message %q", err)
			}
		})
	}
}

func TestGuardLetsPublicAddressesPass(t *testing.T) {
	guard := newGuard(nil)
	for _, address := range []string{"1.1.1.1:443", "93.184.215.14:8080", "[2606:4700:4700::1111]:443",
		"[::ffff:1.1.1.1]:80"} {
		if err := guard.check("tcp4", address, nil); err != nil {
			t.Errorf("%s is refused: %v", address, err)
		}
	}
	if err := guard.check("udp4", "1.1.1.1:443", nil); err == nil {
		t.Error("a datagram socket was let through")
	}
	if err := guard.check("tcp4", "example.org", nil); err == nil {
		t.Error("an address without a port was let through")
	}
}

func TestAllowedRangesAreReached(t *testing.T) {
	tests := []struct {
		allow, address string
		reached        bool
	}{
		{"127.0.0.0/8", "127.0.0.1:80", true},
		{"127.0.0.0/8", "[::ffff:127.0.0.1]:80", true},
		{"::ffff:127.0.0.0/104", "127.0.0.1:80", true},
		{"127.0.0.1/32", "127.0.0.1:80", true},
		{"127.0.0.1/32", "127.0.0.2:80", false},
		{"127.0.0.0/8", "10.0.0.1:80", false},
		{"10.0.0.0/8, fd00::/8", "[fd12::1]:80", true},
		{"10.0.0.0/8, fd00::/8", "10.1.2.3:80", true},
		{"10.0.0.0/8, fd00::/8", "[fe80::1]:80", false},
		{"10.1.2.3/8", "10.200.0.1:80", true},
		{"fe80::/10", "[fe80::1%lo]:80", true},
	}
	for _, test := range tests {
		var prefixes []netip.Prefix
		for each := range strings.SplitSeq(test.allow, ", ") {
			if each != "" {
				prefixes = append(prefixes, netip.MustParsePrefix(each))
			}
		}
		err := newGuard(prefixes).check("tcp", test.address, nil)
		if (err == nil) != test.reached {
			t.Errorf("allow %s, dial %s: %v", test.allow, test.address, err)
		}
	}
}

func TestAddressesOfTheWrongFormAreRefused(t *testing.T) {
	client := loopback(t)
	tests := map[string]string{
		"file:///etc/passwd":                    "scheme",
		"ftp://example.org/x":                   "scheme",
		"gopher://127.0.0.1:70/":                "scheme",
		"javascript:alert(1)":                   "scheme",
		"//example.org/x":                       "scheme",
		"example.org/x":                         "scheme",
		"http://":                               "host",
		"http:///path":                          "host",
		"http://user@example.org/":              "user name",
		"http://user:secret@example.org/":       "user name",
		"http://exa mple.org/":                  "not an address",
		"http://example.org:port/":              "not an address",
		"http://[::1/":                          "not an address",
		"http://example.org/\x00":               "not an address",
		"https://example.org/" + longPath(9000): "longer than",
	}
	for address, want := range tests {
		_, err := client.Get(t.Context(), address, Limits{})
		if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("Get(%.40q): %v, want Invalid with %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Get(%q) prints the password: %v", address, err)
		}
		if err := CheckURL(address); err == nil {
			t.Errorf("CheckURL(%.40q) accepts it", address)
		}
	}
	if err := CheckURL(" https://example.org/docs/#top "); err != nil {
		t.Error(err)
	}
}

func longPath(n int) string { return strings.Repeat("a", n) }

func TestRedirectTricks(t *testing.T) {
	inner := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "inner") })
	_, innerPort, _ := net.SplitHostPort(inner.Listener.Addr().String())
	tests := []struct{ name, location, want string }{
		{"other loopback address", "http://127.0.0.2:" + innerPort + "/", "127.0.0.2"},
		{"loopback in IPv6", "http://[::1]:" + innerPort + "/", "::1"},
		{"metadata service", "http://169.254.169.254/latest/", "169.254.169.254"},
		{"mapped metadata service", "http://[::ffff:169.254.169.254]/", "169.254.169.254"},
		{"private", "https://192.168.1.1/", "192.168.1.1"},
		{"file", "file:///etc/passwd", "scheme"},
		{"data", "data:text/html,x", "scheme"},
		{"credentials", "http://a:b@127.0.0.1:" + innerPort + "/", "user name"},
		{"no host", "http:///x", "host"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			outer := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", test.location)
				w.WriteHeader(http.StatusFound)
			})
			response, err := loopback(t).Get(t.Context(), outer.URL, Limits{Time: 5 * time.Second})
			if err == nil {
				response.Body.Close()
				t.Fatal("the redirect was followed")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v does not say %q", err, test.want)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	var server *httptest.Server
	server = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/end/":
			w.Header().Set("Content-Type", `Text/HTML; charset="ISO-8859-1"`)
			io.WriteString(w, "here")
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/one":
			http.Redirect(w, r, server.URL+"/two#part", http.StatusMovedPermanently)
		default:
			http.Redirect(w, r, "/end/", http.StatusTemporaryRedirect)
		}
	})
	client := loopback(t)
	response, body, err := client.ReadAll(t.Context(), server.URL+"/one#top", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := response.URL.String(); got != server.URL+"/end/" {
		t.Errorf("final address %s", got)
	}
	if response.Status != 200 || string(body) != "here" || response.ContentType != "text/html" ||
		response.Charset != "iso-8859-1" {
		t.Errorf("got %d %q %q %q", response.Status, body, response.ContentType, response.Charset)
	}
	if _, _, err := client.ReadAll(t.Context(), server.URL+"/loop", Limits{}); !errs.Is(err, errs.Invalid) ||
		!strings.Contains(err.Error(), "redirects more than 5") {
		t.Errorf("loop: %v", err)
	}
	if _, _, err := client.ReadAll(t.Context(), server.URL+"/one", Limits{Redirects: 1}); !errs.Is(err, errs.Invalid) {
		t.Errorf("one redirect allowed, two followed: %v", err)
	}
	if _, _, err := client.ReadAll(t.Context(), server.URL+"/one", Limits{Redirects: -1}); !errs.Is(err, errs.Invalid) {
		t.Errorf("no redirect allowed: %v", err)
	}
}

func TestSizeLimit(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/exact":
			w.Write(make([]byte, 1000))
		case "/declared":
			w.Header().Set("Content-Length", "5000000")
			w.Write(make([]byte, 4096))
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 1000 {
				z.Write(make([]byte, 64<<10))
			}
			z.Close()
		}
	})
	client := loopback(t)
	limits := Limits{Bytes: 1000}
	if _, body, err := client.ReadAll(t.Context(), server.URL+"/exact", limits); err != nil || len(body) != 1000 {
		t.Errorf("a body of the limit: %d bytes, %v", len(body), err)
	}
	for _, path := range []string{"/declared", "/endless", "/bomb"} {
		if _, _, err := client.ReadAll(t.Context(), server.URL+path, limits); !errs.Is(err, errs.TooLarge) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestTimeLimitAndCancellation(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/drip" {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	client := loopback(t)
	for _, path := range []string{"/silent", "/drip"} {
		_, _, err := client.ReadAll(t.Context(), server.URL+path, Limits{Time: 50 * time.Millisecond})
		if !errs.Is(err, errs.Unreachable) || !strings.Contains(err.Error(), "50ms") {
			t.Errorf("%s: %v", path, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, _, err = client.ReadAll(ctx, server.URL+path, Limits{})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s with a caller that gave up: %v", path, err)
		}
	}
}

func TestNoProxyAndNoCredentials(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "s", Value: "1"})
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			w.WriteHeader(http.StatusTeapot)
		}
		io.WriteString(w, r.UserAgent()+" "+r.Header.Get("Accept"))
	})
	client := New(Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, UserAgent: "Recto-Test"})
	for range 2 {
		response, body, err := client.ReadAll(t.Context(), server.URL, Limits{Accept: "text/html"})
		if err != nil || response.Status != 200 || string(body) != "Recto-Test text/html" {
			t.Fatalf("%v %q %v", response, body, err)
		}
	}
}

// TestNamesAreCheckedWhereTheyLead uses a name server of its own whose answers are loopback addresses.
func TestNamesAreCheckedWhereTheyLead(t *testing.T) {
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return answerLoopback(), nil
	}}
	var logged bytes.Buffer
	client := New(Options{Resolver: resolver, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	_, err := client.Get(t.Context(), "http://docs.example.org/", Limits{Time: 10 * time.Second})
	refused, ok := errors.AsType[*RefusedError](err)
	if !ok || refused.Addr != netip.MustParseAddr("127.0.0.1") {
		t.Fatalf("a name that leads to loopback: %v", err)
	}
	if !strings.Contains(err.Error(), "docs.example.org") {
		t.Errorf("%v does not name the host", err)
	}
	own, _ := errors.AsType[*errs.Error](err)
	if strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(own.Message, "127.0.0.1") {
		t.Errorf("%v tells where the name leads", err)
	}
	if !strings.Contains(logged.String(), "address=127.0.0.1") || !strings.Contains(logged.String(),
		"host=docs.example.org") {
		t.Errorf("the operator is not told: %s", logged.String())
	}
}

// TestFailuresTellNoAddresses holds that what goes wrong behind a name is said in words, and that the log has the
// address.
func TestFailuresTellNoAddresses(t *testing.T) {
	closed, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := closed.Addr().(*net.TCPAddr).Port
	closed.Close()
	encrypted := httptest.NewTLSServer(http.NotFoundHandler())
	defer encrypted.Close()
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	breaking := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			connection.Close()
		}
	})
	portOf := func(server *httptest.Server) int { return server.Listener.Addr().(*net.TCPAddr).Port }
	working := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return answerLoopback(), nil
	}}
	failing := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Addr: &net.UDPAddr{IP: net.IPv4(10, 9, 8, 7), Port: 53},
			Err: syscall.ECONNREFUSED}
	}}
	for name, c := range map[string]struct {
		resolver      *net.Resolver
		address, says string
	}{
		"closed":       {working, fmt.Sprintf("http://intern.example.org:%d/", port), "the connection was refused"},
		"certificate":  {working, fmt.Sprintf("https://intern.example.org:%d/", portOf(encrypted)), "its certificate"},
		"no TLS":       {working, fmt.Sprintf("https://intern.example.org:%d/", portOf(plain)), "does not speak TLS"},
		"broken off":   {working, fmt.Sprintf("http://intern.example.org:%d/", portOf(breaking)), "broke off"},
		"name servers": {failing, "http://intern.example.org/", "could not be looked up"},
	} {
		t.Run(name, func(t *testing.T) {
			var logged bytes.Buffer
			client := New(Options{
				Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: c.resolver,
				Log: slog.New(slog.NewTextHandler(&logged, nil)),
			})
			_, err := client.Get(t.Context(), c.address, Limits{Time: 10 * time.Second})
			if !errs.Is(err, errs.Unreachable) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v", err)
			}
			for _, address := range []string{"127.0.0.1", "10.9.8.7"} {
				if strings.Contains(err.Error(), address) {
					t.Errorf("the address is told: %v", err)
				}
			}
			if !strings.Contains(logged.String(), "intern.example.org") {
				t.Errorf("the operator is not told: %s", logged.String())
			}
		})
	}
}

// TestNumericSpellings holds that no other spelling of 127.0.0.1 is a way around the guard, whether the system's
// resolver reads it as a number or as a name that does not exist.
func TestNumericSpellings(t *testing.T) {
	client := New(Options{})
	for _, host := range []string{"2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.1", "127.0.0.1.",
		"①②⑦.0.0.1"} {
		response, err := client.Get(t.Context(), "http://"+host+"/", Limits{Time: 5 * time.Second})
		if err == nil {
			response.Body.Close()
			t.Errorf("%s was fetched", host)
		}
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String() + "/"
	listener.Close()
	if _, err := loopback(t).Get(t.Context(), address, Limits{}); !errs.Is(err, errs.Unreachable) {
		t.Errorf("a closed port: %v", err)
	}
}

func TestPost(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/again":
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		case "/other":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/private":
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusTemporaryRedirect)
		default:
			body, _ := io.ReadAll(r.Body)
			io.WriteString(w, r.Method+" "+r.Header.Get("Content-Type")+" "+string(body))
		}
	})
	for path, want := range map[string]string{"/": "POST text/x-test hello", "/again": "POST text/x-test hello",
		"/other": "GET  "} {
		response, err := loopback(t).Post(t.Context(), server.URL+path, "text/x-test", []byte("hello"), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if string(body) != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", path, body, err, want)
		}
	}
	if _, err := loopback(t).Post(t.Context(), server.URL+"/private", "text/x-test", []byte("hello"),
		Limits{}); !errs.Is(err, errs.Invalid) {
		t.Errorf("a redirect to a private network: %v", err)
	}
	if _, err := loopback(t).Post(t.Context(), server.URL, "text/x-test", []byte("hello"),
		Limits{Bytes: 3}); err == nil {
		// A body of a known length over the limit is refused before it is read.
		t.Error("an answer over the limit was let through")
	}
}

func TestHead(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000000")
		if r.Method != http.MethodHead || r.URL.Path != "/there" {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	client := loopback(t)
	for path, want := range map[string]int{"/there": http.StatusOK, "/gone": http.StatusNotFound} {
		response, err := client.Head(t.Context(), server.URL+path, Limits{Bytes: 10})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if response.Status != want || len(body) != 0 || err != nil {
			t.Errorf("%s: %d, %d bytes, %v", path, response.Status, len(body), err)
		}
	}
	if _, err := client.Head(t.Context(), "ftp://example.org/", Limits{}); !errs.Is(err, errs.Invalid) {
		t.Errorf("another scheme: %v", err)
	}
}

func TestPostAuthorized(t *testing.T) {
	var seen []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path+" "+r.Header.Get("Authorization"))
		if r.URL.Path == "/elsewhere" {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		}
	})
	response, err := loopback(t).PostAuthorized(t.Context(), server.URL+"/", "Bearer sesame", "text/plain", nil,
		Limits{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if _, err := loopback(t).PostAuthorized(t.Context(), server.URL+"/elsewhere", "Bearer sesame", "text/plain", nil,
		Limits{}); !errs.Is(err, errs.Invalid) {
		t.Errorf("a redirect: %v", err)
	}
	if want := []string{"/ Bearer sesame", "/elsewhere Bearer sesame"}; !slices.Equal(seen, want) {
		t.Errorf("seen: %q, want %q", seen, want)
	}
}
