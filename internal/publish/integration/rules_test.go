package integration

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestPolicies(t *testing.T) {
	text := func(s string) Policy { return Policy{Text: &s} }
	object := func(pairs ...string) Policy {
		p := Policy{Directives: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			p.Directives[pairs[i]] = pairs[i+1]
		}
		return p
	}
	tests := []struct {
		name string
		in   Policy
		want string
	}{
		{"none", Policy{}, ""},
		{"empty text", text(""), ""},
		{"empty object", object(), ""},
		{"text", text("default-src 'none'; script-src 'self' https://a.example"),
			"default-src 'none'; script-src 'self' https://a.example"},
		{"lines", text("\n  default-src 'none';\n  img-src\n    https://a.example\n    data:;\n\n"),
			"default-src 'none'; img-src https://a.example data:"},
		{"carriage returns", text("default-src 'none';\r\nscript-src 'self'\r\n"),
			"default-src 'none'; script-src 'self'"},
		{"order", text("img-src *; default-src 'none'"), "default-src 'none'; img-src *"},
		{"letter case", text("DEFAULT-SRC 'none'"), "default-src 'none'"},
		{"bare", text("upgrade-insecure-requests; default-src *"), "default-src *; upgrade-insecure-requests"},
		{"said twice alike", text("img-src *; img-src *;"), "img-src *"},
		{"object", object("script-src", "'self'", "default-src", "'none'"), "default-src 'none'; script-src 'self'"},
		{"object with lines", object("script-src", "\n'self'\n  https://a.example\n"),
			"script-src 'self' https://a.example"},
		{"object with a semicolon at the end", object("connect-src", "https://a.example;"),
			"connect-src https://a.example"},
		{"object whose value goes on", object("connect-src", "https://a.example;\nhttps://b.example;"),
			"connect-src https://a.example https://b.example"},
		{"object with another directive inside", object("default-src", "'none'; img-src https://a.example"),
			"default-src 'none'; img-src https://a.example"},
		{"object with a bare one", object("upgrade-insecure-requests", "", "block-all-mixed-content", "true"),
			"block-all-mixed-content; upgrade-insecure-requests"},
		{"object with an empty value", object("sandbox", ""), "sandbox"},
	}
	for _, test := range tests {
		got, err := test.in.normalize()
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
			continue
		}
		if again, err := text(got).normalize(); err != nil || again != got {
			t.Errorf("%s: the normal form %q becomes %q, %v", test.name, got, again, err)
		}
	}
	refused := map[string]Policy{
		"unknown directive":         text("default-source 'none'"),
		"unknown key":               object("x-frame-options", "DENY"),
		"header":                    text("default-src 'none'\r\nSet-Cookie: a=b; x"),
		"header behind a directive": text("default-src 'none';\r\nset-cookie: a=b"),
		"another policy":            text("default-src 'none', script-src *"),
		"control character":         text("default-src 'none'\x00"),
		"not ASCII":                 object("img-src", "https://exämple.org"),
		"two values":                text("img-src a; img-src b"),
		"two values in two keys":    object("default-src", "'none'; img-src a", "img-src", "b"),
		"value of a bare one":       object("upgrade-insecure-requests", "yes"),
		"too long":                  text("img-src " + strings.Repeat("a", maxPolicy)),
		"too long in parts": object("img-src", strings.Repeat("a", 6000), "font-src",
			strings.Repeat("b", 6000)),
		"key with a value of its own": object("img-src *; script-src", "*"),
	}
	for name, policy := range refused {
		got, err := policy.normalize()
		if !errs.Is(err, errs.Invalid) || !strings.HasPrefix(err.Error(), "contentSecurityPolicy") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add("default-src 'none'; img-src *", "img-src", "a;\nb")
	f.Fuzz(func(t *testing.T, text, key, value string) {
		for _, p := range []Policy{{Text: &text}, {Directives: map[string]string{key: value}}} {
			got, err := p.normalize()
			if err != nil {
				continue
			}
			for i := range len(got) {
				if got[i] < ' ' || got[i] > '~' || got[i] == ',' {
					t.Fatalf("%q is in %q", got[i], got)
				}
			}
			if again, err := (Policy{Text: &got}).normalize(); err != nil || again != got {
				t.Fatalf("%q becomes %q, %v", got, again, err)
			}
		}
	})
}

