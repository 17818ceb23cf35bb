package agents

import (
	"net/http"
	"strings"
	"testing"
)

const (
	crawler = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	reader  = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

func TestAgentsThatNameThemselves(t *testing.T) {
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(list.names) < 80 || len(list.robots) <= len(list.names) || len(list.signatures) == 0 {
		t.Errorf("the list has %d names, %d for robots.txt, %d signatures", len(list.names), len(list.robots),
			len(list.signatures))
	}
	if !strings.Contains(kept, "Sources: ") || !strings.Contains(kept, "Gathered on 20") {
		t.Error("the list does not say where it is from, and from when")
	}
	for header, want := range map[string]bool{
		crawler: true, "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)": true, "gptbot": true,
		"CCBot/2.0 (https://commoncrawl.org/faq/)":                                               true,
		"Mozilla/5.0 (compatible; Ai2Bot-Dolma (+https://www.allenai.org/crawler))":              true,
		"Mozilla/5.0 AppleWebKit/537.36 (compatible; Kangaroo Bot; +https://kangaroollm.com.au)": true,
		"GoogleOther-Image/1.0": true, "Perplexity-User/1.0": true, "x (GPTBot)": true,
		reader: false, "": false, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": false,
		"Mozilla/5.0 (compatible; bingbot/2.0)": false,
		"Applebot/0.1":                          false, "MyGPTBotReader": false, "not-gptbot": false,
		"DevinsBrowser/1": false,
		"curl/8.0":        false, strings.Repeat("x", 5000) + " GPTBot": false,
	} {
		if got := list.Sent(&http.Request{Header: http.Header{"User-Agent": {header}}}); got != want {
			t.Errorf("%.80q: %v, want %v", header, got, want)
		}
	}
	if !list.Sent(&http.Request{Header: http.Header{"User-Agent": {reader},
		"Signature-Agent": {`"https://chatgpt.com"`}}}) {
		t.Error("an agent that signs is taken for a reader")
	}
	for _, broken := range []string{"agent", "program X", "agent  "} {
		if _, err := read(broken); err == nil {
			t.Errorf("%q is taken as a line", broken)
		}
	}
}
