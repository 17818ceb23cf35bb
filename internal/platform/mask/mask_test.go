package mask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const (
	base32Text = "abcdefghijklmnopqrstuvwxyz234567"
	upperText  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	signature  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
)

func TestSecretsAreHidden(t *testing.T) {
	for text, want := range map[string]string{
		"/v1/rct_" + base32Text + "abcdefgh":               "/v1/rct_…",
		"session rcs_" + base32Text + " ended":             "session rcs_… ended",
		"/invites/org_01k/invite_" + base32Text:            "/invites/org_01k/invite_…",
		"/invites/org_01k/invite_" + base32Text[:29] + "/": "/invites/org_01k/invite_…/",
		"/sites/docs/" + base32Text + "/start":             "/sites/docs/…/start",
		"/docs/~/visitor/eyJwbGFuIjoicHJvIn0/start":        "/docs/~/visitor/…/start",
		"eyJhbGciOiJI.eyJwbGFuIjoi.c2lnbmF0dXJl":           "…",
		"ticket user_01k." + "1790000000." + signature:     "ticket …",
		"finish " + upperText + " twice":                   "finish … twice",
		"code ABCDE-FGHIJ-KLMNO-PQRST-UVWXY":               "code …",
		"Authorization: Bearer abcdefgh.ij":                "Authorization: Bearer …",
		"/a?signature=abc&expires=5":                       "/a?signature=…&expires=5",
	} {
		if got := Secrets(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"", "/v1/spaces/space_01jd3k9m8n7p6q5r4s3t2v1w0x/content",
		"/v1/orgs/org_1/link-invites/invite_01jd3k9m8n7p6q5r4s3t2v1w0x",
		"/docs/how-to-install-the-thing-on-debian-and-ubuntu",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0", "Basic words",
		"the code = 5", "/a/~/changes/3/",
	} {
		if got := Text(text); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestAddressesLoseWhatTheyMayHide(t *testing.T) {
	for text, want := range map[string]string{
		`Get "https://ada:pass@example.com/a?X=1&Y=2": refused`: `Get "https://…@example.com/a?…": refused`,
		"postgres://recto:word@db/recto?sslmode=disable":        "postgres://…@db/recto?…",
		"https://example.com/a#b":                               "https://example.com/a#b",
		"https://git:ghp@x@example.com":                         "https://…@example.com",
	} {
		if got := Text(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := Secrets("https://example.com/a?b=c"); got != "https://example.com/a?b=c" {
		t.Errorf("an address without secrets: %s", got)
	}
}

type secretive struct{ Token string }

// LogValue says what is logged of it.
func (s secretive) LogValue() slog.Value { return slog.StringValue("it is " + s.Token) }

func TestNoRecordHasASecret(t *testing.T) {
	token := "rct_" + base32Text
	for _, form := range []func(*bytes.Buffer) slog.Handler{
		func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
		func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
	} {
		var out bytes.Buffer
		log := Logger(Logger(slog.New(form(&out))))
		log.With("with", token).WithGroup("group").Info("message "+token,
			"text", token, "error", fmt.Errorf("a: %w", errors.New(token)), "any",
			map[string]any{"deep": []string{token}},
			"struct", struct{ Kept string }{token}, "hidden", struct{ token string }{token}, "bytes", []byte(token),
			slog.Group("inner", "text", token), "valuer", secretive{token}, "number", 5)
		if strings.Contains(out.String(), base32Text) || !strings.Contains(out.String(), "rct_…") ||
			!strings.Contains(out.String(), "number") {
			t.Errorf("logged: %s", out.String())
		}
	}
	if !Logger(slog.Default()).Enabled(context.Background(), slog.LevelError) {
		t.Error("the level of the handler behind does not count")
	}
}

func BenchmarkPath(b *testing.B) {
	for b.Loop() {
		Text("/sites/docs/guide/install-on-debian")
	}
}

func BenchmarkPathWithID(b *testing.B) {
	for b.Loop() {
		Text("/v1/spaces/space_01jd3k9m8n7p6q5r4s3t2v1w0x/content/page/page_01jd3k9m8n7p6q5r4s3t2v1w0x")
	}
}