func TestDomainsOfPatterns(t *testing.T) {
	for pattern, want := range map[string][]string{
		"https://www.figma.com/file/**":    {"www.figma.com", "figma.com"},
		"https://*.example.co.uk/x":        {"example.co.uk", "co.uk"},
		"http://Docs.Example.org:8080/a":   {"docs.example.org", "example.org"},
		"https://localhost/**":             {"localhost"},
		"https://*/**":                     nil,
		"https://figma.com":                {"figma.com"},
		"https://team-*.example.org/*/x?y": {"example.org"},
	} {
		got, err := domainsOf("p", pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", pattern, diff)
		}
	}
	for _, pattern := range []string{"", "figma.com", "javascript:alert(1)", "https://", "https://a b/",
		"https://a..b/", "ftp://a.example/", "https://" + strings.Repeat("a", 600), "https://a\n.example/"} {
		if got, err := domainsOf("p", pattern); err == nil {
			t.Errorf("%q is taken as %v", pattern, got)
		}
	}
}

func configurations(t *testing.T, text string) Configurations {
	t.Helper()
	var c Configurations
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConfigurations(t *testing.T) {
	good :=
		`{"account":{"properties":{"zone":{"type":"string","enum":["eu","us"],"default":"eu"},"key":{"title":"Key","description":"Of the account.","type":"string"},` +
			`"most":{"type":"number","default":3},"on":{"type":"boolean","default":false},"connect":{"type":"button","callback_url":"/connect","button_text":"Connect"}},"required":["key","zone"]},` +
			`"space":{"componentId":"settings"}}`
	c, err := configurations(t, good).check()
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if names := c.Account.Properties; names[0].Name != "zone" || names[1].Name != "key" || names[4].Name != "connect" {
		t.Errorf("the order is lost: %+v", names)
	}
	if again := configurations(t, string(written)); !cmp.Equal(c, again) {
		t.Error(cmp.Diff(c, again))
	}

	refused := map[string][2]string{
		"neither": {`{"site":{}}`, "configurations.site:"},
		"both":    {`{"site":{"properties":{},"componentId":"x"}}`, "configurations.site:"},
		"no type": {`{"account":{"properties":{"a":{}}}}`, "configurations.account.properties.a.type:"},
		"unknown type": {`{"account":{"properties":{"a":{"type":"text"}}}}`,
			"configurations.account.properties.a.type:"},
		"long title": {`{"account":{"properties":{"a":{"type":"string","title":"` + strings.Repeat("a", 31) +
			`"}}}}`, "configurations.account.properties.a.title:"},
		"long description": {`{"space":{"properties":{"a":{"type":"string","description":"` + strings.Repeat("a",
			101) + `"}}}}`, "configurations.space.properties.a.description:"},
		"name": {`{"account":{"properties":{"a b":{"type":"string"}}}}`,
			"configurations.account.properties:"},
		"default of other type": {`{"account":{"properties":{"a":{"type":"number","default":"3"}}}}`,
			"configurations.account.properties.a.default:"},
		"default not in list": {`{"account":{"properties":{"a":{"type":"string","enum":["x"],"default":"y"}}}}`,
			"configurations.account.properties.a.default:"},
		"enum of numbers": {`{"account":{"properties":{"a":{"type":"number","enum":["1"]}}}}`,
			"configurations.account.properties.a.enum:"},
		"enum twice": {`{"account":{"properties":{"a":{"type":"string","enum":["1","1"]}}}}`,
			"configurations.account.properties.a.enum[1]:"},
		"script address": {
			`{"account":{"properties":{"a":{"type":"string","completion_url":"javascript:alert(1)"}}}}`,
			"configurations.account.properties.a.completion_url:"},
		"foreign path": {
			`{"account":{"properties":{"a":{"type":"button","button_text":"x","callback_url":"//evil.example"}}}}`,
			"configurations.account.properties.a.callback_url:"},
		"button without text": {`{"account":{"properties":{"a":{"type":"button","callback_url":"/x"}}}}`,
			"configurations.account.properties.a.button_text:"},
		"button with default": {
			`{"account":{"properties":{"a":{"type":"button","callback_url":"/x","button_text":"x","default":"x"}}}}`,
			"configurations.account.properties.a.default:"},
		"required unknown": {`{"account":{"properties":{"a":{"type":"string"}},"required":["a","b"]}}`,
			"configurations.account.required[1]:"},
		"required twice": {`{"account":{"properties":{"a":{"type":"string"}},"required":["a","a"]}}`,
			"configurations.account.required[1]:"},
	}
	for name, test := range refused {
		if _, err := configurations(t, test[0]).check(); !errs.Is(err, errs.Invalid) || !strings.HasPrefix(err.Error(),
			test[1]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var twice Configurations
	if err := json.Unmarshal([]byte(`{"account":{"properties":{"a":{"type":"string"},"a":{"type":"number"}}}}`),
		&twice); err == nil {
		t.Error("a property that comes twice is taken")
	}

	values := []struct {
		name, values, says string
		complete           bool
	}{
		{"all", `{"zone":"us","key":"k","most":2.5,"on":true}`, "", true},
		{"defaults", `{"key":"k"}`, "", true},
		{"more than described", `{"key":"k","state":{"token":"t"}}`, "", true},
		{"null stands for none", `{"key":"k","most":null}`, "", true},
		{"missing", `{}`, "", false},
		{"null is missing", `{"key":null}`, "", false},
		{"part of it", `{"most":1}`, "", false},
		{"type", `{"key":5}`, "configuration.key:", false},
		{"list", `{"key":"k","zone":"asia"}`, "configuration.zone:", false},
		{"number", `{"key":"k","most":"2"}`, "configuration.most:", false},
		{"boolean", `{"key":"k","on":"true"}`, "configuration.on:", false},
		{"button", `{"key":"k","connect":{"access_token":"t","expires_at":1}}`, "", true},
		{"NUL", `{"key":"\u0000"}`, "configuration.key:", false},
	}
	for _, test := range values {
		parsed, err := parseValues([]byte(test.values))
		if err != nil {
			t.Fatal(err)
		}
		err = c.Account.checkValues(parsed)
		if (err == nil) != (test.says == "") || err != nil && !strings.HasPrefix(err.Error(), test.says) ||
			c.Account.complete(parsed) != test.complete {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	parsed, err := parseValues([]byte(`{"key":"k","most":12345678901234567890}`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(c.Account.withDefaults(parsed))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(all), `{"key":"k","most":12345678901234567890,"on":false,"zone":"eu"}`; got != want {
		t.Errorf("with defaults: %s", got)
	}
	for name, text := range map[string]string{
		"deep":      strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30),
		"deeper":    `{"a":` + strings.Repeat("[", 60_000) + strings.Repeat("]", 4_000) + "}",
		"large":     `{"a":"` + strings.Repeat("a", maxConfiguration) + `"}`,
		"no object": `[1]`,
		"null":      `null`,
	} {
		if _, err := parseValues([]byte(text)); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := depthOf([]byte(`{"a":"[[[\"{{{","b":[{}]}`)); got != 3 {
		t.Errorf("depth %d", got)
	}
}

// picture returns a small picture in a format.
func picture(t *testing.T, format string) []byte {
	t.Helper()
	one := image.NewPaletted(image.Rect(0, 0, 4, 3), color.Palette{color.Black, color.White})
	var out bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&out, one)
	case "jpeg":
		err = jpeg.Encode(&out, one, nil)
	case "gif":
		err = gif.Encode(&out, one, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// smallestWebP is a picture of one pixel.
const smallestWebP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"

// bomb is a PNG that says it has 100,000 by 100,000 pixels.
func bomb(t *testing.T) []byte {
	data := picture(t, "png")
	header := data[16:24]
	copy(header, []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0})
	sum := crc32.ChecksumIEEE(data[12:29])
	data[29], data[30], data[31], data[32] = byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)
	return data
}

func TestImages(t *testing.T) {
	s := &Service{decoding: make(chan struct{}, 1)}
	encode := base64.StdEncoding.EncodeToString
	for name, test := range map[string]struct{ text, want string }{
		"PNG":  {encode(picture(t, "png")), "image/png"},
		"JPEG": {encode(picture(t, "jpeg")), "image/jpeg"},
		"GIF":  {encode(picture(t, "gif")), "image/gif"},
		"WebP": {smallestWebP, "image/webp"},
		"SVG": {
			encode(
				[]byte(
					`<?xml version="1.0" encoding="UTF-8"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>` + "\n")), "image/svg+xml"},
	} {
		if _, got, err := s.decodeImage(context.Background(), "icon", test.text, maxIcon); err != nil ||
			got != test.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"no base64":        "%%%",
		"an address":       "https://example.org/icon.png",
		"text":             encode([]byte("hello")),
		"HTML":             encode([]byte("<html><body><svg></svg></body></html>")),
		"script after svg": encode([]byte("<svg></svg><script></script>")),
		"entities":         encode([]byte(`<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>`)),
		"broken XML":       encode([]byte("<svg><g></svg>")),
		"deep XML":         encode([]byte(strings.Repeat("<svg>", 100) + strings.Repeat("</svg>", 100))),
		"cut PNG":          encode(picture(t, "png")[:50]),
		"PNG of 10 Gpx":    encode(bomb(t)),
		"too large":        encode(bytes.Repeat([]byte{1}, maxIcon+1)),
		"empty SVG":        encode([]byte("<!-- nothing -->")),
	} {
		if _, got, err := s.decodeImage(context.Background(), "icon", text, maxIcon); !errs.Is(err, errs.Invalid) ||
			!strings.HasPrefix(err.Error(), "icon:") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
