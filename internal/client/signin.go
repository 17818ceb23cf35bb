package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// signInTime is how long a person has to agree in the browser.
const signInTime = 10 * time.Minute

// authorizationServer is what a server says of how programs sign in (RFC 8414).
type authorizationServer struct {
	Issuer       string `json:"issuer"`
	Authorize    string `json:"authorization_endpoint"`
	Token        string `json:"token_endpoint"`
	Registration string `json:"registration_endpoint"`
	Revocation   string `json:"revocation_endpoint"`
}

// SignIn lets a person sign this program in at a server, in their browser, and returns what Logins keeps. open is given
// the address that the browser has to go to.
func SignIn(ctx context.Context, server string, open func(address string)) (Login, error) {
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	about, err := describe(ctx, server)
	if err != nil {
		return Login{}, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return Login{}, fmt.Errorf("cannot listen for the browser's answer; use --token instead: %w", err)
	}
	defer listener.Close()
	const path = "/callback"
	var registered struct {
		ID string `json:"client_id"`
	}
	if err := ask(ctx, about.Registration, "application/json", strings.NewReader(`{"client_name":"recto",`+
		`"redirect_uris":["http://127.0.0.1`+path+`"],"token_endpoint_auth_method":"none",`+
		`"grant_types":["authorization_code","refresh_token"],"response_types":["code"]}`), &registered); err != nil {
		return Login{}, fmt.Errorf("the server does not register this program: %w", err)
	}
	redirect := "http://" + listener.Addr().String() + path
	state, verifier := rand.Text(), rand.Text()+rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	answers := make(chan url.Values, 1)
	page := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: callback(path, state, answers)}
	go func() { _ = page.Serve(listener) }() // ends with the listener
	defer page.Close()
	open(about.Authorize + "?" + url.Values{"response_type": {"code"}, "client_id": {registered.ID},
		"redirect_uri": {redirect}, "state": {state}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}}.Encode())
	var answer url.Values
	select {
	case answer = <-answers:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return Login{}, errors.New("nobody has agreed in the browser for 10 minutes; try again")
		}
		return Login{}, ctx.Err()
	}
	if issuer := answer.Get("iss"); issuer != "" && issuer != about.Issuer {
		return Login{}, fmt.Errorf("the answer comes from another server, %q", issuer)
	}
	if problem := answer.Get("error"); problem != "" {
		return Login{}, fmt.Errorf("the server let nobody in: %q", strings.TrimSpace(problem+" "+
			answer.Get("error_description")))
	}
	return tokens(ctx, about.Token, registered.ID, url.Values{"grant_type": {"authorization_code"},
		"code": {answer.Get("code")}, "redirect_uri": {redirect}, "code_verifier": {verifier}})
}

// callback takes the browser's answer, once, and tells the person to come back.
func callback(path, state string, answers chan<- url.Values) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		// Another page of the browser may ask here, too; it does not know the state.
		if r.Method != http.MethodGet || r.URL.Path != path || query.Get("state") != state {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "This is no answer that recto login waits for.\n")
			return
		}
		text := "You are signed in. Close this page and go back to the terminal.\n"
		if query.Get("error") != "" {
			text = "Nobody was let in. Close this page and go back to the terminal.\n"
		}
		_, _ = io.WriteString(w, text)
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
		select {
		case answers <- query:
		default: // there is one already
		}
	})
}

// describe asks a server how programs sign in. All of it has to be at the server that the person has named.
func describe(ctx context.Context, server string) (authorizationServer, error) {
	server = strings.TrimRight(server, "/")
	address, err := url.Parse(server)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return authorizationServer{}, fmt.Errorf("%q is not the address of a server: give --server like "+
			"http://localhost:8080", server)
	}
	var about authorizationServer
	if err := ask(ctx, server+"/.well-known/oauth-authorization-server", "", nil, &about); err != nil {
		return about, fmt.Errorf("the server does not say how to sign in; make a token there and use --token: %w", err)
	}
	for _, each := range []string{about.Authorize, about.Token, about.Registration, about.Revocation} {
		if !strings.HasPrefix(each, about.Issuer+"/") {
			return about, fmt.Errorf("the server leads elsewhere to sign in: %q", each)
		}
	}
	if serverKey(about.Issuer) != serverKey(server) {
		return about, fmt.Errorf("the server calls itself %q; use that address as --server", about.Issuer)
	}
	return about, nil
}

// tokens gets tokens for a code or a refresh token.
func tokens(ctx context.Context, address, client string, form url.Values) (Login, error) {
	form.Set("client_id", client)
	var got struct {
		Access    string `json:"access_token"`
		Refresh   string `json:"refresh_token"`
		ExpiresIn int    `json:"expires_in"`
	}
	if err := ask(ctx, address, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()),
		&got); err != nil {
		return Login{}, err
	}
	return Login{Token: got.Access, Refresh: got.Refresh, Client: client,
		ExpiresAt: time.Now().Add(time.Duration(got.ExpiresIn) * time.Second).UTC()}, nil
}

// errRefused is an answer that asking again does not change.
var errRefused = errors.New("refused")

// ask sends a request without a token, a POST when there is a body, and reads a JSON answer.
func ask(ctx context.Context, address, contentType string, body io.Reader, out any) error {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	// Nothing of this is to be sent on to where a server leads.
	plain := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := plain.Do(request)
	if err != nil {
		return fmt.Errorf("cannot reach the server: %w", err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	if response.StatusCode >= 300 {
		var wire struct {
			Description string `json:"error_description"`
		}
		_ = json.Unmarshal(raw, &wire) // what is no JSON has no description
		if response.StatusCode == http.StatusBadRequest {
			return fmt.Errorf("%w: %q", errRefused, wire.Description)
		}
		return fmt.Errorf("the server answered %s %s", response.Status, wire.Description)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	return nil
}

// renewBefore is how long before its end a token is renewed.
const renewBefore = time.Minute

// Renewed returns what is kept for a server, with a new token when the one that is kept ends. Programs that run at once
// take turns, because a refresh token is good for once.
func (l Logins) Renewed(ctx context.Context, server string) (Login, error) {
	login, err := l.Get(server)
	if err != nil || login.Refresh == "" || time.Until(login.ExpiresAt) > renewBefore {
		return login, err
	}
	unlock, err := l.lock(ctx)
	if err != nil {
		return Login{}, err
	}
	defer unlock()
	login, err = l.Get(server)
	if err != nil || login.Refresh == "" || time.Until(login.ExpiresAt) > renewBefore {
		return login, err // another program was faster
	}
	about, err := describe(ctx, server)
	if err != nil {
		return Login{}, err
	}
	next, err := tokens(ctx, about.Token, login.Client, url.Values{"grant_type": {"refresh_token"},
		"refresh_token": {login.Refresh}})
	if errors.Is(err, errRefused) {
		return Login{}, errors.New("you were signed out at the server; run recto login again")
	}
	if err != nil {
		return Login{}, err
	}
	next.User = login.User
	return next, l.Set(server, next)
}

// SignOut ends at the server what SignIn has made.
func (l Login) SignOut(ctx context.Context, server string) error {
	about, err := describe(ctx, server)
	if err != nil {
		return err
	}
	return ask(ctx, about.Revocation, "application/x-www-form-urlencoded", strings.NewReader(url.Values{
		"token": {l.Refresh}, "client_id": {l.Client}}.Encode()), &struct{}{})
}
