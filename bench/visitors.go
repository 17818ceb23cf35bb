package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// visitors is how many people with claims of their own read the site.
const visitors = 10_000

// visitorSchema is what the site knows of them. Only some of it is in a condition.
const visitorSchema = `{"type":"object","properties":{
	"id":{"type":"string","description":""},"name":{"type":"string","description":""},"seats":{"type":"number","description":""},
	"plan":{"type":"string","enum":["free","team","pro"],"description":""},"isBeta":{"type":"boolean","description":""}},"additionalProperties":false}`

// measureVisitors compares a page that adapts to its reader, read by visitors who are all different, with the same page
// read by nobody in particular. A cache that told visitors apart by who they are would make the page anew for each.
func measureVisitors(ctx context.Context, o options) error {
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
	page, key, err := recto.adaptiveSite(ctx, o, dir)
	if err != nil {
		return err
	}
	known, err := writeFile(dir, "visitors.lua", visitorScript(key))
	if err != nil {
		return err
	}
	nobody, err := writeFile(dir, "nobody.lua", []byte("request = function() return wrk.format() end\n"))
	if err != nil {
		return err
	}
	var p pair
	for range o.rounds {
		a, err := loadWith(ctx, page, o.duration, "-s", known)
		if err != nil {
			return err
		}
		b, err := loadWith(ctx, page, o.duration, "-s", nobody)
		if err != nil {
			return err
		}
		p.ours, p.bare = append(p.ours, a), append(p.bare, b)
	}
	p.report(fmt.Sprintf("%d different visitors of a page that adapts, against nobody", visitors), "req/s", 0.8,
		func(ours, bare float64) float64 { return ours / bare })
	return nil
}

// visitorCookies are those of visitors with claims of their own.
func visitorCookies(key []byte) []string {
	var cookies []string
	plans := []string{"free", "team", "pro"}
	for i := range visitors {
		token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
			"exp": time.Now().Add(time.Hour).Unix(), "id": "visitor-" + strconv.Itoa(i),
			"name": "Visitor " + strconv.Itoa(i), "seats": i,
			"plan": plans[i%3], "isBeta": i%5 == 0,
		})
		text, err := token.SignedString(key)
		if err != nil {
			panic(err) // claims of texts and numbers always encode
		}
		cookies = append(cookies, "recto_visitor="+text)
	}
	return cookies
}

// visitorScript makes wrk be another visitor with every request.
func visitorScript(key []byte) []byte {
	var script strings.Builder
	script.WriteString("local tokens = {\n")
	for _, cookie := range visitorCookies(key) {
		fmt.Fprintf(&script, "%q,\n", cookie)
	}
	script.WriteString("}\nlocal at = 0\nrequest = function()\n  at = at % #tokens + 1\n  wrk.headers[\"Cookie\"] = " +
		"tokens[at]\n  return wrk.format()\nend\n")
	return []byte(script.String())
}

// adaptiveSite makes a site with a page and a navigation that depend on the visitor, and returns the address of the
// page and the key of the visitors' tokens. It fails when the page does not adapt.
func (i *instance) adaptiveSite(ctx context.Context, o options, dir string) (page string, key []byte, err error) {
	book := filepath.Join(dir, "adaptive")
	if err := os.Mkdir(book, 0o755); err != nil {
		return "", nil, err
	}
	summary := &strings.Builder{}
	summary.WriteString("# Table of contents\n\n* [Start](README.md)\n")
	start := "# Start\n\n" +
		strings.Repeat(
			"A paragraph of some length, as pages of a manual have them, with `code` and a [link](page-1.md).\n\n",
			60) +
		"{% if visitor.claims.plan == \"pro\" %}\nFor professionals.\n{% endif %}\n\n{% if visitor.claims.isBeta === " +
		"true && visitor.claims.plan !== \"free\" %}\nFor testers.\n{% endif %}\n\n" +
		"{% if visitor.claims.seats > 5000 %}\nFor the large.\n{% endif %}\n"
	if _, err := writeFile(book, "README.md", []byte(start)); err != nil {
		return "", nil, err
	}
	for n := 1; n <= 100; n++ {
		name, front := "page-"+strconv.Itoa(n)+".md", ""
		if n%5 == 0 {
			front = "---\nif: visitor.claims.plan == \"" + []string{"free", "team", "pro"}[n%3] + "\"\n---\n\n"
		}
		fmt.Fprintf(summary, "* [Page %d](%s)\n", n, name)
		if _, err := writeFile(book, name, []byte(front+"# Page "+strconv.Itoa(n)+"\n\nText.\n")); err != nil {
			return "", nil, err
		}
	}
	if _, err := writeFile(book, "SUMMARY.md", []byte(summary.String())); err != nil {
		return "", nil, err
	}
	site, err := i.publish(ctx, o, "Adaptive", book)
	if err != nil {
		return "", nil, err
	}
	var auth struct{ PrivateKey string }
	for _, step := range []struct {
		method, path, body string
		out                any
	}{
		{http.MethodPut, "/adaptive-schema", `{"jsonSchema":` + visitorSchema + `}`, &json.RawMessage{}},
		{http.MethodPatch, "", `{"adaptiveContent":{"enabled":true}}`, &json.RawMessage{}},
		{http.MethodGet, "/publishing/auth", "", &auth},
	} {
		if err := i.call(ctx, step.method, site.path+step.path, step.body, step.out); err != nil {
			return "", nil, err
		}
	}
	return site.address, []byte(auth.PrivateKey), checkAdapts(ctx, site.address, []byte(auth.PrivateKey))
}

// checkAdapts fails when a visitor with claims gets the page that nobody gets.
func checkAdapts(ctx context.Context, page string, key []byte) error {
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"exp": time.Now().Add(time.Hour).Unix(),
		"plan": "pro"}).SignedString(key)
	if err != nil {
		return err
	}
	for cookie, wanted := range map[string]bool{"recto_visitor=" + token: true,
		"recto_visitor=" + base64.RawURLEncoding.EncodeToString(key[:8]): false} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Cookie", cookie)
		body, err := fetch(request)
		if err != nil {
			return err
		}
		if strings.Contains(string(body), "For professionals.") != wanted {
			return fmt.Errorf("the page does not adapt to its visitor")
		}
	}
	return nil
}
